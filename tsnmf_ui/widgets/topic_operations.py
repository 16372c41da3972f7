"""What can be done to a topic, and to topics together; every act can be undone.

The Topics page calls ``draw`` in two places: beside one topic, with its column in the run, and
above all topics, with None; there ``draw_undo`` stands, too. ``draw_selection`` stands beside
documents that were chosen on the map.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core import operations
from core.operations import Operation
from core.store import CreateTopic, Project, Run, State
from tsnmf_ui import operating, state, worker
from tsnmf_ui.operating import new_key as _new
from tsnmf_ui.widgets import free_topic, topic_choice, topic_parts, topic_words

MOST_PARTS = 8
OWN = (
    "This model finds its topics by itself. With TS-NMF they can also be split, locked and told "
    "which words to use."
)


def draw(project: Project, run: Run | None, topic: int | None) -> None:
    """The operations on one topic (a column of the run), or on all (None)."""
    if topic is None or run is None:
        _create(project, run)
    elif topic < len(run.topic_ids):
        _acts(project, run, topic)
    elif run.spec.obeys:
        free_topic.draw(project, run, topic)


def draw_undo(project: Project) -> None:
    """A way back, whatever the last act was."""
    st.button(
        "Undo",
        key="topics.undo",
        width="stretch",
        icon=":material/undo:",
        help="Takes back your last act in this project, labels included.",
        on_click=operating.take_back,
        args=(project.id,),
    )


def _create(project: Project, run: Run | None) -> None:
    box, name = _new("topics.new-box"), _new("topics.new")
    with st.popover("New topic", icon=":material/add:", width="content", key=box):
        st.text_input("Name", key=name, max_chars=120, placeholder="For example: Billing")
        if run is not None and run.spec.obeys:
            st.text_input(
                "Words, if you know some",
                key=_new("topics.new-words"),
                max_chars=300,
                placeholder="For example: bill, meter, tariff",
            )
        st.caption("It learns from the texts you label with it, and from the words above.")
        _do("Create topic", "topics.create", _created, project.id, run and run.id)


# One topic


def _acts(project: Project, run: Run, topic: int) -> None:
    number, name = run.topic_ids[topic], state.topics_of(run).names[topic]
    if not any(each.id == number for each in state.store().topics(project.id)):
        st.caption("This topic is gone; the next fit leaves it out.")
        return
    if run.spec.obeys:
        topic_words.draw(project, run, topic)
    _merge(project, number, name)
    if run.spec.obeys:
        _split(project, run, number, topic)
        topic_parts.draw(project, run, topic)
        _lock(project, run, number, topic)
    _more(project, run, number, name)


def _merge(project: Project, number: int, name: str) -> None:
    others = {t.id: t.name for t in state.store().topics(project.id) if t.id != number}
    key = _new(f"topics.merge.{number}")
    with st.popover("Merge", key=_new("topics.merge-box"), disabled=not others):
        st.multiselect(
            "Merge with",
            list(others),
            format_func=lambda other: others[other],
            key=key,
            placeholder="Choose topics",
        )
        st.text_input("Name of the merged topic", value=name, key=f"{key}.name", max_chars=120)
        st.caption("Texts labelled with any of them are then labelled with this one.")
        _do("Merge topics", "topics.merge", _merged, project.id, number, key)


def _split(project: Project, run: Run, number: int, topic: int) -> None:
    key = _new(f"topics.split.{number}")
    with st.popover("Split", key=_new("topics.split-box")):
        st.number_input("Into how many topics", 2, MOST_PARTS, 2, key=key)
        st.caption(
            "Each starts from a part of its texts that is alike. Texts labelled with it "
            "may hold any of the parts, until you say which."
        )
        _do("Split topic", "topics.split", _parted, project.id, run.id, number, topic, key)


def _lock(project: Project, run: Run, number: int, topic: int) -> None:
    locked = number in state.store().wording(project.id).topics.held
    st.button(
        "Unlock" if locked else "Lock",
        key="topics.lock",
        icon=":material/lock:" if locked else ":material/lock_open:",
        help="Its words are frozen; let them move again."
        if locked
        else "Freezes its words: later fits keep them exactly.",
        on_click=_locked,
        args=(project.id, run.id, number, topic, locked),
    )


def _more(project: Project, run: Run, number: int, name: str) -> None:
    key = _new(f"topics.name.{number}")
    with st.popover("More", key=_new("topics.more-box")):
        st.text_input("Name", value=name, key=key, max_chars=120)
        _do("Save name", "topics.rename", _renamed, project.id, number, key)
        st.divider()
        st.caption("Deleting sets its labels aside and fits the model without it.")
        st.button(
            "Delete topic", key="topics.delete", on_click=_deleted, args=(project.id, number, name)
        )
        if not run.spec.obeys:
            st.caption(OWN)


# Documents that were chosen


def draw_selection(project: Project, run: Run, positions: Sequence[int]) -> None:
    """What can be done with some documents together."""
    named = {topic.id: topic.name for topic in state.store().topics(project.id)}
    with st.container(horizontal=True, gap="small"):
        with st.popover("New topic of these", key=_new("topics.lasso-box")):
            st.text_input("Name", key=_new("topics.lasso"), max_chars=120)
            st.caption("They are labelled with it, besides the labels they have.")
            _do("Create topic", "topics.lasso-create", _gathered, project.id, tuple(positions))
        with st.popover("Move to a topic", key=_new("topics.move-box"), disabled=not named):
            st.selectbox(
                "Topic", list(named), format_func=lambda t: named[t], key=_new("topics.move-to")
            )
            st.caption("Their labels are replaced: this topic and no other.")
            _do("Move texts", "topics.move", _moved, project.id, tuple(positions))


def _do(label: str, key: str, act: Callable[..., None], *args: object) -> None:
    st.button(label, key=key, type="primary", on_click=act, args=args)


# Acts


def _text(key: str) -> str:
    return str(state.recall(key) or "").strip()


def _created(project: int, run_id: int | None) -> None:
    name = _text(_new("topics.new"))
    words = operating.read_words(project, _text(_new("topics.new-words")))
    make: Callable[[State], Operation]
    if words and run_id is not None:
        make = _from_words(project, run_id, name, words)
    else:
        make = _plain(CreateTopic(name))
    operating.perform(project, make, said=f"“{name}” is a topic now.")


def _plain(act: CreateTopic) -> Callable[[State], Operation]:
    return lambda now: Operation(f"Create “{act.name}”"[:120], (act,))


def _from_words(
    project: int, run_id: int, name: str, words: list[str]
) -> Callable[[State], Operation]:
    """A free topic that speaks of these words already becomes the new one."""
    store = state.store()
    run = store.run(project, run_id)
    matrix = worker.matrix_of(store, store.project(project))
    first = len(run.topic_ids)
    column = operations.speaking_of(state.topics_of(run), words, first=first)
    found = None if column is None else {"run": run_id, "topic": column}
    return lambda now: operations.create_from_words(now, name, words, matrix=matrix, found=found)


def _renamed(project: int, topic: int, key: str) -> None:
    name = _text(key)
    said = f"The topic is called “{name}” now."
    make = operations.rename
    operating.perform(project, lambda now: make(now, topic, name), said=said, refit=False)


def _deleted(project: int, topic: int, name: str) -> None:
    said = f"“{name}” is deleted; the model is fitted anew."
    if operating.perform(project, lambda now: operations.delete(now, topic), said=said):
        state.forget(topic_choice.CHOSEN)


def _merged(project: int, topic: int, key: str) -> None:
    others = tuple(state.recall(key) or ())
    name = _text(f"{key}.name") or None
    make = operations.merge
    operating.perform(project, lambda now: make(now, (topic, *others), name=name))


def _parted(project: int, run_id: int, topic: int, column: int, key: str) -> None:
    store, into = state.store(), int(state.recall(key) or 2)
    matrix = worker.matrix_of(store, store.project(project))
    topics = state.topics_of(store.run(project, run_id))

    def make(now: State) -> Operation:
        return operations.split(now, topic, into, topics=topics, column=column, X=matrix.X)

    if operating.perform(project, make):
        topic_choice.choose(store.topics(project)[-into].id, topic)


def _locked(project: int, run_id: int, topic: int, column: int, locked: bool) -> None:
    def make(now: State) -> Operation:
        if locked:
            return operations.unlock(now, topic)
        topics = state.topics_of(state.store().run(project, run_id))
        return operations.lock(now, topic, topics=topics, column=column)

    operating.perform(project, make)


def _gathered(project: int, positions: tuple[int, ...]) -> None:
    name, make = _text(_new("topics.lasso")), operations.create_from_documents
    said = f"“{name}” is a topic now."
    operating.perform(
        project, lambda now: make(now, name, positions), positions=positions, said=said
    )


def _moved(project: int, positions: tuple[int, ...]) -> None:
    topic = state.recall(_new("topics.move-to"))
    if topic is not None:
        make = operations.move_documents
        operating.perform(project, lambda now: make(now, positions, topic), positions=positions)
