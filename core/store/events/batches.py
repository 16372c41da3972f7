"""Batches: several events that are undone together, recorded right behind a head.

The events of a batch are ordinary events, so everything that reads labels or topics reads them
without knowing of batches; only undo and redo look at the head.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BindParameter, Connection, bindparam, update

from core.errors import StoreError
from core.store.events import log
from core.store.events.append import append_in_force, open_project, repeated_event
from core.store.events.bulk_labels import Recordable, count_events
from core.store.events.checks import checked_name
from core.store.events.new_events import Restore
from core.store.events.origin import Origin
from core.store.garbage_collection import without_garbage_collection
from core.store.tables import NOBODY, event_status
from core.store.values import Event

_p: BindParameter[int] = bindparam("p_project")
_DISOWN = (
    update(event_status)
    .where(event_status.c.project == _p, event_status.c.author != NOBODY)
    .where(event_status.c.event.between(bindparam("p_first"), bindparam("p_last")))
    .values(author=NOBODY)
)


@without_garbage_collection()
def record_batch(
    connection: Connection,
    project: int,
    title: str,
    several: Sequence[Recordable],
    origin: Origin,
    *,
    at: int | None = None,
) -> Event:
    """Record several checked events as one; a repeated request returns the head already there.

    ``at``: the revision the events were made for; refused if anything was recorded since.
    """
    title = checked_name(title, "A batch")
    if not several:
        raise StoreError("There is nothing to do.")
    if any(isinstance(event, Restore) for event in several):
        raise StoreError("A restore cannot be part of a batch.")
    row = open_project(connection, project)
    repeated = repeated_event(connection, project, origin)
    if repeated is not None:
        return repeated
    payload = {"title": title, "count": count_events(several)}
    head = append_in_force(connection, row, "batch", payload, origin)
    if at is not None and head.id != at + 1:
        raise StoreError("Somebody has changed the project meanwhile. Look at the preview again.")
    member = Origin(origin.author, time=head.time)
    numbers = log.record_many(connection, project, several, member, owner=NOBODY)
    ends = {"p_project": project, "p_first": numbers.start, "p_last": numbers.stop - 1}
    connection.execute(_DISOWN, ends)
    return head
