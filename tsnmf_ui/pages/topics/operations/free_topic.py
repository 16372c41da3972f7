"""What can be done to a free topic: name it, merge it into a named one, split it or lock it.

Whatever is done, it becomes one of the analyst's topics first, and one undo takes back both.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.steering import operations
from core.steering.operations import Operation
from core.store import Project, Run, State
from core.workspace.adoption import FreeTopic, ShownFreeTopic, require_free_topic
from core.workspace.caches.matrices import matrix_of
from tsnmf_ui.pages.topics import topic_choice
from tsnmf_ui.pages.topics.operations import free_topic_merge, operation_requests
from tsnmf_ui.pages.topics.operations.operation_requests import fresh_key as _key
from tsnmf_ui.server import state

MOST_PARTS = 8
BECOMES_NAMED = "It becomes a named topic."


def render(project: Project, run: Run, topic: int) -> None:
    """Popovers beside a free topic (a column of the run)."""
    shown = ShownFreeTopic(run.id, topic, state.topics_of(run).keys[topic])
    with (
        st.popover("Name this topic", type="primary", key=_key("topics.adopt-box")),
        st.form(_key("topics.adopt-form"), border=False),  # so that Enter saves, too
    ):
        st.text_input("Name", key=_key(f"topics.adopt.{topic}"), max_chars=120)
        st.caption("It keeps its words, and you can label texts with it.")
        st.form_submit_button(
            "Save name",
            key="topics.adopt",
            type="primary",
            on_click=_named,
            args=(project.id, shown),
        )
    free_topic_merge.render_merge_into(project, run, topic)
    with st.popover("Split", key=_key("topics.free-split-box")):
        _name(run, topic, "split")
        into = _key(f"topics.free-split.{topic}")
        st.number_input("Into how many topics", 2, MOST_PARTS, 2, key=into)
        st.caption("Each new topic starts from a group of similar texts.")
        _do("Split topic", "topics.free-split", _split, project.id, shown)
    with st.popover("Lock", icon=":material/lock_open:", key=_key("topics.free-lock-box")):
        _name(run, topic, "lock")
        st.caption(f"Fixes its words: later fits keep them exactly. {BECOMES_NAMED}")
        _do("Lock topic", "topics.free-lock", _lock, project.id, shown)


def _name(run: Run, topic: int, action: str) -> None:
    """A name for the topic, its first words unless somebody knows a better one."""
    st.text_input(
        "Name",
        _first_words(run, topic),
        key=_key(f"topics.free-name.{action}.{topic}"),
        max_chars=120,
    )


def _first_words(run: Run, topic: int) -> str:
    words = [term for term, _ in state.topics_of(run).top_terms(topic, 2)]
    return ", ".join(words).capitalize()


def _do(label: str, key: str, action: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, type="primary", on_click=action, args=args)


# Operations


def _perform(
    project: int,
    shown: ShownFreeTopic,
    name: str,
    then: Callable[[State, int, FreeTopic], Operation] | None = None,
    *,
    message: str | None = None,
    newest: int = 1,
) -> None:
    """Adopt the topic and do the rest, as one act; ``newest``: how many topics that makes."""
    store = state.store()

    def make(now: State) -> Operation:
        free = require_free_topic(store, project, shown)
        rest = None if then is None else lambda state, number: then(state, number, free)
        return operations.adopt_free_topic(
            now, name, free.reference, rest, words=free.words or None
        )

    if operation_requests.perform(project, make, message=message):
        # the topic that was made stays open, and the free one until a fit knows it
        topic_choice.choose(store.topics(project)[-newest].id, shown.key)


def _typed(act: str, shown: ShownFreeTopic) -> str:
    return str(state.get_value(_key(f"topics.free-name.{act}.{shown.column}")) or "").strip()


def _named(project: int, shown: ShownFreeTopic) -> None:
    name = str(state.get_value(_key(f"topics.adopt.{shown.column}")) or "").strip()
    _perform(project, shown, name, message=f"Topic “{name}” was created.")


def _lock(project: int, shown: ShownFreeTopic) -> None:
    def lock(now: State, number: int, free: FreeTopic) -> Operation:
        return operations.lock(now, number, topics=free.topics, column=free.column)

    _perform(project, shown, _typed("lock", shown), lock)


def _split(project: int, shown: ShownFreeTopic) -> None:
    store = state.store()
    into = int(state.get_value(_key(f"topics.free-split.{shown.column}")) or 2)
    X = matrix_of(store, store.project(project)).X

    def split(now: State, number: int, free: FreeTopic) -> Operation:
        return operations.split(now, number, into, topics=free.topics, column=free.column, X=X)

    _perform(project, shown, _typed("split", shown), split, newest=into)
