"""Copy a store into one file, consistent although others go on writing.

The database is copied as it is at one moment. The files that its rows name are taken after that;
one that is gone by then is left out: it belonged to a preview, whose row is then left out too, or
to an old run, whose factors the Studio deletes.
"""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
import zipfile
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import URL, Engine, create_engine

from core.errors import StoreError
from core.store.disk_errors import disk_sentence, file_sentence
from core.store.maintenance.backup_format import MANIFEST, Manifest, Member, chunks_of, entry
from core.store.maintenance.content_check import is_readable
from core.store.maintenance.database_check import (
    DAMAGED,
    DATABASE_ERRORS,
    integrity_faults,
    reason,
    schema_version,
)
from core.store.maintenance.read_only import read_database
from core.store.maintenance.store_folder import find_store, require_store
from core.store.maintenance.stored_files import (
    NAMES,
    StoredRun,
    files_in,
    owner_of,
    read_project_names,
    read_stored_runs,
)
from core.store.migrations import migrate
from core.store.private_files import DATABASE
from core.store.tables import SCHEMA
from core.values import whole_file


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds, and the files that were left out because they are damaged."""

    manifest: Manifest
    damaged: tuple[str, ...]


def back_up(target: Path, home: Path | str | None = None, *, force: bool = False) -> Backup:
    """Write the backup; it appears under its name when it is complete."""
    folder = find_store(home)
    require_store(folder)
    _require_free_name(target, force)
    try:
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.parent) as place:
            copy = Path(place) / DATABASE
            _copy_database(folder.database, copy)
            with whole_file(target, durable=True) as file:
                made = _write(file, copy, folder.home)
                _require_free_name(target, force)
    except OSError as error:
        raise StoreError(file_sentence(error)) from error
    except DATABASE_ERRORS as error:
        sentence = disk_sentence(error) if isinstance(error, sqlite3.Error) else None
        raise StoreError(sentence or DAMAGED.format(reason(error))) from error
    return made


def _require_free_name(target: Path, force: bool) -> None:
    if not target.parent.is_dir():
        raise StoreError(f"There is no folder “{target.parent}”.")
    if target.is_dir():
        raise StoreError(f"“{target}” is a folder; name a file.")
    if target.exists() and not force:
        raise StoreError(f"“{target}” is there already. Add --force to replace it.")


def _copy_database(database: Path, copy: Path) -> None:
    """All pages of one moment; other processes go on writing meanwhile."""

    def read(engine: Engine) -> None:
        with engine.connect() as connection, closing(sqlite3.connect(copy)) as target:
            raw = connection.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)
            connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first()  # begins to read
            raw.backup(target)

    read_database(database, read)


def _write(file: BinaryIO, copy: Path, home: Path) -> Backup:
    """The files first: which of them are there decides which previews the copy keeps."""
    if read_database(copy, _checked_version) < SCHEMA:
        _upgrade(copy)
    projects, stored = read_database(copy, _rows)
    members, damaged = dict[str, Member](), list[str]()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as bundle:
        for names in _groups(home, projects, stored):
            if all(is_readable(home / name) for name in names):
                _add_together(bundle, home, names, members)
            else:
                damaged += names
        _drop_previews(copy, [each for each in stored if each.name not in members])
        with copy.open("rb") as database:
            members[DATABASE] = _add(bundle, DATABASE, database)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = Manifest(version("tsnmf-studio"), made, SCHEMA, members)
        bundle.writestr(entry(MANIFEST), manifest.to_json())
    return Backup(manifest, tuple(damaged))


def _checked_version(engine: Engine) -> int:
    with engine.connect() as connection:
        faults = integrity_faults(connection)
        if faults:
            raise StoreError(DAMAGED.format(faults[0]))
        return schema_version(connection)


def _upgrade(copy: Path) -> None:
    """The store itself is upgraded when the Studio opens it."""
    engine = create_engine(URL.create("sqlite", database=str(copy)))
    with engine.begin() as connection:
        migrate(connection)
    engine.dispose()


def _rows(engine: Engine) -> tuple[set[int], list[StoredRun]]:
    with engine.connect() as connection:
        return set(read_project_names(connection)), read_stored_runs(connection)


def _groups(home: Path, projects: set[int], stored: list[StoredRun]) -> list[list[str]]:
    """The files of the projects; those of one comparison together, for it is whole or nothing."""
    found = [[each.name] for each in stored]
    for folder in (each for each in NAMES if each != "factors"):
        owned = ((name, owner_of(name)) for name in files_in(home, folder))
        names = [name for name, owner in owned if owner is not None and owner[0] in projects]
        together = (lambda name: name.rpartition("/")[0]) if folder == "comparisons" else str
        found += [list(group) for _, group in groupby(names, together)]
    return found


def _add_together(
    bundle: zipfile.ZipFile, home: Path, names: list[str], members: dict[str, Member]
) -> None:
    """Open all, then copy: a file that is deleted meanwhile can still be read."""
    with ExitStack() as stack:
        try:
            files = [stack.enter_context((home / name).open("rb")) for name in names]
        except FileNotFoundError:
            return
        for name, file in zip(names, files, strict=True):
            members[name] = _add(bundle, name, file)


def _add(bundle: zipfile.ZipFile, name: str, file: BinaryIO) -> Member:
    digest, size = hashlib.sha256(), 0
    with bundle.open(entry(name), "w", force_zip64=True) as member:
        for piece in chunks_of(file):
            member.write(piece)
            digest.update(piece)
            size += len(piece)
    return Member(size, digest.hexdigest())


def _drop_previews(copy: Path, without_file: list[StoredRun]) -> None:
    """A preview whose file has gone was replaced by the next run, or will be."""
    gone = [(each.project, each.run) for each in without_file if each.preview]
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        raw.executemany("DELETE FROM runs WHERE project = ? AND id = ?", gone)
