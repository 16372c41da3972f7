"""Steps from one schema to the next.

``STEPS[n]`` takes a database of version n to version n + 1, inside the transaction that
also writes the new version down. Raise ``tables.SCHEMA`` together with a new step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from sqlalchemy import Connection, func, insert, inspect, select

from core.errors import StoreError
from core.store import tables

Step = Callable[[Connection], None]


def _index_acts_anew(connection: Connection) -> None:
    """Acts of a batch are left out of the indexes that only look for one act."""
    for index in tables.acts.indexes:
        index.drop(connection, checkfirst=True)
        index.create(connection)


STEPS: Mapping[int, Step] = {1: _index_acts_anew}


def bring_up_to_date(
    connection: Connection, steps: Mapping[int, Step] = STEPS, target: int = tables.SCHEMA
) -> None:
    """Create the tables in an empty database, or walk an older one up to the present."""
    if not inspect(connection).has_table(tables.versions.name):
        _create(connection)
        return
    version = connection.scalar(select(func.max(tables.versions.c.version))) or 0
    if version > target:
        raise StoreError("This database was made by a newer version of the Studio.")
    for number in range(version, target):
        if number not in steps:
            raise StoreError(f"There is no way from version {number} of the database onwards.")
        steps[number](connection)
        _note(connection, number + 1)


def _create(connection: Connection) -> None:
    if inspect(connection).get_table_names():
        raise StoreError("This database holds something else than Studio projects.")
    tables.metadata.create_all(connection)
    _note(connection, tables.SCHEMA)


def _note(connection: Connection, version: int) -> None:
    connection.execute(insert(tables.versions).values(version=version, applied=datetime.now(UTC)))
