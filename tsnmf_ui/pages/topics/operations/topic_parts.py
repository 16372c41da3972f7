"""How many topics make up one label's: by the rule for all labels, from the data, or by hand."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.engine.groups import Size
from core.errors import StudioError
from core.spec import rule_of, size_of, with_size
from core.store import Project, Run
from tsnmf_ui import jobs
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

SAME_AS_ALL, CHOSEN_FROM_DATA, FIXED_NUMBER = (
    "Same as all labels",
    "Chosen from the data",
    "Fixed number",
)
MAX_PARTS = 20
PARTS_HELP = (
    "A broad label is described better by several parts. They are allowed and forbidden "
    "together, and their sum is the label's share."
)


def render(project: Project, run: Run, topic: int) -> None:
    """A popover beside one topic (a column of the run); nothing where labels own no topics."""
    if not run.spec.labels_own_topics or topic >= len(run.topic_ids):
        return
    number = run.topic_ids[topic]
    size = size_of(project.settings.spec, number)
    with st.popover("Parts", key=f"topics.parts-box.{project.id}.{size}"):
        st.caption(PARTS_HELP)
        _form(project, number)


def _form(project: Project, number: int) -> None:
    spec = project.settings.spec
    size, key = size_of(spec, number), f"topics.parts.{number}"
    now = SAME_AS_ALL if size is None else CHOSEN_FROM_DATA if size == "auto" else FIXED_NUMBER
    way = st.radio(
        "Parts of this label",
        (SAME_AS_ALL, CHOSEN_FROM_DATA, FIXED_NUMBER),
        index=(SAME_AS_ALL, CHOSEN_FROM_DATA, FIXED_NUMBER).index(now),
        captions=(_ruled(rule_of(spec)), "", ""),
        key=key,
        label_visibility="collapsed",
    )
    if way == FIXED_NUMBER:
        given = size if isinstance(size, int) else 2
        st.number_input(
            "Parts of this label", 1, MAX_PARTS, min(given, MAX_PARTS), key=f"{key}.number"
        )
    st.button(
        "Apply", key=f"{key}.use", type="primary", on_click=_change, args=(project.id, number, key)
    )


def _ruled(rule: int | str) -> str:
    if rule == "auto":
        return CHOSEN_FROM_DATA
    return "One part" if rule == 1 else texts.count(int(rule), "part")


def _change(project_id: int, number: int, key: str) -> None:
    """Store the size and fit anew, from the parts there are."""
    way, store = state.get_value(key, SAME_AS_ALL), state.store()
    size: Size | None = int(state.get_value(f"{key}.number", 2))
    if way != FIXED_NUMBER:
        size = "auto" if way == CHOSEN_FROM_DATA else None
    settings = store.project(project_id).settings
    spec = with_size(settings.spec, number, size)
    try:
        store.update_settings(project_id, replace(settings, spec=spec))
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    jobs.service().request(jobs.FIT, project_id)
    state.notify("The model is being refitted.")
