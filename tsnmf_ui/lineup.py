"""The documents that come next, lined up once per fit and thinned out act by act."""

from __future__ import annotations

import threading
from collections import OrderedDict

import numpy as np

from core.queue import Hints, Outline, QueueItem, next_documents
from core.store import Store
from tsnmf_ui import prospects
from tsnmf_ui.listing import Line, Listing
from tsnmf_ui.snapshot import Fitted, Snapshot
from tsnmf_ui.worker import matrix_key_of

AHEAD = 400  # documents lined up at a time: an hour of labelling
SPARE = 40  # fewer left than this, and the line is drawn up anew
KEPT = 32  # lines in memory
OUTLINES = 4  # in memory
DOUBT = "mislabelled"  # the one kind that offers labelled documents again


class Lineups:
    """Lines by project, run and mode."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: OrderedDict[tuple[int, int, str], list[QueueItem]] = OrderedDict()
        self._outlines: OrderedDict[str, Outline] = OrderedDict()
        self._answered: set[tuple[int, int]] = set()  # doubts that were looked at
        self._lock = threading.Lock()

    def upcoming(self, fitted: Fitted, mode: str) -> Listing:
        """The line of a mode without what is done."""
        snapshot = fitted.snapshot
        done = snapshot.labelled | snapshot.skipped
        with self._lock:
            line = self._lines.get(_key(fitted, mode))
        left = [] if line is None else [item for item in line if self._waits(fitted, item, done)]
        if line is None or (len(left) < SPARE and len(line) >= AHEAD):
            left = self._line_up(fitted, mode)
        again = _skipped_again(snapshot.skipped - snapshot.labelled)
        return Line(left or again, self._waiting(fitted, done))

    def left(self, project: int, position: int | None) -> None:
        """Somebody has moved on from a document: its label, kept or changed, is settled."""
        if position is not None:
            self._answered.add((project, position))

    def _waiting(self, fitted: Fitted, done: frozenset[int]) -> int:
        """How many texts nobody has dealt with, copies counted once."""
        outline = self._outline(fitted)
        if outline is None:
            return fitted.project.n_docs - len(done)
        return int((~outline.closed(np.fromiter(done, np.intp, len(done)))).sum())

    def _waits(self, fitted: Fitted, item: QueueItem, done: frozenset[int]) -> bool:
        """Not dealt with since the line was drawn up."""
        if item.kind != DOUBT:
            return item.position not in done
        snapshot = fitted.snapshot
        said = snapshot.annotations.get(item.position)
        known = 0 if fitted.run is None else fitted.run.revision
        answered = (fitted.project.id, item.position) in self._answered
        return not (answered or item.position in snapshot.skipped) and (
            said is not None and said.event <= known
        )

    def renew(self, fitted: Fitted) -> None:
        """Line up for a new run in every mode that was in use under the one before."""
        with self._lock:
            old = [key for key in self._lines if key[0] == fitted.project.id]
            for key in old:
                del self._lines[key]
        for mode in {mode for _, _, mode in old}:
            self._line_up(fitted, mode)

    def _line_up(self, fitted: Fitted, mode: str) -> list[QueueItem]:
        line = next_documents(
            fitted.topics,
            set(fitted.snapshot.labelled),
            n_docs=fitted.project.n_docs,
            mode=mode,
            limit=AHEAD,
            skip=fitted.snapshot.skipped,
            labels=_columns(fitted),
            hints=self._hints(fitted),
            outline=self._outline(fitted),
            settled=self._settled(fitted),
        )
        if not line and mode != "random":  # as thin topics, where there is no named topic
            line = self._blind(fitted)
        with self._lock:
            self._lines[_key(fitted, mode)] = line
            while len(self._lines) > KEPT:
                self._lines.popitem(last=False)
        return line

    def _blind(self, fitted: Fitted) -> list[QueueItem]:
        """Any order is better than an empty line while texts are waiting."""
        return next_documents(
            None,
            set(fitted.snapshot.labelled),
            n_docs=fitted.project.n_docs,
            limit=AHEAD,
            skip=fitted.snapshot.skipped,
            outline=self._outline(fitted),
        )

    def _hints(self, fitted: Fitted) -> Hints | None:
        """The guide's hints, if they speak of the topics that are shown."""
        if fitted.run is None or not fitted.run.spec.obeys:
            return None
        return prospects.read_hints(self._store, fitted.run)

    def _outline(self, fitted: Fitted) -> Outline | None:
        """From memory or from disk; None as long as the other process has not made it."""
        key = matrix_key_of(fitted.project)
        with self._lock:
            known = self._outlines.get(key)
        found = known or prospects.read_outline(self._store, key)
        if found is None or len(found.first) != fitted.project.n_docs:
            return None
        with self._lock:
            self._outlines[key] = found
            while len(self._outlines) > OUTLINES:
                self._outlines.popitem(last=False)
        return found

    def _settled(self, fitted: Fitted) -> set[int]:
        """Labels that are not to be doubted: looked at again, or given by an expert."""
        looked_at = {p for project, p in self._answered if project == fitted.project.id}
        return looked_at | _by_experts(fitted.snapshot)


def _key(fitted: Fitted, mode: str) -> tuple[int, int, str]:
    return fitted.project.id, 0 if fitted.run is None else fitted.run.id, mode


def _columns(fitted: Fitted) -> dict[int, list[int]]:
    """The topics of each labelled document as columns of the fit; newer topics have none yet."""
    place = {topic: i for i, topic in enumerate(fitted.run.topic_ids)} if fitted.run else {}
    return {
        position: [place[topic] for topic in said.permitted if topic in place]
        for position, said in fitted.snapshot.annotations.items()
        if said.labelled
    }


def _by_experts(snapshot: Snapshot) -> set[int]:
    said = snapshot.annotations.items()
    return {position for position, each in said if each.confidence == "expert"}


def _skipped_again(skipped: frozenset[int]) -> list[QueueItem]:
    """When nothing else is left, what was skipped comes back."""
    return [QueueItem(p, "skipped", "Skipped earlier") for p in sorted(skipped)[:AHEAD]]
