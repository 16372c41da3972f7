"""Read many events quickly: what many of them say alike is taken apart once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, Text, select, type_coerce

from core.store.collecting import uncollected
from core.store.tables import events, moment
from core.store.values import Event

KEPT = type_coerce(events.c.payload, Text).label("kept")  # before it is read as JSON
_MOMENT = type_coerce(events.c.time, BigInteger).label("moment")
EVENTS = select(
    events.c.id,
    events.c.project,
    events.c.kind,
    KEPT,
    events.c.author,
    _MOMENT,
    events.c.undoes,
    events.c.position,
)


class Payloads(dict[str, Any]):
    """What texts say, by text; nobody changes a payload, so events can share one."""

    def __missing__(self, text: str) -> Any:
        value = self[text] = json.loads(text)
        return value


class Moments(dict[int, datetime]):
    """Moments by number; the labels of a batch have one in common."""

    def __missing__(self, number: int) -> datetime:
        value = self[number] = moment(number)
        return value


@uncollected()
def read_events(connection: Connection, query: Select[Any]) -> list[Event]:
    """The events that a query built on ``EVENTS`` finds."""
    return list(events_of(connection.execute(query).all()))


def events_of(rows: Iterable[Any]) -> Iterable[Event]:
    payloads, moments = Payloads(), Moments()
    return (
        Event(
            id=number,
            project=project,
            kind=kind,
            payload=payloads[kept],
            author=author,
            time=moments[time],
            undoes=undoes,
            position=position,
        )
        for number, project, kind, kept, author, time, undoes, position in rows
    )
