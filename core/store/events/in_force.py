"""Which events are in force, after every undo, redo, batch and restore on the log.

An event is *done* (in force), *undone* (its author can still redo it) or *dropped*. The events of a
batch go together: an undo takes those that are in force out of it, and a redo brings them back, and
no others. A restore gives every earlier event the status it had at the chosen point; undoing the
restore makes it as if it had never been, whatever others recorded meanwhile.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from core.store.values import Event

DONE, UNDONE, DROPPED = "done", "undone", "dropped"
STATUS_CHANGES = {"undo": (DONE, UNDONE), "redo": (UNDONE, DONE)}  # of the events of a batch
USE_RUN = "use_run"  # a note that another run became current; it has no status
ADD_TEXTS = "add_texts"  # no restore is about texts, and what was taken back cannot be redone


class RecordedEvent(Protocol):
    """What everybody who reads the log asks of an event."""

    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def author(self) -> str: ...


class LogEntry(RecordedEvent, Protocol):
    """An event, as far as this module reads it."""

    @property
    def undoes(self) -> int | None: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


class EventInForce(RecordedEvent, Protocol):
    """An event that says what somebody wrote, and when."""

    @property
    def time(self) -> datetime: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


def events_in_force(log: Iterable[Event]) -> list[Event]:
    """The events in force at the end of a log, oldest first."""
    events = list(log)
    status = status_of_events(events)
    return [event for event in events if status.get(event.id) == DONE]


def status_of_events(log: Sequence[LogEntry]) -> dict[int, str]:
    """The status of every event on the log, oldest event first; in time linear in the log."""
    reader = _StatusReader(log)
    for stretch, restores in _stretches_that_count(log):
        if restores:
            reader.begin_with_restore(log[stretch.start])
        for i in stretch[restores:]:
            reader.read(log[i])
    status = {event.id: reader.status.get(event.id, DROPPED) for event in log if _has_status(event)}
    return status | _status_of_additions(log)


def batch_members(event: LogEntry) -> range:
    """The events of a batch: they follow its head without a gap. Empty for any other event."""
    if event.kind != "batch":
        return range(0)
    return range(event.id + 1, event.id + 1 + int(event.payload["count"]))


def _status_of_additions(log: Iterable[LogEntry]) -> dict[int, str]:
    """Added texts are there until they are taken back, whatever labels were restored."""
    status: dict[int, str] = {}
    for event in log:
        if event.kind == ADD_TEXTS:
            status[event.id] = DONE
        elif event.kind == "undo" and event.undoes in status:
            status[event.undoes] = DROPPED
    return status


def _has_status(event: LogEntry) -> bool:
    return event.kind not in ("undo", "redo", USE_RUN)


def _stretches_that_count(log: Sequence[LogEntry]) -> list[tuple[range, bool]]:
    """The parts of the log that decide what is in force, oldest first; whether a restore is first.

    Back from the end to the last restore that counts; from there back from the point it restored,
    and so on. What lies between that point and the restore was dropped by it. No event is passed
    twice, however many restores there are.
    """
    ids = [event.id for event in log]
    stretches: list[tuple[range, bool]] = []
    end = len(log)
    while end:
        start = _last_restore(log, end)
        stretches.append((range(max(start, 0), end), start >= 0))
        end = 0 if start < 0 else bisect_right(ids, int(log[start].payload["to"]), 0, start)
    return stretches[::-1]


def _last_restore(log: Sequence[LogEntry], end: int) -> int:
    """Where the last restore before ``end`` stands that was not undone by then; -1 if nowhere."""
    last: dict[int, str] = {}  # the last undo or redo of an event: one that follows it
    for i in range(end - 1, -1, -1):
        event = log[i]
        if event.undoes is not None:
            last.setdefault(event.undoes, event.kind)
        elif event.kind == "restore" and last.get(event.id) != "undo":
            return i
    return -1


class _StatusReader:
    """Reads the stretches that count, event by event; an event of no stretch is dropped."""

    def __init__(self, log: Sequence[LogEntry]) -> None:
        self.status: dict[int, str] = {}
        self._known = {event.id for event in log if _has_status(event)}
        self._batches = {event.id: batch_members(event) for event in log if event.kind == "batch"}
        self._restores = {event.id for event in log if event.kind == "restore"}
        self._undone: dict[str, set[int]] = defaultdict(set)  # by author
        self._dropped_by_a_restore: set[int] = set()  # events undone, and restores done

    def read(self, event: LogEntry) -> None:
        if event.kind in ("undo", "redo"):
            self._undo_or_redo(event)
        elif event.kind != USE_RUN:
            for undone in self._undone.pop(event.author, ()):
                self._set(undone, DROPPED)
            self._set(event.id, DONE)

    def _undo_or_redo(self, event: LogEntry) -> None:
        target = event.undoes
        if target is None or target not in self._known:
            return
        before, status = STATUS_CHANGES[event.kind]
        self._set(target, status)
        for member in self._batches.get(target, ()):
            if self.status.get(member) == before:  # a restore may have dropped others
                self._set(member, status)
        undone = self._undone[event.author]
        (undone.add if event.kind == "undo" else undone.discard)(target)

    def begin_with_restore(self, event: LogEntry) -> None:
        """What is in force stays so; nothing can be redone, and no restore before counts."""
        for each in self._dropped_by_a_restore:
            self.status[each] = DROPPED
        self._dropped_by_a_restore.clear()
        self._undone.clear()
        self._set(event.id, DONE)

    def _set(self, event: int, status: str) -> None:
        self.status[event] = status
        if status == UNDONE or (status == DONE and event in self._restores):
            self._dropped_by_a_restore.add(event)
        else:
            self._dropped_by_a_restore.discard(event)
