"""Turn many acts at once: a batch taken back or brought back, everything restored to a point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, select, update

from core.store.collecting import uncollected
from core.store.settle import settle_document
from core.store.settle_topics import settle_topics
from core.store.settlement import Settlement, settle, work_out
from core.store.standing import DONE, DROPPED, UNDONE, members, standing
from core.store.tables import acts, events, projects
from core.store.values import Event

FEW = 100  # acts, up to which documents are settled one by one
PLAIN = ("label", "skip")  # kinds that concern one document and nothing else

_p: BindParameter[int] = bindparam("p_project")
_TOLD = ("batch", "restore")  # kinds whose payload decides what stands
_LINES = (
    select(events.c.id, events.c.kind, events.c.author, events.c.undoes)
    .where(events.c.project == _p, events.c.id < bindparam("p_before"))
    .order_by(events.c.id)
)
_PAYLOADS = select(events.c.id, events.c.payload).where(
    events.c.project == _p, events.c.kind.in_(_TOLD)
)
_TURNED = (acts.c.project == _p, acts.c.event.between(bindparam("p_first"), bindparam("p_last")))
_ACTS = select(acts.c.position, acts.c.topic).where(*_TURNED)
_SET = update(acts).where(*_TURNED).values(status=bindparam("p_status"))
_REVISION = select(projects.c.revision).where(projects.c.id == _p)
_SINCE = select(events.c.kind, events.c.position).where(
    events.c.project == _p, events.c.id > bindparam("p_after")
)
_NOTHING: Mapping[str, Any] = {}


class Line(NamedTuple):
    """An event without its payload, unless that decides what stands."""

    id: int
    kind: str
    author: str
    undoes: int | None
    payload: Mapping[str, Any]


def line_of(event: Event) -> Line:
    told = event.payload if event.kind in _TOLD else _NOTHING
    return Line(event.id, event.kind, event.author, event.undoes, told)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What an act will change, worked out when the log had reached a revision."""

    revision: int
    line: Line
    target: Line | None  # the batch or restore that an undo or redo turns
    settlement: Settlement

    def meanwhile(
        self, connection: Connection, project: int, before: int | None = None
    ) -> set[int] | None:
        """Documents labelled since; None when something else happened that counts here.

        Taking a restore back brings all that came before it in line with all that came after,
        so that nothing at all may have happened.
        """
        keys = {"p_project": project, "p_after": self.revision}
        query = _SINCE if before is None else _SINCE.where(events.c.id < before)
        since = connection.execute(query, keys).all()
        steady = self.target is not None and self.target.kind == "restore"
        if any(row.kind not in PLAIN for row in since) or (steady and since):
            return None
        return {row.position for row in since}


@uncollected()
def look_ahead(connection: Connection, project: int, line: Line, target: Line | None) -> Ahead:
    """Work out what a restore, an undo or a redo will change, before it is on the log."""
    revision = connection.scalar(_REVISION, {"p_project": project}) or 0
    line = line._replace(id=revision + 1)
    return Ahead(revision, line, target, _work_out(connection, project, line, target))


def is_large(target: Line) -> bool:
    """Whether turning this takes more than settling a few documents."""
    return target.kind == "restore" or len(members(target)) > FEW


@uncollected()
def turn(
    connection: Connection, project: int, line: Line, target: Line | None, ahead: Ahead | None
) -> None:
    """Let stand and fall what a restore, or the undo or redo of a batch or restore, says.

    ``line`` is on the log already. ``ahead`` is used where it is about the same.
    """
    if target is not None and not is_large(target):
        _turn_few(connection, project, members(target), status_after(line))
        return
    since = None
    if ahead is not None and (ahead.line._replace(id=line.id), ahead.target) == (line, target):
        since = ahead.meanwhile(connection, project, before=line.id)
    if ahead is None or since is None:
        settle(connection, project, _work_out(connection, project, line, target))
        return
    if line.kind == "restore" and since:  # what was done meanwhile falls, too
        _set(connection, project, ahead.revision + 1, line.id - 1, DROPPED)
    settle(connection, project, ahead.settlement, besides=since)


def status_after(line: Line) -> str:
    return UNDONE if line.kind == "undo" else DONE


def _work_out(connection: Connection, project: int, line: Line, target: Line | None) -> Settlement:
    if target is not None and target.kind == "batch":
        turned, status = range(target.id, members(target).stop), status_after(line)
        return work_out(connection, project, lambda act, old: status if act in turned else old)
    now = standing([*_lines(connection, project, line.id), line])
    return work_out(connection, project, lambda act, old: now.get(act, old))


def _lines(connection: Connection, project: int, before: int) -> list[Line]:
    """The log up to an event, cheaply."""
    keys = {"p_project": project, "p_before": before}
    told = {row.id: row.payload for row in connection.execute(_PAYLOADS, keys)}
    rows = connection.execute(_LINES, keys).all()
    return [Line(*row, told.get(row[0], _NOTHING)) for row in rows]


def _turn_few(connection: Connection, project: int, batch: range, status: str) -> None:
    """Topics first: whether a document counts as labelled depends on which topics there are."""
    _set(connection, project, batch.start, batch.stop - 1, status)
    keys = {"p_project": project, "p_first": batch.start, "p_last": batch.stop - 1}
    rows = connection.execute(_ACTS, keys).all()
    if any(row.topic is not None for row in rows):
        settle_topics(connection, project)
    for position in sorted({row.position for row in rows if row.position is not None}):
        settle_document(connection, project, position)


def _set(connection: Connection, project: int, first: int, last: int, status: str) -> None:
    keys = {"p_project": project, "p_first": first, "p_last": last, "p_status": status}
    connection.execute(_SET, keys)
