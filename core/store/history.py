"""The log as people read it: filtered, paged, each act with what was there before and after."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, and_, func, or_, select, true

from core.store.reading import EVENTS, KEPT, read_events
from core.store.standing import DONE, standing
from core.store.tables import NOBODY, acts, events, topics
from core.store.values import Event

TURNS = ("undo", "redo")
NAMINGS = ("create_topic", "rename_topic")


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
        """A batch is one line, unless somebody asks for what may be inside."""
        return self.within is None and self.topic is None and self.positions is None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One act: what it was, whether it stands, and what it changed.

    ``before`` and ``after`` are label payloads of its document (None where there was no label);
    ``was`` and ``becomes`` are names of its topic. ``turned`` is the act an undo took back.
    """

    event: Event
    stands: bool
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    was: str | None = None
    becomes: str | None = None
    turned: Event | None = None


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
    """Everybody who ever acted, by name."""
    query = select(events.c.author).where(events.c.project == project).distinct()
    return sorted(connection.scalars(query), key=str.casefold)


def read_kinds(connection: Connection, project: int) -> dict[str, int]:
    """How many acts of each kind there are."""
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
    """The labels and the heads of batches that stand, oldest first."""
    stands = select(acts.c.event).where(
        acts.c.project == project, acts.c.status == DONE, acts.c.kind.in_(("label", "batch"))
    )
    return _events(connection, project, events.c.id.in_(stands))


def _narrowed(query: Select[Any], project: int, wanted: HistoryFilter) -> Select[Any]:
    query = query.outerjoin_from(
        events, acts, and_(acts.c.project == events.c.project, acts.c.event == events.c.id)
    ).where(events.c.project == project)
    if wanted.whole_batches:
        query = query.where(or_(acts.c.author.is_(None), acts.c.author != NOBODY))
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
    """Acts on a topic, labels that name it, and the turns of both; newest first."""
    columns = select(events.c.id, events.c.kind, events.c.undoes, events.c.payload, acts.c.topic)
    query = _narrowed(columns, project, wanted)
    named = events.c.kind.in_(TURNS) | (acts.c.topic == wanted.topic)
    digits = (events.c.kind == "label") & KEPT.like(f"%{wanted.topic}%")
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
    stand = _standing_of(connection, project, numbers)
    shown = _events(connection, project, events.c.id.in_(list(numbers)))
    turned = {each.undoes for each in shown if each.undoes is not None}
    targets = {e.id: e for e in _events(connection, project, events.c.id.in_(list(turned)))}
    past = _Past(connection, project, [*shown, *targets.values()])
    return tuple(
        past.line(event, stand.get(event.id, True), targets.get(event.undoes or 0))
        for event in reversed(shown)
    )


def _standing_of(connection: Connection, project: int, numbers: Sequence[int]) -> dict[int, bool]:
    query = select(acts.c.event, acts.c.status).where(
        acts.c.project == project, acts.c.event.in_(list(numbers))
    )
    return {row.event: row.status == DONE for row in connection.execute(query)}


def _events(connection: Connection, project: int, which: Any) -> list[Event]:
    query = EVENTS.where(events.c.project == project, which).order_by(events.c.id)
    return read_events(connection, query)


class _Past:
    """What stood before and after each line of a page."""

    def __init__(self, connection: Connection, project: int, shown: Iterable[Event]) -> None:
        listed = list(shown)
        places = {event.position for event in listed if event.position is not None}
        numbers = {event.payload["topic"] for event in listed if "topic" in event.payload}
        sweeping = events.c.position.is_(None) & events.c.kind.in_((*TURNS, "batch", "restore"))
        self._sweeping = _events(connection, project, sweeping)
        self._places = _grouped(
            _events(connection, project, events.c.position.in_(list(places))),
            lambda event: event.position,
        )
        on_topic = events.c.id.in_(
            select(acts.c.event).where(acts.c.project == project, acts.c.topic.in_(list(numbers)))
        )
        self._topics = _grouped(
            _events(connection, project, on_topic), lambda event: event.payload.get("topic")
        )

    def line(self, event: Event, stands: bool, turned: Event | None) -> HistoryLine:
        before, after = self._labels(event)
        was, becomes = self._names(event, turned)
        return HistoryLine(
            event=event,
            stands=stands,
            before=before,
            after=after,
            was=was,
            becomes=becomes,
            turned=turned,
        )

    def _labels(self, event: Event) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        if event.position is None:
            return None, None
        said = [*self._places.get(event.position, ()), *self._sweeping]
        return _last(said, ("label",), event.id - 1), _last(said, ("label",), event.id)

    def _names(self, event: Event, turned: Event | None) -> tuple[str | None, str | None]:
        topic = (turned or event).payload.get("topic")
        said = [*self._topics.get(topic, ()), *self._sweeping]
        before, after = _last(said, NAMINGS, event.id - 1), _last(said, NAMINGS, event.id)
        return (before or {}).get("name"), (after or {}).get("name")


def _grouped(several: Iterable[Event], key: Any) -> dict[Any, list[Event]]:
    groups: dict[Any, list[Event]] = {}
    for event in several:
        groups.setdefault(key(event), []).append(event)
    return groups


def _last(said: Iterable[Event], kinds: Collection[str], until: int) -> Mapping[str, Any] | None:
    """The payload of the last act of these kinds that stood after event ``until``."""
    past = sorted((each for each in said if each.id <= until), key=lambda each: each.id)
    status = standing(past)
    stood = (e.payload for e in reversed(past) if e.kind in kinds and status.get(e.id) == DONE)
    return next(stood, None)
