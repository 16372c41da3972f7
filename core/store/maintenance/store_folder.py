"""The folder of a store, found without making it; SQLite only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from core.errors import StoreError
from core.store.database import URL_VARIABLE, home_path
from core.store.private_files import DATABASE

SQLITE_ONLY = (
    f"This command works on SQLite only, on the database {DATABASE} in the Studio's folder. "
    f"{URL_VARIABLE} names another database; use that one's own tools."
)
HEADER = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class StoreFolder:
    """A folder and the database in it; neither need exist."""

    home: Path

    @property
    def database(self) -> Path:
        return self.home / DATABASE


def find_store(home: Path | str | None = None) -> StoreFolder:
    """Where the store is; refused where the app would use another database."""
    folder = StoreFolder(home_path(home))
    url = os.environ.get(URL_VARIABLE)
    if url and not _is_file(url, folder.database):
        raise StoreError(SQLITE_ONLY)
    return folder


def require_store(folder: StoreFolder) -> None:
    """Say in a sentence what is wrong with the place where a store should be."""
    try:
        if not folder.home.exists():
            raise StoreError(f"There is no folder “{folder.home}”.")
        if not folder.home.is_dir():
            raise StoreError(f"“{folder.home}” is not a folder.")
        with folder.database.open("rb") as file:
            header = file.read(len(HEADER))
    except FileNotFoundError:
        raise StoreError(f"There is no {DATABASE} in “{folder.home}”.") from None
    except OSError as error:
        raise StoreError(f"“{folder.database}” cannot be read: {error.strerror}.") from error
    if header != HEADER:
        raise StoreError(f"“{folder.database}” is not an SQLite database, or it is damaged.")


def _is_file(url: str, database: Path) -> bool:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return False
    is_sqlite = parsed.get_backend_name() == "sqlite"
    return is_sqlite and Path(parsed.database or "").resolve() == database
