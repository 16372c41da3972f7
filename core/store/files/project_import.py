"""Add a project from a file, complete or not at all.

Nobody sees the project until its last transaction, which records the log anew, line by line, so
that it passes the same checks as an analyst's. Only then are factors, vectors and scores written,
under a number that is taken for good: a file that is refused leaves nothing behind.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import DBAPIError, StatementError

from core.errors import StoreError, StudioError
from core.store.database import Database
from core.store.disk_errors import disk_sentence
from core.store.events import batches, log, undo
from core.store.events.append import event_of
from core.store.events.bulk_labels import group_labels
from core.store.events.in_force import USE_RUN
from core.store.events.new_events import KIND_BY_TYPE, NewEvent, new_event_of
from core.store.events.origin import Origin
from core.store.files.checked_parts import checked_time
from core.store.files.field_types import DAMAGED_PROJECT_FILE, require
from core.store.files.incoming import IncomingProject, read_project
from core.store.files.project_file import LOG_FIELDS
from core.store.projects import new_project, own_vectors
from core.store.runs import comparisons, evaluations, factors, score_lines
from core.store.tables import events, projects, runs
from core.store.values import Event

WRONG_VALUES = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError),
    *(RecursionError, StopIteration, StatementError, StudioError),
)


def import_project(database: Database, home: Path, source: Path | str | BinaryIO) -> int:
    """The number of the new project."""
    with _refusing(), read_project(source) as incoming:

        def finish(connection: Connection, number: int) -> None:
            try:
                _record(connection, number, incoming)
                _save_files(home, number, incoming)
            except OSError as error:
                _delete_files(home, number)
                raise StoreError(disk_sentence(error)) from error
            except BaseException:
                _delete_files(home, number)
                raise

        return new_project.add_project(
            database,
            incoming.name,
            incoming.corpus,
            incoming.settings,
            incoming.author,
            finish,
        )


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever a file says that no project says is one sentence."""
    try:
        yield
    except (StoreError, DBAPIError):
        raise
    except WRONG_VALUES:
        raise StoreError(DAMAGED_PROJECT_FILE) from None


def _record(connection: Connection, project: int, incoming: IncomingProject) -> None:
    """The log, then the row of the run."""
    for line in incoming.events:
        _record_line(connection, project, line, incoming.events)
    if incoming.run is None:
        return
    query = select(projects.c.revision, projects.c.last_topic).where(projects.c.id == project)
    known = connection.execute(query).one()
    require(incoming.run["revision"] <= known.revision)
    require(all(0 < topic <= known.last_topic for topic in incoming.run["topic_ids"]))
    connection.execute(insert(runs), {**incoming.run, "project": project})
    numbered = update(projects).where(projects.c.id == project)
    connection.execute(numbered.values(last_run=incoming.run["id"]))


def _save_files(home: Path, project: int, incoming: IncomingProject) -> None:
    """What lies beside the database; the scores are checked before any of it is written."""
    newest, n_docs = (incoming.run or {"id": 0})["id"], len(incoming.corpus)
    score_lines.import_lines(home, project, incoming.scores, before=newest, n_docs=n_docs)
    comparisons.import_lines(home, project, incoming.comparisons, n_docs)
    if incoming.topics is not None:
        incoming.topics.save(factors.factors_path(home, project, newest))
    if incoming.vectors is not None:
        own_vectors.save(home, project, incoming.vectors, n_docs)


def _delete_files(home: Path, project: int) -> None:
    evaluations.clear(home, project)
    own_vectors.clear(home, project)
    for number in comparisons.summaries(home, project):
        comparisons.remove(home, project, number.number)
    shutil.rmtree(factors.factors_path(home, project, 0).parent, ignore_errors=True)


# The log


def _record_line(
    connection: Connection, project: int, line: dict[str, Any], rest: Iterator[dict[str, Any]]
) -> None:
    """Record one line; the head of a batch takes the lines of its events from the ``rest``."""
    origin = Origin(line["author"], time=checked_time(line["time"])).checked()
    recorded: Event | None
    if line["kind"] in ("undo", "redo"):
        undo_or_redo = undo.undo if line["kind"] == "undo" else undo.redo
        recorded = undo_or_redo(connection, project, origin)
    elif line["kind"] == "batch":
        recorded = _record_batch(connection, project, line, rest, origin)
    elif line["kind"] == USE_RUN:
        recorded = log.note_run(connection, project, line["payload"]["title"], origin)
    else:
        recorded = log.record(connection, project, _new_event(line), origin)
    _check_line(recorded, line)


def _record_batch(
    connection: Connection,
    project: int,
    line: dict[str, Any],
    rest: Iterator[dict[str, Any]],
    origin: Origin,
) -> Event:
    several = list(islice(rest, line["payload"]["count"]))
    several_new = [_new_event(each) for each in several]
    title = line["payload"]["title"]
    head = batches.record_batch(connection, project, title, group_labels(several_new), origin)
    after = select(events).where(events.c.project == project, events.c.id > head.id)
    recorded = connection.execute(after.order_by(events.c.id)).all()
    for row, each in zip(recorded, several, strict=True):
        _check_line(event_of(row), each)
    return head


def _check_line(recorded: Event | None, line: dict[str, Any]) -> None:
    if recorded is None or any(getattr(recorded, name) != line[name] for name in LOG_FIELDS):
        raise StoreError("The log in this file contradicts itself.")


def _new_event(line: dict[str, Any]) -> NewEvent:
    require(line["kind"] in KIND_BY_TYPE.values())
    return new_event_of(line["kind"], line["position"], line["payload"])
