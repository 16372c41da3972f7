"""Carry all projects from one database to another, SQLite or PostgreSQL, number by number.

Rows are copied as they are stored, so that events and fingerprints stay the same to the last byte.
The files beside the database stay where they are: projects and runs keep their numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Table, func, make_url, select, text, type_coerce, update
from sqlalchemy.exc import ArgumentError

from core.errors import StoreError
from core.store.bulk import Values, insert_many, stored_type
from core.store.database import database_url, home_folder
from core.store.store import Store
from core.store.store_lock import IN_USE, is_open
from core.store.tables import events, metadata, projects, versions

ROWS_AT_ONCE = 2_000
NOT_EMPTY = "There are projects in the other database already; projects are moved to an empty one."
SAME_DATABASE = "The two addresses name the same database."
NOT_THE_SAME = "The rows of “{}” differ after the copy: nothing was moved."
MOVED_TABLES = tuple(table for table in metadata.sorted_tables if table is not versions)


@dataclass(frozen=True, slots=True)
class Moved:
    """What was carried over."""

    projects: int
    events: int


def move(to: str, *, source: str | None = None, home: Path | str | None = None) -> Moved:
    """Copy everything into the empty database ``to``; the one it comes from stays as it is."""
    folder = home_folder(home)
    here = database_url(folder, source)
    for address in (here, to):
        _require_nobody_there(address)
    with Store.open(here, home=folder) as old, Store.open(to, home=folder) as new:
        if old._database.engine.url == new._database.engine.url:
            raise StoreError(SAME_DATABASE)
        with old._database.read() as reading, new._database.write() as writing:
            moved = _copy_all(reading, writing)
            numbers = list(reading.scalars(select(projects.c.id).where(projects.c.n_docs > 0)))
        for number in numbers:
            new.build_index(number)
    return moved


def _require_nobody_there(address: str) -> None:
    """A label given meanwhile would be in the one database and not in the other."""
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise StoreError(f"The database address cannot be used: {error}.") from error
    if url.get_backend_name() == "sqlite" and url.database and is_open(Path(url.database).parent):
        raise StoreError(IN_USE)


def _copy_all(old: Connection, new: Connection) -> Moved:
    if new.scalar(select(func.count()).select_from(projects)):
        raise StoreError(NOT_EMPTY)
    for table in MOVED_TABLES:
        written = _copy(old, new, table)
        if written != _digest(new, table):
            raise StoreError(NOT_THE_SAME.format(table.name))
    new.execute(update(projects).values(searchable=False))  # until the words are indexed here
    _set_last_number(new, _last_number(old))
    there = select(func.count()).select_from(projects).where(projects.c.n_docs > 0)
    n_events = select(func.count()).select_from(events)
    return Moved(new.scalar(there) or 0, new.scalar(n_events) or 0)


def _copy(old: Connection, new: Connection, table: Table) -> str:
    """Copy a table; the digest of what was read."""
    digest, names = hashlib.sha256(), tuple(column.name for column in table.c)
    for rows in _rows(old, table):
        _add(digest, rows)
        insert_many(new, table, names, rows, {})
    return digest.hexdigest()


def _digest(connection: Connection, table: Table) -> str:
    digest = hashlib.sha256()
    for rows in _rows(connection, table):
        _add(digest, rows)
    return digest.hexdigest()


def _add(digest: hashlib._Hash, rows: list[Values]) -> None:
    for row in rows:
        digest.update(repr(row).encode("utf-8", "surrogatepass"))


def _rows(connection: Connection, table: Table) -> Iterator[list[Values]]:
    """All rows in the order of their keys, some at a time, as they are stored."""
    columns = [type_coerce(column, stored_type(table, column.name)) for column in table.c]
    query = select(*columns).order_by(*table.primary_key.columns)
    found = connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE))
    return ([tuple(row) for row in part] for part in found.partitions())


def _last_number(connection: Connection) -> int:
    """The number that a project was given last, whether it is still there or not."""
    if connection.dialect.name == "sqlite":
        asked = text("SELECT seq FROM sqlite_sequence WHERE name = 'projects'")
    else:
        asked = text("SELECT pg_sequence_last_value(pg_get_serial_sequence('projects', 'id'))")
    return int(connection.scalar(asked) or 0)


def _set_last_number(connection: Connection, number: int) -> None:
    """Let new projects be numbered from here on: the files of a number are those of one project."""
    if not number:
        return
    if connection.dialect.name == "sqlite":
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = 'projects'"))
        added = text("INSERT INTO sqlite_sequence (name, seq) VALUES ('projects', :number)")
    else:
        added = text("SELECT setval(pg_get_serial_sequence('projects', 'id'), :number)")
    connection.execute(added, {"number": number})
