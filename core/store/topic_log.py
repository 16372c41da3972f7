"""The acts on topics that are in force, read from the database and folded."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import BindParameter, Connection, Row, and_, bindparam, func, select
from sqlalchemy import distinct as different

from core.store import codebook, lineage, wording
from core.store.codebook import Codebook, codebook_of
from core.store.fold import distinct
from core.store.lineage import Lineage, lineage_of
from core.store.tables import acts, events, marks, topics
from core.store.values import Topic
from core.store.wording import Wording, wording_of

_p: BindParameter[int] = bindparam("p_project")
_IN_FORCE = (
    select(events.c.id, events.c.kind, events.c.payload, events.c.time)
    .join(acts, and_(events.c.project == acts.c.project, events.c.id == acts.c.event))
    .where(acts.c.project == _p, acts.c.position.is_(None), acts.c.status == "done")
    .where(acts.c.kind.in_(bindparam("p_kinds", expanding=True)))
    .order_by(acts.c.event)
)
_ALIVE = select(topics).where(topics.c.project == _p, topics.c.alive).order_by(topics.c.id)
_MOVED = (
    select(acts.c.event)
    .where(acts.c.project == _p, acts.c.position.is_(None), acts.c.status == "done")
    .where(acts.c.kind.in_(("merge_topics", "split_topic")))
    .limit(1)
)


def _acts(connection: Connection, project: int, kinds: Collection[str]) -> list[Row[tuple]]:
    keys = {"p_project": project, "p_kinds": list(kinds)}
    return list(connection.execute(_IN_FORCE, keys))


def fold_lineage(connection: Connection, project: int) -> Lineage:
    """The topics as the acts say; the table of topics copies this."""
    return lineage_of(_acts(connection, project, lineage.KINDS))


def read_topics(connection: Connection, project: int) -> list[Topic]:
    """The topics in force, in the order in which they were made."""
    return distinct(_alive(connection, project))


def _alive(connection: Connection, project: int) -> list[Topic]:
    rows = connection.execute(_ALIVE, {"p_project": project})
    return [Topic(row.id, row.name, row.colour, row.created) for row in rows]


def read_lineage(connection: Connection, project: int) -> Lineage:
    """The same from the table, which is quicker, where no topic stands for another."""
    if connection.scalar(_MOVED, {"p_project": project}) is not None:
        return fold_lineage(connection, project)
    return Lineage({topic.id: topic for topic in _alive(connection, project)})


def read_wording(connection: Connection, project: int) -> Wording:
    """What people said about words."""
    said = _acts(connection, project, wording.KINDS)
    return wording_of(said, read_lineage(connection, project))


def read_codebook(connection: Connection, project: int) -> dict[int, Codebook]:
    """What the topics in force mean."""
    said = _acts(connection, project, (codebook.KIND,))
    return codebook_of(said, read_lineage(connection, project).topics) if said else {}


def label_counts(connection: Connection, project: int) -> dict[int, int]:
    """How many documents each topic in force is permitted in."""
    lineage = read_lineage(connection, project)
    marked = (marks.c.project == project, marks.c.permitted)
    plain = select(marks.c.topic, func.count()).where(*marked).group_by(marks.c.topic)
    counts = {row[0]: row[1] for row in connection.execute(plain)}
    for topic, names in lineage.names().items():
        if len(names) > 1:
            several = select(func.count(different(marks.c.position)))
            counts[topic] = connection.scalar(several.where(*marked, marks.c.topic.in_(names)))
    return {topic: counts.get(topic, 0) for topic in sorted(lineage.topics)}
