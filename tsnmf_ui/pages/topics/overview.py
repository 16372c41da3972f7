"""All topics at a glance: cards or a table, those that need a look first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from core.insight.attention import Attention
from core.workspace import topic_facts
from core.workspace.results import Results, topic_quotes, topic_spans
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics import cures, topic_choice, topic_table
from tsnmf_ui.pages.widgets import passages, results_header
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

PER_PAGE = 24
NO_TEXT = "No text has it as its main topic yet"
CARDS_VIEW, TABLE_VIEW = "Cards", "Table"
SORT_ORDER = "topics.sorted"  # outlives the control, which other views do not draw


def render(found: Results) -> None:
    """The order asked for, a sentence on what needs a look, then the topics."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        by = _order()
        shape = results_header.choice("Show as", (CARDS_VIEW, TABLE_VIEW), "topics.shape")
        st.html(f'<div class="ts-quiet">{_summary(found)}</div>')
    order = topic_table.order(found, by)
    if shape == TABLE_VIEW:
        _table(found, order)
    else:
        _cards(found, order)


def _order() -> topic_table.Order:
    """How the topics are sorted; still so after a look at one of them."""
    if state.get_value("order") is None and state.get_value(SORT_ORDER) is not None:
        state.set_value("order", state.get_value(SORT_ORDER))
    by = results_header.choice("Order", topic_table.ORDERS, "order", in_address=True)
    state.set_value(SORT_ORDER, by)
    return by  # type: ignore[return-value]


def _summary(found: Results) -> str:
    judged = topic_facts.attention(state.store(), found).values()
    needy = sum(each.first for each in judged)
    others = sum(bool(each.reasons) for each in judged) - needy
    n_topics = texts.count(len(found.topics), "topic")
    noted = f"; {texts.count(others, 'has', 'have')} a minor note" if others else ""
    if not needy:
        return f"{n_topics}: none needs a look{noted}.{_without_topic(found)}"
    verb = "needs" if needy == 1 else "need"
    return f"{needy} of {n_topics} {verb} a look{noted}.{_without_topic(found)}"


def _without_topic(found: Results) -> str:
    """Why shares are of fewer texts than the project has; begins with a blank."""
    n = found.project.n_docs - found.unread - found.sizes[0].of if found.sizes else 0
    none = f" {texts.count(n, 'text has', 'texts have')} no topic." if n > 0 else ""
    later = f" {texts.count(found.unread, 'text was', 'texts were')} added since the fit."
    return none + later * bool(found.unread)


