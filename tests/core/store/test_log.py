"""The log and what is derived from it: labels, topics, undo and redo."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import DatabaseError

from core.errors import NotFound, StoreError
from core.store import (
    AddWord,
    Child,
    CreateTopic,
    DeleteTopic,
    Label,
    MergeTopics,
    NewEvent,
    RemoveWord,
    RenameTopic,
    Skip,
    SplitTopic,
    Store,
    replay,
)
from core.store.events.origin import Origin
from tests.core.store.desk import CORPUS, N
from tests.core.store.several import record_several


def view(store: Store) -> tuple[object, ...]:
    """All that the derived tables say."""
    return (
        store.topics(1),
        store.annotations(1),
        store.skipped(1),
        store.project(1).n_labelled,
        store.label_counts(1),
        store.word_rules(1),
    )


def folded(store: Store) -> tuple[object, ...]:
    """The same, from the log alone."""
    state = replay(store.events(1))
    labelled = [each for each in state.annotations.values() if each.labelled]
    counts = {
        topic.id: sum(topic.id in each.permitted for each in state.annotations.values())
        for topic in state.topics
    }
    told = list(state.topics), state.annotations, set(state.skipped)
    return *told, len(labelled), counts, state.word_rules


def test_a_label_says_everything_it_was_given(store: Store) -> None:
    act = Label(2, permitted=(1, 3), forbidden=(2,), confidence="expert", note=" why ")
    event = store.record(1, act, author="ann")
    found = store.annotation(1, 2)
    assert found is not None
    assert (found.permitted, found.forbidden, found.confidence) == ((1, 3), (2,), "expert")
    assert (found.note, found.author, found.time, found.event) == ("why", "ann", event.time, 4)


def test_the_last_label_counts_and_an_empty_one_clears(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(0, (2,)), author="ben")
    assert store.annotations(1)[0].permitted == (2,)
    store.record(1, Label(0), author="ann")
    assert store.annotations(1) == {}
    assert store.project(1).n_labelled == 0


def test_forbidding_narrows_without_labelling(store: Store) -> None:
    store.record(1, Label(0, forbidden=(1,)), author="ann")
    store.record(1, Label(1, nothing_fits=True), author="ann")
    assert set(store.annotations(1)) == {0, 1}
    assert store.project(1).n_labelled == 1


def test_a_skip_lasts_until_the_next_label(store: Store) -> None:
    store.record(1, Label(3, (1,)), author="ann")
    store.record(1, Skip(3), author="ann")
    store.record(1, Skip(4), author="ann")
    assert store.skipped(1) == {3, 4}
    assert set(store.annotations(1)) == {3}
    store.record(1, Label(4, (2,)), author="ben")
    assert store.skipped(1) == {3}


def test_deleting_a_topic_hides_it_and_undo_brings_all_back(store: Store) -> None:
    store.record(1, Label(0, (1, 2), confidence="unsure"), author="ann")
    store.record(1, Label(1, (1,), note="only waste"), author="ben")
    store.record(1, RenameTopic(1, "Rubbish"), author="ben")
    before = view(store)
    store.record(1, DeleteTopic(1), author="ann")
    assert [topic.name for topic in store.topics(1)] == ["Roads", "Lights"]
    assert {p: each.permitted for p, each in store.annotations(1).items()} == {0: (2,)}
    assert store.project(1).n_labelled == 1
    store.undo(1, author="ann")
    assert view(store) == before


def test_topics_keep_number_and_colour(store: Store) -> None:
    store.record(1, DeleteTopic(2), author="ann")
    store.record(1, CreateTopic("Trees", free_topic={"run": 4, "topic": 7}), author="ann")
    assert [(t.id, t.name, t.colour) for t in store.topics(1)] == [
        (1, "Waste", 0),
        (3, "Lights", 2),
        (4, "Trees", 3),
    ]


def test_a_name_brought_back_by_undo_is_distinct_label(store: Store) -> None:
    store.record(1, DeleteTopic(1), author="ann")
    store.record(1, CreateTopic("waste"), author="ben")
    store.undo(1, author="ann")
    assert [topic.name for topic in store.topics(1)] == ["Waste", "Roads", "Lights", "waste (2)"]
    assert view(store) == folded(store)


def test_undo_and_redo_walk_back_and_forth(store: Store) -> None:
    views = [view(store)]
    for act in (Label(0, (1,)), Skip(1), RenameTopic(1, "Bins"), Label(0, (2,), (1,))):
        store.record(1, act, author="ann")
        views.append(view(store))
    for expected in reversed(views[:-1]):
        assert store.undo(1, author="ann") is not None
        assert view(store) == expected
    assert store.undo(1, author="ann") is None
    for expected in views[1:]:
        assert store.redo(1, author="ann") is not None
        assert view(store) == expected
    assert store.redo(1, author="ann") is None


def test_undo_names_the_event_and_its_document(store: Store) -> None:
    label = store.record(1, Label(5, (1,)), author="ann")
    event = store.undo(1, author="ann")
    assert event is not None
    assert (event.kind, event.undoes, event.position) == ("undo", label.id, 5)


def test_a_new_event_ends_redo(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.undo(1, author="ann")
    store.record(1, Label(1, (1,)), author="ann")
    assert store.redo(1, author="ann") is None
    assert set(store.annotations(1)) == {1}


def test_people_undo_only_their_own(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(0, (2,)), author="ben")
    store.undo(1, author="ann")
    assert store.annotations(1)[0].author == "ben"
    store.undo(1, author="ben")
    assert store.annotations(1) == {}
    store.redo(1, author="ann")
    assert store.annotations(1)[0].permitted == (1,)


def test_undo_and_redo_survive_a_restart(tmp_path: Path) -> None:
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann")
        store.record(1, CreateTopic("Waste"), author="ann")
        store.record(1, Label(0, (1,)), author="ann")
        store.record(1, Label(0, (), (1,)), author="ann")
    with Store.open(home=tmp_path) as store:
        store.undo(1, author="ann")
    with Store.open(home=tmp_path) as store:
        assert store.annotations(1)[0].permitted == (1,)
        store.redo(1, author="ann")
    with Store.open(home=tmp_path) as store:
        assert store.annotations(1)[0].forbidden == (1,)
        assert view(store) == folded(store)


def test_a_resend_changes_nothing(store: Store) -> None:
    first = store.record(1, Label(0, (1,)), author="ann", client="tab", sequence=1)
    again = store.record(1, Label(0, (2,)), author="ann", client="tab", sequence=1)
    assert again == first
    undone = store.undo(1, author="ann", client="tab", sequence=2)
    assert store.undo(1, author="ann", client="tab", sequence=2) == undone
    assert store.revision(1) == first.id + 1


def test_events_page_forwards_and_backwards(store: Store) -> None:
    store.record(1, Skip(0), author="ann")
    assert [event.id for event in store.events(1, after=2)] == [3, 4]
    assert [event.id for event in store.events(1, limit=2, newest_first=True)] == [4, 3]
    assert store.revision(1) == 4


@pytest.mark.parametrize("verb", ["UPDATE events SET author = 'eve'", "DELETE FROM events"])
def test_the_log_only_grows(store: Store, verb: str) -> None:
    with pytest.raises(DatabaseError, match="only grows"), store._database.write() as connection:
        connection.exec_driver_sql(verb)
    assert len(store.events(1)) == 3


BAD: list[tuple[NewEvent, str]] = [
    (Label(N, (1,)), "no text at position 6"),
    (Label(-1, (1,)), "whole number"),
    (Label(True, (1,)), "whole number"),
    (Label(0, (9,)), "no topic 9"),
    (Label(0, forbidden=(9,)), "no topic 9"),
    (Label(0, ("1",)), "whole number"),  # type: ignore[arg-type]
    (Label(0, (1,), (1,)), "both allowed and forbidden"),
    (Label(0, (1,), confidence="certain"), "sure, unsure and expert"),
    (Label(0, (1,), nothing_fits=True), "nothing fits"),
    (Label(0, (1,), note="x" * 4_001), "4,000 characters"),
    (Label(0, (1,), note="\ud800"), "cannot be stored"),
    (Skip(N), "no text"),
    (CreateTopic("   "), "needs a name"),
    (CreateTopic("x" * 121), "120 characters"),
    (CreateTopic("wASTE"), "already"),
    (CreateTopic("tab\x01"), "control characters"),
    (CreateTopic("New", free_topic={"run": 1}), "a run and one of its topics"),
    (RenameTopic(1, "Roads"), "already"),
    (RenameTopic(9, "Sky"), "no topic 9"),
    (DeleteTopic(9), "no topic 9"),
    ("label", "not a kind of event"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("act", "sentence"), BAD, ids=lambda value: str(value)[:40])
def test_a_bad_event_is_one_sentence_and_no_change(
    store: Store, act: NewEvent, sentence: str
) -> None:
    before = view(store), store.revision(1)
    with pytest.raises(StoreError, match=sentence):
        store.record(1, act, author="ann")
    assert (view(store), store.revision(1)) == before


@pytest.mark.parametrize(
    "origin",
    [{"author": " "}, {"author": "x" * 201}, {"author": "ann", "client": "tab"}],
)
def test_every_event_has_an_author_and_a_whole_number(store: Store, origin: dict[str, str]) -> None:
    with pytest.raises(StoreError):
        store.record(1, Skip(0), **origin)  # type: ignore[arg-type]


def test_numpy_integers_are_numbers(store: Store) -> None:
    store.record(1, Label(np.int64(2), (np.int32(1),)), author="ann")  # type: ignore[arg-type]
    assert store.annotations(1)[2].permitted == (1,)


def test_renaming_a_topic_to_another_case_of_itself(store: Store) -> None:
    store.record(1, RenameTopic(1, "WASTE"), author="ann")
    assert store.topics(1)[0].name == "WASTE"


def test_many_events_or_none(store: Store) -> None:
    with pytest.raises(NotFound):
        record_several(store, 1, [Label(0, (1,)), Label(99, (1,))], author="ann")
    assert store.annotations(1) == {}
    assert len(record_several(store, 1, [Label(0, (1,)), Label(1, (2,))], author="ann")) == 2


topic_sets = st.sets(st.integers(1, 5), max_size=3).map(lambda ids: tuple(sorted(ids)))
positions = st.integers(0, N - 1)
names = st.sampled_from(["Waste", "Roads", "Lights", "Trees", "Noise"])
HALVES = (Child("North", {"bin": 1.0}), Child("South", {"lamp": 0.5}))
one_event = st.one_of(
    st.builds(Label, positions, topic_sets),
    st.builds(Label, positions, topic_sets, topic_sets, st.sampled_from(["sure", "unsure"])),
    st.builds(Label, positions, nothing_fits=st.just(True)),
    st.builds(Skip, positions),
    st.builds(CreateTopic, names),
    st.builds(RenameTopic, st.integers(1, 5), names),
    st.builds(DeleteTopic, st.integers(1, 5)),
    st.builds(MergeTopics, st.lists(st.integers(1, 6), max_size=3).map(tuple), st.integers(1, 6)),
    st.builds(SplitTopic, st.integers(1, 6), st.just(HALVES)),
    st.builds(AddWord, st.integers(1, 3), st.sampled_from(["bin", "lamp"])),
    st.builds(RemoveWord, st.integers(1, 3), st.sampled_from(["bin", "lamp"])),
    st.sampled_from(["undo", "redo", "undo"]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(["ann", "ben"]), one_event), max_size=40))
def test_the_tables_equal_the_log(steps: list[tuple[str, NewEvent | str]]) -> None:
    """Whatever two people do, in whatever order, the copies say what the log says."""
    with tempfile.TemporaryDirectory() as home, Store.open(home=home) as store:
        first = [(CreateTopic(name), "setup") for name in ("Waste", "Roads")]
        store.create_project("Desk", CORPUS, author="ann", first_events=first)
        for author, act in steps:
            try:
                getattr(store, act)(1, author=author) if isinstance(act, str) else store.record(
                    1, act, author=author
                )
            except StoreError:
                continue  # refused: the tables must still agree
        assert view(store) == folded(store)


def batch() -> list[Label]:
    """A label on every document, one that only forbids."""
    return [Label(i, (1 + i % 3,)) for i in range(N - 1)] + [Label(N - 1, (), (1,))]


def told(store: Store) -> dict[int, tuple[object, ...]]:
    return {p: (a.permitted, a.forbidden, a.event) for p, a in store.annotations(1).items()}


def test_a_batch_of_labels_equals_the_same_labels_one_by_one(store: Store, tmp_path: Path) -> None:
    with Store.open(home=tmp_path / "other") as other:
        other.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            other.record(1, CreateTopic(name), author="setup")
        for one in (store, other):
            one.record(1, Label(3, (1,)), author="ann")
            one.record(1, Skip(4), author="bob")
        record_several(store, 1, batch(), author="ann")
        for label in batch():
            other.record(1, label, author="ann")
        assert told(store) == told(other)
        assert store.project(1).n_labelled == other.project(1).n_labelled == N - 1
        assert store.skipped(1) == other.skipped(1) == set()


def test_a_batch_is_on_the_log_and_comes_back_event_by_event(store: Store) -> None:
    events = record_several(store, 1, batch(), author="ann")
    assert [event.position for event in events] == list(range(N))
    undone = store.undo(1, author="ann")
    assert undone is not None
    assert undone.undoes == events[-1].id
    assert replay(store.events(1)).annotations == store.annotations(1)


def test_a_batch_with_one_bad_label_changes_nothing(store: Store) -> None:
    with pytest.raises(NotFound, match="no topic 9"):
        record_several(store, 1, [*batch(), Label(0, (9,))][1:], author="ann")
    assert store.annotations(1) == {}


def test_a_receipt_belongs_to_its_author(store):
    """Whoever learns the name of another's client cannot take its next numbers."""
    stolen = [
        store.record(1, Label(1, (2,)), author="eve", client="tab", sequence=n) for n in (1, 2, 3)
    ]
    mine = store.record(1, Label(0, (1,)), author="ann", client="tab", sequence=1)
    undone = store.undo(1, author="ann", client="tab", sequence=2)
    assert mine.author == undone.author == "ann"
    assert mine.id not in {event.id for event in stolen}
    assert store.record(1, Label(0, (2,)), author="ann", client="tab", sequence=1) == mine


def test_a_receipt_of_an_earlier_version_still_counts(store, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(Origin, "receipt", property(lambda origin: origin.client))
        first = store.record(1, Label(0, (1,)), author="ann", client="tab", sequence=1)
    assert store.record(1, Label(0, (1,)), author="ann", client="tab", sequence=1) == first
