"""Undo and redo: of one event, or of a batch or restore with all events it is about."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BindParameter, Connection, Row, bindparam, select, update

from core.store.events.append import (
    HAS_OWNER,
    append_event,
    open_project,
    read_event,
    repeated_event,
)
from core.store.events.in_force import ADD_TEXTS, DONE, DROPPED, UNDONE
from core.store.events.log import update_tables
from core.store.events.new_events import KIND_BY_TYPE, Restore, checked, payload_of
from core.store.events.origin import Origin
from core.store.projects import added_texts
from core.store.state.log_lines import MANY_EVENT_KINDS, LogLine, line_of
from core.store.state.planned_change import (
    PlannedChange,
    apply_change,
    is_large,
    plan_change,
    status_after,
)
from core.store.tables import event_status
from core.store.values import Event

_p: BindParameter[int] = bindparam("p_project")
_OWN = select(event_status).where(
    HAS_OWNER,
    event_status.c.project == _p,
    event_status.c.author == bindparam("p_author"),
    event_status.c.status == bindparam("p_status"),
    event_status.c.event > bindparam("p_after"),
)
_LAST_OWN = _OWN.order_by(event_status.c.event.desc()).limit(1)
_OWN_BEFORE = _LAST_OWN.where(event_status.c.event < bindparam("p_before"))
_FIRST_OWN = _OWN.order_by(event_status.c.event).limit(1)
_SET_STATUS = (
    update(event_status)
    .where(event_status.c.project == _p, event_status.c.event == bindparam("p_event"))
    .values(status=bindparam("p_status"))
)


def undo(
    connection: Connection,
    project: int,
    origin: Origin,
    after: int = 0,
    planned: PlannedChange | None = None,
) -> Event | None:
    """Undo the author's last event in force, if it came after event ``after``."""
    return _undo_or_redo(connection, project, origin, ("undo", after), planned)


def redo(
    connection: Connection, project: int, origin: Origin, planned: PlannedChange | None = None
) -> Event | None:
    """Redo the event the author undid last, unless they have recorded another since."""
    return _undo_or_redo(connection, project, origin, ("redo", 0), planned)


def plan_undo_or_redo(
    connection: Connection, project: int, origin: Origin, kind: str, after: int = 0
) -> PlannedChange | None:
    """What an undo or redo will change, if that is much; for use in it a moment later."""
    own = _own_event(connection, project, origin, kind, after)
    if own is None or own.kind not in MANY_EVENT_KINDS:
        return None
    if repeated_event(connection, project, origin):
        return None
    target = line_of(read_event(connection, project, own.event))
    line = LogLine(0, kind, origin.author, target.id, {})
    return plan_change(connection, project, line, target) if is_large(target) else None


def plan_restore(
    connection: Connection, project: int, new: Restore, origin: Origin
) -> PlannedChange | None:
    """What a restore will change; for use in it a moment later."""
    if repeated_event(connection, project, origin):
        return None
    line = LogLine(0, KIND_BY_TYPE[Restore], origin.author, None, payload_of(checked(new)))
    return plan_change(connection, project, line, None)


def _own_event(
    connection: Connection, project: int, origin: Origin, kind: str, after: int
) -> Row[Any] | None:
    """The event that an undo or redo of this author is about."""
    keys: dict[str, Any] = {"p_project": project, "p_author": origin.author, "p_after": after}
    if kind == "redo":
        return connection.execute(_FIRST_OWN, {**keys, "p_status": UNDONE}).first()
    keys["p_status"] = DONE
    own = connection.execute(_LAST_OWN, keys).first()
    while own is not None and own.kind == ADD_TEXTS and not _can_take_back(connection, own):
        own = connection.execute(_OWN_BEFORE, {**keys, "p_before": own.event}).first()
    return own


def _can_take_back(connection: Connection, own: Row[Any]) -> bool:
    added = read_event(connection, own.project, own.event)
    return added_texts.can_take_back(connection, own.project, own.event, added.payload)


def _undo_or_redo(
    connection: Connection,
    project: int,
    origin: Origin,
    what: tuple[str, int],
    planned: PlannedChange | None,
) -> Event | None:
    """``what`` is the kind, and the event after which the one in question came."""
    row = open_project(connection, project)
    repeated = repeated_event(connection, project, origin)
    if repeated is not None:
        return repeated
    kind, after = what
    own = _own_event(connection, project, origin, kind, after)
    if own is None:
        return None
    payload = {"kind": own.kind}
    place = {"position": own.position, "undoes": own.event}
    event = append_event(connection, row, kind, payload, origin, **place)
    line = line_of(event)
    status = DROPPED if own.kind == ADD_TEXTS else status_after(line)
    keys = {"p_project": project, "p_event": own.event, "p_status": status}
    connection.execute(_SET_STATUS, keys)
    if own.kind == ADD_TEXTS:
        added = read_event(connection, project, own.event)
        added_texts.take_back(connection, row, added, event.id)
    elif own.kind in MANY_EVENT_KINDS:
        target = line_of(read_event(connection, project, own.event))
        apply_change(connection, project, line, target, planned)
    else:
        update_tables(connection, project, own.position, own.kind)
    return event
