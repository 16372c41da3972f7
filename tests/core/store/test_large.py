"""Events on many documents: exact, all or nothing, and others lose nothing meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.corpus import Corpus
from core.store import CreateTopic, DeleteTopic, Label, Restore, Skip, Store, retry
from core.store.bulk import LARGE_CACHE_KILOBYTES, large_cache
from core.store.database import Database
from core.store.events import undo
from core.store.files.label_files import LabelRow
from core.store.files.label_import import import_labels, plan_import
from core.store.state import document_update
from core.store.tables import event_status
from tests.core.store.several import record_several
from tests.core.store.test_log import folded, view

MANY = 1_300  # more than go into one statement
CORPUS = Corpus(ids=tuple(map(str, range(MANY))), texts=tuple(f"text {i}" for i in range(MANY)))
ALL = [Label(i, (1 + i % 3,)) for i in range(MANY)]
MIXED = [
    *(Label(i, (2,), (3,), "unsure", note=f"note {i}") for i in range(0, MANY, 4)),
    *(Label(i, forbidden=(1,)) for i in range(1, MANY, 4)),
    *(Label(i, nothing_fits=True) for i in range(2, MANY, 4)),
    Label(3),
    *(Skip(i) for i in range(0, 9, 3)),
    Label(0, (3, 1), confidence="expert"),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path) as opened:
        first = [(CreateTopic(name), "setup") for name in ("Waste", "Roads", "Lights")]
        opened.create_project("Desk", CORPUS, author="ann", first_events=first)
        yield opened


def seen(store: Store) -> tuple[object, ...]:
    """The tables, which say what the log says."""
    found = view(store)
    assert found == folded(store)
    return found


def test_batches_undo_redo_and_restore_are_exact(store: Store) -> None:
    views = [seen(store)]
    store.record_batch(1, "All", ALL, author="ann")
    views.append(seen(store))
    point = store.revision(1)
    assert store.project(1).n_labelled == MANY
    store.record_batch(1, "Mixed", MIXED, author="ben")
    views.append(seen(store))
    for act, author, place in (
        (store.undo, "ben", 1),
        (store.redo, "ben", 2),
        (store.undo, "ben", 1),
        (store.undo, "ann", 0),
        (store.redo, "ann", 1),
        (store.redo, "ben", 2),
    ):
        assert act(1, author=author) is not None
        assert seen(store) == views[place]
    store.record(1, Restore(point), author="cat")
    assert seen(store) == views[1]
    store.record(1, Restore(3), author="cat")
    assert seen(store) == views[0]
    store.undo(1, author="cat")
    store.undo(1, author="cat")
    assert seen(store) == views[2]


def test_a_topic_that_comes_and_goes_with_a_batch(store: Store) -> None:
    before = seen(store)
    several = [CreateTopic("Trees"), *(Label(i, (0,)) for i in range(MANY))]
    store.record_batch(1, "New", several, author="ann")
    after = seen(store)
    assert store.label_counts(1)[4] == MANY
    store.undo(1, author="ann")
    assert seen(store) == before
    store.redo(1, author="ann")
    assert seen(store) == after
    store.record(1, DeleteTopic(4), author="ben")
    assert store.project(1).n_labelled == 0
    store.record(1, Restore(3 + 2 + MANY), author="cat")
    assert seen(store) == after


def test_an_import_and_its_undo(store: Store) -> None:
    store.record(1, Label(5, (1,)), author="ben")
    before = seen(store)
    rows = [
        LabelRow(row=i, id=str(i), permitted=("Trees" if i % 2 else "waste",), note=f"n{i % 7}")
        for i in range(MANY)
    ]
    head = import_labels(store, 1, plan_import(store, 1, rows, "l.csv"), "take", author="ann")
    assert head.payload["count"] == MANY + 1
    assert store.annotations(1)[5].permitted == (4,)
    after = seen(store)
    store.undo(1, author="ann")
    assert seen(store) == before
    store.redo(1, author="ann")
    assert seen(store) == after


@pytest.mark.sqlite_only
def test_a_large_cache_is_given_back(store: Store) -> None:
    size = "PRAGMA cache_size"
    with store._database.write() as connection:
        before = connection.exec_driver_sql(size).scalar_one()
        with large_cache(connection):
            assert connection.exec_driver_sql(size).scalar_one() == -LARGE_CACHE_KILOBYTES
        assert connection.exec_driver_sql(size).scalar_one() == before


def undo_batch(store: Store) -> None:
    assert store.undo(1, author="ann") is not None


def redo_batch(store: Store) -> None:
    assert store.redo(1, author="ann") is not None


def restore(store: Store) -> None:
    store.record(1, Restore(3), author="ann")


BETWEEN: dict[str, list[Any]] = {
    "labels": [Label(7, (2,)), Skip(8), Label(9)],
    "a topic": [CreateTopic("Trees"), Label(7, (4,)), DeleteTopic(1)],
}


@pytest.mark.parametrize("between", list(BETWEEN))
@pytest.mark.parametrize(
    ("ready", "act"),
    [
        ((), undo_batch),
        ((undo_batch,), redo_batch),
        ((), restore),
        ((restore,), undo_batch),
        ((restore, undo_batch), redo_batch),
    ],
)
@pytest.mark.parametrize("times", [1, retry.MAX_TRIES], ids=["once", "always"])
def test_what_others_do_between_planning_and_writing_is_kept(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    ready: tuple[Callable[[Store], None], ...],
    act: Callable[[Store], None],
    between: str,
    times: int,
) -> None:
    store.record_batch(1, "All", ALL, author="ann")
    for before in ready:
        before(store)
    left = [BETWEEN[between], [Label(11, (2,)), CreateTopic("X")], [Label(12, (2,))]][:times]
    done, plans_made = [], []

    def planning(usual: Callable[..., Any]) -> Callable[..., Any]:
        def plan(*given: Any) -> Any:
            planned = usual(*given)
            plans_made.append(planned)
            if left:
                done.extend(record_several(store, 1, left.pop(0), author="ben"))
            return planned

        return plan

    monkeypatch.setattr(undo, "plan_undo_or_redo", planning(undo.plan_undo_or_redo))
    monkeypatch.setattr(undo, "plan_restore", planning(undo.plan_restore))
    act(store)
    assert done
    seen(store)
    if between == "labels" and times == 1 and restore not in ready:
        assert len(plans_made) == 1  # labels of others are no reason to plan again
    assert [each.id for each in store.events(1) if each.author == "ben"] == [e.id for e in done]
    if act is not restore:
        assert store.annotation(1, 7).author == "ben"  # type: ignore[union-attr]
        return
    monkeypatch.undo()
    store.undo(1, author="ann")  # a restore drops what came before it, and its undo brings it back
    seen(store)
    assert store.annotation(1, 7).author == "ben"  # type: ignore[union-attr]


def test_a_batch_that_cannot_be_leaves_no_trace(store: Store) -> None:
    before = seen(store)
    with pytest.raises(Exception, match="no text at position"):
        store.record_batch(1, "All", [*ALL, Label(MANY, (1,))], author="ann")
    assert seen(store) == before
    assert store.revision(1) == 3


@pytest.mark.sqlite_only
def test_other_databases_take_the_same_rows_one_by_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store._database.engine.dialect, "name", "another")
    store.record_batch(1, "All", ALL, author="ann")
    after = seen(store)
    store.undo(1, author="ann")
    seen(store)
    store.redo(1, author="ann")
    assert seen(store) == after


def plans(database: Database) -> list[str]:
    """How SQLite would look for an author's events, and for a document's."""
    with database.read() as connection:
        asked = [
            str(each.compile(connection)) for each in (undo._LAST_OWN, document_update._EVENTS_AT)
        ]
        ways = [
            connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {each}", (1,) * each.count("?"))
            for each in asked
        ]
        return [way.one()[3] for way in ways]


@pytest.mark.sqlite_only
def test_events_are_found_by_author_and_document_in_old_databases_too(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'studio.db'}")
    fresh = plans(database)
    assert ["acts_by_author" in fresh[0], "acts_by_position" in fresh[1]] == [True, True]
    with database.write() as connection:
        for index in event_status.indexes:
            index.drop(connection)
            connection.execute(text(f"CREATE INDEX {index.name} ON acts (project, author)"))
        connection.execute(text("ALTER TABLE runs DROP COLUMN preview"))
        connection.execute(text("UPDATE schema_version SET version = 1"))
    database.close()
    again = Database(f"sqlite:///{tmp_path / 'studio.db'}")
    assert plans(again) == fresh
    again.close()
