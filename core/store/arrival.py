"""A new project comes in piece by piece, and is seen by nobody until it is whole.

Hundreds of thousands of documents in one transaction would make everybody else's label wait for
seconds. A project without documents is one that is still arriving; what a crash leaves of it is
cleared away when the next one comes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from core.corpus import Corpus
from core.store import shelf
from core.store.database import Database
from core.store.tables import documents, projects
from core.store.values import ProjectSettings

PIECE = 2_000  # documents of one transaction
FORGOTTEN = timedelta(days=1)  # after which an arrival has surely failed

Finish = Callable[[Connection, int], None]


def bring_in(
    database: Database,
    name: str,
    corpus: Corpus,
    settings: ProjectSettings,
    author: str,
    finish: Finish,
) -> int:
    """The number of the new project; ``finish`` does its first acts as it becomes visible."""
    with database.write() as connection:
        _clear_forgotten(connection)
        number = shelf.insert_project(connection, name, corpus, settings, author, n_docs=0)
    try:
        for start in range(0, len(corpus), PIECE):
            rows = shelf.document_rows(number, corpus, start, start + PIECE)
            with database.write() as connection:
                shelf.insert_rows(connection, rows, start)
        with database.write() as connection:
            whole = update(projects).where(projects.c.id == number)
            connection.execute(whole.values(n_docs=len(corpus)))
            finish(connection, number)
    except BaseException:
        with database.write() as connection:
            _clear(connection, number)
        raise
    return number


def _clear_forgotten(connection: Connection) -> None:
    long_ago = datetime.now(UTC) - FORGOTTEN
    left = select(projects.c.id).where(projects.c.n_docs == 0, projects.c.created < long_ago)
    for number in list(connection.scalars(left)):
        _clear(connection, number)


def _clear(connection: Connection, number: int) -> None:
    connection.execute(delete(documents).where(documents.c.project == number))
    connection.execute(delete(projects).where(projects.c.id == number))
