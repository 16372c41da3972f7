"""Bring the table of topics, and what depends on it, up to the acts in force."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import (
    BindParameter,
    Connection,
    Select,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)

from core.store.lineage import Lineage
from core.store.settle import count_labelled
from core.store.tables import annotated, marks, topics
from core.store.topic_log import fold_lineage

_p: BindParameter[int] = bindparam("p_project")
_TOPICS = select(topics.c.id, topics.c.name, topics.c.alive).where(topics.c.project == _p)
_SET_TOPIC = (
    update(topics)
    .where(topics.c.project == _p, topics.c.id == bindparam("p_topic"))
    .values(name=bindparam("p_name"), alive=bindparam("p_alive"))
)


def _permitting(topics_named: str) -> Select[tuple[int]]:
    """Documents whose label permits at least one of some topics."""
    named = marks.c.topic.in_(bindparam(topics_named, expanding=True))
    return select(marks.c.position).where(marks.c.project == _p, marks.c.permitted, named)


_CONCERNED = and_(annotated.c.project == _p, annotated.c.position.in_(_permitting("p_named")))
_RELABEL = (
    update(annotated)
    .where(_CONCERNED)
    .values(labelled=annotated.c.position.in_(_permitting("p_reaching")))
)
_LABELLED = (
    select(func.count()).select_from(annotated).where(_CONCERNED).where(annotated.c.labelled)
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
    """Documents labelled with nothing but deleted topics stop being labelled, and back.

    A label that permits a topic does not say that nothing fits, so its topics tell it all.
    """
    if not named:
        return
    keys = {"p_project": project, "p_named": sorted(named)}
    before = connection.scalar(_LABELLED, keys) or 0
    connection.execute(_RELABEL, {**keys, "p_reaching": sorted(lineage.reaching)})
    count_labelled(connection, project, (connection.scalar(_LABELLED, keys) or 0) - before)
