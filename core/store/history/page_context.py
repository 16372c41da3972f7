"""The label of a document, and the name of a topic, before and after each event of a page.

Only what decides them is read: the events about these documents and topics, the batches these
events are part of, all restores, and every undo and redo of any of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, text

from core.store.events.codebook import EDIT_CODEBOOK
from core.store.events.in_force import events_in_force
from core.store.history.some_events import read_some, read_undo_and_redo
from core.store.history.visible_numbers import Batch
from core.store.state.labels_in_force import LabelInForce, labels_in_force
from core.store.tables import NO_LABELS, event_status
from core.store.values import Event

NAMING_KINDS = ("create_topic", "rename_topic")


class PageContext:
    """Labels and names around the events of a page."""

    def __init__(
        self,
        connection: Connection,
        project: int,
        shown: Iterable[Event],
        batches: Sequence[Batch],
    ) -> None:
        listed = list(shown)
        places = {event.position for event in listed if event.position is not None}
        topics = {event.payload["topic"] for event in listed if "topic" in event.payload}
        reader = _Reader(connection, project, batches)
        self._around_place = reader.around(event_status.c.position, places)
        self._around_topic = reader.around(event_status.c.topic, topics)

    def labels(self, event: Event) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """The payload of the label in force of its document, before and after an event."""
        if event.position is None:
            return None, None
        around = self._around_place[event.position]
        return _label_after(around, event.id - 1), _label_after(around, event.id)

    def names(self, event: Event, target: Event | None) -> tuple[str | None, str | None]:
        """The name of its topic before and after an event, or the undo of one."""
        topic = (target or event).payload.get("topic")
        around = self._around_topic.get(topic, [])
        return _name_after(around, event.id - 1), _name_after(around, event.id)

    def entries(
        self, event: Event, target: Event | None
    ) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """The codebook entry of its topic before and after an event on the codebook."""
        about = target or event
        if about.kind != EDIT_CODEBOOK:
            return None, None
        around = self._around_topic.get(about.payload["topic"], [])
        return _entry_after(around, event.id - 1), _entry_after(around, event.id)


def _entry_after(around: Sequence[Event], last: int) -> Mapping[str, Any]:
    """What the last entry in force says then; empty without one."""
    then = events_in_force(event for event in around if event.id <= last)
    found = [event.payload for event in then if event.kind == EDIT_CODEBOOK]
    return found[-1] if found else {}


class _Reader:
    """Reads events about documents or topics together with what puts them in force or out of it."""

    def __init__(self, connection: Connection, project: int, batches: Sequence[Batch]) -> None:
        self._connection, self._project, self._batches = connection, project, batches
        self._heads = [batch.head for batch in batches]
        restores = select(event_status.c.event).where(
            event_status.c.project == project, text(NO_LABELS), event_status.c.kind == "restore"
        )
        self._restores = self._with_undo(list(connection.scalars(restores)))

    def around(
        self, column: ColumnElement[int | None], keys: Iterable[int]
    ) -> dict[Hashable, list[Event]]:
        """By key, oldest first: the events about it, and all that decide which are in force."""
        about = self._numbers(column, list(keys))
        concerned = {number for numbers in about.values() for number in numbers}
        heads = {number: self._head(number) for number in concerned}
        known = {each.id: each for each in self._read(concerned, heads.values())}
        undo = self._undo_of(known)
        found: dict[Hashable, list[Event]] = {}
        for key, numbers in about.items():
            own = {*numbers, *(head for n in numbers if (head := heads[n]) is not None)}
            events = [known[number] for number in own]
            events += [each for number in own for each in undo[number]]
            found[key] = sorted([*events, *self._restores], key=lambda event: event.id)
        return found

    def _numbers(self, column: ColumnElement[int | None], keys: list[int]) -> dict[int, list[int]]:
        query = select(column, event_status.c.event).where(
            event_status.c.project == self._project, column.in_(keys)
        )
        found: dict[int, list[int]] = {key: [] for key in keys}
        for key, number in self._connection.execute(query):
            found[key].append(number)
        return found

    def _head(self, number: int) -> int | None:
        """The head of the batch that an event is part of."""
        place = bisect_left(self._heads, number) - 1
        return self._heads[place] if place >= 0 and number in self._batches[place].members else None

    def _read(self, numbers: Iterable[int], heads: Iterable[int | None]) -> list[Event]:
        wanted = {*numbers, *(head for head in heads if head is not None)}
        return read_some(self._connection, self._project, wanted)

    def _undo_of(self, known: Mapping[int, Event]) -> dict[int, list[Event]]:
        found: defaultdict[int, list[Event]] = defaultdict(list)
        for each in read_undo_and_redo(self._connection, self._project, known):
            found[each.undoes or 0].append(each)
        return found

    def _with_undo(self, numbers: list[int]) -> list[Event]:
        undo = read_undo_and_redo(self._connection, self._project, numbers)
        return [*read_some(self._connection, self._project, numbers), *undo]


def _label_after(around: Iterable[Event], until: int) -> Mapping[str, Any] | None:
    """The payload of the label in force after event ``until``; ``around`` is about one document."""
    about = (event for event in _in_force_after(around, until) if event.position is not None)
    label = labels_in_force((0, e.kind, e) for e in about).get(0, LabelInForce()).label
    return None if label is None else label.payload


def _name_after(around: Iterable[Event], until: int) -> str | None:
    """The name of a topic after event ``until``; ``around`` is about that topic."""
    named = [e for e in _in_force_after(around, until) if e.kind in NAMING_KINDS]
    return named[-1].payload["name"] if named else None


def _in_force_after(around: Iterable[Event], until: int) -> list[Event]:
    return events_in_force(event for event in around if event.id <= until)
