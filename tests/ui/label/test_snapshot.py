"""The snapshot of a project, brought up to the log event by event, equals the replayed log."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.store import Label, Skip, Store, replay
from tests.core.store.test_labels_in_force import N, do, new_store, steps
from tsnmf_ui.label.snapshot import Snapshot, Snapshots


def facts(snapshot: Snapshot) -> tuple[Any, ...]:
    """What a snapshot says, topics that no label permits left out of the counts."""
    return (
        snapshot.annotations,
        snapshot.skipped,
        snapshot.topics,
        snapshot.labelled,
        +Counter(snapshot.counts),
    )


def replayed(store: Store) -> tuple[Any, ...]:
    state = replay(store.events(1))
    labelled = frozenset(p for p, each in state.annotations.items() if each.labelled)
    counts = Counter(topic for each in state.annotations.values() for topic in each.permitted)
    return state.annotations, state.skipped, state.topics, labelled, counts


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(several=st.lists(steps, min_size=4, max_size=20))
def test_a_snapshot_that_follows_equals_one_that_is_read_and_the_replayed_log(
    several: list[tuple[str, Any]],
) -> None:
    with new_store() as store:
        snapshots = Snapshots(store)
        snapshots.of(store.project(1))
        for author, step in several:
            for event in do(store, author, step):
                if event.id == store.revision(1):  # the desk follows the event it has recorded
                    snapshots.follow(event)
            followed = snapshots.of(store.project(1))
            assert facts(followed) == facts(Snapshots(store).of(store.project(1)))
            assert facts(followed) == replayed(store)
            without = [p for p in range(N) if followed.blank(p)]
            assert not {p for p in without if store.labels_at(1, p)}


def test_labels_skips_and_undos_are_followed_without_reading_all(monkeypatch: Any) -> None:
    with new_store() as store:
        snapshots = Snapshots(store)
        snapshots.of(store.project(1))

        def read(*given: Any) -> None:
            raise AssertionError("read anew")

        monkeypatch.setattr(snapshots, "_read", read)
        for new in (Label(0, (1,)), Skip(0), Label(0, (2,)), Label(0)):
            snapshots.follow(store.record(1, new, author="ann"))
        for turn in (store.undo, store.undo, store.redo):
            event = turn(1, author="ann")
            assert event is not None
            snapshots.follow(event)
        assert facts(snapshots.of(store.project(1))) == replayed(store)
