"""Lists of documents on the label desk: the line of a queue mode, search results, selections.

A list can be as long as the corpus, so only the stretch that is shown becomes items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.queue import QueueItem
from core.search import SearchHits
from tsnmf_ui.theme import texts


class DocumentList(Protocol):
    """What comes next, and how many there are in all."""

    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def note(self) -> str: ...
    @property
    def copies(self) -> int:
        """Documents that neither wait nor are done: near-copies of others."""

    def items(self, offset: int, limit: int) -> Sequence[QueueItem]:
        """A stretch of the list."""

    def after(self, position: int | None) -> int | None:
        """What follows a document; None when there is nothing else."""

    def reason(self, position: int) -> QueueItem | None:
        """Why a document is in the list."""


@dataclass(frozen=True, slots=True)
class QueueList:
    """The next documents of a queue mode; ``total`` counts all that wait."""

    queue: Sequence[QueueItem]
    total: int
    copies: int = 0
    kind: str = "queue"
    title: str = "Up next"
    note: str = ""

    def items(self, offset: int, limit: int) -> Sequence[QueueItem]:
        return self.queue[offset : offset + limit]

    def after(self, position: int | None) -> int | None:
        """The first that is not ``position``; past it, if it is in the line itself."""
        places = [item.position for item in self.queue]
        if position in places:
            following = places[places.index(position) + 1 :] or [
                place for place in places if place != position
            ]
            return following[0] if following else None
        return places[0] if places else None

    def reason(self, position: int) -> QueueItem | None:
        return next((item for item in self.queue if item.position == position), None)


@dataclass(frozen=True, slots=True)
class FoundList:
    """Documents that were found or chosen, by share where a topic was asked for."""

    found: SearchHits
    kind: str  # "search", "selection" or "saved"
    title: str
    copies: int = 0
    about: str = ""  # said below the title

    @property
    def total(self) -> int:
        return len(self.found)

    @property
    def note(self) -> str:
        return self.found.note or self.about

    def items(self, offset: int, limit: int) -> Sequence[QueueItem]:
        return [self._item(int(p)) for p in self.found.positions[offset : offset + limit]]

    def after(self, position: int | None) -> int | None:
        """The next in the list, from the place where the document was before it left the list."""
        positions, n = self.found.positions, len(self.found)
        if not n:
            return None
        place = 0 if position is None else self.found.place_of(position)
        if place < n and positions[place] == position:
            place += 1
        following = int(positions[place % n])
        return None if following == position else following

    def reason(self, position: int) -> QueueItem | None:
        return self._item(position)

    def _item(self, position: int) -> QueueItem:
        scores = self.found.scores
        why = "" if scores is None else texts.percent(float(scores[position]))
        return QueueItem(position, self.kind, why)
