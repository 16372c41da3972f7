"""Labels against topics: a heat map whose cells open the documents behind them."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from core.insight import summaries
from core.insight.topic_titles import first_words
from core.topics import Topics
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import LabelSet, Results, documents_at, true_labels
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.widgets import passages, results_header, selection_link
from tsnmf_ui.server import state

MEASURED_LABELS, LEARNED_LABELS = "Measured", "Learnt by the model"
TEXTS_LISTED = 25  # documents listed behind a cell
WORDS_ON_HOVER = 5  # first words of a topic
MAX_SENT_TO_LABEL = 200  # documents taken to the Label page

_maps: StoreCache[Any] = StoreCache(max_entries=8)


def render(found: Results) -> None:
    """Which labels, and whose numbers; then the map and the cell that was clicked."""
    with st.container(horizontal=True, gap="medium"):
        labels = _which_labels(found)
        learned = _learned(found, labels)
    if not labels.indicator.nnz:
        with st.container(key="panel-labels"):
            st.markdown("No text is labelled yet. Label a few to fill the map.")
        return
    left, right = st.columns([0.64, 0.36], gap="small")
    with left, st.container(key="panel-map"):
        key = f"topics.map.{found.run.id}.{labels.true}.{learned}"
        figure = _map(found, labels, learned)
        points = results_header.show_clickable(figure, key)
        st.caption(_reading(learned, figures.unnumbered_cells(figure)))
    with right, st.container(key="panel-cell"):
        cell(found, labels, points)
        if not points and figures.is_large(len(labels.names), len(found.topics)):
            results_header.largest_cells(figure)


def _which_labels(found: Results) -> LabelSet:
    """The labels that came with the corpus, where they did, or those that people gave."""
    given, from_people = true_labels(state.store(), found.project), found.people_labels
    if given is None:
        return from_people
    sources = {"Labels in the file": given, "Your labels": from_people}
    return sources[results_header.choice("Labels", tuple(sources), "topics.labels")]


def _learned(found: Results, labels: LabelSet) -> bool:
    """Whether to show the model's own numbers, which are about the labels people gave."""
    learned = found.topics.learned
    if labels.true or learned is None or learned.label_names != labels.names:
        return False
    return (
        results_header.choice("Numbers", (LEARNED_LABELS, MEASURED_LABELS), "topics.numbers")
        == LEARNED_LABELS
    )


def _map(found: Results, labels: LabelSet, learned: bool) -> Any:
    """The heat map; kept, so that a click waits for the documents alone."""
    key = (found.version, labels.true, learned)
    return _maps.get(state.store(), key, lambda: _draw_map(found.topics, labels, learned))


def _draw_map(topics: Topics, labels: LabelSet, learned: bool) -> Any:
    knows = topics.learned
    own = knows.association(topics.names) if learned and knows else None
    words = [first_words(topics, topic, WORDS_ON_HOVER) for topic in range(len(topics))]
    if own is not None:
        return figures.association(own, words=words, learned=True)
    table = summaries.association(topics, labels.indicator, labels.names)
    return figures.association(table, words=words)


def _reading(learned: bool, unnumbered: str) -> str:
    if learned:
        return (
            "Each column: how the model splits the topic between the labels, in percent. "
            f"{unnumbered} Click a cell for its texts."
        )
    return (
        "Each column: how the topic's weight in labelled texts splits between the labels, in "
        f"percent. {unnumbered} Click a cell for its texts."
    )


def cell(found: Results, labels: LabelSet, points: list[dict[str, Any]]) -> None:
    """The documents behind a cell, and the way to label them."""
    if not points:
        st.markdown("Click a cell to read its texts.")
        return
    label, topic = (int(value) for value in points[0]["customdata"][:2])
    top = summaries.cell_documents(found.topics, labels.indicator, label, topic, MAX_SENT_TO_LABEL)
    named = passages.topic_name(found.topics.names[topic], results.colour(found, topic))
    st.html(
        f'<h2 class="ts-heading">Texts labelled {escape(labels.names[label])} '
        f'with topic</h2><div class="ts-name">{named}</div>'
    )
    title = f"{labels.names[label]} × {found.topics.names[topic]}"
    positions = [position for position, _ in top]
    selection_link.offer(
        found.project, title, positions, key="topics.label-cell", topic=found.ids[topic]
    )
    documents = documents_at(state.store(), found.project.id, positions[:TEXTS_LISTED])
    with st.container(height=460, border=False):
        st.html(
            passages.rows(
                [(documents[at], share) for at, share in top[:TEXTS_LISTED]],
                results.date_writer(found.project),
            )
        )
