"""Topics: what each one says, how large it is, which labels and documents stand behind it."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from core import summaries
from core.corpus import Document
from tsnmf_ui import figures, results, state, texts
from tsnmf_ui.results import Labels, Results
from tsnmf_ui.widgets import passages, results_head, topic_operations
from tsnmf_ui.widgets.live import follow

ALL, ONE, LABELS = "All topics", "One topic", "Labels and topics"
PER_PAGE = 24
CHOSEN = topic_operations.CHOSEN
CELLS = 25  # documents listed behind a cell


def page() -> None:
    """Require a project; everything below follows the refits."""
    project = state.require_project()
    results_head.dress()
    _body(project.id)


@st.fragment
def _body(project_id: int) -> None:
    project = state.store().project(project_id)
    follow(project_id, key="topics-live")
    state.show_messages()  # what an act of this fragment told
    found = results.of(project)
    head, new = st.columns([0.82, 0.18], vertical_alignment="center")
    with head:
        results_head.head(project, found)
    with new:
        topic_operations.draw(project, found.run if found else None, None)
    if found is None:
        results_head.nothing_yet(project)
        return
    with st.container(horizontal=True, gap="medium"):
        view = results_head.choice("View", (ALL, ONE, LABELS), "view", in_address=True)
        asked = _which_labels(found) if view == LABELS else _order(found)
    if isinstance(asked, Labels):
        _labels(found, asked)
    else:
        (_one if view == ONE else _cards)(found, asked)
    _curious(found)


# All topics at a glance


def _cards(found: Results, order: list[int]) -> None:
    pages = -(-len(order) // PER_PAGE)
    number = st.pagination(pages, key="topics.page") if pages > 1 else 1
    shown = order[(number - 1) * PER_PAGE : number * PER_PAGE]
    for start in range(0, len(shown), 3):
        for column, topic in zip(st.columns(3), shown[start : start + 3], strict=False):
            with column, st.container(key=f"card-{topic}", gap="small"):
                _card(found, topic)


def _order(found: Results) -> list[int]:
    """Columns in the order asked for."""
    chosen = results_head.choice("Order", results.ORDERS, "order", in_address=True)
    return results.order(found, chosen)  # type: ignore[arg-type]


def _card(found: Results, topic: int) -> None:
    colour, share = found.colours[topic], found.sizes[topic].share
    st.html(
        f'<div class="ts-card"><h3>{passages.topic_name(found.topics.names[topic], colour)}'
        f"<i>{texts.percent(share)}</i></h3>"
        f'<div class="ts-bar" style="--c:{colour}"><i style="width:{100 * share:.1f}%"></i></div>'
        f'<div class="ts-facts">{_facts(found, topic)}</div>'
        f"{passages.words(found.topics.top_terms(topic, 8), colour)}"
        f"{_quotes(found, topic)}</div>"
    )
    st.button(
        "Open",
        key=f"topics.open.{topic}",
        type="tertiary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=_open,
        args=(found.reference(topic),),
    )


def _facts(found: Results, topic: int) -> str:
    size, named = found.sizes[topic], found.ids[topic] is not None
    told = f"{found.labelled[topic]:,} labelled"
    told = told if found.run.spec.obeys else f"matches your label, {told}"
    kind = told if named else "found by the model"
    return f"{size.documents:,} of {texts.count(size.of, 'document')} · {kind}"


def _quotes(found: Results, topic: int) -> str:
    parts = []
    for passage, document in results.quotes(found, topic):
        spans = results.topic_spans(found, topic, passage.text)
        parts.append(passages.quote(passage, document, found.colours[topic], spans))
    return "".join(parts) or '<p class="ts-quiet">No document speaks mainly of it yet.</p>'


def _open(reference: int | str) -> None:
    state.remember(CHOSEN, reference)
    state.remember("view", ONE)


# One topic


def _one(found: Results, order: list[int]) -> None:
    left, right = st.columns([0.28, 0.72], gap="small")
    with left:
        topic = _list(found, order)
    with right, st.container(key="panel-topic"):
        _detail(found, topic)


def _list(found: Results, order: list[int]) -> int:
    wanted = state.recall(CHOSEN)
    chosen = next((topic for topic in order if found.reference(topic) == wanted), order[0])
    st.html(results_head.row_styles(found, chosen))
    with st.container(height=560, border=False, gap="xxsmall"):
        for topic in order:
            share = texts.percent(found.sizes[topic].share)
            st.button(
                f"{texts.literal(found.topics.names[topic])} :gray[{share}]",
                key=f"topic-row-{topic}",
                width="stretch",
                help=", ".join(word.term for word in found.topics.top_terms(topic, 6)) or None,
                on_click=_open,
                args=(found.reference(topic),),
            )
    return chosen


def _detail(found: Results, topic: int) -> None:
    colour, name = found.colours[topic], found.topics.names[topic]
    title, acts = st.columns([0.6, 0.4], vertical_alignment="center")
    title.html(
        f'<div class="ts-name">{passages.topic_name(name, colour)}</div>'
        f'<div class="ts-facts"><b>{texts.percent(found.sizes[topic].share)}</b> · '
        f"{_facts(found, topic)}</div>"
    )
    with acts, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        topic_operations.draw(found.project, found.run, topic)
    words, said = st.columns([0.46, 0.54], gap="medium")
    with words:
        results_head.show(
            figures.keyword_bars(found.topics, topic, colour=colour), key="topics.words"
        )
    said.html(f'<div class="ts-heading">In their words</div>{_quotes(found, topic)}')
    top = summaries.top_documents(found.topics, topic, n=8)
    st.html(
        '<div class="ts-heading">Documents that speak most for it</div>'
        f"{passages.rows(_with_documents(found, top))}"
    )


def _with_documents(found: Results, top: list[tuple[int, float]]) -> list[tuple[Document, float]]:
    documents = results.documents_at(found.project.id, [position for position, _ in top])
    return [(documents[position], share) for position, share in top]


# Labels and topics


def _labels(found: Results, labels: Labels) -> None:
    if not labels.indicator.nnz:
        with st.container(key="panel-labels"):
            st.markdown("No document carries a label yet. Label a few, and the map fills.")
        return
    left, right = st.columns([0.64, 0.36], gap="small")
    with left, st.container(key="panel-map"):
        key = f"topics.map.{found.run.id}.{labels.true}"
        points = results_head.show_clickable(_map(found.version, labels.true, found, labels), key)
        st.caption(
            "Read down a column: of the topic's weight in labelled documents, the part under each "
            "label, in percent. Click a cell for its documents."
        )
    with right, st.container(key="panel-cell"):
        _cell(found, labels, points)


@st.cache_resource(max_entries=8, show_spinner=False)
def _map(version: results.Version, true: bool, _found: Results, _labels: Labels) -> Any:
    """The heat map; kept, so that a click waits for the documents alone."""
    table = summaries.association(_found.topics, _labels.indicator, _labels.names)
    return figures.association(table)


def _which_labels(found: Results) -> Labels:
    """The labels that came with the corpus, where they did, or those that people gave."""
    given, told = results.truth(found.project), results.people(found)
    if given is None:
        return told
    sources = {"Labels from the corpus": given, "Labels from people": told}
    return sources[results_head.choice("Labels", tuple(sources), "topics.labels")]


def _cell(found: Results, labels: Labels, points: list[dict[str, Any]]) -> None:
    if not points:
        st.markdown("Click a cell of the map to read the documents behind it.")
        return
    label, topic = (int(value) for value in points[0]["customdata"][:2])
    top = summaries.cell_documents(found.topics, labels.indicator, label, topic, CELLS)
    named = passages.topic_name(found.topics.names[topic], found.colours[topic])
    st.html(
        f'<div class="ts-heading">Labelled {escape(labels.names[label])}, '
        f'with weight on</div><div class="ts-name">{named}</div>'
    )
    with st.container(height=520, border=False):
        st.html(passages.rows(_with_documents(found, top)))


# For the technically curious


def _curious(found: Results) -> None:
    box = st.expander("For the technically curious", key="topics.curious", on_change="rerun")
    if not box.open:
        return
    trace, spec = found.topics.trace, found.topics.spec
    with box:
        figure = figures.objective(trace)
        results_head.show(figure, key="topics.trace")
        st.caption(
            f"Model {spec.model}, {len(found.topics)} topics, {len(found.topics.terms):,} words, "
            f"seed {spec.random_state}. {figures.alt_text(figure)} The fit took "
            f"{texts.seconds(trace.seconds)}, with scores and saving "
            f"{texts.seconds(found.run.seconds)}."
        )
