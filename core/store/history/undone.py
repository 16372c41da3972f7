"""Which revisions of a project stood on something that has been undone since.

A run is fitted to what was in force at its revision. If any of that has been taken back, by an undo
or by restoring an earlier point, the run describes work that nobody did in the end. A label that
was replaced by a later one is no such case: correcting labels is how they become better.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, select

from core.store.events.effects import KINDS_WITHOUT_EFFECT
from core.store.events.in_force import DONE, LogEntry, status_of_events
from core.store.history.pages import read_log
from core.store.tables import event_status


def undone_revisions(log: Sequence[LogEntry], revisions: Iterable[int]) -> frozenset[int]:
    """Of these revisions, those at which something was in force that no longer is."""
    final = status_of_events(log)
    lost = [
        event.id
        for event in log
        if final.get(event.id, DONE) != DONE and event.kind not in KINDS_WITHOUT_EFFECT
    ]
    if not lost:
        return frozenset()
    ids = [event.id for event in log]
    return frozenset(
        revision
        for revision in set(revisions)
        if revision >= lost[0] and _any_in_force(log[: bisect_right(ids, revision)], lost)
    )


def _any_in_force(log: Sequence[LogEntry], events: Collection[int]) -> bool:
    status = status_of_events(log)
    return any(status.get(event) == DONE for event in events)


def read_undone_revisions(
    connection: Connection, project: int, revisions: Iterable[int]
) -> frozenset[int]:
    """The same for a project; its log is read only if anything on it is out of force."""
    anything = select(event_status.c.event).where(
        event_status.c.project == project, event_status.c.status != DONE
    )
    if connection.scalar(anything.limit(1)) is None:
        return frozenset()
    return undone_revisions(read_log(connection, project), revisions)
