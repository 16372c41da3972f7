"""Insert, delete and select many rows with a few long statements.

A hundred thousand rows sent one by one keep everybody else's label waiting for most of a minute,
the longer the busier the server is, because every row gives way to the other threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    TypeDecorator,
    bindparam,
    delete,
    func,
    insert,
    select,
)

ROWS_PER_STATEMENT = 1_000
LARGE_CACHE_KILOBYTES = 64 * 1024

Values = tuple[Any, ...]


def insert_many(
    connection: Connection,
    table: Table,
    names: tuple[str, ...],
    rows: Sequence[Values],
    same: Mapping[str, Any],
) -> None:
    """Insert rows of the named columns; ``same`` is equal in all of them.

    Values are given as the database stores them: a structure as text, a moment as a number.
    """
    if connection.dialect.name != "sqlite":
        _insert_one_by_one(connection, table, names, rows, same)
        return
    for part in chunks(rows):
        statement = _statement(table.name, tuple(same), names, len(part))
        values = (*same.values(), *chain.from_iterable(part))
        connection.exec_driver_sql(statement, values)


def delete_documents(
    connection: Connection, table: Table, project: int, positions: Sequence[int]
) -> None:
    """Delete the rows of many documents of a project."""
    for which in among(connection, table, positions):
        connection.execute(delete(table).where(table.c.project == project, which))


def among(
    connection: Connection, table: Table, positions: Sequence[int]
) -> Iterator[ColumnElement[bool]]:
    """Conditions that together find the rows of these documents; each position comes once."""
    if not positions:
        return
    first, last = min(positions), max(positions)
    if last - first + 1 == len(positions):
        yield table.c.position.between(first, last)
    elif connection.dialect.name == "sqlite":
        listed = func.json_each(json.dumps(positions)).table_valued("value")
        yield table.c.position.in_(select(listed.c.value))
    else:
        yield from (table.c.position.in_(part) for part in chunks(positions))


@contextmanager
def large_cache(connection: Connection) -> Iterator[None]:
    """Keep more pages in memory inside the block, for changes all over a large index.

    With the usual two megabytes the same pages are written again and again; half a million rows
    take twice as long.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    before = connection.exec_driver_sql("PRAGMA cache_size").scalar_one()
    connection.exec_driver_sql(f"PRAGMA cache_size = -{LARGE_CACHE_KILOBYTES}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size = {before}")


def chunks(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The rows, as many at a time as one statement takes."""
    starts = range(0, len(rows), ROWS_PER_STATEMENT)
    return (rows[start : start + ROWS_PER_STATEMENT] for start in starts)


@lru_cache(maxsize=64)
def _statement(table: str, same: tuple[str, ...], names: tuple[str, ...], n_rows: int) -> str:
    """Names are those of our own tables, never a user's."""
    one = f"({', '.join('?' * len(names))})"
    columns = [*("?" * len(same)), *(f"column{i + 1}" for i in range(len(names)))]
    return (
        f"INSERT INTO {table} ({', '.join((*same, *names))}) "
        f"SELECT {', '.join(columns)} FROM (VALUES {', '.join([one] * n_rows)})"
    )


def _insert_one_by_one(
    connection: Connection,
    table: Table,
    names: tuple[str, ...],
    rows: Sequence[Values],
    same: Mapping[str, Any],
) -> None:
    """The same for databases that count parameters in another way."""
    if not rows:
        return
    columns = {name: bindparam(name, type_=stored_type(table, name)) for name in (*same, *names)}
    values = [{**same, **dict(zip(names, row, strict=True))} for row in rows]
    connection.execute(insert(table).values(columns), values)


def stored_type(table: Table, name: str) -> Any:
    """The column's own type, without the conversion of our values."""
    type_ = table.c[name].type
    return type_.impl_instance if isinstance(type_, TypeDecorator) else type_
