"""Bring the derived tables up to the events in force about one document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, delete, insert, select, update

from core.store.state.labels_in_force import (
    LabelInForce,
    labels_in_force,
    labels_its_document,
    named_topics,
)
from core.store.state.topics import read_lineage
from core.store.tables import annotated, event_status, events, marks, projects
from core.store.values import Event, counts_as_labelled

_p: BindParameter[int] = bindparam("p_project")
_at: BindParameter[int] = bindparam("p_position")

_EVENTS_AT = (
    select(event_status.c.event, event_status.c.kind)
    .where(event_status.c.project == _p, event_status.c.position == _at)
    .where(event_status.c.status == "done")
    .order_by(event_status.c.event)
)
_PAYLOAD = select(events.c.payload).where(
    events.c.project == _p, events.c.id == bindparam("p_event")
)
_ROW = select(annotated.c.labelled).where(annotated.c.project == _p, annotated.c.position == _at)
_DELETE_ROW = delete(annotated).where(annotated.c.project == _p, annotated.c.position == _at)
_DELETE_MARKS = delete(marks).where(marks.c.project == _p, marks.c.position == _at)
_INSERT_ROW, _INSERT_MARKS = insert(annotated), insert(marks)
_COUNT = (
    update(projects)
    .where(projects.c.id == _p)
    .values(n_labelled=projects.c.n_labelled + bindparam("p_change"))
)


def update_document(connection: Connection, project: int, position: int) -> None:
    """Write the label in force of one document, from the events about it."""
    rows = connection.execute(_EVENTS_AT, {"p_project": project, "p_position": position})
    found = labels_in_force((position, kind, event) for event, kind in rows)
    now = found.get(position, LabelInForce())
    payload, labelled = None, False
    if now.label is not None:
        keys = {"p_project": project, "p_event": now.label}
        payload = connection.execute(_PAYLOAD, keys).scalar_one()
        labelled = labels_its_document(payload, read_lineage(connection, project))
    _write(connection, (project, position), now, payload, labelled)


def update_for_new_label(connection: Connection, event: Event) -> None:
    """The same after a new label: no event follows it, and all topics it names are in force."""
    assert event.position is not None
    now = LabelInForce[int]().after(event.kind, event.id)
    labelled = counts_as_labelled(event.payload["permitted"], event.payload["nothing_fits"])
    _write(connection, (event.project, event.position), now, event.payload, labelled)


def change_label_count(connection: Connection, project: int, change: int) -> None:
    """Add to the number of labelled documents of a project."""
    if change:
        connection.execute(_COUNT, {"p_project": project, "p_change": change})


def _write(
    connection: Connection,
    place: tuple[int, int],
    now: LabelInForce[int],
    payload: Mapping[str, Any] | None,
    labelled: bool,
) -> None:
    """Replace the rows of a document; ``place`` is its project and position."""
    project, position = place
    keys = {"p_project": project, "p_position": position}
    before = connection.execute(_ROW, keys).first()
    if before is not None:
        connection.execute(_DELETE_ROW, keys)
        connection.execute(_DELETE_MARKS, keys)
    same = {"project": project, "position": position}
    if named := named_topics(payload) if payload is not None else ():
        rows = [{**same, "topic": topic, "permitted": permits} for topic, permits in named]
        connection.execute(_INSERT_MARKS, rows)
    if now != LabelInForce():
        row = {"event": now.label, "labelled": labelled, "skipped": now.skipped}
        connection.execute(_INSERT_ROW, {**same, **row})
    was_labelled = before is not None and before.labelled
    change_label_count(connection, project, int(labelled) - int(was_labelled))
