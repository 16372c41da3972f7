"""The log without most of its payloads: all that is needed to tell which events are in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from core.store.garbage_collection import without_garbage_collection
from core.store.tables import events
from core.store.values import Event

MANY_EVENT_KINDS = ("batch", "restore")  # kinds that change the status of many events
ROWS_AT_ONCE = 2_000

_NO_PAYLOAD: Mapping[str, Any] = {}


class LogLine(NamedTuple):
    """An event without its payload, unless that decides which events are in force."""

    id: int
    kind: str
    author: str
    undoes: int | None
    payload: Mapping[str, Any]


def line_of(event: Event) -> LogLine:
    payload = event.payload if event.kind in MANY_EVENT_KINDS else _NO_PAYLOAD
    return LogLine(event.id, event.kind, event.author, event.undoes, payload)


@without_garbage_collection()
def read_log_lines(
    connection: Connection, project: int, before: int | None = None
) -> list[LogLine]:
    """The log, up to an event if given; the few names of kinds and people are kept once."""
    where = [events.c.project == project]
    if before is not None:
        where.append(events.c.id < before)
    many = select(events.c.id, events.c.payload).where(*where, events.c.kind.in_(MANY_EVENT_KINDS))
    payloads = {row[0]: row[1] for row in connection.execute(many)}
    columns = select(events.c.id, events.c.kind, events.c.author, events.c.undoes)
    query = columns.where(*where).order_by(events.c.id)
    names: dict[str, str] = {}
    return [
        LogLine(
            number,
            names.setdefault(kind, kind),
            names.setdefault(author, author),
            undoes,
            payloads.get(number, _NO_PAYLOAD),
        )
        for number, kind, author, undoes in connection.execute(
            query.execution_options(yield_per=ROWS_AT_ONCE)
        )
    ]
