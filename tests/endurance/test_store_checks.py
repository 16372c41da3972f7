"""What a kill could do to a store is found: a changed log, tables that lag, a run without file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.store import Label, Store
from tests.core.workspace import small
from tests.endurance import store_checks
from tests.endurance.audit import ANYONE, Audit


@pytest.fixture
def project(tmp_path: Path) -> int:
    with Store.open(home=tmp_path) as store:
        return small.fitted(store).id


def change(home: Path, statement: str) -> None:
    with store_checks.reading(home) as connection:
        connection.execute("DROP TRIGGER IF EXISTS events_no_update")
        connection.execute("DROP TRIGGER IF EXISTS events_no_delete")
        connection.execute(statement)
        connection.commit()


def test_a_store_that_is_whole_has_no_fault(tmp_path: Path, project: int) -> None:
    audit = Audit(tmp_path, project)
    audit.check_store(every_run=True)
    with Store.open(home=tmp_path) as store:
        store.record(project, Label(9, (1,)), author="ann")
    audit.check_store()
    assert audit.wrong == []


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE events SET author = 'eve' WHERE id = 4", "has changed"),
        ("DELETE FROM events WHERE id = (SELECT max(id) FROM events)", "has changed"),
        ("DELETE FROM events WHERE id = 4", "has a gap"),
        ("DELETE FROM projects", "is gone"),
    ],
)
def test_a_log_that_does_more_than_grow_is_found(
    tmp_path: Path, project: int, statement: str, fault: str
) -> None:
    log = store_checks.LogOnlyGrows()
    assert log.check(tmp_path) == []
    change(tmp_path, statement)
    assert any(fault in sentence for sentence in log.check(tmp_path))


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM annotations WHERE position = 3", "labels are"),
        ("UPDATE annotations SET skipped = 1 WHERE position = 3", "skipped texts are"),
        ("UPDATE topics SET name = 'Other' WHERE id = 1", "topics are"),
        ("UPDATE projects SET n_labelled = 99", "counts of labelled texts are"),
    ],
)
def test_tables_that_do_not_say_what_the_log_says_are_found(
    tmp_path: Path, project: int, statement: str, fault: str
) -> None:
    change(tmp_path, statement)
    with Store.open(home=tmp_path) as store:
        assert any(fault in sentence for sentence in store_checks.differences(store, project))


def test_an_event_between_two_readings_is_no_difference(
    tmp_path: Path, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(home=tmp_path) as store:
        read, waiting = store.annotations, [Label(9, (1,)), Label(10, (2,))]

        def read_late(number: int) -> object:
            if waiting:
                store.record(number, waiting.pop(), author="ann")
            return read(number)

        monkeypatch.setattr(store, "annotations", read_late)
        assert store_checks.differences(store, project) == []
        assert waiting == []


def test_a_run_whose_factors_are_gone_is_found(tmp_path: Path, project: int) -> None:
    shutil.rmtree(tmp_path / "factors")
    with Store.open(home=tmp_path) as store:
        (sentence,) = store_checks.unreadable_runs(store, project)
    assert "run 1" in sentence


def test_a_damaged_database_is_found(tmp_path: Path, project: int) -> None:
    assert store_checks.damage(tmp_path) == []
    change(tmp_path, "PRAGMA writable_schema = ON")
    with store_checks.reading(tmp_path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'marks_by_topic'")
        connection.commit()
    assert "integrity_check" in store_checks.damage(tmp_path)[0]


def test_a_copy_that_nobody_made_is_found(tmp_path: Path, project: int) -> None:
    audit = Audit(tmp_path, project)
    audit.ledger.attempt((ANYONE, "import_project"))
    with Store.open(home=tmp_path) as store:
        copy = store.duplicate_project(project).id
        audit.compare()
        assert (audit.copies, audit.wrong) == ([copy], [])
        store.delete_project(copy)
    audit.compare()
    assert audit.copies == []
    assert audit.wrong[0].startswith("foreign: nobody asked for")
