"""Which map to look at; the slower one is made in the background, and a note says so."""

from __future__ import annotations

from html import escape

import streamlit as st

from tsnmf_ui import background, scattering, topic_facts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import results_head


def draw(found: Results) -> str:
    """The layout to draw now."""
    options = (topic_facts.AT_ONCE, topic_facts.NEIGHBOURS)
    wanted = results_head.choice("Places", options, "topics.layout")
    if wanted == topic_facts.AT_ONCE or topic_facts.scatter_ready(found.project.id, found.run.id):
        return wanted
    project, run = found.project.id, found.run.id
    task = background.task_state(scattering.KIND, project)
    if not task.active and task.phase != "failed":
        arguments = {"run": run, "references": topic_facts.references(found)}
        background.request(scattering.KIND, project, arguments)
    _note(project, run)
    return topic_facts.AT_ONCE


@st.fragment(run_every=2)
def _note(project: int, run: int) -> None:
    """Looks every two seconds while the map is being made, and not a moment longer."""
    if topic_facts.scatter_ready(project, run):
        st.rerun()
    task = background.task_state(scattering.KIND, project)
    if task.phase == "failed":
        st.html(f'<div class="ts-quiet ts-bad">{escape(task.error or "")}</div>')
        return
    st.html(
        '<div class="ts-quiet">The map by neighbours (t-SNE) is being made in the background; '
        "until then you see the map between topics.</div>"
    )
