"""The events that decide the state at a point of the log; all others need not be read.

Of the labels in force of a document only the last one counts, with a skip after it. A replay of
what is read here gives the same state as one of the whole log up to that point.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select

from core.store.events.in_force import DONE, status_of_events
from core.store.history.some_events import read_some
from core.store.state.log_lines import MANY_EVENT_KINDS, ROWS_AT_ONCE, LogLine
from core.store.tables import events
from core.store.values import Event

LAST_ONE_COUNTS = ("label", "skip")  # kinds of which the last about a document decides


def read_deciding(connection: Connection, project: int, log: Sequence[LogLine]) -> list[Event]:
    """From the log up to the point: the events, oldest first."""
    status = status_of_events(log)
    of_documents = {line.id for line in log if line.kind in LAST_ONE_COUNTS}
    wanted = {
        line.id
        for line in log
        if status.get(line.id) == DONE
        and line.id not in of_documents
        and line.kind not in MANY_EVENT_KINDS
    }
    in_force = {number for number in of_documents if status[number] == DONE}
    return read_some(connection, project, wanted | _last(connection, project, in_force))


def _last(connection: Connection, project: int, in_force: set[int]) -> set[int]:
    """The last event of each kind about each document, of those in force."""
    query = select(events.c.position, events.c.kind, events.c.id).where(
        events.c.project == project, events.c.kind.in_(LAST_ONE_COUNTS)
    )
    rows = connection.execute(query.order_by(events.c.id).execution_options(yield_per=ROWS_AT_ONCE))
    last = {(position, kind): number for position, kind, number in rows if number in in_force}
    return set(last.values())