def _cards(found: Results, order: list[int]) -> None:
    pages = -(-len(order) // PER_PAGE)
    number = st.pagination(pages, key="topics.page") if pages > 1 else 1
    shown = order[(number - 1) * PER_PAGE : number * PER_PAGE]
    judged = topic_facts.attention(state.store(), found)
    for start in range(0, len(shown), 3):
        for column, topic in zip(st.columns(3), shown[start : start + 3], strict=False):
            with column, st.container(key=f"card-{topic}", gap="small"):
                _card(found, topic, judged[topic])


def _card(found: Results, topic: int, judged: Attention) -> None:
    colour, share = results.colour(found, topic), found.sizes[topic].share
    st.html(
        f'<div class="ts-card"><h2>{passages.topic_name(found.topics.names[topic], colour)}'
        f"<i>{texts.percent(share)}</i></h2>"
        f'<div class="ts-bar" style="--c:{colour}"><i style="width:{100 * share:.1f}%"></i></div>'
        f'<div class="ts-facts">{facts_line(found, topic)}</div>'
        f"{reasons(judged)}</div>"
    )
    if judged.first:
        cures.render(found, judged)
    st.html(
        f'<div class="ts-card">{passages.words(found.topics.top_terms(topic, 8), colour)}'
        f"{sparkline_html(topic_table.sparkline(found, topic), colour)}"
        f"{quotes(found, topic)}</div>"
    )
    st.button(
        texts.distinct_label("Open", found.topics.names[topic]),
        key=f"topics.open.{topic}",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=topic_choice.open_topic,
        args=(found.topics.keys[topic],),
    )


def facts_line(found: Results, topic: int) -> str:
    """Documents, labels and coherence of a topic, in a line."""
    size, named = found.sizes[topic], found.ids[topic] is not None
    labelled = f"{found.labelled[topic]:,} labelled"
    labelled = labelled if found.run.spec.labels_own_topics else f"matches your label, {labelled}"
    kind = labelled if named else "free topic"
    parts = [f"{size.documents:,} of {texts.count(size.of, 'text')}", kind]
    measured = topic_facts.coherence(state.store(), found)
    if measured is not None and measured[topic] == measured[topic]:
        parts.append(_coherence(measured[topic]))
    if found.topics.is_group(topic):
        parts.append(f"{len(found.topics.parts[topic])} parts")
    return " · ".join(parts)


def _coherence(value: float) -> str:
    why = "How often its top ten words occur in the same texts (NPMI, −1 to 1)."
    return f'<span title="{why}">coherence {value:.2f}</span>'


def reasons(judged: Attention) -> str:
    """What is the matter with a topic, as a list; quiet unless it needs a look."""
    items = "".join(
        f'<li class="ts-{reason.kind.replace(" ", "-")}">{escape(reason.sentence)}</li>'
        for reason in judged.reasons
    )
    tone = "" if judged.first else " ts-remarks"
    return f'<ul class="ts-reasons{tone}">{items}</ul>' if items else ""


def sparkline_html(points: Sequence[tuple[float, str]], colour: str) -> str:
    """Shares over time as small bars, highest full; each says its period on hover."""
    most = max((share for share, _ in points), default=0.0)
    if len(points) < 3 or not most:
        return ""
    bars = "".join(
        f'<i style="--h:{100 * share / most:.0f}%" title="{escape(caption)}"></i>'
        for share, caption in points
    )
    first, last = points[0][0], points[-1][0]
    words = f"share over time, from {texts.percent(first)} to {texts.percent(last)}"
    return (
        f'<div class="ts-spark" style="--c:{escape(colour)}" role="img" aria-label="{words}">'
        f'<div>{bars}</div><span class="ts-quiet">{words}</span></div>'
    )


def quotes(found: Results, topic: int) -> str:
    """Three passages that speak for a topic, word for word."""
    parts, shown = [], results.date_writer(found.project)
    for passage, document in topic_quotes(state.store(), found, topic):
        spans = topic_spans(found, topic, passage.text)
        parts.append(passages.quote(passage, document, results.colour(found, topic), spans, shown))
    if parts:
        return "".join(parts)
    why = "None of its texts has a passage to quote" if found.sizes[topic].documents else NO_TEXT
    return f'<p class="ts-quiet">{why}.</p>'


def _styled(table: pd.DataFrame) -> Any:
    """A number to sort by that is written like every share."""
    return table.style.format(lambda share: texts.percent(float(str(share))), subset=["Share"])


def _table(found: Results, order: list[int]) -> None:
    """One row per topic; a row that is chosen opens its topic."""
    table = topic_table.table(found, order)
    event = st.dataframe(
        _styled(table),
        key=f"topics.table.{found.run.id}",
        hide_index=True,
        height=min(36 * (len(order) + 1) + 4, 640),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Share": st.column_config.NumberColumn(),
            "Texts": st.column_config.NumberColumn(format="localized"),
            "Labelled": st.column_config.NumberColumn(format="localized"),
            "Coherence": st.column_config.NumberColumn(
                format="%.2f", help="NPMI of the top ten words, −1 to 1"
            ),
            "Trend": st.column_config.BarChartColumn(y_min=0),
            "Needs a look": st.column_config.TextColumn(width="large"),
        },
        alt="Table of all topics",
    )
    chosen = event["selection"]["rows"]
    if chosen:
        topic_choice.open_later(found.topics.keys[order[chosen[0]]])
