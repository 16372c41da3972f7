"""The documents of a project that come next, chosen by its last fit, hints and near-copies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.queue import Hints, NeighbourIndex, QueueItem, next_documents
from core.store import Annotation, Project, Run, Store
from core.topics import Topics
from core.workspace.caches.queue_hints import (
    neighbour_index_key,
    read_hints,
    read_neighbour_index,
)
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import newest_fit

_neighbour_indexes: StoreCache[NeighbourIndex | None] = StoreCache(max_entries=4)


@dataclass(frozen=True, slots=True)
class QueueInputs:
    """What the queue of a project looks at."""

    project: Project
    run: Run | None
    topics: Topics | None  # of the run
    annotations: Mapping[int, Annotation]
    labelled: Collection[int]
    skipped: Collection[int]

    @classmethod
    def of(cls, store: Store, project: Project) -> QueueInputs:
        """The project as it is now."""
        run, topics = newest_fit(store, project.id) or (None, None)
        annotations = store.annotations(project.id)
        labelled = frozenset(at for at, annotation in annotations.items() if annotation.labelled)
        return cls(project, run, topics, annotations, labelled, store.skipped(project.id))


def next_in_queue(
    store: Store,
    inputs: QueueInputs,
    *,
    mode: str = "mixed",
    limit: int = 50,
    confirmed: Iterable[int] = (),
    only: Collection[int] | None = None,
) -> list[QueueItem]:
    """The next documents in a mode; in any order where the mode knows none, as thin topics do
    without a named topic.

    Labels of experts and those that are ``confirmed`` are not doubted. ``only`` of these documents,
    where given.
    """
    ranked = partial(
        next_documents,
        labelled=set(inputs.labelled),
        n_docs=inputs.project.n_docs,
        limit=limit,
        skip=inputs.skipped,
        neighbour_index=neighbour_index_of(store, inputs.project),
        only=only,
    )
    found = ranked(
        inputs.topics,
        mode=mode,
        labels=_label_columns(inputs),
        hints=_hints(store, inputs),
        confirmed={*confirmed, *_by_experts(inputs.annotations)},
    )
    if found or mode == "random":
        return found
    return ranked(None)


def neighbour_index_of(store: Store, project: Project) -> NeighbourIndex | None:
    """Which documents are nearly the same; None as long as the fitting process has not made it.

    By words and vectors; by words alone as long as the vectors are being made.
    """
    keys = (neighbour_index_key(store, project, with_vectors=both) for both in (True, False))
    found = (_kept_index(store, project, key) for key in dict.fromkeys(keys))
    return next((index for index in found if index is not None), None)


def _kept_index(store: Store, project: Project, key: str) -> NeighbourIndex | None:
    if not _neighbour_indexes.has(store, key):
        found = read_neighbour_index(store, key)
        if found is None or len(found.first_copy) != project.n_docs:
            return None
        return _neighbour_indexes.get(store, key, lambda: found)
    return _neighbour_indexes.get(store, key, lambda: None)


def count_waiting(store: Store, project: Project, done: Collection[int]) -> int:
    """How many documents nobody has dealt with, near-copies counted once."""
    neighbours = neighbour_index_of(store, project)
    if neighbours is None:
        return project.n_docs - len(done)
    return int((~neighbours.already_seen(np.fromiter(done, np.intp, len(done)))).sum())


def _hints(store: Store, inputs: QueueInputs) -> Hints | None:
    """The guide's hints, if they speak of the topics that are shown, and of these texts."""
    run = inputs.run
    if run is None or not run.spec.labels_own_topics:
        return None
    other_texts = run.revision < inputs.project.texts_revision
    return None if other_texts else read_hints(store, run)


def _label_columns(inputs: QueueInputs) -> dict[int, list[int]]:
    """The topics of each labelled document as columns of the fit; newer topics have none yet."""
    columns = {} if inputs.topics is None else inputs.topics.columns
    return {
        position: [columns[topic] for topic in annotation.permitted if topic in columns]
        for position, annotation in inputs.annotations.items()
        if annotation.labelled
    }


def _by_experts(annotations: Mapping[int, Annotation]) -> set[int]:
    return {at for at, annotation in annotations.items() if annotation.confidence == "expert"}
