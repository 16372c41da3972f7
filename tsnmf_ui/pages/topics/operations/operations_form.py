"""What can be done to a topic, and to topics together; every change can be undone.

The Topics page calls ``render`` in two places: beside one topic, with its column in the run, and
above all topics, with None; there ``render_undo`` stands, too. ``render_selection`` stands beside
documents that were chosen on the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import NotFound
from core.steering import operations, starting_words
from core.steering.operations import Operation
from core.store import CreateTopic, Project, Run, State
from core.topics import Topics
from core.workspace import topic_operations
from core.workspace.caches.matrices import matrix_of
from core.workspace.results import newest_fit, topics_of
from tsnmf_ui.pages.topics import topic_choice
from tsnmf_ui.pages.topics.operations import (
    free_topic,
    free_topic_merge,
    operation_requests,
    topic_parts,
    topic_words,
)
from tsnmf_ui.pages.topics.operations.operation_requests import fresh_key as _key
from tsnmf_ui.server import state

MOST_PARTS = 8
TSNMF_ONLY_OPERATIONS = (
    "With topic-supervised NMF, topics can also be split, locked and given words."
)


def render(project: Project, run: Run | None, topic: int | None) -> None:
    """The operations on one topic (a column of the run), or on all (None)."""
    if not state.may_change(project.id):
        return
    if topic is None or run is None:
        _create(project, run)
    elif topic < len(run.topic_ids):
        _topic_operations(project, run, topic)
    elif run.spec.labels_own_topics:
        free_topic.render(project, run, topic)


def render_undo(project: Project) -> None:
    """Undo and redo, whatever the last change was."""
    helps = {
        "undo": "Undo your last change in this project, labels included.",
        "redo": "Redo the change that you undid last.",
    }
    if not state.may_change(project.id):
        return
    with st.container(horizontal=True, gap="small"):
        for verb, help in helps.items():
            st.button(
                verb.capitalize(),
                key=f"topics.{verb}",
                width="stretch",
                icon=f":material/{verb}:",
                help=help,
                on_click=operation_requests.undo_or_redo,
                args=(project.id, verb),
            )


def _create(project: Project, run: Run | None) -> None:
    box, name = _key("topics.new-box"), _key("topics.new")
    with st.popover("New topic", icon=":material/add:", width="content", key=box):
        st.text_input("Name", key=name, max_chars=120, placeholder="For example: Billing")
        if run is not None and run.spec.labels_own_topics:
            st.text_input(
                "Words (optional)",
                key=_key("topics.new-words"),
                max_chars=300,
                placeholder="For example: bill, meter, tariff",
            )
        st.caption("The topic learns from the texts you label with it.")
        _do("Create topic", "topics.create", _created, project.id)


# One topic


def _topic_operations(project: Project, run: Run, topic: int) -> None:
    number, name = run.topic_ids[topic], state.topics_of(run).names[topic]
    if not any(each.id == number for each in state.store().topics(project.id)):
        st.caption("This topic was deleted; the next fit drops it.")
        return
    if run.spec.labels_own_topics:
        topic_words.render(project, run, topic)
    _merge(project, run, number, name)
    if run.spec.labels_own_topics:
        _split(project, number)
        topic_parts.render(project, run, topic)
        _lock(project, number)
    _more(project, run, number, name)


def _merge(project: Project, run: Run, number: int, name: str) -> None:
    others = {t.id: t.name for t in state.store().topics(project.id) if t.id != number}
    key = _key(f"topics.merge.{number}")
    with st.popover("Merge", key=_key("topics.merge-box")):
        if free_topic_merge.asks_for_a_free_topic(run, number):
            free_topic_merge.render_take_over(project, run, number)
            return
        st.multiselect(
            "Merge with",
            list(others),
            format_func=lambda other: others[other],
            key=key,
            placeholder="Choose topics" if others else "There is no other named topic",
            disabled=not others,
        )
        st.text_input("Name of the merged topic", value=name, key=f"{key}.name", max_chars=120)
        st.caption("Texts labelled with any of these get the merged topic.")
        _do("Merge topics", "topics.merge", _merged, project.id, number, key)


def _split(project: Project, number: int) -> None:
    key = _key(f"topics.split.{number}")
    with st.popover("Split", key=_key("topics.split-box")):
        st.number_input("Into how many topics", 2, MOST_PARTS, 2, key=key)
        st.caption(
            "Each new topic starts from a group of similar texts. Labelled texts may use any of "
            "them until you relabel them."
        )
        _do("Split topic", "topics.split", _parted, project.id, number, key)


def _lock(project: Project, number: int) -> None:
    locked = number in state.store().word_rules(project.id).topics.held
    st.button(
        "Unlock" if locked else "Lock",
        key="topics.lock",
        icon=":material/lock:" if locked else ":material/lock_open:",
        help="Its words are fixed. Unlock it to let them change."
        if locked
        else "Fixes its words: later fits keep them exactly.",
        on_click=_locked,
        args=(project.id, number, locked),
    )


def _more(project: Project, run: Run, number: int, name: str) -> None:
    key = _key(f"topics.name.{number}")
    with st.popover("More", key=_key("topics.more-box")):
        with st.form(_key("topics.name-form"), border=False):  # so that Enter saves, too
            st.text_input("Name", value=name, key=key, max_chars=120)
            st.form_submit_button(
                "Save name",
                key="topics.rename",
                type="primary",
                on_click=_renamed,
                args=(project.id, number, key),
            )
        st.divider()
        st.caption("Deleting removes its labels and refits the model without it.")
        st.button(
            "Delete topic", key="topics.delete", on_click=_deleted, args=(project.id, number, name)
        )
        if not run.spec.labels_own_topics:
            st.caption(TSNMF_ONLY_OPERATIONS)


# Documents that were chosen


def render_selection(project: Project, run: Run, positions: Sequence[int]) -> None:
    """What can be done with some documents together."""
    if not state.may_change(project.id):
        return
    named = {topic.id: topic.name for topic in state.store().topics(project.id)}
    with st.container(horizontal=True, gap="small"):
        with st.popover("New topic from these", key=_key("topics.lasso-box")):
            st.text_input("Name", key=_key("topics.lasso"), max_chars=120)
            st.caption("These texts get the new topic in addition to their labels.")
            _do("Create topic", "topics.lasso-create", _gathered, project.id, tuple(positions))
        with st.popover("Move to topic", key=_key("topics.move-box"), disabled=not named):
            st.selectbox(
                "Topic", list(named), format_func=lambda t: named[t], key=_key("topics.move-to")
            )
            st.caption("Replaces their labels with this topic.")
            _do("Move texts", "topics.move", _moved, project.id, tuple(positions))


def _do(label: str, key: str, action: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, type="primary", on_click=action, args=args)


# Operations


def _text(key: str) -> str:
    return str(state.get_value(key) or "").strip()


def _created(project: int) -> None:
    name = _text(_key("topics.new"))
    words = topic_operations.read_words(state.store(), project, _text(_key("topics.new-words")))
    make = _from_words(project, name, words) if words else _plain(CreateTopic(name))
    operation_requests.perform(project, make, message=f"Topic “{name}” was created.")


def _plain(event: CreateTopic) -> Callable[[State], Operation]:
    return lambda now: Operation(f"Create “{event.name}”"[:120], (event,))


def _from_words(project: int, name: str, words: list[str]) -> Callable[[State], Operation]:
    """A free topic that speaks of these words already becomes the new one."""
    store = state.store()
    matrix = matrix_of(store, store.project(project))
    run, topics = newest_fit(store, project) or (None, None)
    find, free_topic = starting_words.find_free_topic, None
    if run is not None and topics is not None:
        column = find(topics, words, first=len(run.topic_ids))
        free_topic = None if column is None else {"run": run.id, "topic": column}
    return lambda now: operations.create_from_words(
        now, name, words, matrix=matrix, free_topic=free_topic
    )


def _renamed(project: int, topic: int, key: str) -> None:
    name, make = _text(key), operations.rename
    message = f"Renamed to “{name}”."
    operation_requests.perform(project, lambda now: make(now, topic, name), message=message)


def _deleted(project: int, topic: int, name: str) -> None:
    message = f"“{name}” was deleted. The model is being refitted."
    if operation_requests.perform(
        project, lambda now: operations.delete(now, topic), message=message
    ):
        state.clear_values(topic_choice.CHOSEN_TOPIC)


def _merged(project: int, topic: int, key: str) -> None:
    others = tuple(state.get_value(key) or ())
    name = _text(f"{key}.name") or None
    make = operations.merge
    operation_requests.perform(project, lambda now: make(now, (topic, *others), name=name))


def _parted(project: int, topic: int, key: str) -> None:
    store, into = state.store(), int(state.get_value(key) or 2)
    matrix = matrix_of(store, store.project(project))

    def make(now: State) -> Operation:
        topics, column = _as_fitted(project, topic)
        return operations.split(now, topic, into, topics=topics, column=column, X=matrix.X)

    known = {each.id for each in store.topics(project)}
    if operation_requests.perform(project, make):
        parts = [each.id for each in store.topics(project) if each.id not in known]
        topic_choice.choose(*parts[:1], topic)


def _locked(project: int, topic: int, locked: bool) -> None:
    def make(now: State) -> Operation:
        if locked:
            return operations.unlock(now, topic)
        topics, column = _as_fitted(project, topic)
        return operations.lock(now, topic, topics=topics, column=column)

    operation_requests.perform(project, make)


def _as_fitted(project: int, topic: int) -> tuple[Topics, int]:
    """The newest topics, and where this one stands: the run a page showed may be gone by now."""
    topics = topics_of(state.store(), project)
    column = None if topics is None else topics.column(topic)
    if topics is None or column is None:
        raise NotFound("The model does not know this topic yet; wait for the fit.")
    return topics, column


def _gathered(project: int, positions: tuple[int, ...]) -> None:
    name, make = _text(_key("topics.lasso")), operations.create_from_documents
    message = f"Topic “{name}” was created."
    operation_requests.perform(
        project, lambda now: make(now, name, positions), positions=positions, message=message
    )


def _moved(project: int, positions: tuple[int, ...]) -> None:
    topic = state.get_value(_key("topics.move-to"))
    if topic is not None:
        make = operations.move_documents
        operation_requests.perform(
            project, lambda now: make(now, positions, topic), positions=positions
        )
