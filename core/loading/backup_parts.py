"""Read the database of a backup and the files beside it; only a child process calls this.

Nothing of a stranger's database is run: tables are read column by column, never through a view or
a computed column, and what comes out are texts and numbers, structures as strict JSON.
"""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import StoreError
from core.loading.formats.archive import UNPACKING_ERRORS
from core.loading.project_parts import (
    ALWAYS_ALLOWED_BYTES,
    MAX_COMPRESSION,
    WRONG_ARRAYS,
    read_arrays,
)
from core.loading.strict_json import TOO_LARGE, strict_value

NO_BACKUP = "This file is not a backup of the Studio, or it is damaged."
MAX_FAULTS = 5
MAX_OBJECTS = 1_000_000  # tables, indexes and triggers; each project has six
MAX_CELL_BYTES = 32 * 2**20
ROWS_PER_LINE = 1_000
ROWS_PER_ANSWER = 20_000
BYTES_PER_LINE = 4 * 2**20
BYTES_PER_ANSWER = 48 * 2**20
WRONG_CONTENT = (
    *UNPACKING_ERRORS,
    *WRONG_ARRAYS,
    *(sqlite3.Error, sqlite3.Warning, TypeError, RecursionError, zipfile.LargeZipFile),
)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except WRONG_CONTENT:
        raise StoreError(NO_BACKUP) from None


@contextmanager
def _opened(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, to a file that nobody else changes."""
    address = f"{Path(path).as_uri()}?mode=ro&immutable=1"
    with _refusing(), closing(sqlite3.connect(address, uri=True)) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL_BYTES)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY"):
            database.execute(f"PRAGMA {pragma}")
        yield database


def read_outline(path: str, tables: Sequence[str]) -> Iterator[dict[str, Any]]:
    """What SQLite finds wrong, what there is by kind and name, and the columns of some tables."""
    with _opened(path) as database:
        faults = [str(row[0]) for row in database.execute(f"PRAGMA integrity_check({MAX_FAULTS})")]
        yield {"faults": [" ".join(each.split()) for each in faults if each != "ok"]}
        listed = database.execute("SELECT type, name, sql FROM sqlite_master")
        objects = listed.fetchmany(MAX_OBJECTS)
        for start in range(0, len(objects), ROWS_PER_LINE):
            yield {"objects": objects[start : start + ROWS_PER_LINE]}
        for table in tables:
            rows = database.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
            yield {"table": table, "columns": [row[1] for row in rows if not row[6]]}


def read_table(
    path: str,
    *,
    table: str,
    columns: Sequence[str],
    structures: Sequence[str],
    where: Mapping[str, int],
    key: str,
    after: int,
) -> Iterator[list[list[Any]]]:
    """The next rows of a table after one of them, in the order of a key; none at the end.

    Names are those of the Studio's own tables. ``structures`` are the columns that hold JSON.
    """
    found = ", ".join(f'"{name}"' for name in columns)
    matching = " AND ".join([f'"{name}" = ?' for name in where] + [f'"{key}" > ?'])
    query = f'SELECT {found} FROM "{table}" WHERE {matching} ORDER BY "{key}" LIMIT ?'
    parsed = [columns.index(name) for name in structures]
    with _opened(path) as database:
        rows = database.execute(query, (*where.values(), after, ROWS_PER_ANSWER))
        yield from _some_at_a_time(rows, parsed)


def _some_at_a_time(rows: sqlite3.Cursor, parsed: Sequence[int]) -> Iterator[list[list[Any]]]:
    several: list[list[Any]] = []
    size = total = 0
    for row in rows:
        size += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        several.append(_plain_row(list(row), parsed))
        if len(several) >= ROWS_PER_LINE or size >= BYTES_PER_LINE:
            yield several
            total += size
            several, size = [], 0
            if total >= BYTES_PER_ANSWER:
                return
    if several:
        yield several


def _plain_row(row: list[Any], parsed: Sequence[int]) -> list[Any]:
    if any(isinstance(cell, bytes) for cell in row):
        raise StoreError(NO_BACKUP)
    for place in parsed:
        if row[place] is not None:
            row[place] = strict_value(str(row[place]).encode("utf-8"), MAX_CELL_BYTES)
    return row


def read_array_file(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """The arrays of a file beside the database."""
    with _refusing():
        size = file.seek(0, 2)
        file.seek(0)
        with zipfile.ZipFile(file) as bundle:
            unpacked = sum(entry.file_size for entry in bundle.infolist())
        if unpacked > max(ALWAYS_ALLOWED_BYTES, MAX_COMPRESSION * size):
            raise StoreError(TOO_LARGE)
        file.seek(0)
        yield from read_arrays(file, "")


def read_json_lines(file: BinaryIO) -> Iterator[Any]:
    """The values of a file beside the database, a line each; an empty line is none."""
    with _refusing():
        while line := file.readline(MAX_CELL_BYTES + 1):
            if line.strip():
                yield strict_value(line, MAX_CELL_BYTES)
