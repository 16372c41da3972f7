"""Topics: what each one says, which need a look, where they lie and how they change."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st

from tsnmf_ui import figures, results, state, texts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import (
    operation_verdicts,
    refit_changes,
    results_head,
    topic_alike,
    topic_choice,
    topic_depth,
    topic_labels,
    topic_map,
    topic_nodes,
    topic_operations,
    topic_overview,
    topic_trends,
)
from tsnmf_ui.widgets.live import follow

CSS = Path(__file__).parent.parent / "topics.css"
NODES = "Nodes"
VIEWS: dict[str, Callable[[Results], None]] = {
    "All topics": topic_overview.draw,
    topic_choice.ONE: topic_depth.draw,
    "Labels and topics": topic_labels.draw,
    "Map": topic_map.draw,
    "Time and classes": topic_trends.draw,
    "Likeness": topic_alike.draw,
    NODES: topic_nodes.draw,
}


def page() -> None:
    """Require a project; everything below follows the refits."""
    project = state.require_project()
    results_head.dress()
    st.html(f"<style>{_css()}</style>")
    _body(project.id)


@cache
def _css() -> str:
    return CSS.read_text(encoding="utf-8")


@st.fragment
def _body(project_id: int) -> None:
    topic_choice.arrive()
    project = state.store().project(project_id)
    follow(project_id, key="topics-live")
    state.show_messages()  # what an act of this fragment told
    found = results.of(project)
    head, back, new = st.columns([0.64, 0.11, 0.25], vertical_alignment="center")
    with head:
        results_head.head(project, found)
    with back:  # not at the edge, where toasts would cover it
        topic_operations.draw_undo(project)
    with new:
        topic_operations.draw(project, found.run if found else None, None)
    operation_verdicts.draw(project.id)
    if found is None:
        results_head.nothing_yet(project)
        return
    refit_changes.draw(found)
    views = [name for name in VIEWS if name != NODES or topic_nodes.has_nodes(found)]
    view = results_head.choice("View", views, topic_choice.VIEW, in_address=True)
    VIEWS[view](found)
    _curious(found)


def _curious(found: Results) -> None:
    """For the technically curious."""
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
