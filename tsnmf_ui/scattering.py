"""Maps kept beside the store: where topics lay on each run's map, and the slower map by neighbours.

Without Streamlit, because the second process makes the slower map.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.document_map import DocumentMap, place_documents, place_topics, representatives
from core.errors import NotFound
from core.neighbours import neighbour_map
from core.shares import main_topics
from core.store import Store
from core.topics import Topics

KIND = "scatter"  # of the task in the second process
SCATTERED = 6_000  # documents on the slower map
KEPT = 20  # runs whose map is remembered


def places_of(
    store: Store, project: int, run: int, topics: Topics, references: Sequence[str]
) -> np.ndarray:
    """The topics' places on a run's map: from the file, or laid out beside the map before.

    ``references`` names the topics by what they are, because their names may change.
    """
    folder = _folder(store, project)
    path = folder / f"{run}.json"
    kept = _read(path)
    if kept is not None and all(name in kept for name in references):
        return np.array([kept[name] for name in references], dtype=np.float64)
    before = _before(folder, run) or {}
    pairs = zip(references, topics.names, strict=True)
    lay = {name: before[reference] for reference, name in pairs if reference in before}
    places = place_topics(topics, lay)
    _write(path, dict(zip(references, places.tolist(), strict=True)))
    return places


def is_made(store: Store, project: int, run: int) -> bool:
    """Whether the slower map of a run has been made."""
    return (_folder(store, project) / f"{run}.npz").is_file()


def scattered(store: Store, project: int, run: int) -> DocumentMap | None:
    """The slower map of a run, if it has been made."""
    try:
        with np.load(_folder(store, project) / f"{run}.npz", allow_pickle=False) as arrays:
            return DocumentMap(arrays["topics"], arrays["documents"])
    except (OSError, ValueError, KeyError):
        return None


def scatter(
    store: Store, project: int, arguments: Mapping[str, Any], report: Callable[[float], bool]
) -> int:
    """Make the slower map of a run; how many documents are on it."""
    run = store.run(project, int(arguments["run"]))
    report(0.05)
    topics = store.run_topics(run)
    references = [str(each) for each in arguments["references"]]
    if len(references) != len(topics):
        raise NotFound("The topics have changed since; ask for the map again.")
    places = places_of(store, project, run.id, topics, references)
    placed = DocumentMap(places, place_documents(topics, places))
    rows = representatives(main_topics(topics), SCATTERED)
    made = neighbour_map(topics, placed, rows)
    folder = _folder(store, project)
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f"{run.id}.{os.getpid()}.partial"
    with partial.open("wb") as file:
        np.savez(file, allow_pickle=False, topics=made.topics, documents=made.documents)
    os.replace(partial, folder / f"{run.id}.npz")
    _forget_old(folder, "npz")
    return int(rows.size)


def _folder(store: Store, project: int) -> Path:
    return Path(store.home) / "maps" / str(project)


def _before(folder: Path, run: int) -> dict[str, list[float]] | None:
    """The last map before a run."""
    earlier = [number for number, _ in _numbered(folder, "json") if number < run]
    return _read(folder / f"{earlier[-1]}.json") if earlier else None


def _read(path: Path) -> dict[str, list[float]] | None:
    try:
        return {str(k): [float(x), float(y)] for k, (x, y) in json.loads(path.read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _write(path: Path, places: dict[str, list[float]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(json.dumps(places), encoding="utf-8")
    os.replace(partial, path)
    _forget_old(path.parent, "json")


def _numbered(folder: Path, ending: str) -> list[tuple[int, Path]]:
    files = folder.glob(f"*.{ending}")
    return sorted((int(path.stem), path) for path in files if path.stem.isdecimal())


def _forget_old(folder: Path, ending: str) -> None:
    for _, older in _numbered(folder, ending)[:-KEPT]:
        older.unlink(missing_ok=True)
