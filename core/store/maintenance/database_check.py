"""Whether a database is sound, and one of the Studio's."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import StaticPool

from core.errors import StoreError
from core.store import tables
from core.store.migrations import MIGRATIONS

MAX_LISTED = 5  # faults that are named one by one
NOT_OURS = "This database does not hold Studio projects."
NEWER = "This database was made by a newer version of the Studio."
DAMAGED = "The database is damaged: {}."

_SEARCH_TABLE = re.compile(r"search_\d+(_(?:data|idx|content|docsize|config))?")
_FULL_TEXT = re.compile(r"CREATE VIRTUAL TABLE search_\d+ USING fts5\(")

ADDED_COLUMNS = frozenset({"preview", "texts_revision"})  # since the first version
ADDED_TABLES = frozenset({"members", "replaced_documents"})

Objects = Mapping[tuple[str, str], Any]  # SQL by kind and name

DATABASE_ERRORS = (DatabaseError, sqlite3.DatabaseError)


def integrity_faults(connection: Connection) -> list[str]:
    """What SQLite finds wrong with the file; empty if nothing."""
    try:
        rows = connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_LISTED})").scalars().all()
    except DATABASE_ERRORS as error:
        return [reason(error)]
    return [" ".join(str(row).split()) for row in rows if row != "ok"]


def reference_faults(connection: Connection) -> list[str]:
    """Rows of projects that are not there; empty if none."""
    rows = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MAX_LISTED)
    return [f"row {row[1]} of {row[0]}" for row in rows]


def schema_version(connection: Connection) -> int:
    """The version of a database of the Studio; an error for any other."""
    if not _names(connection, "table") >= {tables.versions.name, tables.projects.name}:
        raise StoreError(NOT_OURS)
    try:
        version = connection.scalar(select(func.max(tables.versions.c.version)))
    except DATABASE_ERRORS:
        raise StoreError(NOT_OURS) from None
    return known_version(version)


def known_version(version: Any) -> int:
    """A version that this Studio can read; an error for any other."""
    if type(version) is not int or (version < tables.SCHEMA and version not in MIGRATIONS):
        raise StoreError(NOT_OURS)
    if version > tables.SCHEMA:
        raise StoreError(NEWER)
    return version


def require_own_tables(objects: Objects, columns: Mapping[str, Collection[str]]) -> None:
    """Refuse a database with tables, views or triggers that the Studio never makes, or without
    the tables it makes. What their SQL says does not matter: only their rows are taken over."""
    ours = _own_objects()
    if any(not _is_internal(*key, objects[key]) for key in objects.keys() - ours.keys()):
        raise StoreError(NOT_OURS)
    for table in tables.metadata.sorted_tables:
        if table.name in ADDED_TABLES and ("table", table.name) not in objects:
            continue
        sql, names = objects.get(("table", table.name)), set(table.c.keys())
        plain = isinstance(sql, str) and sql.startswith("CREATE TABLE")
        if not plain or not names - ADDED_COLUMNS <= set(columns[table.name]) <= names:
            raise StoreError(NOT_OURS)


def reason(error: Exception) -> str:
    """What the database says, as a part of a sentence."""
    return str(getattr(error, "orig", error)).rstrip(".")


def _is_internal(kind: str, name: str, sql: str | None) -> bool:
    """SQLite's own indexes and tables, and the tables of full-text indexes."""
    if name.startswith("sqlite_"):
        return kind in ("index", "table")
    found = _SEARCH_TABLE.fullmatch(name) if kind == "table" else None
    return found is not None and (bool(found[1]) or bool(_FULL_TEXT.match(sql or "")))


def _names(connection: Connection, kind: str) -> set[str]:
    try:
        return {name for type_, name in _objects(connection) if type_ == kind}
    except DATABASE_ERRORS as error:
        raise StoreError(DAMAGED.format(reason(error))) from None


def _objects(connection: Connection) -> dict[tuple[str, str], Any]:
    rows = connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master")
    return {(row[0], row[1]): row[2] for row in rows}


@lru_cache(maxsize=1)
def _own_objects() -> dict[tuple[str, str], Any]:
    """Tables, indexes and triggers of a new database."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        tables.metadata.create_all(connection)
        found = _objects(connection)
    engine.dispose()
    return found
