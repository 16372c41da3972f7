"""Bring the table of topics, and what depends on it, up to the acts in force."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import BindParameter, Connection, and_, bindparam, insert, select, update

from core.store.lineage import Lineage
from core.store.settle import count_labelled, says_something
from core.store.tables import annotated, events, marks, topics
from core.store.topic_log import fold_lineage

_p: BindParameter[int] = bindparam("p_project")
_TOPICS = select(topics.c.id, topics.c.name, topics.c.alive).where(topics.c.project == _p)
_SET_TOPIC = (
    update(topics)
    .where(topics.c.project == _p, topics.c.id == bindparam("p_topic"))
    .values(name=bindparam("p_name"), alive=bindparam("p_alive"))
)
_NAMING = (
    select(annotated.c.position, annotated.c.labelled, events.c.payload)
    .join(
        marks,
        and_(marks.c.project == annotated.c.project, marks.c.position == annotated.c.position),
    )
    .join(
        events,
        and_(events.c.project == annotated.c.project, events.c.id == annotated.c.event),
    )
    .where(annotated.c.project == _p, marks.c.permitted)
    .where(marks.c.topic.in_(bindparam("p_topics", expanding=True)))
    .distinct()
)
_SET_LABELLED = (
    update(annotated)
    .where(annotated.c.project == _p, annotated.c.position == bindparam("p_position"))
    .values(labelled=bindparam("p_labelled"))
)


def settle_topics(connection: Connection, project: int) -> None:
    """All topics anew: there are few, and a merge or a split concerns several."""
    lineage = fold_lineage(connection, project)
    known = {row.id: row for row in connection.execute(_TOPICS, {"p_project": project})}
    fresh = [
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
    if fresh:
        connection.execute(insert(topics), fresh)
    turned = set()
    for row in known.values():
        topic = lineage.topics.get(row.id)
        name, alive = (row.name, False) if topic is None else (topic.name, True)
        if (name, alive) != (row.name, row.alive):
            keys = {"p_project": project, "p_topic": row.id}
            connection.execute(_SET_TOPIC, {**keys, "p_name": name, "p_alive": alive})
        turned |= {row.id} if alive != row.alive else set()
    gone = known.keys() - lineage.topics.keys()
    _relabel(connection, project, turned | gone, lineage)


def _relabel(
    connection: Connection, project: int, named: Collection[int], lineage: Lineage
) -> None:
    """Documents labelled with nothing but deleted topics stop being labelled, and back."""
    if not named:
        return
    changes = []
    keys = {"p_project": project, "p_topics": sorted(named)}
    rows = {row.position: row for row in connection.execute(_NAMING, keys)}
    for position, row in rows.items():
        labelled = says_something(row.payload, lineage.reaching)
        if labelled != row.labelled:
            place = {"p_project": project, "p_position": position}
            changes.append({**place, "p_labelled": labelled})
    if changes:
        connection.execute(_SET_LABELLED, changes)
        gained = sum(1 if change["p_labelled"] else -1 for change in changes)
        count_labelled(connection, project, gained)
