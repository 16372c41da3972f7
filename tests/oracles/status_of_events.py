"""Which events are in force, as the definition says it: each restore reads the log up to its point.

This takes time that doubles with every restore; ``core.store.events.in_force`` must agree with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.store.events.in_force import DONE, DROPPED, UNDONE, USE_RUN, LogEntry, batch_members


def status_of_events(log: Sequence[LogEntry]) -> dict[int, str]:
    """The status of every event on the log, oldest event first."""
    reader = _StatusReader(_undone_restores(log))
    for i, event in enumerate(log):
        reader.read(event, log[:i] if event.kind == "restore" else ())
    return reader.status


def _undone_restores(log: Iterable[LogEntry]) -> set[int]:
    """Restores that were undone last, not redone; they change no status."""
    restores: set[int] = set()
    undone: set[int] = set()
    for event in log:
        if event.kind == "restore":
            restores.add(event.id)
        elif event.undoes in restores:
            (undone.add if event.kind == "undo" else undone.discard)(event.undoes)
    return undone


class _StatusReader:
    """Reads the log event by event."""

    def __init__(self, undone_restores: set[int]) -> None:
        self.status: dict[int, str] = {}
        self._undone_restores = undone_restores
        self._batches: dict[int, range] = {}
        self._undone: dict[str, set[int]] = defaultdict(set)  # by author
        self._restores: set[int] = set()

    def read(self, event: LogEntry, before: Sequence[LogEntry]) -> None:
        if event.kind in ("undo", "redo"):
            self._undo_or_redo(event)
            return
        if event.kind == USE_RUN:
            return
        for undone in self._undone.pop(event.author, ()):
            self.status[undone] = DROPPED
        self.status[event.id] = DONE
        if event.kind == "batch":
            self._batches[event.id] = batch_members(event)
        if event.kind == "restore":
            self._restores.add(event.id)
            if event.id not in self._undone_restores:
                self._restore(event, before)

    def _undo_or_redo(self, event: LogEntry) -> None:
        target = event.undoes
        if target is None or target not in self.status:
            return
        before, status = (DONE, UNDONE) if event.kind == "undo" else (UNDONE, DONE)
        self.status[target] = status
        for member in self._members(target):
            if self.status[member] == before:
                self.status[member] = status
        undone = self._undone[event.author]
        (undone.add if event.kind == "undo" else undone.discard)(target)

    def _members(self, head: int) -> list[int]:
        """Only those that were read: a part of a log can be read, too."""
        batch = self._batches.get(head, range(0))
        if len(batch) < len(self.status):
            return [event for event in batch if event in self.status]
        return [event for event in self.status if event in batch]

    def _restore(self, event: LogEntry, before: Sequence[LogEntry]) -> None:
        point = int(event.payload["to"])
        then = status_of_events([each for each in before if each.id <= point])
        for each in self.status:
            in_force = then.get(each) == DONE and each not in self._restores
            self.status[each] = DONE if in_force else DROPPED
        self.status[event.id] = DONE
        self._undone.clear()
