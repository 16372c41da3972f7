"""Put many events in force or out of force at once: what changes, and writing it.

Labels that others give between planning and writing need no new plan: their documents are left
out of it and updated one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, and_, bindparam, select, text, update

from core.store.bulk import among, chunks, large_cache
from core.store.events.in_force import DONE, STATUS_CHANGES
from core.store.state import lineage
from core.store.state.bulk_update import BulkUpdate, plan_update, read_contents, read_rows
from core.store.state.document_update import update_document
from core.store.state.labels_in_force import LabelInForce, labels_in_force
from core.store.state.topic_update import update_topics
from core.store.state.topics import read_lineage
from core.store.tables import NO_LABELS, event_status, events

NewStatus = Callable[[int, str], str]  # from an event and its status to its new status
Pairs = Sequence[tuple[Any, str]]  # events as ``_EVENTS`` reads them, each with its new status

_p: BindParameter[int] = bindparam("p_project")
_EVENTS = (
    select(
        event_status.c.event,
        event_status.c.kind,
        event_status.c.position,
        event_status.c.topic,
        event_status.c.status,
    )
    .where(event_status.c.project == _p)
    .order_by(event_status.c.event)
)
_ON_TOPICS = select(events.c.id, events.c.kind, events.c.payload, events.c.time).where(
    events.c.project == _p, events.c.id.in_(bindparam("p_keys", expanding=True))
)
_SET_RANGE = (
    update(event_status)
    .where(event_status.c.project == _p)
    .where(event_status.c.event.between(bindparam("p_first"), bindparam("p_last")))
    .where(event_status.c.status != bindparam("p_status"))  # the same needs no writing
    .values(status=bindparam("p_status"))
)


class StatusRange(NamedTuple):
    """Events from one number to another that get a status."""

    first: int
    last: int
    status: str


@dataclass(frozen=True, slots=True)
class StatusChange:
    """Events that get another status, and what then changes in the derived tables."""

    ranges: tuple[StatusRange, ...]
    documents: BulkUpdate
    topics: bool  # whether topics come or go

    def write(self, connection: Connection, project: int, *, besides: Collection[int] = ()) -> None:
        """Write it; documents in ``besides`` have newer events and are updated one by one."""
        with large_cache(connection):
            set_status(connection, project, self.ranges)
        self.documents.without(besides).write(connection, project)
        if self.topics:
            update_topics(connection, project)
        for position in sorted(besides):
            update_document(connection, project, position)


def plan_status_change(connection: Connection, project: int, new_status: NewStatus) -> StatusChange:
    """Read every event of a project, and update the documents of those that change."""
    several = connection.execute(_EVENTS, {"p_project": project}).all()
    status = [new_status(event[0], event[4]) for event in several]
    pairs = list(zip(several, status, strict=True))
    documents, topics = _plan(connection, project, pairs)
    return StatusChange(_ranges(pairs), documents, topics)


def plan_batch_change(
    connection: Connection, project: int, batch: range, kind: str
) -> StatusChange:
    """The same for the undo or redo of a batch, read with what else there is on its documents."""
    several, (before, status) = _concerned(connection, project, batch), STATUS_CHANGES[kind]
    pairs = [
        (event, status if event[0] in batch and event[4] == before else event[4])
        for event in several
    ]
    documents, topics = _plan(connection, project, pairs)
    members = [pair for pair in pairs if pair[0][0] in batch]
    return StatusChange(_ranges(members), documents, topics)


def _concerned(connection: Connection, project: int, batch: range) -> list[Any]:
    """The events of a batch, the others about the same documents, and those on topics."""
    column, keys = event_status.c, {"p_project": project}
    members = connection.execute(_EVENTS.where(column.event.between(batch[0], batch[-1])), keys)
    found = {event[0]: event for event in members}
    places = sorted({event[2] for event in found.values() if event[2] is not None})
    which = [*among(connection, event_status, places)]
    if any(event[3] is not None for event in found.values()):
        which.append(and_(text(NO_LABELS), column.kind.in_(lineage.LINEAGE_KINDS)))
    for each in which:
        found |= {event[0]: event for event in connection.execute(_EVENTS.where(each), keys)}
    return [found[number] for number in sorted(found)]


def _plan(connection: Connection, project: int, pairs: Pairs) -> tuple[BulkUpdate, bool]:
    """What changes for the documents, and whether topics come or go."""
    moved = [event for event, new in pairs if event[4] != new and DONE in (event[4], new)]
    topics = any(event[3] is not None for event in moved)
    then = _lineage(connection, project, pairs) if topics else read_lineage(connection, project)
    touched = {event[2] for event in moved if event[2] is not None}
    documents: dict[int, LabelInForce[int]] = dict.fromkeys(touched, LabelInForce())
    documents |= labels_in_force(
        (position, kind, event)
        for (event, kind, position, _, _), new in pairs
        if new == DONE and position in touched
    )
    labels = [each.label for each in documents.values() if each.label is not None]
    contents = read_contents(connection, project, labels, then)
    present = read_rows(connection, project, list(touched))
    return plan_update(documents, contents, present), topics


def set_status(connection: Connection, project: int, ranges: Collection[StatusRange]) -> None:
    """Give events their status, and nothing else."""
    keys = [
        {"p_project": project, "p_first": first, "p_last": last, "p_status": status}
        for first, last, status in ranges
    ]
    if keys:
        connection.execute(_SET_RANGE, keys)


def _ranges(pairs: Pairs) -> tuple[StatusRange, ...]:
    """Runs of events that get the same status, where any of them had another one."""
    runs = ((new, [event for event, _ in run]) for new, run in groupby(pairs, lambda p: p[1]))
    return tuple(
        StatusRange(run[0].event, run[-1].event, new)
        for new, run in runs
        if any(event[4] != new for event in run)
    )


def _lineage(connection: Connection, project: int, pairs: Pairs) -> lineage.Lineage:
    """The topics there will be."""
    numbers = [
        event[0] for event, new in pairs if new == DONE and event[1] in lineage.LINEAGE_KINDS
    ]
    rows: list[Any] = []
    for part in chunks(numbers):
        rows += connection.execute(_ON_TOPICS, {"p_project": project, "p_keys": part})
    return lineage.lineage_of(rows)
