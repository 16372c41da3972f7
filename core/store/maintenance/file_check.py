"""Whether the files beside the database are those its rows name, whole, and for the owner alone."""

from __future__ import annotations

import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.store.maintenance.stored_files import NAMES, StoredRun, files_in, owner_of
from core.store.private_files import DATABASE_FILES

OTHERS = stat.S_IRWXG | stat.S_IRWXO
DAMAGES = (
    *(OSError, ValueError, EOFError, RuntimeError, NotImplementedError),
    *(zipfile.BadZipFile, zlib.error),
)


def missing_factors(home: Path, stored: Iterable[StoredRun]) -> list[StoredRun]:
    """Runs that should have their factors and do not."""
    return [each for each in stored if each.has_factors and not (home / each.name).is_file()]


def damaged_factors(home: Path, stored: Iterable[StoredRun]) -> list[StoredRun]:
    """Runs whose factors cannot be unpacked; no file is ever in memory as a whole."""
    there = (each for each in stored if (home / each.name).is_file())
    return [each for each in there if _is_damaged(home / each.name)]


def _is_damaged(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as arrays:
            return arrays.testzip() is not None
    except FileNotFoundError:
        return False  # deleted meanwhile, as the files of previews are
    except DAMAGES:
        return True


def files_of_nobody(
    home: Path, projects: Iterable[int], stored: Iterable[StoredRun], *, in_use: bool
) -> Iterator[str]:
    """Files that belong to no project or run; those in the making are left out while in use."""
    known, newest = set(projects), dict[int, int]()
    runs = {(each.project, each.run) for each in stored}
    for each in runs:
        newest[each[0]] = max(each[1], newest.get(each[0], 0))
    for name in (name for folder in NAMES for name in files_in(home, folder)):
        owner = owner_of(name)
        if owner is None:
            belongs = in_use and ".partial" in name
        else:
            project, run = owner
            fitting = in_use and run is not None and run > newest.get(project, 0)
            belongs = project in known and (run is None or owner in runs or fitting)
        if not belongs:
            yield name


def open_to_others(home: Path) -> list[Path]:
    """The folder and the database files, where other people of this machine may look in."""
    if os.name != "posix":
        return []
    folder = [] if home == Path.home() else [home]
    files = [home / name for name in DATABASE_FILES]
    return [path for path in (*folder, *files) if path.exists() and path.stat().st_mode & OTHERS]
