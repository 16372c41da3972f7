"""All topics at a glance: cards or a table, those that need a look first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from core.attention import Attention
from tsnmf_ui import results, state, texts, topic_facts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import passages, results_head, topic_choice

PER_PAGE = 24
CARDS, TABLE = "Cards", "Table"
SORTED = "topics.sorted"  # outlives the control, which other views do not draw


def draw(found: Results) -> None:
    """The order asked for, a sentence on what needs a look, then the topics."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        by = _order()
        shape = results_head.choice("Show as", (CARDS, TABLE), "topics.shape")
        st.html(f'<div class="ts-quiet">{_summary(found)}</div>')
    order = topic_facts.order(found, by)
    if shape == TABLE:
        _table(found, order)
    else:
        _cards(found, order)


def _order() -> topic_facts.Order:
    """How the topics are sorted; still so after a look at one of them."""
    if state.recall("order") is None and state.recall(SORTED) is not None:
        state.remember("order", state.recall(SORTED))
    by = results_head.choice("Order", topic_facts.ORDERS, "order", in_address=True)
    state.remember(SORTED, by)
    return by  # type: ignore[return-value]


def _summary(found: Results) -> str:
    judged = topic_facts.attention(found).values()
    needy = sum(bool(each.reasons) for each in judged)
    n_topics = texts.count(len(found.topics), "topic")
    if not needy:
        return f"{n_topics}, and none stands out as needing a look."
    return f"{needy} of {n_topics} {'needs' if needy == 1 else 'need'} a look."


def _cards(found: Results, order: list[int]) -> None:
    pages = -(-len(order) // PER_PAGE)
    number = st.pagination(pages, key="topics.page") if pages > 1 else 1
    shown = order[(number - 1) * PER_PAGE : number * PER_PAGE]
    judged = topic_facts.attention(found)
    for start in range(0, len(shown), 3):
        for column, topic in zip(st.columns(3), shown[start : start + 3], strict=False):
            with column, st.container(key=f"card-{topic}", gap="small"):
                _card(found, topic, judged[topic])


def _card(found: Results, topic: int, judged: Attention) -> None:
    colour, share = found.colours[topic], found.sizes[topic].share
    st.html(
        f'<div class="ts-card"><h3>{passages.topic_name(found.topics.names[topic], colour)}'
        f"<i>{texts.percent(share)}</i></h3>"
        f'<div class="ts-bar" style="--c:{colour}"><i style="width:{100 * share:.1f}%"></i></div>'
        f'<div class="ts-facts">{told(found, topic)}</div>'
        f"{reasons(judged)}"
        f"{passages.words(found.topics.top_terms(topic, 8), colour)}"
        f"{spark(topic_facts.sparkline(found, topic), colour)}"
        f"{quotes(found, topic)}</div>"
    )
    st.button(
        "Open",
        key=f"topics.open.{topic}",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=topic_choice.open_topic,
        args=(found.reference(topic),),
    )


def told(found: Results, topic: int) -> str:
    """Documents, labels and coherence of a topic, in a line."""
    size, named = found.sizes[topic], found.ids[topic] is not None
    labelled = f"{found.labelled[topic]:,} labelled"
    labelled = labelled if found.run.spec.obeys else f"matches your label, {labelled}"
    kind = labelled if named else "found by the model"
    parts = [f"{size.documents:,} of {texts.count(size.of, 'text')}", kind]
    measured = topic_facts.coherence(found)
    if measured is not None and measured[topic] == measured[topic]:
        parts.append(_coherence(measured[topic]))
    if found.topics.is_group(topic):
        parts.append(f"{len(found.topics.parts[topic])} sub-topics")
    return " · ".join(parts)


def _coherence(value: float) -> str:
    why = "How often its ten heaviest words occur in the same texts (NPMI, from -1 to 1)."
    return f'<span title="{why}">coherence {value:.2f}</span>'


def reasons(judged: Attention) -> str:
    """Why a topic needs a look, as a list; nothing when all is well."""
    items = "".join(
        f'<li class="ts-{reason.kind.replace(" ", "-")}">{escape(reason.sentence)}</li>'
        for reason in judged.reasons
    )
    return f'<ul class="ts-reasons">{items}</ul>' if items else ""


def spark(points: Sequence[tuple[float, str]], colour: str) -> str:
    """Shares over time as small bars, highest full; each says its period on hover."""
    if len(points) < 3:
        return ""
    most = max(share for share, _ in points) or 1.0
    bars = "".join(
        f'<i style="--h:{100 * share / most:.0f}%" title="{escape(said)}"></i>'
        for share, said in points
    )
    first, last = points[0][0], points[-1][0]
    words = f"share over time, from {texts.percent(first)} to {texts.percent(last)}"
    return (
        f'<div class="ts-spark" style="--c:{escape(colour)}" role="img" aria-label="{words}">'
        f'<div>{bars}</div><span class="ts-quiet">{words}</span></div>'
    )


def quotes(found: Results, topic: int) -> str:
    """Three passages that speak for a topic, word for word."""
    parts = []
    for passage, document in results.quotes(found, topic):
        spans = results.topic_spans(found, topic, passage.text)
        parts.append(passages.quote(passage, document, found.colours[topic], spans))
    return "".join(parts) or '<p class="ts-quiet">No text speaks mainly of it yet.</p>'


def _table(found: Results, order: list[int]) -> None:
    """One row per topic; a row that is chosen opens its topic."""
    table = topic_facts.table(found, order)
    event = st.dataframe(
        table,
        key=f"topics.table.{found.run.id}",
        hide_index=True,
        height=min(36 * (len(order) + 1) + 4, 640),
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "Share": st.column_config.ProgressColumn(
                format="%.0f %%", max_value=float(max(table["Share"].max(), 1.0))
            ),
            "Texts": st.column_config.NumberColumn(format="localized"),
            "Labelled": st.column_config.NumberColumn(format="localized"),
            "Coherence": st.column_config.NumberColumn(
                format="%.2f", help="NPMI of the ten heaviest words, from -1 to 1"
            ),
            "Trend": st.column_config.BarChartColumn(y_min=0),
            "Needs a look": st.column_config.TextColumn(width="large"),
        },
        alt="Table of all topics",
    )
    chosen = event["selection"]["rows"]
    if chosen:
        topic_choice.open_later(found.reference(order[chosen[0]]))
