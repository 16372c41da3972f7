"""The folder of the store and its database are readable by their owner alone."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600
DATABASE = "studio.db"
DATABASE_FILES = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm")


def make_private_folder(folder: Path) -> None:
    """Make the folder, or close it to others if it is there; a person's home stays as it is."""
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    if folder != Path.home():
        with suppress(OSError):  # it belongs to somebody else, who has let us in
            folder.chmod(FOLDER_MODE)


def make_private_database(folder: Path) -> None:
    """A new database is private from its first byte; what is added to it later follows it."""
    with suppress(OSError):
        os.close(os.open(folder / DATABASE, os.O_CREAT | os.O_RDWR, FILE_MODE))
    for name in DATABASE_FILES:
        with suppress(OSError):
            (folder / name).chmod(FILE_MODE)
