"""One fit of a project at a time, whichever server of a PostgreSQL database makes it.

The lock belongs to a connection: when its process dies, however that happens, it is free again.
On SQLite there is one server, whose fit process makes one fit at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from core.errors import Cancelled
from core.store.database import Database

LOOK_AGAIN_SECONDS = 0.1  # while another server fits the project
_KEY = "hashtextextended(current_schema() || ' fit', %s)"


@contextmanager
def fit_lock(database: Database, project: int, should_stop: Callable[[], bool]) -> Iterator[bool]:
    """Nobody else fits the project inside the block; the value: whether it had to wait for that."""
    if database.is_sqlite:
        yield False
        return
    waited, pause = False, threading.Event()
    with database.autocommit() as connection:
        ask = f"SELECT pg_try_advisory_lock({_KEY})"
        while not connection.exec_driver_sql(ask, (project,)).scalar():
            if should_stop():
                raise Cancelled("The fit was stopped.")
            waited = True
            pause.wait(LOOK_AGAIN_SECONDS)
        try:
            yield waited
        finally:
            connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_KEY})", (project,))
