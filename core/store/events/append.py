"""Append one event to the log, and read single rows of it, inside a caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    bindparam,
    insert,
    literal_column,
    select,
    update,
)

from core.errors import NotFound
from core.store.events.origin import Origin
from core.store.tables import NOBODY, SHORT_PROJECT_COLUMNS, event_status, events, projects
from core.store.values import Event

_p: BindParameter[int] = bindparam("p_project")
_PROJECT = select(*SHORT_PROJECT_COLUMNS).where(projects.c.id == _p).with_for_update()
_REPEATED = select(events).where(
    events.c.project == _p,
    events.c.client.in_((bindparam("p_receipt"), bindparam("p_client"))),
    events.c.sequence == bindparam("p_sequence"),
    events.c.author == bindparam("p_author"),
)
_EVENT = select(events).where(events.c.project == _p, events.c.id == bindparam("p_event"))
_ADD_EVENT, _ADD_STATUS = insert(events), insert(event_status)  # compiled once, as they are reused
_ADVANCE = (
    update(projects)
    .where(projects.c.id == _p)
    .values(revision=bindparam("p_revision"), last_act=bindparam("p_time"))
)
HAS_OWNER = event_status.c.author != literal_column(f"'{NOBODY}'")  # as the index says it
_DROP_UNDONE = (
    update(event_status)
    .where(HAS_OWNER, event_status.c.project == _p, event_status.c.author == bindparam("p_author"))
    .where(event_status.c.status == "undone")
    .values(status="dropped")
)


def event_of(row: Row[Any] | Mapping[str, Any]) -> Event:
    values = row if isinstance(row, Mapping) else row._mapping
    names = ("id", "project", "kind", "payload", "author", "time", "undoes", "position")
    return Event(**{name: values[name] for name in names})


def open_project(connection: Connection, project: int) -> Row[Any]:
    """The project's row, locked for this writer where the database locks rows."""
    row = connection.execute(_PROJECT, {"p_project": project}).first()
    if row is None or row.deleted is not None:
        raise NotFound("There is no such project.")
    return row


def read_event(connection: Connection, project: int, number: int) -> Event:
    row = connection.execute(_EVENT, {"p_project": project, "p_event": number}).one()
    return event_of(row)


def repeated_event(connection: Connection, project: int, origin: Origin) -> Event | None:
    """The event that the same request of the same author's client has left before.

    Earlier versions wrote the client's own name where there is a receipt now.
    """
    if origin.client is None:
        return None
    keys = {"p_project": project, "p_client": origin.client, "p_sequence": origin.sequence}
    keys |= {"p_receipt": origin.receipt, "p_author": origin.author}
    row = connection.execute(_REPEATED, keys).first()
    return None if row is None else event_of(row)


def append_event(
    connection: Connection,
    project: Row[Any],
    kind: str,
    payload: dict[str, Any],
    origin: Origin,
    *,
    position: int | None = None,
    undoes: int | None = None,
) -> Event:
    """Write an event under the next number."""
    values = {
        "project": project.id,
        "id": project.revision + 1,
        "kind": kind,
        "position": position,
        "undoes": undoes,
        "payload": payload,
        "author": origin.author,
        "time": origin.time or datetime.now(UTC),
    }
    numbered = {"client": origin.receipt, "sequence": origin.sequence}
    connection.execute(_ADD_EVENT, {**values, **numbered})
    set_revision(connection, project.id, values["id"], values["time"])
    return event_of(values)


def append_in_force(
    connection: Connection,
    project: Row[Any],
    kind: str,
    payload: dict[str, Any],
    origin: Origin,
    *,
    position: int | None = None,
) -> Event:
    """Write an event that is in force; its author can no longer redo what they have undone."""
    drop_undone(connection, project.id, origin.author)
    event = append_event(connection, project, kind, payload, origin, position=position)
    status = {
        "project": event.project,
        "event": event.id,
        "kind": event.kind,
        "author": event.author,
        "position": event.position,
        "topic": event.payload.get("topic"),
        "status": "done",
    }
    connection.execute(_ADD_STATUS, status)
    return event


def drop_undone(connection: Connection, project: int, author: str) -> None:
    """Forget what an author could redo."""
    connection.execute(_DROP_UNDONE, {"p_project": project, "p_author": author})


def set_revision(connection: Connection, project: int, revision: int, time: datetime) -> None:
    """Note the last event of a project and when it was recorded."""
    keys = {"p_project": project, "p_revision": revision, "p_time": time}
    connection.execute(_ADVANCE, keys)
