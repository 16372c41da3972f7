"""Which map to look at; the slower one is made in the background, and a note says so."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from core.insight.document_map import DocumentMap
from core.workspace import maps
from core.workspace.results import Results
from tsnmf_ui import jobs
from tsnmf_ui.figures.maps import MAX_HOVER_POINTS
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state

BETWEEN_TOPICS, BY_NEIGHBOURS = "Between topics", "By neighbours"
AFTER_PREVIEW = "The map by neighbours (t-SNE) is computed after the full fit."


def document_map(found: Results, layout: str) -> DocumentMap:
    """The map in a layout; the one between topics as long as the other is not made."""
    return maps.document_map(state.store(), found, by_neighbours=layout == BY_NEIGHBOURS)


def hover_positions(found: Results, layout: str) -> Any:
    """Documents that answer to the pointer on the map."""
    return maps.hover_positions(
        state.store(), found, by_neighbours=layout == BY_NEIGHBOURS, most=MAX_HOVER_POINTS
    )


def render(found: Results) -> str:
    """The layout to draw now."""
    options = (BETWEEN_TOPICS, BY_NEIGHBOURS)
    wanted = results_header.choice("Places", options, "topics.layout")
    project, run = found.project.id, found.run.id
    if wanted == BETWEEN_TOPICS or maps.has_neighbour_map(state.store(), project, run):
        return wanted
    if found.run.preview:
        st.html(f'<div class="ts-quiet">{AFTER_PREVIEW}</div>')
        return BETWEEN_TOPICS
    task = jobs.service().state(jobs.MAP, project)
    if not task.active and task.phase != "failed":
        jobs.service().request(jobs.MAP, project, {"run": run})
    _note(project, run)
    return BETWEEN_TOPICS


@st.fragment(run_every=2)
def _note(project: int, run: int) -> None:
    """Looks every two seconds while the map is being made, and not a moment longer."""
    if maps.has_neighbour_map(state.store(), project, run):
        st.rerun()
    task = jobs.service().state(jobs.MAP, project)
    if task.phase == "failed":
        st.html(f'<div class="ts-quiet ts-bad">{escape(task.error or "")}</div>')
        return
    st.html(
        '<div class="ts-quiet">The map by neighbours (t-SNE) is being computed; '
        "until then you see the map between topics.</div>"
    )
