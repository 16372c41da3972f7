"""Which documents come next: ordered once per run, then shortened label by label."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection

from core.queue import QueueItem
from core.store import Store
from core.workspace.queue import QueueInputs, count_waiting, next_in_queue
from tsnmf_ui.label.document_lists import DocumentList, QueueList
from tsnmf_ui.label.double_queue import queue_for
from tsnmf_ui.label.snapshot import Fitted

QUEUE_LENGTH = 400  # documents ordered at a time: an hour of labelling
REFILL_BELOW = 40  # fewer left than this, and the queue is built again
MAX_CACHED_QUEUES = 32  # in memory
ASSIGNED_REASON = "Assigned to you"
MISLABELLED = "mislabelled"  # the one kind that offers labelled documents again


QueueKey = tuple[int, int, str, str, int]  # project, run, mode, person, their texts


class QueueCache:
    """Queues by project, run and mode, and by person where texts are assigned."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queues: OrderedDict[QueueKey, list[QueueItem]] = OrderedDict()
        self._reviewed: set[tuple[int, int]] = set()  # doubts that were looked at
        self._lock = threading.Lock()

    def waiting_documents(self, fitted: Fitted, mode: str, author: str = "") -> DocumentList:
        """The queue of a mode and a person without the documents that are done."""
        snapshot = fitted.snapshot
        left = self._left(fitted, mode)
        if snapshot.assigned_left(author):
            left = self._left(fitted, mode, author) + left
        if snapshot.double_coding is not None or snapshot.waiting:
            left = queue_for(left, snapshot, author)
        again = _skipped_again(snapshot.skipped - snapshot.labelled)
        done = snapshot.labelled | snapshot.skipped | snapshot.spoken_by(author)
        waiting = count_waiting(self._store, fitted.project, done)
        return QueueList(left or again, waiting, fitted.project.n_docs - len(done) - waiting)

    def _left(self, fitted: Fitted, mode: str, person: str = "") -> list[QueueItem]:
        """What is left of the queue of a mode; built again when that is little.

        Of the texts assigned to a person, if one is named; else of those assigned to nobody.
        """
        done = fitted.snapshot.labelled | fitted.snapshot.skipped
        with self._lock:
            queue = self._queues.get(_key(fitted, mode, person))
        left = (
            []
            if queue is None
            else [item for item in queue if self._is_waiting(fitted, item, done)]
        )
        if queue is None or (len(left) < REFILL_BELOW and len(queue) >= QUEUE_LENGTH):
            left = self._build_queue(fitted, mode, person)
        return left

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
        for mode, person in {(key[2], key[3]) for key in old}:
            self._build_queue(fitted, mode, person)

    def _build_queue(self, fitted: Fitted, mode: str, person: str) -> list[QueueItem]:
        only = _pool(fitted, person)
        queue = next_in_queue(
            self._store,
            _inputs(fitted),
            mode=mode,
            limit=QUEUE_LENGTH,
            confirmed={at for project, at in self._reviewed if project == fitted.project.id},
            only=only,
        )
        if person:
            queue = _with_rest(queue, fitted, person)
        with self._lock:
            self._queues[_key(fitted, mode, person)] = queue
            while len(self._queues) > MAX_CACHED_QUEUES:
                self._queues.popitem(last=False)
        return queue


def _key(fitted: Fitted, mode: str, person: str) -> QueueKey:
    assigned = fitted.snapshot.assignments
    texts = hash(assigned.of(person) if person else assigned.all)  # kept by a frozenset
    run = 0 if fitted.run is None else fitted.run.id
    return fitted.project.id, run, mode, person, hash((texts, fitted.project.texts_revision))


def _pool(fitted: Fitted, person: str) -> Collection[int] | None:
    """The texts of a person, or all that are nobody's; None for all there are."""
    assigned = fitted.snapshot.assignments
    if person:
        return assigned.of(person)
    return set(range(fitted.project.n_docs)) - assigned.all if assigned else None


def _with_rest(queue: list[QueueItem], fitted: Fitted, person: str) -> list[QueueItem]:
    """Near-copies, too: whoever was given a text is shown it."""
    done = fitted.snapshot.labelled | fitted.snapshot.skipped
    ranked = {item.position for item in queue}
    rest = sorted(fitted.snapshot.assignments.of(person) - ranked - done)
    return queue + [
        QueueItem(p, "assigned", ASSIGNED_REASON) for p in rest[: QUEUE_LENGTH - len(queue)]
    ]


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
