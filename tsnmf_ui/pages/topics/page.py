"""Topics: what each one says, which need a look, where they lie and how they change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.workspace.results import Results
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics import (
    heat_map,
    nodes,
    one_topic,
    overview,
    refit_changes,
    similarity,
    topic_choice,
    trends,
)
from tsnmf_ui.pages.topics.map import topic_map
from tsnmf_ui.pages.topics.operations import operation_verdicts, operations_form
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.pages.widgets.live import follow
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

CSS = Path(__file__).parent / "style.css"
NODES_VIEW = "Nodes"
TOPIC_VIEWS: dict[str, Callable[[Results], None]] = {
    "All topics": overview.render,
    topic_choice.ONE_TOPIC_VIEW: one_topic.render,
    "Labels and topics": heat_map.render,
    "Map": topic_map.render,
    "Time and groups": trends.render,
    "Similarity": similarity.render,
    NODES_VIEW: nodes.render,
}


def page() -> None:
    """Require a project; everything below follows the refits."""
    _body(results_header.open_page(CSS).id)


@st.fragment
def _body(project_id: int) -> None:
    topic_choice.open_requested()
    project = state.store().project(project_id)
    follow(project_id, key="topics-live")
    state.show_messages()  # from an operation of this fragment
    found = results.load(project)
    head, afresh, back, new = st.columns([0.46, 0.14, 0.22, 0.18], vertical_alignment="center")
    with head:
        results_header.head(project, found)
    with afresh:
        results_header.fit_afresh(project)
    with back:
        operations_form.render_undo(project)
    with new:
        operations_form.render(project, found.run if found else None, None)
    with st.container():  # one place, so that what follows keeps its own when a line comes or goes
        operation_verdicts.render(project.id)
        if found is not None:
            refit_changes.render(found)
    if found is None:
        results_header.nothing_yet(project)
        return
    views = [name for name in TOPIC_VIEWS if name != NODES_VIEW or nodes.has_nodes(found)]
    view = results_header.choice("View", views, topic_choice.VIEW_KEY, in_address=True)
    TOPIC_VIEWS[view](found)
    _technical_details(found)


def _technical_details(found: Results) -> None:
    """The objective of the fit, and what it was fitted with."""
    box = st.expander("Technical details", key="topics.technical", on_change="rerun")
    if not box.open:
        return
    trace, spec = found.topics.trace, found.topics.spec
    with box:
        figure = figures.objective(trace)
        results_header.show(figure, key="topics.trace")
        st.caption(
            f"Model {spec.model}, {len(found.topics)} topics, {len(found.topics.terms):,} words, "
            f"seed {spec.random_state}. {figures.alt_text(figure)} The fit took "
            f"{texts.seconds(trace.seconds)}, or {texts.seconds(found.run.seconds)} with scores "
            "and saving."
        )
