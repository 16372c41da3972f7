"""The label in force: one definition, and a bulk path that gives the same for any log."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from core.corpus import Corpus
from core.errors import StoreError
from core.store import (
    NEW_TOPIC,
    BlindLabel,
    Child,
    CreateTopic,
    DeleteTopic,
    Event,
    Label,
    LabelInForce,
    MergeTopics,
    RenameTopic,
    Restore,
    Skip,
    SplitTopic,
    Store,
    events_in_force,
    replay,
)
from core.store.state import planned_change
from core.store.state.labels_in_force import annotation_of, labels_in_force
from core.store.state.lineage import lineage_of
from core.store.tables import annotated, marks, topics
from tests.core.store.several import record_several

N = 6
CORPUS = Corpus(ids=tuple("abcdef"), texts=tuple(f"text {i}" for i in range(N)))
AUTHORS = ("ann", "ben", "cat")
TOPICS = st.integers(1, 7)
HALVES = (Child("North", {"bin": 1.0}), Child("South", {"lamp": 0.5}))

topic_sets = st.sets(TOPICS, max_size=3).map(lambda ids: tuple(sorted(ids)))
positions = st.integers(0, N - 1)
labels = st.one_of(
    st.builds(Label, positions, topic_sets),
    st.builds(
        Label,
        positions,
        topic_sets,
        topic_sets,
        st.sampled_from(["sure", "unsure", "expert"]),
        note=st.sampled_from(["", "why"]),
    ),
    st.builds(Label, positions, forbidden=topic_sets, nothing_fits=st.just(True)),
    st.builds(Label, positions, note=st.just("only a note")),
    st.builds(BlindLabel, st.builds(Label, positions, topic_sets), st.booleans()),
)
names = st.sampled_from(["Waste", "Roads", "Lights", "Trees", "Noise"])
topic_events = st.one_of(
    st.builds(CreateTopic, names),
    st.builds(RenameTopic, TOPICS, names),
    st.builds(DeleteTopic, TOPICS),
    st.builds(MergeTopics, st.lists(TOPICS, min_size=1, max_size=3).map(tuple), TOPICS),
    st.builds(SplitTopic, TOPICS, st.just(HALVES)),
)
in_batches = st.one_of(labels, labels, st.builds(Skip, positions), topic_events)
created_and_used = st.lists(
    st.builds(Label, positions, st.just((NEW_TOPIC,))), min_size=1, max_size=4
).map(lambda several: [CreateTopic("New"), *several])
steps = st.tuples(
    st.sampled_from(AUTHORS),
    st.one_of(
        labels,
        labels,
        st.builds(Skip, positions),
        topic_events,
        st.sampled_from(["undo", "undo", "redo"]),
        st.floats(0, 1),  # restore to this share of the log
        st.lists(in_batches, min_size=1, max_size=6),  # one batch
        created_and_used,
        st.lists(labels, min_size=2, max_size=6).map(tuple),  # several events in one transaction
    ),
)


def existing(step: Any, alive: list[int]) -> Any:
    """The step about topics in force, so that few are refused; any number stands for one."""
    if isinstance(step, list | tuple):
        return type(step)(existing(each, alive) for each in step)
    if not alive or isinstance(step, str | float | Skip | CreateTopic):
        return step
    if isinstance(step, BlindLabel):
        return BlindLabel(existing(step.label, alive), step.spoken)
    if isinstance(step, Label) and NEW_TOPIC not in step.permitted:
        permitted = (
            () if step.nothing_fits else tuple({alive[n % len(alive)] for n in step.permitted})
        )
        forbidden = {alive[n % len(alive)] for n in step.forbidden} - {*permitted}
        return replace(step, permitted=permitted, forbidden=tuple(forbidden))
    if isinstance(step, MergeTopics):
        topics = tuple(alive[n % len(alive)] for n in step.topics)
        return MergeTopics(topics, alive[step.into % len(alive)])
    if isinstance(step, RenameTopic | DeleteTopic | SplitTopic):
        return replace(step, topic=alive[step.topic % len(alive)])
    return step


def do(store: Store, author: str, step: Any, project: int = 1) -> list[Event]:
    """The events that a step leaves on the log; none if it is refused."""
    before = store.revision(project)
    step = existing(step, [topic.id for topic in store.topics(project)])
    try:
        if isinstance(step, str):
            getattr(store, step)(project, author=author)
        elif isinstance(step, float):
            store.record(project, Restore(int(step * before)), author=author)
        elif isinstance(step, list):
            store.record_batch(project, "Bulk", step, author=author)
        elif isinstance(step, tuple):
            record_several(store, project, step, author=author)
        else:
            store.record(project, step, author=author)
    except StoreError:
        pass
    return store.events(project, after=before)


@contextmanager
def new_store() -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as home, Store.open(home=home) as store:
        first = [(CreateTopic(name), "setup") for name in ("Waste", "Roads", "Lights")]
        store.create_project("Desk", CORPUS, author="ann", first_events=first)
        yield store


@contextmanager
def updating_singly_up_to(events: int) -> Iterator[None]:
    usual = planned_change.UPDATE_SINGLY_UP_TO
    planned_change.UPDATE_SINGLY_UP_TO = events
    try:
        yield
    finally:
        planned_change.UPDATE_SINGLY_UP_TO = usual


def tables(store: Store) -> dict[str, Any]:
    """The derived tables, row by row."""
    with store._database.read() as connection:
        return {
            "annotated": {
                row.position: (row.event, row.labelled, row.skipped)
                for row in connection.execute(select(annotated))
            },
            "marks": {
                (row.position, row.topic, row.permitted)
                for row in connection.execute(select(marks))
            },
            "topics": {row.id: row.name for row in connection.execute(select(topics)) if row.alive},
            "n_labelled": store.project(1).n_labelled,
        }


def expected(log: list[Event]) -> dict[str, Any]:
    """The same from the log alone, document by document, in the plainest way."""
    in_force = events_in_force(log)
    lineage = lineage_of(in_force)
    rows, named = {}, set()
    counting = [event for event in in_force if event.kind in ("label", "skip")]
    for position in {event.position for event in counting}:
        about = [event for event in counting if event.position == position]
        given = [event for event in about if event.kind == "label"]
        annotation = annotation_of(given[-1], lineage) if given else None
        labelled = annotation is not None and annotation.labelled
        rows[position] = (given[-1].id if given else None, labelled, about[-1].kind == "skip")
        for permitted in ("permitted", "forbidden") if given else ():
            named |= {
                (position, topic, permitted == "permitted")
                for topic in given[-1].payload[permitted]
            }
    return {
        "annotated": rows,
        "marks": named,
        "topics": {topic.id: topic.name for topic in lineage.topics.values()},
        "n_labelled": sum(labelled for _, labelled, _ in rows.values()),
    }


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(several=st.lists(steps, min_size=4, max_size=20))
def test_the_bulk_path_and_single_updates_leave_what_a_replay_finds(
    several: list[tuple[str, Any]],
) -> None:
    with new_store() as singly, new_store() as in_bulk:
        for author, step in several:
            with updating_singly_up_to(1_000):
                do(singly, author, step)
            with updating_singly_up_to(0):
                do(in_bulk, author, step)
            assert tables(in_bulk) == tables(singly) == expected(singly.events(1))
        state = replay(in_bulk.events(1))
        assert in_bulk.annotations(1) == state.annotations
        assert in_bulk.skipped(1) == state.skipped
        assert tuple(in_bulk.topics(1)) == state.topics
        for position in range(N):
            found = LabelInForce(state.annotations.get(position), position in state.skipped)
            assert in_bulk.label_in_force(1, position) == found


def event(kind: str, number: int) -> Event:
    empty = {"permitted": [], "forbidden": [], "confidence": "sure", "note": ""}
    return Event(
        id=number,
        project=1,
        kind=kind,
        payload={**empty, "nothing_fits": True} if kind == "label" else {},
        author="ann",
        time=datetime(2026, 1, 1, tzinfo=UTC),
        position=0,
    )


@pytest.mark.parametrize(
    ("kinds", "label", "skipped"),
    [
        ("", None, False),
        ("label", 1, False),
        ("label label", 2, False),
        ("skip", None, True),
        ("label skip", 1, True),
        ("skip label", 2, False),
        ("label skip skip label skip", 4, True),
    ],
)
def test_the_last_label_counts_and_a_skip_until_the_next_label(
    kinds: str, label: int | None, skipped: bool
) -> None:
    about = [event(kind, number) for number, kind in enumerate(kinds.split(), start=1)]
    found = labels_in_force((0, each.kind, each.id) for each in about)
    assert found.get(0, LabelInForce()) == LabelInForce(label, skipped)


def test_other_events_leave_the_label_in_force() -> None:
    assert LabelInForce(3, True).after("create_topic", None) == LabelInForce(3, True)
