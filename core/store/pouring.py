"""Many rows at one go: a few long statements instead of one short one per row.

A hundred thousand rows sent one by one keep everybody else's label waiting for most of a minute,
the longer the busier the server is, because every row gives way to the other threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
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

AT_ONCE = 1_000  # rows of one statement

Row = tuple[Any, ...]


def pour(
    connection: Connection,
    table: Table,
    names: tuple[str, ...],
    rows: Sequence[Row],
    always: Mapping[str, Any],
) -> None:
    """Insert rows of the named columns; ``always`` is the same in all of them.

    Values are given as the database keeps them: a structure as text, a moment as a number.
    """
    if connection.dialect.name != "sqlite":
        _one_by_one(connection, table, names, rows, always)
        return
    for part in pieces(rows):
        statement = _statement(table.name, tuple(always), names, len(part))
        values = (*always.values(), *chain.from_iterable(part))
        connection.exec_driver_sql(statement, values)


def sweep(connection: Connection, table: Table, project: int, positions: Sequence[int]) -> None:
    """Delete what a table says of many documents of a project."""
    for which in _among(connection, table, positions):
        connection.execute(delete(table).where(table.c.project == project, which))


def _among(
    connection: Connection, table: Table, positions: Sequence[int]
) -> Iterator[ColumnElement[bool]]:
    """The rows of these documents, in as few conditions as the database can take."""
    if not positions:
        return
    first, last = min(positions), max(positions)
    if last - first + 1 == len(positions):  # all there are in between, as each comes once
        yield table.c.position.between(first, last)
    elif connection.dialect.name == "sqlite":
        listed = func.json_each(json.dumps(positions)).table_valued("value")
        yield table.c.position.in_(select(listed.c.value))
    else:
        yield from (table.c.position.in_(part) for part in pieces(positions))


def pieces(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The rows, as many at a time as one statement takes."""
    return (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))


@lru_cache(maxsize=64)
def _statement(table: str, always: tuple[str, ...], names: tuple[str, ...], n_rows: int) -> str:
    """Names are those of our own tables, never a user's."""
    one = f"({', '.join('?' * len(names))})"
    columns = [*("?" * len(always)), *(f"column{i + 1}" for i in range(len(names)))]
    return (
        f"INSERT INTO {table} ({', '.join((*always, *names))}) "
        f"SELECT {', '.join(columns)} FROM (VALUES {', '.join([one] * n_rows)})"
    )


def _one_by_one(
    connection: Connection,
    table: Table,
    names: tuple[str, ...],
    rows: Sequence[Row],
    always: Mapping[str, Any],
) -> None:
    """The same for databases that count parameters in another way."""
    if not rows:
        return
    kept = {name: bindparam(name, type_=_kept(table, name)) for name in (*always, *names)}
    values = [{**always, **dict(zip(names, row, strict=True))} for row in rows]
    connection.execute(insert(table).values(kept), values)


def _kept(table: Table, name: str) -> Any:
    """The column's own type, without what turns our values into it."""
    type_ = table.c[name].type
    return type_.impl_instance if isinstance(type_, TypeDecorator) else type_
