"""Which documents come next: ordered once per run, then shortened label by label."""

from __future__ import annotations

import threading
from collections import OrderedDict

from core.queue import QueueItem
from core.store import Store
from core.workspace.queue import QueueInputs, count_waiting, next_in_queue
from tsnmf_ui.label.document_lists import DocumentList, QueueList
from tsnmf_ui.label.snapshot import Fitted

QUEUE_LENGTH = 400  # documents ordered at a time: an hour of labelling
REFILL_BELOW = 40  # fewer left than this, and the queue is built again
MAX_CACHED_QUEUES = 32  # in memory
MISLABELLED = "mislabelled"  # the one kind that offers labelled documents again


class QueueCache:
    """Queues by project, run and mode."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queues: OrderedDict[tuple[int, int, str], list[QueueItem]] = OrderedDict()
        self._reviewed: set[tuple[int, int]] = set()  # doubts that were looked at
        self._lock = threading.Lock()

    def waiting_documents(self, fitted: Fitted, mode: str) -> DocumentList:
        """The queue of a mode without the documents that are done."""
        snapshot = fitted.snapshot
        done = snapshot.labelled | snapshot.skipped
        with self._lock:
            queue = self._queues.get(_key(fitted, mode))
        left = (
            []
            if queue is None
            else [item for item in queue if self._is_waiting(fitted, item, done)]
        )
        if queue is None or (len(left) < REFILL_BELOW and len(queue) >= QUEUE_LENGTH):
            left = self._build_queue(fitted, mode)
        again = _skipped_again(snapshot.skipped - snapshot.labelled)
        waiting = count_waiting(self._store, fitted.project, done)
        return QueueList(left or again, waiting, fitted.project.n_docs - len(done) - waiting)

    def mark_reviewed(self, project: int, position: int | None) -> None:
        """Somebody has moved on from a document: its label, kept or changed, is settled."""
        if position is not None:
            self._reviewed.add((project, position))

    def _is_waiting(self, fitted: Fitted, item: QueueItem, done: frozenset[int]) -> bool:
        """Not labelled or skipped since the queue was built."""
        if item.kind != MISLABELLED:
            return item.position not in done
        snapshot = fitted.snapshot
        annotation = snapshot.annotations.get(item.position)
        known = 0 if fitted.run is None else fitted.run.revision
        answered = (fitted.project.id, item.position) in self._reviewed
        return not (answered or item.position in snapshot.skipped) and (
            annotation is not None and annotation.event <= known
        )

    def rebuild(self, fitted: Fitted) -> None:
        """Build the queues of a new run in every mode that was in use before."""
        with self._lock:
            old = [key for key in self._queues if key[0] == fitted.project.id]
            for key in old:
                del self._queues[key]
        for mode in {mode for _, _, mode in old}:
            self._build_queue(fitted, mode)

    def _build_queue(self, fitted: Fitted, mode: str) -> list[QueueItem]:
        queue = next_in_queue(
            self._store,
            _inputs(fitted),
            mode=mode,
            limit=QUEUE_LENGTH,
            confirmed={at for project, at in self._reviewed if project == fitted.project.id},
        )
        with self._lock:
            self._queues[_key(fitted, mode)] = queue
            while len(self._queues) > MAX_CACHED_QUEUES:
                self._queues.popitem(last=False)
        return queue


def _key(fitted: Fitted, mode: str) -> tuple[int, int, str]:
    return fitted.project.id, 0 if fitted.run is None else fitted.run.id, mode


def _inputs(fitted: Fitted) -> QueueInputs:
    snapshot = fitted.snapshot
    return QueueInputs(
        fitted.project,
        fitted.run,
        fitted.topics,
        snapshot.annotations,
        snapshot.labelled,
        snapshot.skipped,
    )


def _skipped_again(skipped: frozenset[int]) -> list[QueueItem]:
    """When nothing else is left, what was skipped comes back."""
    return [QueueItem(p, "skipped", "Skipped earlier") for p in sorted(skipped)[:QUEUE_LENGTH]]
