"""Bring a backup back; it may come from a stranger.

Everything is checked before anything is put into place: names and sizes by the manifest, hashes
while the members are copied into a folder of their own. From these a new store is made beside it
(``restored_content``), which takes the place of what is in the home. That is moved aside, never
deleted.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError, StatementError

from core.errors import StoreError, StudioError
from core.loading.strict_json import TOO_LARGE
from core.store.disk_errors import disk_sentence, file_sentence
from core.store.files.field_types import DAMAGED_PROJECT_FILE
from core.store.maintenance import database_check
from core.store.maintenance.backup_database import BackupDatabase
from core.store.maintenance.backup_format import (
    NO_BACKUP,
    UNREADABLE,
    Manifest,
    chunks_of,
    read_manifest,
)
from core.store.maintenance.read_only import read_database
from core.store.maintenance.replacement import replace_content
from core.store.maintenance.restored_content import RestoredProject, make_content
from core.store.maintenance.restored_files import RestoredFiles
from core.store.maintenance.store_folder import StoreFolder, find_store, require_store
from core.store.maintenance.stored_files import read_project_names
from core.store.private_files import DATABASE, FILE_MODE, FOLDER_MODE, make_private_folder
from core.store.store_lock import exclusive_lock

SPARE_BYTES = 64 * 2**20  # that stay free on the disk
SPACE_PER_BYTE = 2  # the backup's files, and the store that is made from them
NEW_STORE = "new"
HAS_PROJECTS = (
    "“{}” holds projects already. Add --force to put the backup in their place; "
    "they are moved aside, not deleted."
)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was brought back, and where the content from before lies now, if there was any."""

    manifest: Manifest
    projects: int
    aside: Path | None
    without_model_folder: tuple[str, ...] = ()  # projects that named one, which is not taken over


def restore(source: Path, home: Path | str | None = None, *, force: bool = False) -> Restored:
    """Put the content of a backup into the home, after it has been checked."""
    folder = find_store(home)
    if not source.is_file():
        raise StoreError(f"There is no file “{source}”.")
    with _refusing(), source.open("rb") as file, zipfile.ZipFile(file) as bundle:
        manifest = read_manifest(bundle, os.fstat(file.fileno()).st_size)
        _require_space(folder.home, manifest)
        with _private_home(folder.home), exclusive_lock(folder.home):
            _require_permission(folder, force)
            with _staging(folder.home) as stage:
                projects = _make_store(bundle, manifest, stage)
                aside = replace_content(folder.home, stage / NEW_STORE)
    reset = tuple(each.name for each in projects if each.had_model_folder)
    return Restored(manifest, len(projects), aside, reset)


def _make_store(bundle: zipfile.ZipFile, manifest: Manifest, stage: Path) -> list[RestoredProject]:
    """Make a new store in a folder of the stage from the backup."""
    copied, made = stage / "copied", stage / NEW_STORE
    copied.mkdir()
    made.mkdir(mode=FOLDER_MODE)
    _copy_members(bundle, manifest, copied)
    source = BackupDatabase(copied / DATABASE)
    if source.version != manifest.schema:
        raise StoreError(NO_BACKUP)
    beside = [name for name in manifest.members if name != DATABASE]
    return make_content(source, RestoredFiles(copied, beside, made), made)


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever a file says that no backup says is one sentence."""
    try:
        yield
    except OSError as error:
        raise StoreError(file_sentence(error)) from error
    except OperationalError as error:
        raise StoreError(disk_sentence(error) or NO_BACKUP) from error
    except StoreError as error:
        if str(error) in (DAMAGED_PROJECT_FILE, TOO_LARGE):
            raise StoreError(NO_BACKUP) from None
        raise
    except (*UNREADABLE, StatementError, StudioError):
        raise StoreError(NO_BACKUP) from None


def _require_space(home: Path, manifest: Manifest) -> None:
    place = next(path for path in (home, *home.parents) if path.exists())
    if SPACE_PER_BYTE * manifest.size + SPARE_BYTES > shutil.disk_usage(place).free:
        raise StoreError("There is not enough room on the disk for this backup.")


@contextmanager
def _private_home(home: Path) -> Iterator[None]:
    """The home, made if it is missing; one that was made for nothing is removed."""
    existed = home.exists()
    if existed and not home.is_dir():
        raise StoreError(f"“{home}” is not a folder.")
    make_private_folder(home)
    try:
        yield
    except BaseException:
        if not existed:
            shutil.rmtree(home, ignore_errors=True)
        raise


def _require_permission(folder: StoreFolder, force: bool) -> None:
    """A home with projects, or with a database that cannot be read, is replaced only by force."""
    if force or not folder.database.exists() or not folder.database.stat().st_size:
        return
    try:
        require_store(folder)
        holds = read_database(folder.database, _count_projects) > 0
    except (StoreError, *database_check.DATABASE_ERRORS):
        holds = True
    if holds:
        raise StoreError(HAS_PROJECTS.format(folder.home))


@contextmanager
def _staging(home: Path) -> Iterator[Path]:
    """A folder on the same disk for what is not yet checked."""
    place = Path(tempfile.mkdtemp(prefix=".restore-", dir=home))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _copy_members(bundle: zipfile.ZipFile, manifest: Manifest, stage: Path) -> None:
    """Every member under its name, if it is what the manifest says."""
    for name, member in manifest.members.items():
        path = stage / name
        path.parent.mkdir(parents=True, exist_ok=True)
        digest, size = hashlib.sha256(), 0
        with bundle.open(name) as packed, path.open("xb") as file:
            os.chmod(path, FILE_MODE)
            for piece in chunks_of(packed):
                size += len(piece)
                if size > member.size:
                    raise StoreError(NO_BACKUP)
                digest.update(piece)
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        if (size, digest.hexdigest()) != (member.size, member.sha256):
            raise StoreError(NO_BACKUP)


def _count_projects(engine: Engine) -> int:
    with engine.connect() as connection:
        database_check.schema_version(connection)
        return len(read_project_names(connection))
