"""Maps of topics and documents, kept beside the store: one there at once, one by neighbours.

The map by neighbours takes long, so the background process makes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.insight.document_map import DocumentMap, place_documents, place_topics, representatives
from core.insight.neighbour_map import neighbour_map
from core.insight.shares import main_topics
from core.store import Store
from core.topics import Topics
from core.values import whole_file
from core.workspace.caches.paths import (
    drop_older_runs,
    neighbour_map_path,
    topic_places_path,
)
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import Results

MAPPED_DOCUMENTS = 6_000  # documents on the map by neighbours
MAPPED_RUNS = 20  # newest runs whose maps stay on disk

_document_maps: StoreCache[DocumentMap] = StoreCache(max_entries=3)
_neighbour_maps: StoreCache[DocumentMap | None] = StoreCache(max_entries=2)
_hovered: StoreCache[np.ndarray] = StoreCache(max_entries=6)


def topic_places(store: Store, project: int, run: int, topics: Topics) -> np.ndarray:
    """The topics' places on a run's map: from the file, or laid out beside the map before."""
    keys = [str(key) for key in topics.keys]
    path = topic_places_path(store, project, run)
    kept = _read(path)
    if kept is not None and all(key in kept for key in keys):
        return np.array([kept[key] for key in keys], dtype=np.float64)
    places = place_topics(topics, _before(path.parent, run))
    _write(path, dict(zip(keys, places.tolist(), strict=True)))
    return places


def has_neighbour_map(store: Store, project: int, run: int) -> bool:
    """Whether the map by neighbours of a run has been made."""
    return neighbour_map_path(store, project, run).is_file()


def read_neighbour_map(store: Store, project: int, run: int) -> DocumentMap | None:
    """The map by neighbours of a run, if it has been made."""
    try:
        with np.load(neighbour_map_path(store, project, run), allow_pickle=False) as arrays:
            return DocumentMap(arrays["topics"], arrays["documents"])
    except (OSError, ValueError, KeyError):
        return None


def document_map(store: Store, found: Results, *, by_neighbours: bool = False) -> DocumentMap:
    """Where topics and documents lie: by neighbours if that is asked for and made, else at once."""
    key = (found.project.id, found.run.id)
    if by_neighbours and has_neighbour_map(store, *key):
        made = _neighbour_maps.get(store, key, lambda: read_neighbour_map(store, *key))
        if made is not None and len(made.documents) == len(found.topics.doc_ids):
            return made
    return _document_maps.get(store, found.run_key, lambda: _place_everything(store, found))


def _place_everything(store: Store, found: Results) -> DocumentMap:
    places = topic_places(store, found.project.id, found.run.id, found.topics)
    return DocumentMap(places, place_documents(found.topics, places))


def hover_positions(store: Store, found: Results, *, by_neighbours: bool, most: int) -> np.ndarray:
    """Documents that answer to the pointer on the map: labelled ones, and some of each topic."""
    made = has_neighbour_map(store, found.project.id, found.run.id)
    key = (found.version, by_neighbours, made, most)
    return _hovered.get(store, key, lambda: _choose_hovered(store, found, by_neighbours, most))


def _choose_hovered(store: Store, found: Results, by_neighbours: bool, most: int) -> np.ndarray:
    placed = document_map(store, found, by_neighbours=by_neighbours)
    nowhere = np.isnan(placed.documents[:, 0])
    first = sorted(found.annotations)[: most // 3]
    return representatives(np.where(nowhere, -1, main_topics(found.topics)), most, first=first)


def make_neighbour_map(
    store: Store, project: int, arguments: Mapping[str, Any], report: Callable[[float], bool]
) -> int:
    """Make the map by neighbours of a run; how many documents are on it."""
    run = store.run(project, int(arguments["run"]))
    report(0.05)
    topics = store.run_topics(run)
    places = topic_places(store, project, run.id, topics)
    placed = DocumentMap(places, place_documents(topics, places))
    rows = representatives(main_topics(topics), MAPPED_DOCUMENTS)
    made = neighbour_map(topics, placed, rows)
    path = neighbour_map_path(store, project, run.id)
    with whole_file(path) as file:
        np.savez(file, allow_pickle=False, topics=made.topics, documents=made.documents)
    drop_older_runs(path, keep=MAPPED_RUNS)
    return int(rows.size)


def _before(folder: Path, run: int) -> dict[str, list[float]] | None:
    """The last map before a run."""
    numbers = (int(path.stem) for path in folder.glob("*.json") if path.stem.isdecimal())
    earlier = max((number for number in numbers if number < run), default=None)
    return None if earlier is None else _read(folder / f"{earlier}.json")


def _read(path: Path) -> dict[str, list[float]] | None:
    try:
        return {str(k): [float(x), float(y)] for k, (x, y) in json.loads(path.read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _write(path: Path, places: dict[str, list[float]]) -> None:
    with whole_file(path) as file:
        file.write(json.dumps(places).encode("utf-8"))
    drop_older_runs(path, keep=MAPPED_RUNS)
