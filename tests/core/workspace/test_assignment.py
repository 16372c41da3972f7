"""Texts given to people: parts at random, what is left, and the way back."""

from __future__ import annotations

import pytest

from core.errors import NotFound, StoreError, StudioError
from core.store import AssignTexts, DoubleCoding, Label, Skip, Store
from core.store.history.sentences import describe_event
from core.workspace import assignment
from tests.core.workspace import small


@pytest.fixture
def project(store: Store):
    return small.project(store)  # 30 texts, the first six labelled


def left(store: Store) -> dict[str, tuple[int, int]]:
    return {each.person: (each.left, each.assigned) for each in assignment.assigned_work(store, 1)}


def test_equal_parts_hold_every_text_once(store, project):
    assignment.assign_equal_parts(store, project, ["ann", "ben", " ann ", "cat"], author="ann")
    given = store.assignments(1)
    assert sorted(given.all) == list(range(6, 30))
    assert {len(texts) for texts in given.by_person.values()} == {8}
    assert sum(map(len, given.by_person.values())) == 24
    store.undo(1, author="ann")
    assert not store.assignments(1)
    assignment.assign_equal_parts(store, project, ["ann", "ben", "cat"], author="ann")
    assert store.assignments(1) != given  # drawn anew at another point of the log


def test_what_is_left_counts_down_and_a_label_that_waits_is_done(store, project):
    assignment.assign_shares(store, project, ["ann", "ben"], 0.25, author="ann")
    assert left(store) == {"ann": (6, 6), "ben": (6, 6)}
    one, other, third = sorted(store.assignments(1).of("ben"))[:3]
    store.record(1, Label(one, (1,)), author="ben")
    store.record(1, Skip(other), author="ben")
    store.record(1, DoubleCoding(1.0), author="ann")
    store.record_label(1, Label(third, (1,)), author="ben", spoken=True)
    assert left(store) == {"ann": (6, 6), "ben": (3, 6)}
    assignment.take_back(store, 1, "ben", author="ann")
    assert left(store) == {"ann": (6, 6)}


def test_the_last_assignment_of_a_text_counts(store, project):
    store.record(1, AssignTexts("ann", (7, 8, 8)), author="ann")
    store.record(1, AssignTexts("ben", (8, 9)), author="ann")
    assert store.assignments(1).by_person == {"ann": {7}, "ben": {8, 9}}
    line = store.history(1, limit=1).lines[0]
    assert describe_event(line, {}).what == "Assigned 2 texts to ben"
    assert store.count_changes(1, after=project.revision) == 0


def test_what_cannot_be_assigned_is_refused(store, project):
    with pytest.raises(StudioError, match="Name at least one"):
        assignment.assign_equal_parts(store, project, ["  "], author="ann")
    with pytest.raises(StudioError, match="not so many"):
        assignment.assign_shares(store, project, ["ann", "ben"], 0.8, author="ann")
    with pytest.raises(NotFound):
        store.record(1, AssignTexts("ann", (30,)), author="ann")
    with pytest.raises(StoreError, match="no text"):
        store.record(1, AssignTexts("ann", ()), author="ann")


def test_assignments_travel_with_the_project(store, project, tmp_path):
    store.record(1, AssignTexts("<b>", (7, 8)), author="ann")
    copied = store.import_project(store.export_project(1, tmp_path / "desk.studio.zip"))
    assert store.assignments(copied.id) == store.assignments(1)
