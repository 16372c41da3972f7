"""The events of one kind in force, without reading the log: there are few of them.

Those of ``core.store.state.topics`` name no text and are found among the events without one; these
name texts, and are found by their kind.
"""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select, text

from core.store.bulk import chunks
from core.store.events.in_force import DONE
from core.store.history.some_events import read_some
from core.store.tables import NO_LABELS, event_status
from core.store.values import Event

_OF_KIND = select(event_status.c.event).where(
    event_status.c.project == bindparam("p_project"),
    text(NO_LABELS),
    event_status.c.kind == bindparam("p_kind"),
)


def read_in_force_of(connection: Connection, project: int, kind: str) -> list[Event]:
    """Oldest first. Numbers come from the index by kind alone, then their status."""
    numbers = list(connection.scalars(_OF_KIND, {"p_project": project, "p_kind": kind}))
    done: list[int] = []
    for part in chunks(numbers):
        query = select(event_status.c.event).where(event_status.c.project == project)
        done += connection.scalars(
            query.where(event_status.c.event.in_(part), event_status.c.status == DONE)
        )
    return read_some(connection, project, done)
