"""Which acts stand: what undo, redo, batches and restores make of the log.

An act is *done*, *undone* (its author can still redo it) or *dropped*. A batch stands or falls as
a whole. A restore sets every earlier act back to where it stood at the chosen point; taking the
restore back makes it as if it had never happened, whatever others did meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

DONE, UNDONE, DROPPED = "done", "undone", "dropped"
USE_RUN = "use_run"  # a note that another run became current: nothing stands or falls with it


class Entry(Protocol):
    """A line of the log, as far as this module reads it."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def undoes(self) -> int | None: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


def standing(log: Sequence[Entry]) -> dict[int, str]:
    """The status of every act on the log, oldest event first."""
    walk = _Walk(_restores_taken_back(log))
    for i, event in enumerate(log):
        walk.take(event, log[:i] if event.kind == "restore" else ())
    return walk.status


def members(event: Entry) -> range:
    """The events of a batch: they follow its head without a gap. Empty for any other event."""
    if event.kind != "batch":
        return range(0)
    return range(event.id + 1, event.id + 1 + int(event.payload["count"]))


def _restores_taken_back(log: Iterable[Entry]) -> set[int]:
    """Restores whose last turn was an undo; they leave no trace in what stands."""
    restores: set[int] = set()
    gone: set[int] = set()
    for event in log:
        if event.kind == "restore":
            restores.add(event.id)
        elif event.undoes in restores:
            (gone.add if event.kind == "undo" else gone.discard)(event.undoes)
    return gone


class _Walk:
    """The log read line by line."""

    def __init__(self, skipped_restores: set[int]) -> None:
        self.status: dict[int, str] = {}
        self._skipped = skipped_restores
        self._batches: dict[int, range] = {}
        self._undone: dict[str, set[int]] = defaultdict(set)  # by author
        self._restores: set[int] = set()

    def take(self, event: Entry, before: Sequence[Entry]) -> None:
        if event.kind in ("undo", "redo"):
            self._turn(event)
            return
        if event.kind == USE_RUN:
            return
        for act in self._undone.pop(event.author, ()):
            self.status[act] = DROPPED
        self.status[event.id] = DONE
        if event.kind == "batch":
            self._batches[event.id] = members(event)
        if event.kind == "restore":
            self._restores.add(event.id)
            if event.id not in self._skipped:
                self._restore(event, before)

    def _turn(self, event: Entry) -> None:
        act = event.undoes
        if act is None or act not in self.status:
            return
        status = UNDONE if event.kind == "undo" else DONE
        self.status[act] = status
        for member in self._members(act):
            self.status[member] = status
        turned = self._undone[event.author]
        (turned.add if event.kind == "undo" else turned.discard)(act)

    def _members(self, head: int) -> list[int]:
        """Only those that are read: a part of a log can be walked, too."""
        batch = self._batches.get(head, range(0))
        if len(batch) < len(self.status):
            return [act for act in batch if act in self.status]
        return [act for act in self.status if act in batch]

    def _restore(self, event: Entry, before: Sequence[Entry]) -> None:
        point = int(event.payload["to"])
        then = standing([each for each in before if each.id <= point])
        for act in self.status:
            stood = then.get(act) == DONE and act not in self._restores
            self.status[act] = DONE if stood else DROPPED
        self.status[event.id] = DONE
        self._undone.clear()
