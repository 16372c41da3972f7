"""Merging a free topic into a named one, from either side."""

from __future__ import annotations

import streamlit as st

from core.steering.free_topics import clearest_documents, merge_free_topic
from core.steering.operations import Operation
from core.store import Project, Run, State
from core.workspace.adoption import ShownFreeTopic, require_free_topic
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics import topic_choice
from tsnmf_ui.pages.topics.operations import operation_requests
from tsnmf_ui.pages.topics.operations.operation_requests import fresh_key as _key
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WITH_NAMED, WITH_FREE = "Named topics", "Take over a free topic…"
CLEAR_TEXTS = 10  # of the free topic, labelled if somebody wishes
WHAT_IT_DOES = (
    "The next fit starts from both, the free topic's first words are added to the named one, no "
    "text is labelled unless you say so, and one undo reverts it."
)


def render_merge_into(project: Project, run: Run, topic: int) -> None:
    """For a free topic (a column of the run): the named one that it shall become part of."""
    named = {each.id: each.name for each in state.store().topics(project.id)}
    with st.popover("Merge into…", key=_key("topics.free-merge-box"), disabled=not named):
        into = _key(f"topics.free-into.{topic}")
        st.selectbox("Named topic", list(named), format_func=lambda t: named[t], key=into)
        clear = _offer_labels(project, run, topic, into)
        _do("topics.free-merge", project.id, into, None, (_shown(run, topic), clear))


def asks_for_a_free_topic(run: Run, number: int) -> bool:
    """For a named topic: whether it shall be merged with named ones or take over a free one."""
    if not _free_topics(run):
        return False
    kinds, key = (WITH_NAMED, WITH_FREE), _key(f"topics.merge-kind.{number}")
    return results_header.choice("Kind of topic", kinds, key) == WITH_FREE


def render_take_over(project: Project, run: Run, number: int) -> None:
    """For a named topic: the free one that it shall take over."""
    topics, chosen = state.topics_of(run), _key(f"topics.take-over.{number}")
    column = st.selectbox(
        "Free topic", _free_topics(run), format_func=lambda k: topics.names[k], key=chosen
    )
    clear = _offer_labels(project, run, column, chosen)
    _do("topics.take-over", project.id, None, number, (_shown(run, column), clear))


def _free_topics(run: Run) -> list[int]:
    """Columns of free topics that have words, where labels own topics."""
    if not run.spec.labels_own_topics:
        return []
    topics = state.topics_of(run)
    return [k for k in range(len(run.topic_ids), len(topics)) if topics.topic_term[k].any()]


def _shown(run: Run, column: int) -> ShownFreeTopic:
    return ShownFreeTopic(run.id, column, state.topics_of(run).keys[column])


def _offer_labels(project: Project, run: Run, topic: int, key: str) -> tuple[int, ...]:
    """Texts that surely are about the free topic, if somebody wants them labelled."""
    found = results.load(project)
    labelled = {} if found is None else found.annotations
    clear = clearest_documents(state.topics_of(run), topic, CLEAR_TEXTS, labelled)
    if clear:
        label = f"Also label its {texts.count(len(clear), 'clearest text')}"
        st.checkbox(texts.escape_markdown(label), key=f"{key}.label")
    st.caption(WHAT_IT_DOES)
    return tuple(clear) if clear and state.get_value(f"{key}.label") else ()


def _do(
    key: str,
    project: int,
    chosen: str | None,
    number: int | None,
    free: tuple[ShownFreeTopic, tuple[int, ...]],
) -> None:
    args = (project, chosen, number, free)
    st.button("Merge topics", key=key, type="primary", on_click=_merged, args=args)


def _merged(
    project: int,
    chosen: str | None,
    number: int | None,
    free: tuple[ShownFreeTopic, tuple[int, ...]],
) -> None:
    """``chosen`` is the field that holds the named topic, unless its number is given."""
    into = number if chosen is None else state.get_value(chosen)
    if into is not None:
        merge(project, int(into), *free)


def merge(project: int, into: int, shown: ShownFreeTopic, label: tuple[int, ...] = ()) -> None:
    """Merge a free topic into a named one, and stay with that."""

    def make(now: State) -> Operation:
        free = require_free_topic(state.store(), project, shown)
        return merge_free_topic(
            now, into, topics=free.topics, column=free.column, run=free.run.id, label=label
        )

    if operation_requests.perform(project, make, positions=label):
        topic_choice.choose(into)
