"""Turn many acts at once: a batch taken back or brought back, everything restored to a point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, select, update

from core.store.settle import settle_documents
from core.store.settle_topics import settle_topics
from core.store.standing import DONE, standing
from core.store.tables import acts, events

_p: BindParameter[int] = bindparam("p_project")
_TOLD = ("batch", "restore")  # kinds whose payload decides what stands
_LINES = (
    select(events.c.id, events.c.kind, events.c.author, events.c.undoes)
    .where(events.c.project == _p)
    .order_by(events.c.id)
)
_PAYLOADS = select(events.c.id, events.c.payload).where(
    events.c.project == _p, events.c.kind.in_(_TOLD)
)
_ACTS = select(acts.c.event, acts.c.status, acts.c.position, acts.c.topic).where(
    acts.c.project == _p
)
_SET = (
    update(acts)
    .where(acts.c.project == _p, acts.c.event == bindparam("p_event"))
    .values(status=bindparam("p_status"))
)
_SET_RANGE = (
    update(acts)
    .where(acts.c.project == _p, acts.c.event.between(bindparam("p_first"), bindparam("p_last")))
    .values(status=bindparam("p_status"))
)


class Line(NamedTuple):
    """An event without its payload, unless that decides what stands."""

    id: int
    kind: str
    author: str
    undoes: int | None
    payload: Mapping[str, Any]


def read_lines(connection: Connection, project: int) -> list[Line]:
    """The whole log, cheaply."""
    keys = {"p_project": project}
    told = {row.id: row.payload for row in connection.execute(_PAYLOADS, keys)}
    return [
        Line(row.id, row.kind, row.author, row.undoes, told.get(row.id, {}))
        for row in connection.execute(_LINES, keys)
    ]


def turn_batch(connection: Connection, project: int, batch: range, status: str) -> None:
    """Let all acts of a batch stand or fall together."""
    ends = {"p_project": project, "p_first": batch.start, "p_last": batch.stop - 1}
    connection.execute(_SET_RANGE, {**ends, "p_status": status})
    touched = _ACTS.where(acts.c.event.between(batch.start, batch.stop - 1))
    _settle(connection, project, connection.execute(touched, {"p_project": project}).all())


def restand(connection: Connection, project: int) -> None:
    """Set every act to where the whole log says it stands, and settle what changed."""
    now = standing(read_lines(connection, project))
    rows = connection.execute(_ACTS, {"p_project": project}).all()
    moved = [row for row in rows if now[row.event] != row.status]
    if moved:
        keys = [
            {"p_project": project, "p_event": row.event, "p_status": now[row.event]}
            for row in moved
        ]
        connection.execute(_SET, keys)
    turned = [row for row in moved if DONE in (row.status, now[row.event])]
    _settle(connection, project, turned)


def _settle(connection: Connection, project: int, turned: Iterable[Any]) -> None:
    """Topics first: whether a document counts as labelled depends on which topics there are."""
    rows = list(turned)
    if any(row.topic is not None for row in rows):
        settle_topics(connection, project)
    positions = {row.position for row in rows if row.position is not None}
    settle_documents(connection, project, positions)
