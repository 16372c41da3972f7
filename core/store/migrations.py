"""Steps from one schema to the next.

``MIGRATIONS[n]`` takes a database of version n to version n + 1, inside the transaction that
also writes the new version down. Raise ``tables.SCHEMA`` together with a new step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from sqlalchemy import Connection, func, insert, inspect, select, update

from core.errors import StoreError
from core.store import postgresql, tables
from core.store.projects.full_text import index_of

Migration = Callable[[Connection], None]


def _rebuild_status_indexes(connection: Connection) -> None:
    """Leave the events of a batch out of the indexes that look for single events."""
    for index in tables.event_status.indexes:
        index.drop(connection, checkfirst=True)
        index.create(connection)


def _tell_previews_apart(connection: Connection) -> None:
    """Runs of earlier versions were all there was to come: none is a preview."""
    connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN preview BOOLEAN DEFAULT false NOT NULL")


def _index_the_history(connection: Connection) -> None:
    """So that a page of the history need not read the whole log."""
    for table in (tables.events, tables.event_status):
        for index in table.indexes:
            index.create(connection, checkfirst=True)


def _let_unfinished_logs_go(connection: Connection) -> None:
    """So that an import which fails half-way can be cleared away."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DROP TRIGGER IF EXISTS events_no_delete")
        connection.execute(tables.log_trigger("events_no_delete"))


def _let_texts_be_added(connection: Connection) -> None:
    """The texts of earlier versions never changed."""
    known = {column["name"] for column in inspect(connection).get_columns("projects")}
    if "texts_revision" not in known:
        connection.exec_driver_sql(
            "ALTER TABLE projects ADD COLUMN texts_revision INTEGER DEFAULT 0 NOT NULL"
        )
    tables.replaced_documents.create(connection, checkfirst=True)


def _bring_postgresql_up(connection: Connection) -> None:
    """PostgreSQL gets numbers of 64 bits, a log that only grows and search; SQLite has them."""
    if connection.dialect.name != "postgresql":
        return
    there = inspect(connection).get_table_names()
    for table in (each for each in tables.metadata.sorted_tables if each.name in there):
        narrow = [c.name for c in table.c if c.type is tables.WholeNumber]
        wider = ", ".join(f"ALTER COLUMN {name} TYPE bigint" for name in narrow)
        if wider:
            connection.exec_driver_sql(f"ALTER TABLE {table.name} {wider}")
    connection.execute(postgresql.LOG_GUARD)
    connection.execute(postgresql.SEARCH_TABLE)
    for row in connection.execute(select(tables.projects.c.id, tables.projects.c.n_docs)).all():
        index = index_of(connection, row.id)
        index.create()
        index.fill(0, row.n_docs)
    connection.execute(update(tables.projects).values(searchable=True))


def _let_projects_have_members(connection: Connection) -> None:
    """Projects of earlier versions belong to whoever created them."""
    tables.members.create(connection, checkfirst=True)


MIGRATIONS: Mapping[int, Migration] = {
    1: _rebuild_status_indexes,
    2: _tell_previews_apart,
    3: _index_the_history,
    4: _let_unfinished_logs_go,
    5: _let_texts_be_added,
    6: _bring_postgresql_up,
    7: _let_projects_have_members,
}


def migrate(
    connection: Connection, steps: Mapping[int, Migration] = MIGRATIONS, target: int = tables.SCHEMA
) -> None:
    """Create the tables in an empty database, or upgrade an older one step by step."""
    if not inspect(connection).has_table(tables.versions.name):
        _create(connection)
        return
    version = connection.scalar(select(func.max(tables.versions.c.version))) or 0
    if version > target:
        raise StoreError("This database was made by a newer version of the Studio.")
    for number in range(version, target):
        if number not in steps:
            raise StoreError(f"A database of version {number} cannot be upgraded.")
        steps[number](connection)
        _write_version(connection, number + 1)


def _create(connection: Connection) -> None:
    if inspect(connection).get_table_names():
        raise StoreError("This database does not hold Studio projects.")
    tables.metadata.create_all(connection)
    _write_version(connection, tables.SCHEMA)


def _write_version(connection: Connection, version: int) -> None:
    connection.execute(insert(tables.versions).values(version=version, applied=datetime.now(UTC)))
