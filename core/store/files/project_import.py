"""Add a project from a file, complete or not at all.

Nobody sees the project until its last, short transaction. Before that documents and log go into
the database a piece at a time, each piece checked, and what the log says is found in one pass of
it. Factors, vectors and scores are written when everything has been checked, under a number that
is taken for good: a file that is refused leaves nothing behind.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import insert
from sqlalchemy.exc import DBAPIError, StatementError

from core.errors import StoreError, StudioError
from core.store.bulk import insert_many
from core.store.column_types import as_text, microseconds
from core.store.database import Database
from core.store.disk_errors import disk_sentence
from core.store.files.checked_documents import DocumentChecker
from core.store.files.checked_log import LogChecker
from core.store.files.checked_parts import checked_time, require_run_of_log
from core.store.files.field_types import DAMAGED_PROJECT_FILE
from core.store.files.incoming import ProjectParts, read_project
from core.store.projects import added_texts, documents, new_project, own_vectors
from core.store.runs import comparisons, evaluations, factors, issued_reports, score_lines
from core.store.state.rebuild import DerivedTables, derive_tables
from core.store.tables import events, replaced_documents, runs

EVENTS_PER_TRANSACTION = 5_000
EVENT_COLUMNS = ("id", "kind", "position", "undoes", "payload", "author", "time")
WRONG_VALUES = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError),
    *(RecursionError, StopIteration, StatementError, StudioError),
)


def import_project(
    database: Database, home: Path, source: Path | str | BinaryIO, author: str | None = None
) -> int:
    """The number of the new project; ``author`` takes the place of the one in the file."""
    with _refusing(), read_project(source) as incoming:
        texts = DocumentChecker(incoming.about["side"])
        about = incoming.about if author is None else {**incoming.about, "author": author}
        with new_project.begun_project(database, about) as number:
            for lines in incoming.documents():
                _add_documents(database, texts.rows(lines, number))
            for lines in incoming.replaced():
                _add_replaced(database, texts.replaced_rows(lines, number))
            values = texts.project_values
            parts = incoming.parts(texts.ids)
            derived = _add_log(database, number, incoming.events(), len(texts.ids))
            with database.read() as connection:
                texts.require_additions(added_texts.read_additions(connection, number))
            values |= derived.project_values | _checked_run_values(parts, derived)
            with _files_on_success(home, number):
                _save_files(home, number, parts, len(texts.ids))
                with database.write() as connection:
                    if parts.run is not None:
                        connection.execute(insert(runs), {**parts.run, "project": number})
                    new_project.complete(connection, number, **values)
    return number


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever a file says that no project says is one sentence."""
    try:
        yield
    except (StoreError, DBAPIError):
        raise
    except WRONG_VALUES:
        raise StoreError(DAMAGED_PROJECT_FILE) from None


def _event_row(own: dict[str, Any], time: datetime) -> tuple[Any, ...]:
    names = ("id", "kind", "position", "undoes")
    payload = as_text(own["payload"])
    return (*(own[name] for name in names), payload, own["author"], microseconds(time))


def _add_documents(database: Database, rows: list[dict[str, Any]]) -> None:
    with database.write() as connection:
        documents.insert_rows(connection, rows, rows[0]["position"])


def _add_replaced(database: Database, rows: list[dict[str, Any]]) -> None:
    with database.write() as connection:
        connection.execute(insert(replaced_documents), rows)


def _add_log(
    database: Database, project: int, lines: Iterable[dict[str, Any]], n_docs: int
) -> DerivedTables:
    """The log, then what it says."""
    checker = LogChecker(n_docs)
    rows = (_event_row(checker.checked(line), checked_time(line["time"])) for line in lines)
    while some := list(islice(rows, EVENTS_PER_TRANSACTION)):
        with database.write() as connection:
            insert_many(connection, events, EVENT_COLUMNS, some, {"project": project})
    checker.end()
    with database.read() as connection:
        derived = derive_tables(connection, project)
    for piece in derived.pieces():
        with database.write() as connection:
            piece.write(connection, project)
    return derived


def _checked_run_values(parts: ProjectParts, derived: DerivedTables) -> dict[str, Any]:
    """What the project's row says about its run, which names events and topics of the log."""
    if parts.run is None:
        return {}
    known = derived.project_values
    require_run_of_log(parts.run, known["revision"], known["last_topic"])
    return {"last_run": parts.run["id"]}


def _save_files(home: Path, project: int, parts: ProjectParts, n_docs: int) -> None:
    """What lies beside the database."""
    newest = (parts.run or {"id": 0})["id"]
    scored = map(json.loads, parts.scores)
    score_lines.import_lines(home, project, scored, before=newest, n_docs=n_docs)
    comparisons.import_lines(home, project, map(json.loads, parts.comparisons))
    issued_reports.import_lines(home, project, parts.reports)
    if parts.topics is not None:
        parts.topics.save(factors.factors_path(home, project, newest))
    if parts.vectors is not None:
        own_vectors.save(home, project, parts.vectors, n_docs)


@contextmanager
def _files_on_success(home: Path, project: int) -> Iterator[None]:
    """Files of the project stay only if the block ends well."""
    try:
        yield
    except OSError as error:
        _delete_files(home, project)
        raise StoreError(disk_sentence(error)) from error
    except BaseException:
        _delete_files(home, project)
        raise


def _delete_files(home: Path, project: int) -> None:
    evaluations.clear(home, project)
    own_vectors.clear(home, project)
    comparisons.clear(home, project)
    issued_reports.clear(home, project)
    shutil.rmtree(factors.factors_path(home, project, 0).parent, ignore_errors=True)
