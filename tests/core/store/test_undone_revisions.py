"""Revisions that stood on something which was undone later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.store import CreateTopic, Label, Restore, Skip, Store, events_in_force
from core.store.events.effects import KINDS_WITHOUT_EFFECT
from core.store.history.undone import undone_revisions
from tests.core.store.test_labels_in_force import CORPUS, do, new_store, steps


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        opened.record(1, CreateTopic("Waste"), author="ann")
        opened.record(1, CreateTopic("Roads"), author="ann")
        yield opened


def undone(store: Store) -> set[int]:
    return set(store.undone_revisions(1, range(store.revision(1) + 1)))


def test_a_label_that_was_replaced_is_not_undone(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(0, (2,)), author="ann")
    store.record(1, Label(0), author="ann")  # cleared by hand: a correction, too
    assert undone(store) == set()


def test_from_a_label_to_its_undo_everything_stood_on_it(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")  # 3
    store.record(1, Label(1, (1,)), author="ben")  # 4
    store.undo(1, author="ann")  # 5
    store.record(1, Label(2, (1,)), author="ben")  # 6
    assert undone(store) == {3, 4}


def test_what_is_redone_stands_again(store: Store) -> None:
    store.record(1, Label(0, (1,)), author="ann")
    store.undo(1, author="ann")
    store.redo(1, author="ann")
    assert undone(store) == set()


def test_a_batch_and_a_restore_take_back_what_they_hold(store: Store) -> None:
    store.record_batch(1, "Many", [Label(i, (1,)) for i in range(3)], author="ann")  # 3 to 6
    store.undo(1, author="ann")  # 7
    assert undone(store) == {3, 4, 5, 6}
    store.record(1, Label(0, (1,)), author="ann")  # 8
    store.record(1, Restore(2), author="ann")  # 9
    assert undone(store) == {3, 4, 5, 6, 8}


def test_a_skip_changes_no_fit(store: Store) -> None:
    store.record(1, Skip(0), author="ann")
    store.undo(1, author="ann")
    assert undone(store) == set()


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(several=st.lists(steps, min_size=4, max_size=16))
def test_it_is_what_the_log_says_revision_by_revision(several: list[tuple[str, Any]]) -> None:
    with new_store() as opened:
        for author, step in several:
            do(opened, author, step)
        log = opened.events(1)
    assert undone_revisions(log, range(len(log) + 1)) == expected(log)


def test_a_restore_into_a_batch_takes_back_a_part_of_it(store: Store) -> None:
    store.record_batch(1, "Many", [Label(i, (1,)) for i in range(3)], author="ann")  # 3 to 6
    store.record(1, Restore(4), author="ben")  # 7
    assert undone(store) == {5, 6}
    store.undo(1, author="ann")  # 8
    store.redo(1, author="ann")  # 9
    log = store.events(1)
    assert undone(store) == set(undone_revisions(log, range(len(log) + 1)))
    assert undone(store) == expected(log)


def expected(log: list[Any]) -> set[int]:
    """By the definition, revision by revision."""
    final = {event.id for event in events_in_force(log)}
    return {
        revision
        for revision in range(1, len(log) + 1)
        for event in events_in_force(log[:revision])
        if event.id not in final and event.kind not in KINDS_WITHOUT_EFFECT
    }
