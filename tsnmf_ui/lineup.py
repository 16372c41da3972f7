"""The documents that come next, lined up once per fit and thinned out act by act."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from core.queue import QueueItem, next_documents
from core.store import Store
from tsnmf_ui.snapshot import Fitted

AHEAD = 400  # documents lined up at a time: an hour of labelling
SPARE = 40  # fewer left than this, and the line is drawn up anew
KEPT = 32  # lines in memory
RESULTS = 200  # search results listed


@dataclass(frozen=True, slots=True)
class Upcoming:
    """What comes next, and how many wait in all."""

    items: Sequence[QueueItem]
    total: int

    def after(self, position: int | None) -> int | None:
        """The first that is not ``position``; past it, if it is in the line itself."""
        places = [item.position for item in self.items]
        if position in places:
            following = places[places.index(position) + 1 :] or [
                place for place in places if place != position
            ]
            return following[0] if following else None
        return places[0] if places else None

    def reason(self, position: int) -> QueueItem | None:
        """Why a document is in the line."""
        return next((item for item in self.items if item.position == position), None)


class Lineups:
    """Lines by project, run and mode."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: OrderedDict[tuple[int, int, str], list[QueueItem]] = OrderedDict()
        self._lock = threading.Lock()

    def upcoming(self, fitted: Fitted, mode: str, search: str = "") -> Upcoming:
        """The line of a mode without what is done; with search words, the matches instead."""
        if search.strip():
            return self._matches(fitted.project.id, search)
        snapshot = fitted.snapshot
        done = snapshot.labelled | snapshot.skipped
        with self._lock:
            line = self._lines.get(_key(fitted, mode))
        left = [] if line is None else [item for item in line if item.position not in done]
        if line is None or (len(left) < SPARE and len(line) >= AHEAD):
            left = self._line_up(fitted, mode)
        again = _skipped_again(snapshot.skipped - snapshot.labelled)
        return Upcoming(left or again, fitted.project.n_docs - len(done))

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
        )

    def _matches(self, project: int, search: str) -> Upcoming:
        found = self._store.search(project, search, limit=RESULTS, offset=0)
        why = f"Has “{search.strip()}”"
        return Upcoming([QueueItem(p, "search", why) for p in found.positions], found.total)


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


def _skipped_again(skipped: frozenset[int]) -> list[QueueItem]:
    """When nothing else is left, what was skipped comes back."""
    return [QueueItem(p, "skipped", "Skipped earlier") for p in sorted(skipped)[:AHEAD]]
