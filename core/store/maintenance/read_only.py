"""Read a database without changing anything, neither the file nor what lies beside it.

While nobody has a database open, there is no write-ahead log beside it, and SQLite would make one
to read. So the file is then opened as one that does not change; should somebody begin to write
meanwhile, it is read again, now with their write-ahead log.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import StaticPool

Result = TypeVar("Result")

BUSY_MILLISECONDS = 10_000


def read_database(database: Path, read: Callable[[Engine], Result]) -> Result:
    """What ``read`` finds; its engine has one connection, which cannot write."""
    rests = _rests(database)
    found = _read(database, rests, read)
    return _read(database, False, read) if rests and not _rests(database) else found


def connect(database: Path, *, unchanging: bool) -> sqlite3.Connection:
    """A connection that cannot write; an ``unchanging`` file is nobody else's meanwhile."""
    address = f"{database.as_uri()}?mode=ro{'&immutable=1' if unchanging else ''}"
    raw = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    raw.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    raw.execute("PRAGMA trusted_schema = OFF")  # what a stranger put into it is not run
    return raw


def _read(database: Path, unchanging: bool, read: Callable[[Engine], Result]) -> Result:
    connecting = partial(connect, database, unchanging=unchanging)
    engine = create_engine("sqlite://", creator=connecting, poolclass=StaticPool)
    event.listen(engine, "begin", _begin)
    try:
        return read(engine)
    finally:
        engine.dispose()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _rests(database: Path) -> bool:
    """Whether nobody has the database open and all of it is in its own file."""
    log, index = (database.with_name(f"{database.name}-{kind}") for kind in ("wal", "shm"))
    return not log.exists() or (not index.exists() and log.stat().st_size == 0)
