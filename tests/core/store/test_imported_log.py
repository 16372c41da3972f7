"""A log from a file: one pass over it leaves what recording it event by event left."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, func, select

from core.errors import StoreError, StudioError
from core.store import Event, Label, Store, Topic, replay
from core.store.files import project_file, project_import
from core.store.maintenance.log_check import log_faults
from core.store.projects import documents, new_project
from core.store.state.lineage import Lineage, lineage_of, topics_in_order
from core.store.tables import annotated, event_status, events, marks, projects, topics
from tests.core.store.test_labels_in_force import CORPUS, N, do, new_store, steps

LOG_TABLES = (events, event_status, annotated, marks)
Lines = list[dict[str, Any]]


def lines_of(store: Store) -> Lines:
    with store._database.read() as connection:
        rows = connection.execute(select(events).where(events.c.project == 1).order_by("id"))
        return [json.loads(json.dumps(project_file._event_line(row))) for row in rows]


def import_log(store: Store, lines: Iterable[dict[str, Any]]) -> int:
    """A new project with this log."""
    about = documents.project_values("Copy", CORPUS, store.project(1).settings, "ann")
    with new_project.begun_project(store._database, about) as number:
        rows = documents.document_rows(number, CORPUS, 0, N)
        project_import._add_documents(store._database, rows)
        derived = project_import._add_log(store._database, number, iter(lines), N)
        with store._database.write() as connection:
            new_project.complete(connection, number, n_docs=N, **derived.project_values)
    return number


def rows_of(store: Store, project: int) -> dict[str, Any]:
    """All that follows from a log, and the log itself, but for what no file holds."""
    left_out = ("project", "client", "sequence")
    with store._database.read() as connection:
        found: dict[str, Any] = {}
        for table in LOG_TABLES:
            columns = [column for column in table.c if column.name not in left_out]
            rows = connection.execute(select(*columns).where(table.c.project == project))
            found[table.name] = sorted(map(repr, rows))
        alive = select(topics.c.id, topics.c.name, topics.c.colour, topics.c.created)
        alive = alive.where(topics.c.project == project, topics.c.alive)
        found["topics"] = sorted(map(tuple, connection.execute(alive)))
        names = (projects.c.revision, projects.c.n_labelled, projects.c.last_topic)
        found["project"] = tuple(
            connection.execute(select(*names).where(projects.c.id == project)).one()
        )
    return found


def count_rows(store: Store) -> list[int]:
    with store._database.read() as connection:
        tables = (*LOG_TABLES, topics, projects)
        return [connection.scalar(select(func.count()).select_from(t)) or 0 for t in tables]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(several=st.lists(steps, min_size=4, max_size=25))
def test_one_pass_leaves_what_every_event_left(several: list[tuple[str, Any]]) -> None:
    with new_store() as store:
        for author, step in several:
            do(store, author, step)
        number = import_log(store, lines_of(store))
        assert rows_of(store, number) == rows_of(store, 1)


changes = st.tuples(
    st.integers(0, 40),
    st.sampled_from(["drop", "twice", "swap", "undoes", "author", "topic", "to", "count", "kind"]),
    st.integers(0, 8),
)


def change(lines: Lines, place: int, what: str, value: int) -> Lines:
    """The log with one line changed, and numbered in order."""
    lines = copy.deepcopy(lines)
    line, payload = lines[place % len(lines)], lines[place % len(lines)]["payload"]
    if what == "drop":
        lines.remove(line)
    elif what == "twice":
        lines.insert(place % len(lines), copy.deepcopy(line))
    elif what == "swap":
        lines.insert(value % len(lines), lines.pop(place % len(lines)))
    elif what == "undoes" and line["undoes"] is not None:
        line["undoes"] = value + 1
        target = lines[value % len(lines)]
        line |= {"position": target["position"], "payload": {"kind": target["kind"]}}
    elif what == "author":
        line["author"] = ("ann", "ben", "cat")[value % 3]
    elif what == "kind":
        line["kind"] = ("undo", "redo", "skip", "label", "batch", "restore")[value % 6]
    elif what in ("topic", "to", "count") and what in payload:
        payload[what] = value
    for number, each in enumerate(lines, start=1):
        each["id"] = number
    return lines


@pytest.mark.sqlite_only
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    several=st.lists(steps, min_size=4, max_size=15),
    changed=st.lists(changes, min_size=1, max_size=3),
    later=st.lists(steps, max_size=4),
)
def test_a_forged_log_is_refused_or_as_good_as_any(
    several: list[tuple[str, Any]],
    changed: list[tuple[int, str, int]],
    later: list[tuple[str, Any]],
) -> None:
    with new_store() as store:
        for author, step in several:
            do(store, author, step)
        lines = lines_of(store)
        for each in changed:
            lines = change(lines, *each) or lines_of(store)
        before = count_rows(store)
        try:
            number = import_log(store, lines)
        except (StudioError, *project_import.WRONG_VALUES):
            assert count_rows(store) == before
            return
        check_everything(store, number)
        for author, step in later:
            do(store, author, step, number)
            check_everything(store, number)


def check_everything(store: Store, project: int) -> None:
    """Tables and log agree, and everything that reads the log can read it."""
    with store._database.read() as connection:
        assert log_faults(connection, project) == []
    tables, log = store.state(project), replay(store.events(project))
    assert (tables.topics, tables.annotations) == (log.topics, log.annotations)
    assert (tables.skipped, tables.word_rules) == (log.skipped, log.word_rules)
    history = store.history(project)
    assert len(history.lines) <= store.revision(project)
    for point in range(store.revision(project) + 1):
        store.difference_to(project, point)


# What a few kilobytes could do


def test_the_same_text_skipped_thousands_of_times_costs_a_few_statements() -> None:
    with new_store() as store:
        line = {"kind": "skip", "position": 0, "undoes": None, "payload": {}, "author": "ann"}
        line |= {"time": "2026-01-01T00:00:00+00:00"}
        lines = ({"id": number, **line} for number in range(1, 4_001))
        statements: list[str] = []
        event.listen(
            store._database.engine,
            "before_cursor_execute",
            lambda _, __, statement, *___: statements.append(statement),
        )
        number = import_log(store, lines)
        assert len(statements) < 60
        assert store.skipped(number) == {0}


def test_a_log_that_never_ends_its_batch_contradicts_itself() -> None:
    with new_store() as store:
        store.record_batch(1, "Two", [Label(0, (1,)), Label(1, (1,))], author="ann")
        before = count_rows(store)
        with pytest.raises(StoreError, match="contradicts itself"):
            import_log(store, lines_of(store)[:-1])
        assert count_rows(store) == before


def topic_event(number: int, kind: str, **payload: Any) -> Event:
    time = datetime(2026, 1, 1, tzinfo=UTC)
    return Event(id=number, project=1, kind=kind, payload=payload, author="ann", time=time)


def test_ways_that_part_and_meet_again_are_not_walked_one_by_one() -> None:
    """Sixty times split in two and merged: the first topic leads to the last in 2⁶⁰ ways."""
    log = [topic_event(1, "create_topic", topic=1, name="1", colour=0)]
    for last in range(1, 122, 2):
        halves = [{"topic": last + n, "name": str(last + n), "colour": 0} for n in (1, 2)]
        log.append(topic_event(len(log) + 1, "split_topic", topic=last, children=halves))
        log.append(topic_event(len(log) + 1, "merge_topics", topic=last + 2, topics=[last + 1]))
    lineage = lineage_of(log)
    assert lineage.heirs(1) == (123,)
    assert set(lineage.names()) == {123}


def test_a_long_chain_of_merges_is_followed_to_its_end() -> None:
    n = 3_000
    log = [topic_event(i, "create_topic", topic=i, name=str(i), colour=0) for i in range(1, n + 1)]
    log += [topic_event(n + i, "merge_topics", topic=i + 1, topics=[i]) for i in range(1, n)]
    assert lineage_of(log).heirs(1) == (n,)


class CountedName(str):
    """A name that counts how often a number is put behind it."""

    tried = 0

    def __format__(self, spec: str) -> str:
        CountedName.tried += 1
        return str.__format__(self, spec)


@pytest.mark.sqlite_only  # it needs no database at all
def test_hundreds_of_topics_of_one_name_are_told_apart_in_one_try_each(monkeypatch) -> None:
    monkeypatch.setattr(CountedName, "tried", 0)
    time = datetime(2026, 1, 1, tzinfo=UTC)
    alike = {i: Topic(i, CountedName("Waste"), 0, time) for i in range(500)}
    named = topics_in_order(Lineage(alike))
    assert [each.name for each in named[:3]] == ["Waste", "Waste (2)", "Waste (3)"]
    assert len({each.name for each in named}) == 500
    assert CountedName.tried == 499
