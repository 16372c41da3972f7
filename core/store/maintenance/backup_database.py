"""The database of a backup, read row by row in child processes; its content is not yet checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from core.errors import StoreError
from core.loading.backup_parts import NO_BACKUP
from core.loading.isolation import UNREADABLE_FILE, Answer, Budget, ask
from core.store.column_types import Json
from core.store.maintenance.database_check import known_version, require_own_tables
from core.store.tables import metadata, versions

ANSWER_BYTES = 512 * 2**20  # of one question


def refusal(sentence: str, **_: Any) -> StoreError:
    """What a child says about a file of a backup."""
    if sentence[:1].isupper() or sentence == UNREADABLE_FILE:
        return StoreError(NO_BACKUP)
    return StoreError(f"This backup cannot be restored: {sentence}")


class BackupDatabase:
    """A database that may be a stranger's. Only rows of the Studio's own tables are read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._budget = replace(Budget.of(path.stat().st_size), answer_bytes=ANSWER_BYTES)
        self._columns: dict[str, list[str]] = {}
        self.version = self._check()

    def _check(self) -> int:
        """The version, if the file is whole and a database of the Studio."""
        objects: dict[tuple[str, str], Any] = {}
        names = [table.name for table in metadata.sorted_tables]
        with closing(self._ask("backup_outline", tables=names)) as answer:
            for value in answer:
                if value.get("faults"):
                    raise StoreError(NO_BACKUP)
                objects |= {(kind, name): sql for kind, name, sql in value.get("objects", ())}
                if "table" in value:
                    self._columns[value["table"]] = value["columns"]
        require_own_tables(objects, self._columns)
        found = [row["version"] for rows in self.rows(versions, "version") for row in rows]
        return known_version(max(found, default=None))

    def has(self, table: Table) -> bool:
        """Whether there is such a table: earlier versions had fewer."""
        return bool(self._columns.get(table.name))

    def rows(self, table: Table, key: str, **where: int) -> Iterator[list[dict[str, Any]]]:
        """All rows in the order of a key, some at a time, as dicts by column."""
        columns = [column for column in table.c if column.name in self._columns[table.name]]
        names = [column.name for column in columns]
        structures = [column.name for column in columns if isinstance(column.type, Json)]
        after: int | None = -(2**63)
        while after is not None:
            asked = {"table": table.name, "columns": names, "structures": structures}
            question = {**asked, "where": where, "key": key, "after": after}
            after = None
            with closing(self._ask("backup_table", **question)) as answer:
                for rows in answer:
                    yield [dict(zip(names, row, strict=True)) for row in rows]
                    after = _next(after, rows[-1][names.index(key)])

    def _ask(self, reader: str, **options: Any) -> Answer:
        with open(os.devnull, "rb") as nothing:
            asked = {"path": str(self._path), **options}
            return ask(reader, asked, nothing, refusal, budget=self._budget)


def _next(before: int | None, key: Any) -> int:
    """The key to go on from; keys rise, or it would never end."""
    if type(key) is not int or (before is not None and key <= before):
        raise StoreError(NO_BACKUP)
    return key
