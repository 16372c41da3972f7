"""Read many events quickly: equal payloads and times are parsed once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, Text, select, type_coerce

from core.store.column_types import moment
from core.store.garbage_collection import without_garbage_collection
from core.store.tables import events
from core.store.values import Event

PAYLOAD_TEXT = type_coerce(events.c.payload, Text).label("payload_text")  # not yet parsed
_MOMENT = type_coerce(events.c.time, BigInteger).label("moment")
EVENTS = select(
    events.c.id,
    events.c.project,
    events.c.kind,
    PAYLOAD_TEXT,
    events.c.author,
    _MOMENT,
    events.c.undoes,
    events.c.position,
)


class ParsedPayloads(dict[str, Any]):
    """Parsed payloads by text; nobody changes a payload, so events can share one."""

    def __missing__(self, text: str) -> Any:
        value = self[text] = json.loads(text)
        return value


class ParsedTimes(dict[int, datetime]):
    """Times by number; the labels of a batch have the same."""

    def __missing__(self, number: int) -> datetime:
        value = self[number] = moment(number)
        return value


@without_garbage_collection()
def read_events(connection: Connection, query: Select[Any]) -> list[Event]:
    """The events that a query built on ``EVENTS`` finds."""
    return list(events_of(connection.execute(query).all()))


def events_of(rows: Iterable[Any]) -> Iterable[Event]:
    payloads, moments = ParsedPayloads(), ParsedTimes()
    return (
        Event(
            id=number,
            project=project,
            kind=kind,
            payload=payloads[text],
            author=author,
            time=moments[time],
            undoes=undoes,
            position=position,
        )
        for number, project, kind, text, author, time, undoes, position in rows
    )
