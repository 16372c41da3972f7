"""Put new content in the place of a store's; what was there is moved aside, or stays on failure."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from core.store.maintenance.stored_files import NAMES
from core.store.private_files import DATABASE_FILES, FOLDER_MODE

# What the Studio makes in its home, caches too: they belong to the runs from before. Nothing else
# in the folder is touched.
OWN_NAMES = (*DATABASE_FILES, *NAMES, "cache", "maps", "selections")


def replace_content(home: Path, stage: Path) -> Path | None:
    """Move the old content aside and the staged content in; where the old is now, if any was."""
    old = [home / name for name in OWN_NAMES if (home / name).exists()]
    aside = _new_folder(home) if old else None
    moved: list[tuple[Path, Path]] = []
    try:
        for path in old:
            assert aside is not None
            _move(path, aside / path.name, moved)
        for path in sorted(stage.iterdir()):
            _move(path, home / path.name, moved)
        _sync(home)
    except BaseException:
        for source, target in reversed(moved):
            with suppress(OSError):
                os.replace(target, source)
        if aside is not None:
            with suppress(OSError):
                aside.rmdir()
        raise
    return aside


def _move(source: Path, target: Path, moved: list[tuple[Path, Path]]) -> None:
    os.replace(source, target)
    moved.append((source, target))


def _new_folder(home: Path) -> Path:
    """Beside the home; inside it where the home is a disk of its own, for moving must not copy."""
    same_disk = home.parent.stat().st_dev == home.stat().st_dev
    place = home.parent if same_disk and os.access(home.parent, os.W_OK) else home
    stem = f"{home.name}-before-restore-{datetime.now():%Y-%m-%d}"
    names = (f"{stem}{f'-{n}' if n > 1 else ''}" for n in count(1))
    for name in names:
        with suppress(FileExistsError):
            (place / name).mkdir(mode=FOLDER_MODE)
            return place / name
    raise AssertionError("There is always another name.")


def _sync(folder: Path) -> None:
    """Let the disk know the names, where folders can be synchronised."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
