"""The connection to the database: its address, its settings, reading and writing transactions."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, OperationalError

from core.errors import StoreError
from core.store import postgresql
from core.store.disk_errors import disk_sentence
from core.store.migrations import migrate
from core.store.private_files import DATABASE, make_private_database, make_private_folder
from core.store.store_lock import SharedLock

HOME_VARIABLE = "TSNMF_STUDIO_HOME"
URL_VARIABLE = "TSNMF_STUDIO_DATABASE_URL"
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # C:/ is none; a path has one slash of two left
BUSY_SECONDS = 60  # how long a writer waits for another process

PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}",
    "PRAGMA synchronous = FULL",  # a commit is on disk when it returns
    "PRAGMA foreign_keys = ON",
    "PRAGMA journal_size_limit = 67108864",
)


def home_path(home: Path | str | None = None) -> Path:
    """Where the folder of the store is or would be."""
    chosen = home or os.environ.get(HOME_VARIABLE) or platformdirs.user_data_path("tsnmf-studio")
    if ADDRESS.match(str(chosen)):
        raise StoreError(
            f"“{chosen}” is an address. The Studio's folder is one of this machine, or one that "
            "every server mounts."
        )
    return Path(chosen).expanduser().resolve()


def home_folder(home: Path | str | None = None) -> Path:
    """The folder of the store, made when missing, for its owner alone."""
    folder = home_path(home)
    try:
        make_private_folder(folder)
    except OSError as error:
        raise StoreError(f"The folder “{folder}” cannot be made: {error.strerror}.") from error
    return folder


def database_url(home: Path, url: str | None = None) -> str:
    chosen = url or os.environ.get(URL_VARIABLE)
    if chosen is None:
        make_private_database(home)
    return chosen or f"sqlite:///{home / DATABASE}"


class Database:
    """One engine, with reading and writing transactions.

    A writing transaction takes the write lock of the database when it begins, so it never fails
    half-way because somebody else wrote first. The threads of this process queue on a lock
    of their own, which wakes them sooner than a database would.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._reading = self.engine
        if not self.is_sqlite:  # SQLite's reading transactions are that of themselves
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ")
        self._writing = self.engine.execution_options(immediate=True)
        self._write_lock = threading.Lock()
        self._shared_lock = self._lock()
        try:
            with self.write() as connection:
                migrate(connection)
        except DatabaseError as error:
            self.close()
            raise StoreError(f"The database cannot be opened: {error.orig}.") from error
        except StoreError:
            self.close()
            raise
        self.full_text = self._has_full_text()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A reading transaction: one consistent state; waits for nobody."""
        with self._reading.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A writing transaction: all or nothing; on disk when the block ends."""
        try:
            with self._write_lock, self._writing.begin() as connection:
                yield connection
        except OperationalError as error:
            sentence = disk_sentence(error)
            if sentence is None:
                raise
            raise StoreError(sentence) from error

    @contextmanager
    def autocommit(self) -> Iterator[Connection]:
        """A connection without a transaction, for locks and messages of PostgreSQL."""
        with self.engine.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def close(self) -> None:
        self.engine.dispose()
        if self._shared_lock is not None:
            self._shared_lock.release()

    def _lock(self) -> SharedLock | None:
        """So that nobody puts another database in the place of one that is open."""
        return SharedLock(Path(self.engine.url.database or "").parent) if self.is_sqlite else None

    def _has_full_text(self) -> bool:
        if not self.is_sqlite:
            return True
        with self.read() as connection:
            options = connection.exec_driver_sql("PRAGMA compile_options").scalars()
            return "ENABLE_FTS5" in set(options)


def _engine(url: str) -> Engine:
    try:
        parsed = postgresql.with_driver(make_url(url))
        backend = parsed.get_backend_name()
        if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
            raise StoreError("A database in memory would lose every label; name a file.")
        if backend not in ("sqlite", "postgresql"):
            raise StoreError("The Studio keeps its projects in SQLite or in PostgreSQL.")
        options = postgresql.ENGINE_OPTIONS if backend == "postgresql" else {}
        engine = create_engine(parsed, pool_size=8, max_overflow=24, **options)
    except ModuleNotFoundError:
        raise StoreError(postgresql.NO_DRIVER) from None
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError(f"The database address cannot be used: {error}.") from error
    is_sqlite = backend == "sqlite"
    event.listen(engine, "connect", _configure if is_sqlite else postgresql.configure)
    event.listen(engine, "begin", _begin if is_sqlite else postgresql.take_write_lock)
    return engine


def _configure(raw: Any, record: Any) -> None:
    """BEGIN is sent explicitly: the driver would begin too late, and never for reading."""
    raw.isolation_level = None
    for pragma in PRAGMAS:
        raw.execute(pragma)
    _write_ahead(raw)


def _write_ahead(raw: Any) -> None:
    """Turn on write-ahead logging; that needs the file alone and does not wait, so this does."""
    deadline, pause = time.monotonic() + BUSY_SECONDS, threading.Event()
    while raw.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            raw.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            pause.wait(0.01)


def _begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
