"""Saved evaluations of runs, in a folder beside the database.

::

    scores/<project>/history.jsonl        one line per evaluated run
                     <run>-<labels>.npz   its tables, and which documents were right
                     seeds.json           the last comparison of random seeds

The newest files stay, and of the older ones one for every ten labels. Nothing here is a pickle,
and nothing here is lost for good: an evaluation can be made again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.evaluation.progress import DocumentHits, EvaluatedRun
from core.store.runs.factors import plain
from core.values import whole_file

NEWEST_WITH_DOCUMENTS = 20  # runs
LABELS_BETWEEN_OLDER = 10  # one older file is kept per so many labels


def save(
    home: Path,
    point: EvaluatedRun,
    project: int,
    tables: Mapping[str, Any],
    judged: DocumentHits | None,
) -> None:
    """Save an evaluation: first the file, then the line that names it."""
    folder = _folder(home, project)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / f"{point.run}-{point.labelled}.npz", tables, judged)
    with (folder / "history.jsonl").open("a", encoding="utf-8") as file:
        file.write(_line(point) + "\n")
        file.flush()
        os.fsync(file.fileno())
    _delete_old_files(folder)


def save_all(
    home: Path, project: int, several: Sequence[tuple[EvaluatedRun, DocumentHits | None]]
) -> None:
    """Save evaluations, oldest first, in place of all there were; they come without tables."""
    clear(home, project)
    folder = _folder(home, project)
    for point, judged in several:
        if judged is not None:
            _write(folder / f"{point.run}-{point.labelled}.npz", {}, judged)
    with whole_file(folder / "history.jsonl", durable=True) as file:
        for point, _ in several:
            file.write(_line(point).encode("utf-8") + b"\n")
    _delete_old_files(folder)


def history(home: Path, project: int) -> list[EvaluatedRun]:
    """Evaluated fits, oldest first; of a fit evaluated twice the later one; no broken line."""
    try:
        text = (_folder(home, project) / "history.jsonl").read_text("utf-8")
    except OSError:
        return []
    found = (_point(line) for line in text.splitlines())
    by_run = {point.run: point for point in found if point is not None}
    return [by_run[run] for run in sorted(by_run)]


def tables(home: Path, project: int, run: int) -> dict[str, Any] | None:
    """The tables of an evaluation, if they are still saved."""
    arrays = _read(home, project, run)
    return None if arrays is None else dict(json.loads(arrays["about"].tobytes().decode("utf-8")))


def judged(home: Path, project: int, run: int) -> DocumentHits | None:
    """Which documents a run was right about, if that is still saved."""
    return _hits(_read(home, project, run) or {})


def hit_lists(arrays: Mapping[str, np.ndarray]) -> dict[str, Any] | None:
    """Hits and misses in the arrays of an evaluation as plain lists; None if it has none."""
    hits = _hits(arrays)
    if hits is None:
        return None
    return {"positions": hits.positions.tolist(), "right": hits.right.astype(int).tolist()}


def _hits(arrays: Mapping[str, np.ndarray]) -> DocumentHits | None:
    if "positions" not in arrays:
        return None
    positions = arrays["positions"]
    right = np.unpackbits(arrays["right"], count=positions.size)
    return DocumentHits(positions, right.astype(bool))


def save_seeds(home: Path, project: int, found: Mapping[str, Any]) -> None:
    """Save the last comparison of random seeds."""
    with whole_file(_folder(home, project) / "seeds.json") as file:
        file.write(json.dumps(plain(found), allow_nan=False).encode("utf-8"))


def seeds(home: Path, project: int) -> dict[str, Any] | None:
    """The last comparison of random seeds, if there was one."""
    try:
        return dict(json.loads((_folder(home, project) / "seeds.json").read_text("utf-8")))
    except (OSError, ValueError):
        return None


def clear(home: Path, project: int) -> None:
    """Delete all evaluations of a project."""
    shutil.rmtree(_folder(home, project), ignore_errors=True)


def copy(home: Path, project: int, other: int) -> None:
    """Copy the evaluations of a project to its copy."""
    if _folder(home, project).is_dir():
        shutil.copytree(_folder(home, project), _folder(home, other), dirs_exist_ok=True)


def _folder(home: Path, project: int) -> Path:
    return Path(home) / "scores" / str(int(project))


def _write(path: Path, about: Mapping[str, Any], judged: DocumentHits | None) -> None:
    text = json.dumps(plain(about), ensure_ascii=False, allow_nan=False).encode("utf-8")
    arrays = {"about": np.frombuffer(text, dtype=np.uint8)}
    if judged is not None:
        arrays["positions"] = judged.positions.astype(np.int32)
        arrays["right"] = np.packbits(judged.right)
    with whole_file(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def _read(home: Path, project: int, run: int) -> dict[str, np.ndarray] | None:
    path = next(iter(_folder(home, project).glob(f"{int(run)}-*.npz")), None)
    if path is None:
        return None
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, KeyError):
        return None


def _line(point: EvaluatedRun) -> str:
    return json.dumps(plain(point.to_dict()), ensure_ascii=False, allow_nan=False)


def _point(line: str) -> EvaluatedRun | None:
    try:
        return EvaluatedRun.from_dict(json.loads(line))
    except (ValueError, TypeError, KeyError):
        return None


def _delete_old_files(folder: Path) -> None:
    paths = {path: path.stem.split("-") for path in folder.glob("*-*.npz")}
    numbered = sorted((int(run), int(labels), path) for path, (run, labels) in paths.items())
    seen: set[int] = set()
    for _, labels, path in numbered[:-NEWEST_WITH_DOCUMENTS]:
        if labels // LABELS_BETWEEN_OLDER in seen:
            path.unlink(missing_ok=True)
        seen.add(labels // LABELS_BETWEEN_OLDER)
