"""Bring the derived tables up to the acts in force, for one document or several."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from sqlalchemy import (
    BindParameter,
    Connection,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from core.store.acts import payload_of
from core.store.label_runs import LabelRun
from core.store.pouring import pour, sweep
from core.store.tables import acts, annotated, events, marks, projects
from core.store.topic_log import read_lineage
from core.store.values import Event

_p: BindParameter[int] = bindparam("p_project")
_at: BindParameter[int] = bindparam("p_position")

_ACTS_AT = (
    select(acts.c.event, acts.c.kind)
    .where(acts.c.project == _p, acts.c.position == _at, acts.c.status == "done")
    .order_by(acts.c.event.desc())
    .limit(1)
)
_LABELS_AT = _ACTS_AT.where(acts.c.kind == "label")
_PAYLOAD = select(events.c.payload).where(
    events.c.project == _p, events.c.id == bindparam("p_event")
)
_WAS = select(annotated.c.labelled).where(annotated.c.project == _p, annotated.c.position == _at)
_FORGET = delete(annotated).where(annotated.c.project == _p, annotated.c.position == _at)
_UNMARK = delete(marks).where(marks.c.project == _p, marks.c.position == _at)
_SAY, _MARK = insert(annotated), insert(marks)
_IN = select(events.c.position).where(
    events.c.project == _p, events.c.id.between(bindparam("p_first"), bindparam("p_last"))
)
_LABELLED_IN = (
    select(func.count())
    .select_from(annotated)
    .where(annotated.c.project == _p, annotated.c.labelled, annotated.c.position.in_(_IN))
)
_COUNT = (
    update(projects)
    .where(projects.c.id == _p)
    .values(n_labelled=projects.c.n_labelled + bindparam("p_change"))
)


def settle_document(connection: Connection, project: int, position: int) -> None:
    """The last label in force is the document's label; a skip counts until the next label."""
    keys = {"p_project": project, "p_position": position}
    last = connection.execute(_ACTS_AT, keys).first()
    skipped = last is not None and last.kind == "skip"
    label = connection.execute(_LABELS_AT, keys).first() if skipped else last
    was = bool(connection.scalar(_WAS, keys))
    connection.execute(_FORGET, keys)
    connection.execute(_UNMARK, keys)
    number = None if label is None else label.event
    labelled = number is not None and _mark(connection, project, position, number)
    if last is not None:
        row = {"event": number, "labelled": labelled, "skipped": skipped}
        values = {"project": project, "position": position, **row}
        connection.execute(_SAY, values)
    count_labelled(connection, project, int(labelled) - int(was))


def settle_label(connection: Connection, event: Event) -> None:
    """A new label is the last word on its document, and all topics it names are in force."""
    keys = {"p_project": event.project, "p_position": event.position}
    before = connection.execute(_WAS, keys).first()
    if before is not None:
        connection.execute(_FORGET, keys)
        connection.execute(_UNMARK, keys)
    if named := _marks(event.project, event.position, event.payload):
        connection.execute(_MARK, named)
    labelled = says_something(event.payload, event.payload["permitted"])
    place = {"project": event.project, "position": event.position}
    row = {"event": event.id, "labelled": labelled, "skipped": False}
    connection.execute(_SAY, place | row)
    was = before is not None and before.labelled
    count_labelled(connection, event.project, int(labelled) - int(was))


def settle_labels(connection: Connection, project: int, run: LabelRun, numbers: range) -> None:
    """A run of new labels at once, each the last word on its document."""
    reaching = read_lineage(connection, project).reaching
    ends = {"p_project": project, "p_first": numbers[0], "p_last": numbers[-1]}
    was = connection.scalar(_LABELLED_IN, ends) or 0
    sweep(connection, annotated, project, run.positions)
    sweep(connection, marks, project, run.positions)
    told = [payload_of(saying) for saying in run.sayings]
    labels = [says_something(payload, reaching) for payload in told]
    named = [named_topics(payload) for payload in told]
    placed = list(zip(run.positions, numbers, run.places, strict=True))
    rows = [(position, number, labels[place]) for position, number, place in placed]
    always = {"project": project, "skipped": False}
    pour(connection, annotated, ("position", "event", "labelled"), rows, always)
    noted = [(position, *mark) for position, _, place in placed for mark in named[place]]
    pour(connection, marks, ("position", "topic", "permitted"), noted, {"project": project})
    count_labelled(connection, project, sum(row[2] for row in rows) - was)


def named_topics(payload: Mapping[str, Any]) -> list[tuple[int, bool]]:
    """The topics a label names, and whether it permits them."""
    return [(t, True) for t in payload["permitted"]] + [(t, False) for t in payload["forbidden"]]


def _marks(project: int, position: int | None, payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"project": project, "position": position, "topic": topic, "permitted": permitted}
        for topic, permitted in named_topics(payload)
    ]


def _mark(connection: Connection, project: int, position: int, event: int) -> bool:
    """Note the topics a label names; tells whether what is left of it labels the document."""
    payload = connection.execute(_PAYLOAD, {"p_project": project, "p_event": event}).scalar_one()
    named = _marks(project, position, payload)
    if named:
        connection.execute(_MARK, named)
    return says_something(payload, read_lineage(connection, project).reaching)


def says_something(payload: Mapping[str, Any], reaching: Container[int]) -> bool:
    """Whether a label still says something, by the topics that stand for one in force."""
    return payload["nothing_fits"] or any(t in reaching for t in payload["permitted"])


def count_labelled(connection: Connection, project: int, change: int) -> None:
    """Count documents that are labelled now and were not, or the other way round."""
    if change:
        connection.execute(_COUNT, {"p_project": project, "p_change": change})
