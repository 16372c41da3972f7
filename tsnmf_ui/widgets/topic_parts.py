"""How many topics make up one label's: by the rule for all labels, from the data, or by hand."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.errors import StudioError
from core.groups import Size, rule_of, size_of, topic_key, with_size
from core.store import Project, Run
from tsnmf_ui import jobs, state, texts

RULE, DATA, HAND = "As for all labels", "Chosen from the data", "A number"
MOST = 20
EXPLAINED = (
    "A label of many unlike texts is told better by several sub-topics. They are permitted and "
    "forbidden as one, and their sum is the label's share."
)


def draw(project: Project, run: Run, topic: int) -> None:
    """A popover beside one topic (a column of the run); nothing where labels own no topics."""
    if not run.spec.obeys or topic >= len(run.topic_ids):
        return
    number = run.topic_ids[topic]
    size = size_of(project.settings.spec, topic_key(number))
    with st.popover("Parts", key=f"topics.parts-box.{project.id}.{size}"):
        st.caption(EXPLAINED)
        _form(project, number)


def _form(project: Project, number: int) -> None:
    spec = project.settings.spec
    size, key = size_of(spec, topic_key(number)), f"topics.parts.{number}"
    now = RULE if size is None else DATA if size == "auto" else HAND
    way = st.radio(
        "Sub-topics of this label",
        (RULE, DATA, HAND),
        index=(RULE, DATA, HAND).index(now),
        captions=(_ruled(rule_of(spec)), "", ""),
        key=key,
        label_visibility="collapsed",
    )
    if way == HAND:
        given = size if isinstance(size, int) else 2
        st.number_input("Sub-topics of this label", 1, MOST, min(given, MOST), key=f"{key}.number")
    st.button(
        "Use", key=f"{key}.use", type="primary", on_click=_change, args=(project.id, number, key)
    )


def _ruled(rule: int | str) -> str:
    if rule == "auto":
        return DATA
    return "One topic" if rule == 1 else texts.count(int(rule), "sub-topic")


def _change(project_id: int, number: int, key: str) -> None:
    """Store the size and fit anew, from the parts there are."""
    way, store = state.recall(key, RULE), state.store()
    size: Size | None = int(state.recall(f"{key}.number", 2))
    if way != HAND:
        size = "auto" if way == DATA else None
    settings = store.project(project_id).settings
    spec = with_size(settings.spec, topic_key(number), size)
    try:
        store.update_settings(project_id, replace(settings, spec=spec))
    except StudioError as error:
        state.tell(texts.literal(str(error)), "error")
        return
    jobs.request_fit(project_id)
    state.tell("The model is fitted anew, from the topics there are.")
