"""What can be done to a topic that the model found: it is named, split or locked.

Whatever is done, it becomes one of the analyst's topics first, and one undo takes back both.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core import operations
from core.operations import Operation
from core.store import Project, Run, State
from tsnmf_ui import operating, state, worker
from tsnmf_ui.operating import new_key as _new
from tsnmf_ui.widgets import topic_choice

MOST_PARTS = 8
UNLABELLED = (
    "A merge joins labels, and nobody has labelled this topic. To bring it into one of yours, open "
    "*Texts* below, choose *Label the most certain*, and give them that topic."
)
MINE = "It becomes one of your topics under this name."


def draw(project: Project, run: Run, topic: int) -> None:
    """Popovers beside a found topic (a column of the run)."""
    with st.popover("Name this topic", type="primary", key=_new("topics.adopt-box")):
        st.text_input("Name", key=_new(f"topics.adopt.{topic}"), max_chars=120)
        st.caption("It keeps its words; from now on you can label texts with it.")
        _do("Keep it", "topics.adopt", _named, project.id, run.id, topic)
    with st.popover("Merge", key=_new("topics.free-merge-box")):
        st.markdown(UNLABELLED)
    with st.popover("Split", key=_new("topics.free-split-box")):
        _name(run, topic, "split")
        into = _new(f"topics.free-split.{topic}")
        st.number_input("Into how many topics", 2, MOST_PARTS, 2, key=into)
        st.caption("Each starts from a part of its texts that is alike.")
        _do("Split topic", "topics.free-split", _split, project.id, run.id, topic)
    with st.popover("Lock", icon=":material/lock_open:", key=_new("topics.free-lock-box")):
        _name(run, topic, "lock")
        st.caption(f"Freezes its words: later fits keep them exactly. {MINE}")
        _do("Lock topic", "topics.free-lock", _lock, project.id, run.id, topic)


def _name(run: Run, topic: int, act: str) -> None:
    """A name for the topic, its first words unless somebody knows a better one."""
    st.text_input(
        "Name", _first_words(run, topic), key=_new(f"topics.free-name.{act}.{topic}"), max_chars=120
    )


def _first_words(run: Run, topic: int) -> str:
    words = [term for term, _ in state.topics_of(run).top_terms(topic, 2)]
    return ", ".join(words).capitalize()


def _do(label: str, key: str, act: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, type="primary", on_click=act, args=args)


# Acts


def _perform(
    project: int,
    run: int,
    topic: int,
    name: str,
    then: Callable[[State, int], Operation] | None = None,
    said: str | None = None,
) -> bool:
    """Adopt the topic and do the rest, as one act."""
    found = {"run": run, "topic": topic}
    return operating.perform(
        project, lambda now: operations.adopted(now, name, found, then), said=said
    )


def _stay(project: int, run: int, topic: int, newest: int = 1) -> None:
    """Keep the topic open: the one that was made, and the found one until a fit knows it."""
    store = state.store()
    free = state.topics_of(store.run(project, run)).names[topic]
    topic_choice.choose(store.topics(project)[-newest].id, free)


def _typed(act: str, topic: int) -> str:
    return str(state.recall(_new(f"topics.free-name.{act}.{topic}")) or "").strip()


def _named(project: int, run: int, topic: int) -> None:
    name = str(state.recall(_new(f"topics.adopt.{topic}")) or "").strip()
    if _perform(project, run, topic, name, said=f"“{name}” is a topic now."):
        _stay(project, run, topic)


def _lock(project: int, run: int, topic: int) -> None:
    topics = state.topics_of(state.store().run(project, run))

    def lock(now: State, number: int) -> Operation:
        return operations.lock(now, number, topics=topics, column=topic)

    if _perform(project, run, topic, _typed("lock", topic), lock):
        _stay(project, run, topic)


def _split(project: int, run: int, topic: int) -> None:
    store, into = state.store(), int(state.recall(_new(f"topics.free-split.{topic}")) or 2)
    matrix = worker.matrix_of(store, store.project(project))
    topics = state.topics_of(store.run(project, run))

    def split(now: State, number: int) -> Operation:
        return operations.split(now, number, into, topics=topics, column=topic, X=matrix.X)

    if _perform(project, run, topic, _typed("split", topic), split):
        _stay(project, run, topic, newest=into)
