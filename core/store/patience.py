"""Work out first, write afterwards: nobody waits for what can be done without the lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from core.store.database import Database
from core.store.restanding import Ahead

TRIES = 3  # before it is worked out while others wait, which always ends

Done = TypeVar("Done")


def patiently(
    database: Database,
    project: int,
    look: Callable[[Connection], Ahead | None],
    act: Callable[[Connection, Ahead | None], Done],
) -> Done:
    """Act on what was worked out, or look again if the log has moved on in a way that counts."""
    for _ in range(TRIES):
        with database.read() as connection:
            ahead = look(connection)
        if ahead is None:
            break
        with database.write() as connection:
            if ahead.meanwhile(connection, project) is not None:
                return act(connection, ahead)
    with database.write() as connection:
        return act(connection, None)
