"""What can be done to a topic, and to topics together; every act can be undone.

The Topics page calls ``draw`` in two places: beside one topic, with its column in the run, and
above all topics, with None.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import StudioError
from core.store import Act, CreateTopic, DeleteTopic, Project, RenameTopic, Run
from tsnmf_ui import jobs, state, texts

CHOSEN = "topics.chosen"  # the page's memory of the topic that is open


def draw(project: Project, run: Run | None, topic: int | None) -> None:
    """The operations on one topic (a column of the run), or on all (None)."""
    if topic is None or run is None:
        _create(project)
    elif topic < len(run.topic_ids):
        _acts(project, run, topic)
    elif run.spec.obeys:
        _adopt(project, run, topic)


def _create(project: Project) -> None:
    box = f"topics.new-box.{project.revision}"  # an act makes a new box, which is closed
    with st.popover("New topic", icon=":material/add:", width="stretch", key=box):
        st.text_input("Name", key="topics.new", max_chars=120, placeholder="For example: Billing")
        st.caption("It gets its words from the documents you label with it.")
        _do("Create topic", "topics.create", _created, project.id, "topics.new", None)


def _acts(project: Project, run: Run, topic: int) -> None:
    number, name = run.topic_ids[topic], state.topics_of(run).names[topic]
    key = f"topics.name.{number}"
    with st.popover("Rename", key=f"topics.rename-box.{project.revision}"):
        st.text_input("Name", value=name, key=key, max_chars=120)
        _do("Save name", "topics.rename", _renamed, project.id, number, key)
    with st.popover("Delete"):
        st.markdown("Its labels are set aside, and the model is fitted without it.")
        st.caption("You can undo this on the Label page.")
        _do("Delete topic", "topics.delete", _deleted, project.id, number, name)


def _adopt(project: Project, run: Run, topic: int) -> None:
    """A topic that the model found becomes one of the analyst's."""
    key = f"topics.adopt.{topic}"
    with st.popover("Name this topic", type="primary"):
        st.text_input("Name", key=key, max_chars=120)
        st.caption("It keeps its words; from now on you can label documents with it.")
        origin = {"run": run.id, "topic": topic}
        _do("Keep it", "topics.adopt", _created, project.id, key, origin)


def _do(label: str, key: str, act: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, type="primary", on_click=act, args=args)


def _created(project: int, key: str, origin: dict[str, int] | None) -> None:
    name = str(state.recall(key) or "").strip()
    if _record(project, CreateTopic(name, found=origin), f"“{name}” is a topic now."):
        state.forget(key)
        jobs.request_fit(project)


def _renamed(project: int, topic: int, key: str) -> None:
    name = str(state.recall(key) or "").strip()
    _record(project, RenameTopic(topic, name), f"The topic is called “{name}” now.")


def _deleted(project: int, topic: int, name: str) -> None:
    if _record(project, DeleteTopic(topic), f"“{name}” is deleted; the model is fitted anew."):
        state.forget(CHOSEN)
        jobs.request_fit(project)


def _record(project: int, act: Act, sentence: str) -> bool:
    """Write the act to the log; on refusal say why."""
    try:
        state.store().record(project, act, author=state.author())
    except StudioError as error:
        state.tell(texts.literal(str(error)), "error")
        return False
    state.tell(texts.literal(sentence))
    return True
