"""Restores, and the undo or redo of a batch or restore: planned without a lock, then applied."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import BindParameter, Connection, bindparam, select

from core.store.events.in_force import DROPPED, STATUS_CHANGES, batch_members, status_of_events
from core.store.garbage_collection import without_garbage_collection
from core.store.state.document_update import update_document
from core.store.state.labels_in_force import DOCUMENT_KINDS
from core.store.state.log_lines import LogLine, read_log_lines
from core.store.state.status_change import (
    StatusChange,
    StatusRange,
    plan_batch_change,
    plan_status_change,
    set_status,
)
from core.store.state.topic_update import update_topics
from core.store.tables import event_status, events, projects

UPDATE_SINGLY_UP_TO = 100  # events of a batch whose documents are updated one by one

_p: BindParameter[int] = bindparam("p_project")
_MEMBERS = select(event_status.c.event, event_status.c.position, event_status.c.topic).where(
    event_status.c.project == _p,
    event_status.c.event.between(bindparam("p_first"), bindparam("p_last")),
    event_status.c.status == bindparam("p_status"),
)
_REVISION = select(projects.c.revision).where(projects.c.id == _p)
_SINCE = select(events.c.kind, events.c.position).where(
    events.c.project == _p, events.c.id > bindparam("p_after")
)


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """What an event will change, planned when the log had reached a revision."""

    revision: int
    line: LogLine
    target: LogLine | None  # the batch or restore that an undo or redo is about
    change: StatusChange

    def positions_since(
        self, connection: Connection, project: int, before: int | None = None
    ) -> set[int] | None:
        """Documents labelled or skipped since; None if the plan does not hold any more.

        Undoing a restore brings what came before it in line with what came after it, so that no
        event at all may have followed.
        """
        keys = {"p_project": project, "p_after": self.revision}
        query = _SINCE if before is None else _SINCE.where(events.c.id < before)
        since = connection.execute(query, keys).all()
        of_restore = self.target is not None and self.target.kind == "restore"
        if any(row.kind not in DOCUMENT_KINDS for row in since) or (of_restore and since):
            return None
        return {row.position for row in since}


@without_garbage_collection()
def plan_change(
    connection: Connection, project: int, line: LogLine, target: LogLine | None
) -> PlannedChange:
    """Plan a restore, an undo or a redo before it is on the log."""
    revision = connection.scalar(_REVISION, {"p_project": project}) or 0
    line = line._replace(id=revision + 1)
    return PlannedChange(revision, line, target, _plan(connection, project, line, target))


def is_large(target: LogLine) -> bool:
    """Whether the undo or redo of this is worth a bulk update."""
    return target.kind == "restore" or len(batch_members(target)) > UPDATE_SINGLY_UP_TO


@without_garbage_collection()
def apply_change(
    connection: Connection,
    project: int,
    line: LogLine,
    target: LogLine | None,
    planned: PlannedChange | None,
) -> None:
    """Do what a restore, or the undo or redo of a batch or restore, says.

    ``line`` is on the log already. ``planned`` is used if it is about the same and still holds.
    """
    if target is not None and not is_large(target):
        _apply_singly(connection, project, batch_members(target), line.kind)
        return
    since = None
    if planned is not None and (planned.line._replace(id=line.id), planned.target) == (
        line,
        target,
    ):
        since = planned.positions_since(connection, project, before=line.id)
    if planned is None or since is None:
        _plan(connection, project, line, target).write(connection, project)
        return
    if line.kind == "restore" and since:  # what others did meanwhile is dropped, too
        dropped = StatusRange(planned.revision + 1, line.id - 1, DROPPED)
        set_status(connection, project, [dropped])
    planned.change.write(connection, project, besides=since)


def status_after(line: LogLine) -> str:
    """The status that the target of an undo or redo gets."""
    return STATUS_CHANGES[line.kind][1]


def _plan(
    connection: Connection, project: int, line: LogLine, target: LogLine | None
) -> StatusChange:
    if target is not None and target.kind == "batch":
        batch = range(target.id, batch_members(target).stop)
        return plan_batch_change(connection, project, batch, line.kind)
    now = status_of_events([*read_log_lines(connection, project, line.id), line])
    return plan_status_change(connection, project, lambda event, old: now.get(event, old))


def _apply_singly(connection: Connection, project: int, batch: range, kind: str) -> None:
    """Topics first: whether a document counts as labelled depends on which topics there are."""
    before, status = STATUS_CHANGES[kind]
    keys = {"p_project": project, "p_first": batch.start, "p_last": batch.stop - 1}
    rows = connection.execute(_MEMBERS, {**keys, "p_status": before}).all()
    set_status(connection, project, [StatusRange(row.event, row.event, status) for row in rows])
    if any(row.topic is not None for row in rows):
        update_topics(connection, project)
    for position in sorted({row.position for row in rows if row.position is not None}):
        update_document(connection, project, position)
