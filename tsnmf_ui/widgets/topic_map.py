"""The map of documents: look around, draw a lasso, label what lies inside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import streamlit as st

from tsnmf_ui import figures, map_colours, results, texts, topic_facts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import passages, scatter_note, selection_link, topic_operations

LISTED = 12  # documents of a lasso that are shown
WHERE = {
    topic_facts.AT_ONCE: "between their topics",
    topic_facts.NEIGHBOURS: "beside those most like them",
}
NARROW = {"modeBarButtonsToRemove": ["toImage", "autoScale2d"], "scrollZoom": True}


def draw(found: Results) -> None:
    """Choose the colours; the map on the left, what was chosen on the right."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        wanted = st.selectbox(
            "Colour by",
            map_colours.choices(found),
            key="topics.colours",
            width=260,
            label_visibility="collapsed",
            format_func=lambda name: f"Colour by {name}",
        )
        layout = scatter_note.draw(found)
    left, right = st.columns([0.68, 0.32], gap="small")
    with left, st.container(key="panel-docmap"):
        chosen = _map(found, wanted, layout)
    with right, st.container(key="panel-lasso"):
        _chosen(found, chosen)


def _map(found: Results, wanted: str, layout: str) -> tuple[int, ...]:
    """The figure; positions of the documents inside the lasso, or of the one clicked."""
    placed = topic_facts.laid_out(found, layout)
    figure = _figure(found.version, wanted, layout, found)
    event = st.plotly_chart(
        figure,
        key=f"topics.docmap.{found.run.id}.{wanted}.{layout}",
        theme=None,
        alt=figures.alt_text(figure),
        config=NARROW,
        on_select="rerun",
        selection_mode=("points", "lasso", "box"),
    )
    st.caption(_said(found, int(placed.placed.size), layout))
    return _inside(placed, event["selection"])


@st.cache_resource(max_entries=6, show_spinner=False)
def _figure(version: Any, wanted: str, layout: str, _found: Results) -> Any:
    """Kept, so that a lasso waits for nothing else."""
    return figures.document_map(
        topic_facts.laid_out(_found, layout),
        _found.topics,
        map_colours.colouring(_found, wanted),
        shown=topic_facts.shown(_found, layout),
        colours=_found.colours,
        where=WHERE[layout],
    )


def _inside(placed: Any, selection: Any) -> tuple[int, ...]:
    """What a lasso, a box or a click holds, looked up among all documents."""
    found: set[int] = set()
    for lasso in selection["lasso"]:
        found |= set(placed.inside(list(zip(lasso["x"], lasso["y"], strict=True))).tolist())
    for box in selection["box"]:
        found |= set(placed.within(box["x"], box["y"]).tolist())
    if not found:
        found = {_position(point) for point in selection["points"] if "customdata" in point}
    return tuple(sorted(found))


def _position(point: dict[str, Any]) -> int:
    data = point["customdata"]
    return int(data[0] if isinstance(data, list | tuple) else data)


def _said(found: Results, n_placed: int, layout: str) -> str:
    if layout == topic_facts.NEIGHBOURS:
        return (
            f"{n_placed:,} of {len(found.topics.doc_ids):,} texts, each beside those with the "
            "most similar topics. How far apart groups lie means little on this map."
        )
    parts = ["Topics with similar words lie close together; a text lies between its topics."]
    n_shown = len(topic_facts.shown(found, layout))
    if n_shown < n_placed:
        parts.append(
            f"All {n_placed:,} texts are painted; {n_shown:,} of them answer to the pointer, "
            "and a lasso takes every text inside."
        )
    without = len(found.topics.doc_ids) - n_placed
    if without:
        told = texts.count(without, "text")
        parts.append(f"{told} without any topic {'is' if without == 1 else 'are'} left out.")
    return " ".join(parts)


def _chosen(found: Results, positions: Sequence[int]) -> None:
    if not positions:
        st.html('<div class="ts-heading">Chosen texts</div>')
        st.markdown(
            "Draw a line around some texts, or click one. "
            "They appear here, ready to be read and labelled together."
        )
        return
    count = texts.count(len(positions), "text")
    st.html(
        f'<div class="ts-heading">Chosen texts</div><div class="ts-name">{count}</div>'
        f"{_made_of(found, positions)}"
    )
    title = f"Lasso around {_middle(found, positions)}"
    selection_link.offer(found.project, title, positions, key="topics.label-lasso", primary=True)
    operate = getattr(topic_operations, "draw_selection", None)
    if operate is not None:
        operate(found.project, found.run, tuple(positions))
    _list(found, topic_facts.clearest(found, positions, LISTED))


def _made_of(found: Results, positions: Sequence[int]) -> str:
    """Which main topics the chosen documents have, as bars."""
    rows = [
        f'<div class="ts-row-bar" style="--c:{found.colours[topic]};--share:{100 * share:.1f}%">'
        f"{passages.topic_name(found.topics.names[topic], found.colours[topic])}"
        f"<b>{texts.percent(share)}</b><small>{texts.count(n, 'text')}</small></div>"
        for topic, n, share in topic_facts.made_of(found, positions)[:5]
    ]
    return "".join(rows)


def _middle(found: Results, positions: Sequence[int]) -> str:
    parts = topic_facts.made_of(found, positions)[:2]
    return " and ".join(found.topics.names[topic] for topic, _, _ in parts) or "no topic"


def _list(found: Results, best: Sequence[tuple[int, float]]) -> None:
    documents = results.documents_at(found.project.id, [at for at, _ in best])
    rows = passages.rows([(documents[at], share) for at, share in best])
    with st.container(height=330, border=False):
        st.html(f'<div class="ts-heading">{escape("The clearest among them")}</div>{rows}')
