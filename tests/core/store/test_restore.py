"""Batches and restores: one event each, exact, and taken back by one undo."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import NotFound, StoreError
from core.store import CreateTopic, DeleteTopic, Label, RenameTopic, Restore, Skip, Store
from core.store.state import planned_change
from tests.core.store.desk import CORPUS, N
from tests.core.store.test_log import folded, one_event, topic_sets, view

BATCH = (CreateTopic("Trees"), Label(0, (4,)), Label(1, (1, 4)), Skip(2))


def test_one_undo_takes_a_whole_batch_back_and_one_redo_brings_it(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    before = view(store)
    head = store.record_batch(1, "Import of trees.csv", BATCH, author="ann")
    after = view(store)
    assert (head.kind, head.payload) == ("batch", {"title": "Import of trees.csv", "count": 4})
    assert store.annotations(1)[0].permitted == (4,)
    undone = store.undo(1, author="ann")
    assert undone is not None
    assert undone.undoes == head.id
    assert view(store) == before == folded(store)
    store.redo(1, author="ann")
    assert view(store) == after == folded(store)


def test_an_event_of_a_batch_is_nobodys_to_undo_alone(store: Store) -> None:
    store.record_batch(1, "Bulk", [Label(i, (1,)) for i in range(N)], author="ann")
    assert store.undo(1, author="ann") is not None
    assert store.annotations(1) == {}
    assert store.undo(1, author="ann") is None


def test_a_resent_batch_changes_nothing(store: Store) -> None:
    sent = {"author": "ann", "client": "browser-1", "sequence": 1}
    first = store.record_batch(1, "Bulk", [Label(0, (1,))], **sent)
    assert store.record_batch(1, "Bulk", [Label(0, (1,))], **sent) == first
    assert store.revision(1) == first.id + 1


@pytest.mark.parametrize(
    ("acts", "sentence"),
    [
        ((), "nothing to do"),
        ((Restore(0),), "part of a batch"),
        ((Label(0, (1,)), Label(1, (9,))), "no topic 9"),
    ],
)
def test_a_bad_batch_leaves_no_trace(store: Store, acts: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        store.record_batch(1, "Bulk", acts, author="ann")
    assert store.revision(1) == 3


def test_restoring_goes_back_exactly_and_undo_forth_again(store: Store) -> None:
    store.record(1, Label(0, (1,), note="first"), author="ann")
    store.record(1, Skip(1), author="ben")
    point, then = store.revision(1), view(store)
    store.record(1, RenameTopic(1, "Bins"), author="ben")
    store.record_batch(1, "Bulk", BATCH, author="ben")
    store.undo(1, author="ann")
    store.record(1, DeleteTopic(2), author="ann")
    before = view(store)
    restored = store.record(1, Restore(point), author="cat")
    assert view(store) == then == folded(store)
    assert store.annotations(1)[0].author == "ann"  # a restore is nobody's label
    store.undo(1, author="cat")
    assert view(store) == before == folded(store)
    store.redo(1, author="cat")
    assert view(store) == then == folded(store)
    assert restored.payload == {"to": point}


def test_what_others_did_after_a_restore_outlives_its_undo(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Restore(3), author="cat")
    store.record(1, Label(1, (2,)), author="ben")
    store.undo(1, author="cat")
    assert {p: a.permitted for p, a in store.annotations(1).items()} == {0: (1,), 1: (2,)}


def test_after_a_restore_nothing_is_left_to_redo(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.undo(1, author="ann")
    store.record(1, Restore(4), author="cat")
    assert store.redo(1, author="ann") is None
    assert store.annotations(1).keys() == {0}


@pytest.mark.parametrize("few", [0, 100])
def test_undo_and_redo_of_a_batch_leave_out_what_a_restore_took_out_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(planned_change, "UPDATE_SINGLY_UP_TO", few)
    head = store.record_batch(1, "Import", [Label(p, (1,)) for p in range(3)], author="ann")
    store.record(1, Restore(head.id + 1), author="ben")
    restored = view(store)
    assert store.annotations(1).keys() == {0}
    store.undo(1, author="ann")
    assert not store.annotations(1)
    store.redo(1, author="ann")
    assert view(store) == restored == folded(store)
    store.undo(1, author="ben")
    assert store.annotations(1).keys() == {0, 1, 2}


def test_the_fortieth_restore_is_as_quick_as_the_first(store: Store) -> None:
    """Each restores the state after the one before; every one doubled the time of the next."""
    store.record(1, Label(0, (1,)), author="ann")
    then = view(store)
    for _ in range(40):
        store.record(1, Restore(store.revision(1)), author="cat")
    assert view(store) == then == folded(store)
    store.undo(1, author="cat")
    assert view(store) == then == folded(store)


def test_the_future_cannot_be_restored(store: Store) -> None:
    with pytest.raises(NotFound, match="does not reach"):
        store.record(1, Restore(4), author="ann")


steps = st.tuples(
    st.sampled_from(["ann", "ben"]),
    st.one_of(
        one_event,
        one_event,
        st.floats(0, 1),  # restore to this share of the log
        st.lists(st.builds(Label, st.integers(0, N - 1), topic_sets), min_size=1, max_size=4),
    ),
)


def do(store: Store, author: str, step: Any) -> None:
    if isinstance(step, str):
        getattr(store, step)(1, author=author)
    elif isinstance(step, float):
        store.record(1, Restore(int(step * store.revision(1))), author=author)
    elif isinstance(step, list):
        store.record_batch(1, "Bulk", step, author=author)
    else:
        store.record(1, step, author=author)


@pytest.mark.parametrize("few", [0, 100])
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(several=st.lists(steps, max_size=30))
def test_the_tables_equal_the_log_and_every_point_can_be_reached(
    several: list[tuple[str, Any]], few: int
) -> None:
    """Whatever two people do, with documents settled one by one or all at once."""
    usual, planned_change.UPDATE_SINGLY_UP_TO = planned_change.UPDATE_SINGLY_UP_TO, few
    try:
        with tempfile.TemporaryDirectory() as home, Store.open(home=home) as store:
            first = [(CreateTopic(name), "setup") for name in ("Waste", "Roads")]
            store.create_project("Desk", CORPUS, author="ann", first_events=first)
            views = {}
            for author, step in several:
                try:
                    do(store, author, step)
                except StoreError:
                    continue
                views[store.revision(1)] = view(store)
            assert view(store) == folded(store)
            for point, then in list(views.items())[::4]:
                store.record(1, Restore(point), author="cat")
                assert view(store) == then
            assert view(store) == folded(store)
    finally:
        planned_change.UPDATE_SINGLY_UP_TO = usual


def test_batches_and_restores_travel_with_a_project(store: Store, tmp_path: Path) -> None:
    store.record_batch(1, "Bulk", BATCH, author="ben")
    store.record(1, Restore(3), author="ann")
    store.record(1, Label(3, (1,)), author="ben")
    store.undo(1, author="ann")
    store.export_project(1, tmp_path / "desk.tsnmf")
    again = store.import_project(tmp_path / "desk.tsnmf")
    assert store.annotations(again.id) == store.annotations(1)
    assert store.topics(again.id) == store.topics(1)
    lines = [[(e.kind, e.payload, e.author, e.time) for e in store.events(p)] for p in (1, 2)]
    assert lines[0] == lines[1]
