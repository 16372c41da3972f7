"""Plan without the write lock, then apply; plan again if the log has moved on meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from core.store.database import Database
from core.store.state.planned_change import PlannedChange

MAX_TRIES = 3  # plans without the lock; after them the plan is made while others wait

Result = TypeVar("Result")


def retry_when_stale(
    database: Database,
    project: int,
    plan: Callable[[Connection], PlannedChange | None],
    apply: Callable[[Connection, PlannedChange | None], Result],
) -> Result:
    """Apply what was planned, or plan again if the log has moved on in a way that matters."""
    for _ in range(MAX_TRIES):
        with database.read() as connection:
            planned = plan(connection)
        if planned is None:
            break
        with database.write() as connection:
            if planned.positions_since(connection, project) is not None:
                return apply(connection, planned)
    with database.write() as connection:
        return apply(connection, None)
