"""What a topic act needs of the project it meets, and the numbers it is given there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, and_, bindparam, select, update

from core.errors import Conflict, NotFound, StoreError
from core.store.acts import Act, CreateTopic, DeleteTopic, Label, RenameTopic, Restore
from core.store.codebook import EditCodebook
from core.store.tables import annotated, events, projects, topics
from core.store.topic_acts import (
    AddWord,
    LockTopic,
    MergeTopics,
    ReleaseWord,
    RemoveWord,
    SplitTopic,
    UnlockTopic,
)
from core.store.topic_log import read_lineage

NEW = 0  # in a batch: the topic that the batch made last

_p: BindParameter[int] = bindparam("p_project")
_NAMES = select(topics.c.id, topics.c.name).where(topics.c.project == _p, topics.c.alive)


def require_position(position: int, project: Row[Any]) -> None:
    if position >= project.n_docs:
        raise NotFound(f"The project has no document at position {position}.")


def require_topics(connection: Connection, project: int, named: Iterable[int]) -> dict[int, str]:
    """The names of the topics in force, if these are among them."""
    rows = connection.execute(_NAMES, {"p_project": project})
    alive = {row.id: row.name for row in rows}
    for topic in named:
        if topic not in alive:
            raise NotFound(f"The project has no topic {topic}.")
    return alive


def prepare_topic(connection: Connection, project: Row[Any], act: Act) -> dict[str, Any]:
    """Check a topic act against the topics there are; new topics get their numbers here."""
    if isinstance(act, CreateTopic):
        _require_free(require_topics(connection, project.id, ()), act.name)
        return _numbered(connection, project, 1)[0]
    if isinstance(act, SplitTopic):
        return _prepare_split(connection, project, act)
    if isinstance(act, Restore) and act.to > project.revision:
        raise NotFound("The history does not reach that far.")
    if isinstance(act, MergeTopics):
        require_topics(connection, project.id, (act.into, *act.topics))
    elif isinstance(
        act,
        RenameTopic | DeleteTopic | LockTopic | UnlockTopic | AddWord | RemoveWord | EditCodebook,
    ):
        names = require_topics(connection, project.id, (act.topic,))
        if isinstance(act, RenameTopic):
            _require_free(names, act.name, besides=act.topic)
    if isinstance(act, EditCodebook):
        for example in act.examples:
            require_position(example, project)
    return {}


_LABEL_AT = (
    select(events.c.id, events.c.author, events.c.payload)
    .join(
        annotated,
        and_(annotated.c.project == events.c.project, annotated.c.event == events.c.id),
    )
    .where(
        annotated.c.project == bindparam("p_project"),
        annotated.c.position == bindparam("p_position"),
    )
)


def require_seen(
    connection: Connection, project: int, label: Label, author: str, seen: int
) -> None:
    """Nobody replaces what somebody else has said since: ``seen`` is the label they looked at."""
    keys = {"p_project": project, "p_position": label.position}
    now = connection.execute(_LABEL_AT, keys).first()
    if now is None or now.id <= seen or now.author == author:
        return
    said, lineage = now.payload, read_lineage(connection, project)
    stands = lineage.permitted(said["permitted"]) or lineage.forbidden(said["forbidden"], now.id)
    if said["nothing_fits"] or stands:  # of topics that are gone nobody has anything to see
        raise Conflict(f"{now.author} has labelled this text meanwhile.")


def _prepare_split(connection: Connection, project: Row[Any], act: SplitTopic) -> dict[str, Any]:
    names = require_topics(connection, project.id, (act.topic,))
    for child in act.children:
        _require_free(names, child.name, besides=act.topic)
    numbers = _numbered(connection, project, len(act.children))
    told = act.payload()["children"]
    return {"children": [child | number for child, number in zip(told, numbers, strict=True)]}


def _numbered(connection: Connection, project: Row[Any], n: int) -> list[dict[str, int]]:
    """Numbers for new topics; a number, and with it a colour, is never given twice."""
    first = project.last_topic + 1
    given = update(projects).where(projects.c.id == project.id)
    connection.execute(given.values(last_topic=project.last_topic + n))
    return [{"topic": number, "colour": number - 1} for number in range(first, first + n)]


def _require_free(names: Mapping[int, str], wanted: str, besides: int | None = None) -> None:
    taken = {name.casefold() for topic, name in names.items() if topic != besides}
    if wanted.casefold() in taken:
        raise StoreError(f"There is a topic named “{wanted}” already.")


def about_newest(act: Act, newest: int | None) -> Act:
    """The act with ``NEW`` replaced by the number of the topic that was made last."""
    if newest is None:
        return act
    if isinstance(act, Label) and NEW in act.permitted:
        permitted = tuple(newest if topic == NEW else topic for topic in act.permitted)
        return replace(act, permitted=permitted)
    if isinstance(act, MergeTopics):
        merged = tuple(newest if topic == NEW else topic for topic in act.topics)
        return replace(act, topics=merged, into=newest if act.into == NEW else act.into)
    one = AddWord | RemoveWord | ReleaseWord | LockTopic | SplitTopic
    if isinstance(act, one) and act.topic == NEW:
        return replace(act, topic=newest)
    return act
