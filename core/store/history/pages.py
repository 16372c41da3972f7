"""Pages of the history: filtered events, newest first, each with label or name before and after."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    func,
    literal_column,
    or_,
    select,
    text,
)

from core.store.events.event_rows import EVENTS, PAYLOAD_TEXT, ParsedPayloads, read_events
from core.store.events.in_force import DONE, USE_RUN
from core.store.events.new_events import BLIND_LABEL
from core.store.history.hidden_labels import without_hidden
from core.store.history.page_context import PageContext
from core.store.history.some_events import UNDO_KINDS, read_some, without_status
from core.store.history.visible_numbers import Batch, VisibleNumbers, read_batches
from core.store.tables import (
    NO_LABELS,
    NOBODY,
    WITHOUT_STATUS,
    event_status,
    events,
    projects,
    topics,
)
from core.store.values import Event

ROWS_AT_ONCE = 2_000


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
    def is_open(self) -> bool:
        """Whether every line passes, or every event of one batch."""
        narrowed = self.authors or self.kinds or self.topic is not None
        return not (narrowed or self.positions is not None or self.since or self.until)

    @property
    def whole_batches(self) -> bool:
        """A batch is one line, unless the filter is about events inside it."""
        return self.within is None and self.topic is None and self.positions is None


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One event, whether it is in force, and what it changed.

    ``before`` and ``after`` are label payloads of its document (None where there was no label);
    ``name_before`` and ``name_after`` are names of its topic, ``entry_before`` and ``entry_after``
    codebook entries, where it is about the codebook. ``target`` is the event that an undo
    or redo is about.
    """

    event: Event
    in_force: bool
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    name_before: str | None = None
    name_after: str | None = None
    entry_before: Mapping[str, Any] | None = None
    entry_after: Mapping[str, Any] | None = None
    target: Event | None = None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some lines, newest first, and how many there are in all."""

    lines: tuple[HistoryLine, ...]
    total: int


def read_page(
    connection: Connection, project: int, wanted: HistoryFilter, limit: int, offset: int
) -> HistoryPage:
    """The newest lines that pass the filter, after ``offset`` of them.

    Without a filter only the lines of the page are read, however long the log is. With one, the
    database looks through the log; no more than the lines of the page leave it.
    """
    batches = read_batches(connection, project)
    if wanted.is_open:
        numbers = VisibleNumbers(_last_event(connection, project), batches, wanted.within)
        total, chosen = len(numbers), numbers.newest(limit, offset)
    elif wanted.topic is not None:
        found = _on_topic(connection, project, wanted)
        total, chosen = len(found), list(found[offset : offset + limit])
    else:
        query = _narrowed(select(events.c.id), project, wanted)
        total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
        page = query.order_by(events.c.id.desc()).limit(limit).offset(offset)
        chosen = list(connection.scalars(page))
    return HistoryPage(_lines(connection, project, chosen, batches), total)


def _last_event(connection: Connection, project: int) -> int:
    return connection.scalar(select(projects.c.revision).where(projects.c.id == project)) or 0


def read_authors(connection: Connection, project: int) -> list[str]:
    """All authors, by name. Whoever undoes something has recorded it before."""
    owned = (event_status.c.project == project, event_status.c.author != literal_column("''"))
    found = _different(connection, event_status.c.author, owned)
    noted = connection.scalars(without_status(project, (USE_RUN,)))
    query = select(events.c.author).where(events.c.project == project)
    authors = connection.scalars(query.where(events.c.id.in_(list(noted))).distinct())
    return sorted({*found, *authors}, key=str.casefold)


def read_kinds(connection: Connection, project: int) -> list[str]:
    """The kinds of events there are, by name."""
    others = _different(
        connection, event_status.c.kind, (event_status.c.project == project, text(NO_LABELS))
    )
    without_status = _different(
        connection, events.c.kind, (events.c.project == project, text(WITHOUT_STATUS))
    )
    labels = select(event_status.c.kind).where(
        event_status.c.project == project, event_status.c.kind == "label"
    )
    return sorted({*others, *without_status, *connection.scalars(labels.limit(1))})


def _different(
    connection: Connection, column: ColumnElement[str], where: tuple[Any, ...]
) -> list[str]:
    """The different values of a column, each found by one step in an index."""
    found: list[str] = []
    while True:
        later = (column > found[-1],) if found else ()
        value = connection.scalar(select(func.min(column)).where(*where, *later))
        if value is None:
            return found
        found.append(value)


def read_topic_names(connection: Connection, project: int) -> dict[int, str]:
    """The last name of every topic there ever was."""
    query = select(topics.c.id, topics.c.name).where(topics.c.project == project)
    return {row.id: row.name for row in connection.execute(query)}


def read_in_force(connection: Connection, project: int) -> list[Event]:
    """The labels and heads of batches in force, oldest first."""
    in_force = select(event_status.c.event).where(
        event_status.c.project == project,
        event_status.c.status == DONE,
        event_status.c.kind.in_(("label", BLIND_LABEL, "batch")),
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


def _on_topic(connection: Connection, project: int, wanted: HistoryFilter) -> Sequence[int]:
    """Events on a topic, labels that name it, undo and redo of both; newest first."""
    columns = select(events.c.id, events.c.kind, events.c.undoes, PAYLOAD_TEXT)
    query = _narrowed(columns.add_columns(event_status.c.topic), project, wanted)
    named = events.c.kind.in_(UNDO_KINDS) | (event_status.c.topic == wanted.topic)
    digits = (events.c.kind == "label") & PAYLOAD_TEXT.like(f"%{wanted.topic}%")
    ordered = query.where(named | digits).order_by(events.c.id)
    payloads, about = ParsedPayloads(), set[int]()
    found = array("q")
    for row in connection.execute(ordered.execution_options(yield_per=ROWS_AT_ONCE)):
        names = row.kind == "label" and _names(payloads[row.payload_text], wanted.topic)
        if row.topic == wanted.topic or names:
            about.add(row.id)
            found.append(row.id)
        elif row.undoes in about:
            found.append(row.id)
    return found[::-1]


def _names(payload: Mapping[str, Any], topic: int | None) -> bool:
    return topic in payload["permitted"] or topic in payload["forbidden"]


def _lines(
    connection: Connection, project: int, numbers: Sequence[int], batches: Sequence[Batch]
) -> tuple[HistoryLine, ...]:
    """The lines of a page; only the documents and topics on it are looked up."""
    if not numbers:
        return ()
    in_force_of = _in_force_of(connection, project, numbers)
    shown = without_hidden(connection, project, read_some(connection, project, numbers))
    target = {each.undoes for each in shown if each.undoes is not None}
    undone = without_hidden(connection, project, read_some(connection, project, target))
    targets = {each.id: each for each in undone}
    context = PageContext(connection, project, [*shown, *targets.values()], batches)
    return tuple(
        _line(context, event, in_force_of.get(event.id, True), targets.get(event.undoes or 0))
        for event in reversed(shown)
    )


def _line(context: PageContext, event: Event, in_force: bool, target: Event | None) -> HistoryLine:
    before, after = context.labels(event)
    name_before, name_after = context.names(event, target)
    entry_before, entry_after = context.entries(event, target)
    return HistoryLine(
        event=event,
        in_force=in_force,
        before=before,
        after=after,
        name_before=name_before,
        name_after=name_after,
        entry_before=entry_before,
        entry_after=entry_after,
        target=target,
    )


def _in_force_of(connection: Connection, project: int, numbers: Sequence[int]) -> dict[int, bool]:
    query = select(event_status.c.event, event_status.c.status).where(
        event_status.c.project == project, event_status.c.event.in_(list(numbers))
    )
    return {row.event: row.status == DONE for row in connection.execute(query)}


def _events(connection: Connection, project: int, which: Any) -> list[Event]:
    query = EVENTS.where(events.c.project == project, which).order_by(events.c.id)
    return read_events(connection, query)
