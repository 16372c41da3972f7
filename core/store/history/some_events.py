"""Read some events of a log, however many there are of them and in the log."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Select, select, text

from core.store.bulk import chunks
from core.store.events.event_rows import EVENTS, PAYLOAD_TEXT, read_events
from core.store.tables import WITHOUT_STATUS, events
from core.store.values import Event

UNDO_KINDS = ("undo", "redo")


def read_some(connection: Connection, project: int, numbers: Collection[int]) -> list[Event]:
    """The events of these numbers, oldest first."""
    found: list[Event] = []
    for part in chunks(sorted(numbers)):
        query = EVENTS.where(events.c.project == project, events.c.id.in_(part))
        found += read_events(connection, query.order_by(events.c.id))
    return found


def payloads_of(
    connection: Connection, project: int, numbers: Sequence[int]
) -> list[tuple[int, str]]:
    """Numbers and payloads as the database keeps them."""
    found: list[tuple[int, str]] = []
    for part in chunks(numbers):
        query = select(events.c.id, PAYLOAD_TEXT).where(events.c.project == project)
        rows = connection.execute(query.where(events.c.id.in_(part)))
        found += [(row[0], row[1]) for row in rows]
    return found


def without_status(project: int, kinds: Collection[str]) -> Select[tuple[int]]:
    """The numbers of events that have no status; SQLite finds them by their own index."""
    query = select(events.c.id).where(events.c.project == project, text(WITHOUT_STATUS))
    return query.where(events.c.kind.in_(list(kinds)))


def read_undo_and_redo(
    connection: Connection, project: int, targets: Collection[int]
) -> list[Event]:
    """Every undo and redo of these events, oldest first."""
    numbers: list[int] = []
    for part in chunks(sorted(targets)):
        query = without_status(project, UNDO_KINDS).where(events.c.undoes.in_(part))
        numbers += connection.scalars(query)
    return read_some(connection, project, numbers)
