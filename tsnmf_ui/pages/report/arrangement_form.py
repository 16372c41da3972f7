"""Order, hidden topics, comments, chosen quotes and the logo of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from core import report
from core.errors import StudioError
from core.store import TOPIC_FIELD_LIMITS, Store
from core.workspace.reports import logo_field, quote_candidates
from core.workspace.results import Results
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

Write = Callable[[Mapping[str, str]], None]


def topic_grid(found: Results, material: report.ReportInput, write: Write) -> None:
    """All topics in the order of the report: place, whether it is shown, and a comment."""
    table = topic_table(found, material)
    revision = found.project.revision
    key = f"report.grid.{found.project.id}.{revision}"  # another event, another table
    st.data_editor(
        table.drop(columns="key"),
        key=key,
        hide_index=True,
        height=min(420, 38 * (len(table) + 1)),
        column_config={
            "place": st.column_config.NumberColumn("Place", min_value=1, step=1, width=70),
            "topic": st.column_config.TextColumn("Topic", disabled=True),
            "shown": st.column_config.CheckboxColumn("Shown", width=80),
            "comment": st.column_config.TextColumn(
                "Comment", max_chars=TOPIC_FIELD_LIMITS["comment"]
            ),
        },
        on_change=lambda: write(edited_fields(table, state.get_value(key)["edited_rows"])),
    )


def topic_table(found: Results, material: report.ReportInput) -> pd.DataFrame:
    """Shown topics in their order, then the hidden ones; without those that found nothing."""
    arrangement = material.arrangement
    keys = [str(key) for key in found.topics.keys]
    place = {key: at for at, key in enumerate(arrangement.order)}

    def order(k: int) -> tuple[bool, int, float, int]:
        hidden = keys[k] in arrangement.hidden
        return hidden, place.get(keys[k], len(place)), -found.sizes[k].share, k

    rows = sorted(set(range(len(keys))) - material.empty_columns, key=order)
    return pd.DataFrame(
        {
            "key": [keys[k] for k in rows],
            "place": range(1, len(rows) + 1),
            "topic": [found.topics.names[k] for k in rows],
            "shown": [keys[k] not in arrangement.hidden for k in rows],
            "comment": [arrangement.comments.get(keys[k], "") for k in rows],
        }
    )


def edited_fields(table: pd.DataFrame, edits: Mapping[Any, Mapping[str, Any]]) -> dict[str, str]:
    """The fields of the report that a change to the table stands for."""
    fields: dict[str, str] = {}
    order, hidden = list(table["key"]), set(table["key"][~table["shown"]])
    for row, edit in edits.items():
        key = str(table["key"].iloc[int(row)])
        if edit.get("place"):
            order.remove(key)
            order.insert(max(0, int(edit["place"]) - 1), key)
            fields["order"] = "\n".join(order)
        if "shown" in edit:
            (hidden.discard if edit["shown"] else hidden.add)(key)
            fields["hidden"] = "\n".join(each for each in table["key"] if each in hidden)
        if "comment" in edit:
            fields[f"comment:{key}"] = str(edit["comment"] or "")
    return fields


def quote_choice(store: Store, found: Results, material: report.ReportInput, write: Write) -> None:
    """Which passages are quoted, topic by topic."""
    topic = st.selectbox(
        "Quotes of",
        range(len(found.topics)),
        key=f"report.quoted.{found.project.id}",
        format_func=lambda k: found.topics.names[k],
    )
    key = str(found.topics.keys[topic])
    chosen = list(material.arrangement.chosen.get(key, ()))
    for quote in quote_candidates(store, found, material, topic):
        place = quote.position + 1
        box = f"report.quote.{found.project.id}.{key}.{quote.position}"
        state.set_value(box, quote.position in chosen)
        left, right = st.columns([0.08, 0.92], vertical_alignment="top")
        left.checkbox(
            f"Quote text {place}",
            key=box,
            label_visibility="collapsed",
            on_change=_toggle_quote,
            args=(key, chosen, quote.position, write),
        )
        right.html(f'<div class="ts-quote">{escape(quote.text)}</div>')


def _toggle_quote(key: str, chosen: Sequence[int], position: int, write: Write) -> None:
    kept = [at for at in chosen if at != position]
    kept += [] if position in chosen else [position]
    write({f"chosen:{key}": "\n".join(map(str, kept))})


def logo_form(project: int, logo: str, write: Write) -> None:
    """A picture for the first page."""
    key = f"report.logo.{project}.{len(logo)}"
    given = st.file_uploader("Logo", type=["png", "jpg", "jpeg"], key=key)
    if given is not None:
        try:
            field = logo_field(given.getvalue())
        except StudioError as error:
            state.notify(texts.escape_markdown(str(error)), "error")
            return
        if field != logo:
            write({"logo": field})
            st.rerun()
    if logo:
        st.button("Remove the logo", key="report.nologo", on_click=write, args=({"logo": ""},))
