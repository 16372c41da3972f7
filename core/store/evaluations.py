"""What fits scored, in a folder beside the database.

::

    scores/<project>/history.jsonl        one line per evaluated fit, for the project's whole life
                     <run>-<labels>.npz   its tables, and which documents it was right about
                     seeds.json           the last look at other random starts

The newest files stay, and of the older ones one for every ten labels. Nothing here is a pickle,
and nothing here is lost for good: an evaluation can be made again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.progress import Judged, Point
from core.store.factors import plain

NEWEST = 20  # fits whose documents are all kept
EVERY = 10  # labels between older fits whose documents are kept


def keep(
    home: Path, point: Point, project: int, tables: Mapping[str, Any], judged: Judged | None
) -> None:
    """Write an evaluation: first the file, then the line that names it."""
    folder = _folder(home, project)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / f"{point.run}-{point.labelled}.npz", tables, judged)
    line = json.dumps(plain(point.to_dict()), ensure_ascii=False, allow_nan=False)
    with (folder / "history.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())
    _sweep(folder)


def history(home: Path, project: int) -> list[Point]:
    """Evaluated fits, oldest first; of a fit evaluated twice the later one; no broken line."""
    try:
        text = (_folder(home, project) / "history.jsonl").read_text("utf-8")
    except OSError:
        return []
    found = (_point(line) for line in text.splitlines())
    by_run = {point.run: point for point in found if point is not None}
    return [by_run[run] for run in sorted(by_run)]


def tables(home: Path, project: int, run: int) -> dict[str, Any] | None:
    """The tables of an evaluation, if they are still kept."""
    arrays = _read(home, project, run)
    return None if arrays is None else dict(json.loads(arrays["about"].tobytes().decode("utf-8")))


def judged(home: Path, project: int, run: int) -> Judged | None:
    """Which documents a fit was right about, if that is still kept."""
    arrays = _read(home, project, run)
    if arrays is None or "positions" not in arrays:
        return None
    positions = arrays["positions"]
    return Judged(positions, np.unpackbits(arrays["right"], count=positions.size).astype(bool))


def keep_seeds(home: Path, project: int, found: Mapping[str, Any]) -> None:
    """Remember the last look at other random starts."""
    folder = _folder(home, project)
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f"seeds.{os.getpid()}.partial"
    partial.write_text(json.dumps(plain(found), allow_nan=False), encoding="utf-8")
    os.replace(partial, folder / "seeds.json")


def seeds(home: Path, project: int) -> dict[str, Any] | None:
    """The last look at other random starts, if there was one."""
    try:
        return dict(json.loads((_folder(home, project) / "seeds.json").read_text("utf-8")))
    except (OSError, ValueError):
        return None


def clear(home: Path, project: int) -> None:
    """Forget every score of a project."""
    shutil.rmtree(_folder(home, project), ignore_errors=True)


def copy(home: Path, project: int, other: int) -> None:
    """A copied project has the same past."""
    if _folder(home, project).is_dir():
        shutil.copytree(_folder(home, project), _folder(home, other), dirs_exist_ok=True)


def _folder(home: Path, project: int) -> Path:
    return Path(home) / "scores" / str(int(project))


def _write(path: Path, about: Mapping[str, Any], judged: Judged | None) -> None:
    text = json.dumps(plain(about), ensure_ascii=False, allow_nan=False).encode("utf-8")
    arrays = {"about": np.frombuffer(text, dtype=np.uint8)}
    if judged is not None:
        arrays["positions"] = judged.positions.astype(np.int32)
        arrays["right"] = np.packbits(judged.right)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    with partial.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    os.replace(partial, path)


def _read(home: Path, project: int, run: int) -> dict[str, np.ndarray] | None:
    path = next(iter(_folder(home, project).glob(f"{int(run)}-*.npz")), None)
    if path is None:
        return None
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, KeyError):
        return None


def _point(line: str) -> Point | None:
    try:
        return Point.from_dict(json.loads(line))
    except (ValueError, TypeError, KeyError):
        return None


def _sweep(folder: Path) -> None:
    paths = {path: path.stem.split("-") for path in folder.glob("*-*.npz")}
    numbered = sorted((int(run), int(labels), path) for path, (run, labels) in paths.items())
    seen: set[int] = set()
    for _, labels, path in numbered[:-NEWEST]:
        if labels // EVERY in seen:
            path.unlink(missing_ok=True)
        seen.add(labels // EVERY)
