"""Add a project in several transactions; nobody sees it until it is complete.

Hundreds of thousands of documents in one transaction would make everybody else's label wait for
seconds. A project with no document count is still being added; what a crash leaves of it is
deleted when the next one is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select, update

from core.corpus import Corpus
from core.store.database import Database
from core.store.projects import documents as project_rows
from core.store.tables import (
    annotated,
    documents,
    event_status,
    events,
    marks,
    projects,
    replaced_documents,
    topics,
)
from core.store.values import ProjectSettings

DOCUMENTS_PER_TRANSACTION = 2_000
FAILED_AFTER = timedelta(days=1)  # since a project was begun and never completed
TABLES_OF_A_PROJECT = (
    *(marks, annotated, topics, event_status),
    *(events, replaced_documents, documents),
)

Finish = Callable[[Connection, int], None]


def add_project(
    database: Database,
    name: str,
    corpus: Corpus,
    settings: ProjectSettings,
    author: str,
    finish: Finish,
) -> int:
    """The number of the new project; ``finish`` records its first events as it becomes visible."""
    values = project_rows.project_values(name, corpus, settings, author)
    with begun_project(database, values) as number:
        for start in range(0, len(corpus), DOCUMENTS_PER_TRANSACTION):
            rows = project_rows.document_rows(
                number, corpus, start, start + DOCUMENTS_PER_TRANSACTION
            )
            with database.write() as connection:
                project_rows.insert_rows(connection, rows, start)
        with database.write() as connection:
            complete(connection, number, n_docs=len(corpus), fingerprint=corpus.fingerprint)
            finish(connection, number)
    return number


@contextmanager
def begun_project(database: Database, values: Mapping[str, Any]) -> Iterator[int]:
    """The number of a project that nobody sees yet, taken for good; on failure nothing stays."""
    with database.write() as connection:
        _delete_failed(connection)
        number = project_rows.insert_project(connection, **values)
    try:
        yield number
    except BaseException:
        with database.write() as connection:
            _delete(connection, number)
        raise


def complete(connection: Connection, number: int, **values: Any) -> None:
    """Let everybody see the project, with its number of documents and other ``values``."""
    connection.execute(update(projects).where(projects.c.id == number).values(**values))


def _delete_failed(connection: Connection) -> None:
    too_old = datetime.now(UTC) - FAILED_AFTER
    failed = select(projects.c.id).where(projects.c.n_docs == 0, projects.c.created < too_old)
    for number in list(connection.scalars(failed)):
        _delete(connection, number)


def _delete(connection: Connection, number: int) -> None:
    """Delete all rows of a project that was never complete; only then can its log be deleted."""
    for table in TABLES_OF_A_PROJECT:
        connection.execute(delete(table).where(table.c.project == number))
    connection.execute(delete(projects).where(projects.c.id == number))
