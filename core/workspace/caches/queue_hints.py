"""What the queue knows beyond the topics, handed from the fitting process to the server by file.

The neighbour index of a corpus is made once per matrix and lies beside it. The guide's hints are
made for every run; the newest of a project replaces the one before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.guide.classifier import Guide, fit_guide
from core.matrix import DocumentTermMatrix
from core.queue import Hints, NeighbourIndex, build_neighbour_index
from core.store import Project, Run, Store
from core.supervision import Supervision
from core.workspace.caches.matrices import matrix_key_of
from core.workspace.caches.paths import drop_older_runs, hints_path, neighbour_index_path
from core.workspace.caches.vectors import vectors_name

T = TypeVar("T", Hints, NeighbourIndex)


def neighbour_index_key(store: Store, project: Project, *, with_vectors: bool) -> str:
    """Names the index of the words that the project's model reads, or of its words and vectors."""
    key, name = matrix_key_of(project), vectors_name(store, project)
    if name is None or not with_vectors:
        return key
    return f"{key}-{hashlib.blake2b(name.encode(), digest_size=6).hexdigest()}"


def write_neighbour_index(store: Store, key: str, matrix: DocumentTermMatrix) -> None:
    """Make the neighbour index of the matrix with this key, unless there is one."""
    path = neighbour_index_path(store, key)
    if not path.is_file():
        meaning = None if matrix.vectors is None else matrix.vectors.values
        build_neighbour_index(matrix.X, meaning=meaning).save(path)


def write_hints(
    store: Store,
    run: Run,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    guide: Guide | None = None,
) -> None:
    """What the guide thinks after a run whose first topics are the labels, in any order.

    A guided fit hands on its own guide of this supervision; otherwise one is made here.
    """
    vectors = None if matrix.vectors is None else matrix.vectors.values
    guide = fit_guide(matrix.X, supervision, vectors=vectors) if guide is None else guide
    path = hints_path(store, run.project, run.id)
    if guide is not None:
        columns = [run.topic_ids.index(int(key)) for key in supervision.keys]
        hints = Hints.from_guide(guide, matrix.X, supervision, vectors)
        hints.in_columns(columns).save(path)
    drop_older_runs(path, keep=0 if guide is None else 1)


def read_neighbour_index(store: Store, key: str) -> NeighbourIndex | None:
    """The neighbour index of a matrix, if it has been made."""
    return _read(NeighbourIndex.load, neighbour_index_path(store, key))


def read_hints(store: Store, run: Run) -> Hints | None:
    """The hints of a run, if it left any."""
    return _read(Hints.load, hints_path(store, run.project, run.id))


def _read(load: Callable[[Path], T], path: Path) -> T | None:
    """The queue does without what is missing or cannot be read."""
    try:
        return load(path)
    except (OSError, ValueError, KeyError, TypeError):
        return None
