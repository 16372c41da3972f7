"""Pages of the history: filtered events, newest first, each with label or name before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, func, or_, select, true

from core.store.events.event_rows import EVENTS, PAYLOAD_TEXT, read_events
from core.store.events.in_force import DONE, events_in_force
from core.store.state.labels_in_force import LabelInForce, labels_in_force
from core.store.tables import NOBODY, event_status, events, topics
from core.store.values import Event

UNDO_KINDS = ("undo", "redo")
NAMING_KINDS = ("create_topic", "rename_topic")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryFilter:
    """Which lines of the history to read; what is left out does not narrow it."""

    authors: Collection[str] = ()
    kinds: Collection[str] = ()
    topic: int | None = None
    positions: Collection[int] | None = None
    since: datetime | None = None
    until: datetime | None = None
    within: range | None = None  # these events alone, as those of a batch

    @property
    def whole_batches(self) -> bool:
        """A batch is one line, unless the filter is about events inside it."""
        return self.within is None and self.topic is None and self.positions is None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One event, whether it is in force, and what it changed.

    ``before`` and ``after`` are label payloads of its document (None where there was no label);
    ``name_before`` and ``name_after`` are names of its topic. ``target`` is the event that an undo
    or redo is about.
    """

    event: Event
    in_force: bool
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    name_before: str | None = None
    name_after: str | None = None
    target: Event | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some lines, newest first, and how many there are in all."""

    lines: tuple[HistoryLine, ...]
    total: int


def read_page(
    connection: Connection, project: int, wanted: HistoryFilter, limit: int, offset: int
) -> HistoryPage:
    """The newest lines that pass the filter, after ``offset`` of them."""
    if wanted.topic is not None:
        found = _on_topic(connection, project, wanted)
        chosen = found[offset : offset + limit]
        return HistoryPage(_lines(connection, project, chosen), len(found))
    query = _narrowed(select(events.c.id), project, wanted)
    total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    page = query.order_by(events.c.id.desc()).limit(limit).offset(offset)
    return HistoryPage(_lines(connection, project, list(connection.scalars(page))), total)


def read_authors(connection: Connection, project: int) -> list[str]:
    """All authors, by name."""
    query = select(events.c.author).where(events.c.project == project).distinct()
    return sorted(connection.scalars(query), key=str.casefold)


def read_kinds(connection: Connection, project: int) -> dict[str, int]:
    """How many events of each kind there are."""
    query = select(events.c.kind, func.count()).where(events.c.project == project)
    return {row[0]: row[1] for row in connection.execute(query.group_by(events.c.kind))}


def read_topic_names(connection: Connection, project: int) -> dict[int, str]:
    """The last name of every topic there ever was."""
    query = select(topics.c.id, topics.c.name).where(topics.c.project == project)
    return {row.id: row.name for row in connection.execute(query)}


def read_log(connection: Connection, project: int) -> list[Event]:
    """The whole log, oldest first."""
    return _events(connection, project, true())


def read_in_force(connection: Connection, project: int) -> list[Event]:
    """The labels and heads of batches in force, oldest first."""
    in_force = select(event_status.c.event).where(
        event_status.c.project == project,
        event_status.c.status == DONE,
        event_status.c.kind.in_(("label", "batch")),
    )
    return _events(connection, project, events.c.id.in_(in_force))


def _narrowed(query: Select[Any], project: int, wanted: HistoryFilter) -> Select[Any]:
    query = query.outerjoin_from(
        events,
        event_status,
        and_(event_status.c.project == events.c.project, event_status.c.event == events.c.id),
    ).where(events.c.project == project)
    if wanted.whole_batches:
        query = query.where(or_(event_status.c.author.is_(None), event_status.c.author != NOBODY))
    if wanted.within is not None:
        ends = wanted.within.start, wanted.within.stop - 1
        query = query.where(events.c.id.between(*ends))
    if wanted.authors:
        query = query.where(events.c.author.in_(list(wanted.authors)))
    if wanted.kinds:
        query = query.where(events.c.kind.in_(list(wanted.kinds)))
    if wanted.positions is not None:
        query = query.where(events.c.position.in_(list(wanted.positions)))
    if wanted.since is not None:
        query = query.where(events.c.time >= wanted.since)
    if wanted.until is not None:
        query = query.where(events.c.time < wanted.until)
    return query


def _on_topic(connection: Connection, project: int, wanted: HistoryFilter) -> list[int]:
    """Events on a topic, labels that name it, undo and redo of both; newest first."""
    columns = select(
        events.c.id, events.c.kind, events.c.undoes, events.c.payload, event_status.c.topic
    )
    query = _narrowed(columns, project, wanted)
    named = events.c.kind.in_(UNDO_KINDS) | (event_status.c.topic == wanted.topic)
    digits = (events.c.kind == "label") & PAYLOAD_TEXT.like(f"%{wanted.topic}%")
    rows = connection.execute(query.where(named | digits).order_by(events.c.id)).all()
    about = {row.id for row in rows if row.topic == wanted.topic or _names(row, wanted.topic)}
    found = [row.id for row in rows if row.id in about or row.undoes in about]
    return found[::-1]


def _names(row: Any, topic: int | None) -> bool:
    payload = row.payload
    return row.kind == "label" and topic in (*payload["permitted"], *payload["forbidden"])


def _lines(connection: Connection, project: int, numbers: Sequence[int]) -> tuple[HistoryLine, ...]:
    """The lines of a page; only the documents and topics on it are looked up."""
    if not numbers:
        return ()
    in_force_of = _in_force_of(connection, project, numbers)
    shown = _events(connection, project, events.c.id.in_(list(numbers)))
    target = {each.undoes for each in shown if each.undoes is not None}
    targets = {e.id: e for e in _events(connection, project, events.c.id.in_(list(target)))}
    context = _PageContext(connection, project, [*shown, *targets.values()])
    return tuple(
        context.line(event, in_force_of.get(event.id, True), targets.get(event.undoes or 0))
        for event in reversed(shown)
    )


def _in_force_of(connection: Connection, project: int, numbers: Sequence[int]) -> dict[int, bool]:
    query = select(event_status.c.event, event_status.c.status).where(
        event_status.c.project == project, event_status.c.event.in_(list(numbers))
    )
    return {row.event: row.status == DONE for row in connection.execute(query)}


def _events(connection: Connection, project: int, which: Any) -> list[Event]:
    query = EVENTS.where(events.c.project == project, which).order_by(events.c.id)
    return read_events(connection, query)


class _PageContext:
    """Labels and topic names before and after each event of a page."""

    def __init__(self, connection: Connection, project: int, shown: Iterable[Event]) -> None:
        listed = list(shown)
        places = {event.position for event in listed if event.position is not None}
        numbers = {event.payload["topic"] for event in listed if "topic" in event.payload}
        sweeping = events.c.position.is_(None) & events.c.kind.in_(
            (*UNDO_KINDS, "batch", "restore")
        )
        self._affecting_many = _events(connection, project, sweeping)
        self._places = _grouped(
            _events(connection, project, events.c.position.in_(list(places))),
            lambda event: event.position,
        )
        on_topic = events.c.id.in_(
            select(event_status.c.event).where(
                event_status.c.project == project, event_status.c.topic.in_(list(numbers))
            )
        )
        self._topics = _grouped(
            _events(connection, project, on_topic),
            lambda event: event.payload.get("topic"),
        )

    def line(self, event: Event, in_force: bool, target: Event | None) -> HistoryLine:
        before, after = self._labels(event)
        name_before, name_after = self._names(event, target)
        return HistoryLine(
            event=event,
            in_force=in_force,
            before=before,
            after=after,
            name_before=name_before,
            name_after=name_after,
            target=target,
        )

    def _labels(self, event: Event) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        if event.position is None:
            return None, None
        around = [*self._places.get(event.position, ()), *self._affecting_many]
        return _label_after(around, event.id - 1), _label_after(around, event.id)

    def _names(self, event: Event, target: Event | None) -> tuple[str | None, str | None]:
        topic = (target or event).payload.get("topic")
        around = [*self._topics.get(topic, ()), *self._affecting_many]
        return _name_after(around, event.id - 1), _name_after(around, event.id)


def _grouped(several: Iterable[Event], key: Any) -> dict[Any, list[Event]]:
    groups: dict[Any, list[Event]] = {}
    for event in several:
        groups.setdefault(key(event), []).append(event)
    return groups


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
    earlier = (event for event in around if event.id <= until)
    return events_in_force(sorted(earlier, key=lambda event: event.id))
