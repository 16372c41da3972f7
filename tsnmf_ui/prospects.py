"""What the queue knows beyond the topics, handed from the fitting process to the server by file.

The outline of a corpus is made once per matrix and lies beside it. The guide's hints are made for
every run; the newest of a project replaces the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.guide import Guide, fit_guide
from core.matrix import DocumentTermMatrix
from core.queue import Hints, Outline, outline_of
from core.store import Run, Store
from core.supervision import Supervision

T = TypeVar("T", Hints, Outline)


def outline_path(store: Store, key: str) -> Path:
    """``key`` names the matrix."""
    return Path(store.home) / "cache" / f"{key}.outline.npz"


def hints_path(store: Store, project: int, run: int) -> Path:
    return Path(store.home) / "cache" / "hints" / f"{project}-{run}.npz"


def write_outline(store: Store, key: str, matrix: DocumentTermMatrix) -> None:
    """Make the outline of a matrix, unless there is one."""
    path = outline_path(store, key)
    if not path.is_file():
        outline_of(matrix.X).save(path)


def write_hints(
    store: Store,
    run: Run,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    guide: Guide | None = None,
) -> None:
    """What the guide thinks after a run whose first topics are the labels, in order.

    A guided fit hands on its own guide; otherwise one is made here.
    """
    guide = fit_guide(matrix.X, supervision) if guide is None else guide
    path = hints_path(store, run.project, run.id)
    if guide is not None:
        Hints.from_guide(guide, matrix.X, supervision).save(path)
    for older in path.parent.glob(f"{run.project}-*.npz"):
        if older != path:
            older.unlink(missing_ok=True)


def read_outline(store: Store, key: str) -> Outline | None:
    """The outline of a matrix, if it has been made."""
    return _read(Outline.load, outline_path(store, key))


def read_hints(store: Store, run: Run) -> Hints | None:
    """The hints of a run, if it left any."""
    return _read(Hints.load, hints_path(store, run.project, run.id))


def _read(load: Callable[[Path], T], path: Path) -> T | None:
    """The queue does without what is missing or cannot be read."""
    try:
        return load(path)
    except (OSError, ValueError, KeyError, TypeError):
        return None
