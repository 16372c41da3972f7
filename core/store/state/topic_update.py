"""Bring the table of topics, and which documents count as labelled, up to the events in force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import BindParameter, Connection, and_, bindparam, insert, select, update

from core.store.garbage_collection import without_garbage_collection
from core.store.state.bulk_update import BulkUpdate, DocumentRow, content_of, plan_update
from core.store.state.labels_in_force import LabelInForce
from core.store.state.lineage import Lineage
from core.store.state.topics import read_full_lineage
from core.store.tables import annotated, marks, topics
from core.store.values import Event

_p: BindParameter[int] = bindparam("p_project")
_TOPICS = select(topics.c.id, topics.c.name, topics.c.alive).where(topics.c.project == _p)
_SET_TOPIC = (
    update(topics)
    .where(topics.c.project == _p, topics.c.id == bindparam("p_topic"))
    .values(name=bindparam("p_name"), alive=bindparam("p_alive"))
)
_CONCERNED = select(marks.c.position).where(
    marks.c.project == _p,
    marks.c.permitted,
    marks.c.topic.in_(bindparam("p_topics", expanding=True)),
)
_PERMITTED = (
    select(
        annotated.c.position,
        annotated.c.event,
        annotated.c.labelled,
        annotated.c.skipped,
        marks.c.topic,
    )
    .join(
        marks,
        and_(marks.c.project == annotated.c.project, marks.c.position == annotated.c.position),
    )
    .where(annotated.c.project == _p, annotated.c.labelled == bindparam("p_labelled"))
    .where(marks.c.permitted, annotated.c.position.in_(_CONCERNED))
)


def update_topics(connection: Connection, project: int) -> None:
    """Write all topics anew: there are few, and a merge or a split concerns several."""
    lineage = read_full_lineage(connection, project)
    known = {row.id: row for row in connection.execute(_TOPICS, {"p_project": project})}
    _insert_new(connection, project, lineage, known)
    changed = set()
    for row in known.values():
        topic = lineage.topics.get(row.id)
        name, alive = (row.name, False) if topic is None else (topic.name, True)
        if (name, alive) != (row.name, row.alive):
            keys = {"p_project": project, "p_topic": row.id}
            connection.execute(_SET_TOPIC, {**keys, "p_name": name, "p_alive": alive})
        changed |= {row.id} if alive != row.alive else set()
    ended = known.keys() - lineage.topics.keys()
    _update_documents(connection, project, changed | ended, lineage)


def add_topic(connection: Connection, event: Event) -> None:
    """A topic that an event has just created. Nothing else changes, so nothing else is read:
    a file may create a thousand topics."""
    row = {name: event.payload[name] for name in ("name", "colour")}
    made = {"project": event.project, "id": event.payload["topic"], "created": event.time}
    connection.execute(insert(topics), {**made, **row, "alive": True})


def _insert_new(
    connection: Connection, project: int, lineage: Lineage, known: Collection[int]
) -> None:
    new = [
        {
            "project": project,
            "id": topic.id,
            "name": topic.name,
            "colour": topic.colour,
            "created": topic.created,
            "alive": True,
        }
        for topic in lineage.topics.values()
        if topic.id not in known
    ]
    if new:
        connection.execute(insert(topics), new)


@without_garbage_collection()
def _update_documents(
    connection: Connection, project: int, named: Collection[int], lineage: Lineage
) -> None:
    """A document whose label permits only topics that are gone stops being labelled, and back.

    Only labelled documents with a topic that leads nowhere, and documents that are not labelled
    with one that leads to a topic in force, can change; all others are not read.
    """
    for labelled in (True, False):
        concerned = [topic for topic in named if bool(lineage.heirs(topic)) != labelled]
        if concerned:
            keys = {"p_project": project, "p_topics": concerned, "p_labelled": labelled}
            rows = connection.execute(_PERMITTED, keys).all()
            _plan(rows, lineage).write(connection, project)


def _plan(rows: Iterable[Any], lineage: Lineage) -> BulkUpdate:
    """From rows of ``_PERMITTED``; a label that permits topics does not say that nothing fits."""
    present: dict[int, DocumentRow] = {}
    permitted: defaultdict[int, tuple[int, ...]] = defaultdict(tuple)
    for position, event, labelled, skipped, topic in rows:
        present[position] = (event, labelled, skipped)
        permitted[event] += (topic,)
    different = {
        topics: content_of({"permitted": topics, "forbidden": (), "nothing_fits": False}, lineage)
        for topics in set(permitted.values())
    }
    contents = {event: different[topics] for event, topics in permitted.items()}
    documents = {at: LabelInForce(row[0], row[2]) for at, row in present.items()}
    return plan_update(documents, contents, present)
