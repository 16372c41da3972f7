"""The log of a project from a stranger, checked line by line in time linear in the log.

Every line must be one that the store writes: numbered in order, its values as they were checked
when they were recorded, about texts, topics and events that were there before it. What the log
then says follows from the same functions as for every other log (``state.rebuild``). Nothing is
recorded anew, so that no line costs more than the one before it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from core.errors import NotFound, StoreError
from core.store.coding.assignments import AssignTexts
from core.store.events.added_texts import AddedTexts
from core.store.events.checks import checked_name
from core.store.events.codebook import EditCodebook
from core.store.events.in_force import ADD_TEXTS, USE_RUN
from core.store.events.new_events import (
    KIND_BY_TYPE,
    NewEvent,
    Restore,
    checked,
    new_event_of,
    payload_of,
)
from core.store.events.origin import Origin
from core.store.events.requirements import (
    NO_SUCH_POINT,
    numbers_given,
    require_position,
    topics_named_by,
)
from core.store.files.field_types import require

MAX_TOPICS_EVER = 50_000  # numbers that one log may give away
LOG_CONTRADICTS_ITSELF = "The log in this file contradicts itself."
KINDS = frozenset(KIND_BY_TYPE.values())
KINDS_IN_BATCHES = KINDS - {KIND_BY_TYPE[Restore]}
UNDO_KINDS = ("undo", "redo")


class LogChecker:
    """Takes the lines of one log, oldest first."""

    def __init__(self, n_docs: int) -> None:
        self._n_docs = self.most_texts = n_docs
        self._last_topic = 0
        self._last_place = -1  # that any event has named
        self._additions: list[tuple[int, AddedTexts]] = []  # of texts, those that are there
        self._n_texts: int | None = None  # so far; not known before the first addition
        self._batch = range(0)  # events of the batch that was begun last
        self._author = ""  # of that batch
        # Of each event so far, for later ones to undo: kind, author and position; None where
        # nobody can undo it.
        self._undoable: list[tuple[str, str, int | None] | None] = []

    def checked(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """The line as the store would have written it; an error if that is something else."""
        number = len(self._undoable) + 1
        author = Origin(line["author"]).checked().author
        require(type(line["kind"]) is str)
        own = {"id": number, "kind": line["kind"], "author": author, "undoes": None}
        own |= self._content(line, number, author)
        if any(own[name] != line[name] or type(own[name]) is not type(line[name]) for name in own):
            raise StoreError(LOG_CONTRADICTS_ITSELF)
        self._remember(own)
        return own

    def end(self) -> None:
        """The log has ended, and with it its last batch."""
        self._agree(len(self._undoable) + 1 >= self._batch.stop)
        self._agree(self._n_texts in (None, self._n_docs))

    def _content(self, line: Mapping[str, Any], number: int, author: str) -> dict[str, Any]:
        kind, payload = line["kind"], line["payload"]
        require(isinstance(payload, dict))
        if number in self._batch:
            self._agree(kind in KINDS_IN_BATCHES and author == self._author)
        if kind in UNDO_KINDS:
            return self._undone(kind, line["undoes"], author)
        if kind == USE_RUN:
            return _plain({"title": checked_name(payload["title"], "A run")})
        if kind == ADD_TEXTS:
            return self._added(AddedTexts.read(payload).checked(), number)
        if kind == "batch":
            count = payload["count"]
            self._agree(type(count) is int and count > 0)
            return _plain({"title": checked_name(payload["title"], "A batch"), "count": count})
        require(kind in KINDS)
        return self._recorded(checked(new_event_of(kind, line["position"], payload)), number)

    def _added(self, about: AddedTexts, number: int) -> dict[str, Any]:
        """New texts follow those that were there."""
        self._agree(self._n_texts in (None, about.first))
        self._n_texts = about.first + about.added
        self.most_texts = max(self.most_texts, self._n_texts)
        self._additions.append((number, about))
        return _plain(about.payload())

    def _undone(self, undo: str, target: Any, author: str) -> dict[str, Any]:
        """An author undoes own events, and whole batches."""
        self._agree(type(target) is int and 0 < target <= len(self._undoable))
        found = self._undoable[target - 1]
        if found is None or found[1] != author:
            raise StoreError(LOG_CONTRADICTS_ITSELF)
        kind, _, position = found
        if kind == ADD_TEXTS:
            self._taken_back(undo, target)
        return {"undoes": target, "payload": {"kind": kind}, "position": position}

    def _taken_back(self, undo: str, target: int) -> None:
        """Only the texts that were added last, and none that any event names."""
        self._agree(undo == "undo" and bool(self._additions) and self._additions[-1][0] == target)
        _, about = self._additions.pop()
        self._agree(self._last_place < about.first)
        self._n_texts = about.first

    def _recorded(self, event: NewEvent, number: int) -> dict[str, Any]:
        for topic in topics_named_by(event):
            if not 0 < topic <= self._last_topic:
                raise NotFound(f"The project has no topic {topic}.")
        position = getattr(event, "position", None)
        named = event.examples if isinstance(event, EditCodebook) else ()
        named = event.positions if isinstance(event, AssignTexts) else named
        for each in (*named, *(() if position is None else (position,))):
            require_position(each, self._n_docs)
            self._last_place = max(self._last_place, each)
        if isinstance(event, Restore) and event.to >= number:
            raise NotFound(NO_SUCH_POINT)
        given = numbers_given(event, self._last_topic)
        self._last_topic += len(given.get("children", [given])) if given else 0
        require(self._last_topic <= MAX_TOPICS_EVER)
        return {"position": position, "payload": {**payload_of(event), **given}}

    def _remember(self, own: Mapping[str, Any]) -> None:
        number, kind = own["id"], own["kind"]
        if kind == "batch":
            self._batch = range(number + 1, number + 1 + own["payload"]["count"])
            self._author = own["author"]
        undoable = kind not in (*UNDO_KINDS, USE_RUN) and number not in self._batch
        names = sys.intern(kind), sys.intern(own["author"])  # few different ones
        self._undoable.append((*names, own["position"]) if undoable else None)

    @staticmethod
    def _agree(true: bool) -> None:
        if not true:
            raise StoreError(LOG_CONTRADICTS_ITSELF)


def _plain(payload: dict[str, Any]) -> dict[str, Any]:
    return {"position": None, "payload": payload}
