"""Labels against topics: a heat map whose cells open the documents behind them."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from core import summaries
from tsnmf_ui import figures, results
from tsnmf_ui.results import Labels, Results, Version
from tsnmf_ui.widgets import passages, results_head, selection_link

MEASURED, LEARNED = "Measured", "Learnt by the model"
CELLS = 25  # documents listed behind a cell
SENT = 200  # documents taken to the Label page


def draw(found: Results) -> None:
    """Which labels, and whose numbers; then the map and the cell that was clicked."""
    with st.container(horizontal=True, gap="medium"):
        labels = _which_labels(found)
        learned = _learned(found, labels)
    if not labels.indicator.nnz:
        with st.container(key="panel-labels"):
            st.markdown("No text carries a label yet. Label a few, and the map fills.")
        return
    left, right = st.columns([0.64, 0.36], gap="small")
    with left, st.container(key="panel-map"):
        key = f"topics.map.{found.run.id}.{labels.true}.{learned}"
        figure = _map(found.version, labels.true, learned, found, labels)
        points = results_head.show_clickable(figure, key)
        st.caption(_reading(learned))
    with right, st.container(key="panel-cell"):
        cell(found, labels, points)


def _which_labels(found: Results) -> Labels:
    """The labels that came with the corpus, where they did, or those that people gave."""
    given, told = results.truth(found.project), results.people(found)
    if given is None:
        return told
    sources = {"Labels from the corpus": given, "Labels from people": told}
    return sources[results_head.choice("Labels", tuple(sources), "topics.labels")]


def _learned(found: Results, labels: Labels) -> bool:
    """Whether to show the model's own numbers, which are about the labels people gave."""
    learned = found.topics.learned
    if labels.true or learned is None or learned.label_names != labels.names:
        return False
    return results_head.choice("Numbers", (LEARNED, MEASURED), "topics.numbers") == LEARNED


@st.cache_resource(max_entries=8, show_spinner=False)
def _map(version: Version, true: bool, learned: bool, _found: Results, _labels: Labels) -> Any:
    """The heat map; kept, so that a click waits for the documents alone."""
    knows = _found.topics.learned
    own = knows.association(_found.topics.names) if learned and knows else None
    if own is not None:
        return figures.association(own, learned=True)
    table = summaries.association(_found.topics, _labels.indicator, _labels.names)
    return figures.association(table)


def _reading(learned: bool) -> str:
    if learned:
        return (
            "Read down a column: how the model divides the topic between the labels, in percent. "
            "Click a cell for its texts."
        )
    return (
        "Read down a column: of the topic's weight in labelled texts, the part under each "
        "label, in percent. Click a cell for its texts."
    )


def cell(found: Results, labels: Labels, points: list[dict[str, Any]]) -> None:
    """The documents behind a cell, and the way to label them."""
    if not points:
        st.markdown("Click a cell of the map to read the texts behind it.")
        return
    label, topic = (int(value) for value in points[0]["customdata"][:2])
    top = summaries.cell_documents(found.topics, labels.indicator, label, topic, SENT)
    named = passages.topic_name(found.topics.names[topic], found.colours[topic])
    st.html(
        f'<div class="ts-heading">Labelled {escape(labels.names[label])}, '
        f'with weight on</div><div class="ts-name">{named}</div>'
    )
    title = f"{labels.names[label]} × {found.topics.names[topic]}"
    positions = [position for position, _ in top]
    selection_link.offer(
        found.project, title, positions, key="topics.label-cell", topic=found.ids[topic]
    )
    documents = results.documents_at(found.project.id, positions[:CELLS])
    with st.container(height=460, border=False):
        st.html(passages.rows([(documents[at], share) for at, share in top[:CELLS]]))
