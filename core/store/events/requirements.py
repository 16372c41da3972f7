"""What a new event requires of its project, and the numbers that new topics get."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import BindParameter, Connection, Row, and_, bindparam, select, update

from core.errors import Conflict, NotFound, StoreError
from core.store.coding.highlights import Highlight
from core.store.events.append import event_of
from core.store.events.codebook import EditCodebook
from core.store.events.memos import WriteMemo
from core.store.events.new_events import (
    KIND_BY_TYPE,
    BlindLabel,
    CreateTopic,
    DeleteTopic,
    Label,
    NewEvent,
    RenameTopic,
    Restore,
)
from core.store.events.topic_events import (
    AddWord,
    LockTopic,
    MergeTopics,
    ReleaseWord,
    RemoveWord,
    SplitTopic,
    UnlockTopic,
)
from core.store.state.labels_in_force import annotation_of
from core.store.state.lineage import LINEAGE_KINDS
from core.store.state.topics import read_lineage
from core.store.tables import annotated, events, projects, topics
from core.store.values import Event

NEW_TOPIC = 0  # in a batch: the topic that the batch created last
MAX_NAMED_ONE_BY_ONE = 1_000  # topics; a statement has room for some more
NO_SUCH_POINT = "The history does not reach that far."
ABOUT_ONE_TOPIC = (
    *(RenameTopic, DeleteTopic, SplitTopic, LockTopic, UnlockTopic),
    *(AddWord, RemoveWord, EditCodebook),
)

_p: BindParameter[int] = bindparam("p_project")
_NAMES = select(topics.c.id, topics.c.name).where(topics.c.project == _p, topics.c.alive)
_IN_FORCE = select(topics.c.id).where(
    topics.c.project == _p, topics.c.alive, topics.c.id.in_(bindparam("p_topics", expanding=True))
)


def require_position(position: int, n_docs: int) -> None:
    if position >= n_docs:
        raise NotFound(f"The project has no text at position {position}.")


def require_topics(connection: Connection, project: int, named: Iterable[int]) -> None:
    """Refuse an event about a topic that is not in force; where few are named, no other is read."""
    wanted = sorted(set(named))
    if not wanted:
        return
    few = len(wanted) <= MAX_NAMED_ONE_BY_ONE
    keys = {"p_project": project, **({"p_topics": wanted} if few else {})}
    alive = set(connection.scalars(_IN_FORCE if few else _NAMES, keys))
    for topic in wanted:
        if topic not in alive:
            raise NotFound(f"The project has no topic {topic}.")


class TakenNames:
    """The names of the topics in force, whatever their case.

    They are read once for all events of a batch: a file may create a thousand topics, and all
    others wait meanwhile.
    """

    def __init__(self, connection: Connection, project: int) -> None:
        self._connection, self._project = connection, project
        self._topics: dict[str, set[int]] | None = None  # by name; not read yet, or no longer so

    def require_free(self, wanted: str, besides: int | None = None) -> None:
        if self._read().get(wanted.casefold(), set()) - {besides}:
            raise StoreError(f"There is a topic named “{wanted}” already.")

    def follow(self, event: Event) -> None:
        """An event was recorded: it adds a name, or the topics are read again when needed."""
        if event.kind == KIND_BY_TYPE[CreateTopic] and self._topics is not None:
            self._add(self._topics, event.payload["topic"], event.payload["name"])
        elif event.kind in LINEAGE_KINDS:
            self._topics = None

    def _read(self) -> dict[str, set[int]]:
        if self._topics is None:
            self._topics = {}
            for row in self._connection.execute(_NAMES, {"p_project": self._project}):
                self._add(self._topics, row.id, row.name)
        return self._topics

    @staticmethod
    def _add(topics: dict[str, set[int]], number: int, name: str) -> None:
        topics.setdefault(name.casefold(), set()).add(number)


def topics_named_by(event: NewEvent) -> tuple[int, ...]:
    """The topics that have to be there for an event."""
    if isinstance(event, Label):
        return (*event.permitted, *event.forbidden)
    if isinstance(event, BlindLabel):
        return topics_named_by(event.label)
    if isinstance(event, Highlight):
        return (event.why,)
    if isinstance(event, MergeTopics):
        return (event.into, *event.topics)
    if isinstance(event, WriteMemo):
        return () if event.topic is None else (event.topic,)
    return (event.topic,) if isinstance(event, ABOUT_ONE_TOPIC) else ()


def numbers_given(event: NewEvent, last_topic: int) -> dict[str, Any]:
    """What the log adds to an event that creates topics: their numbers and colours.

    A number, and with it a colour, is never given twice.
    """
    if isinstance(event, CreateTopic):
        return {"topic": last_topic + 1, "colour": last_topic}
    if isinstance(event, SplitTopic):
        numbered = enumerate(event.payload()["children"], start=last_topic + 1)
        return {"children": [{**c, "topic": n, "colour": n - 1} for n, c in numbered]}
    return {}


def prepare_topic(
    connection: Connection, project: Row[Any], event: NewEvent, taken: TakenNames
) -> dict[str, Any]:
    """Check a new event against the topics in force; new topics get their numbers here."""
    if isinstance(event, Restore) and event.to > project.revision:
        raise NotFound(NO_SUCH_POINT)
    named = topics_named_by(event)
    if not named and not isinstance(event, CreateTopic):
        return {}
    require_topics(connection, project.id, named)
    if isinstance(event, CreateTopic):
        taken.require_free(event.name)
    elif isinstance(event, RenameTopic):
        taken.require_free(event.name, besides=event.topic)
    elif isinstance(event, SplitTopic):
        for child in event.children:
            taken.require_free(child.name, besides=event.topic)
    elif isinstance(event, EditCodebook):
        for example in event.examples:
            require_position(example, project.n_docs)
    return _numbered(connection, project, event)


_LABEL_AT = (
    select(events)
    .join(
        annotated,
        and_(annotated.c.project == events.c.project, annotated.c.event == events.c.id),
    )
    .where(
        annotated.c.project == bindparam("p_project"),
        annotated.c.position == bindparam("p_position"),
    )
)


def label_at(connection: Connection, project: int, position: int) -> Event | None:
    """The label event in force of a document, whatever it says."""
    keys = {"p_project": project, "p_position": position}
    found = connection.execute(_LABEL_AT, keys).first()
    return None if found is None else event_of(found)


def require_seen(
    connection: Connection, project: int, label: Label | BlindLabel, author: str, seen: int
) -> None:
    """Refuse to replace a label of somebody else that is newer than ``seen``."""
    now = label_at(connection, project, label.position)
    if now is None or now.id <= seen or now.author == author:
        return
    if annotation_of(now, read_lineage(connection, project)) is not None:
        raise Conflict(f"{now.author} has labelled this text meanwhile.")


def _numbered(connection: Connection, project: Row[Any], event: NewEvent) -> dict[str, Any]:
    """The numbers of new topics; they are given for good."""
    given = numbers_given(event, project.last_topic)
    if given:
        last = project.last_topic + len(given.get("children", [given]))
        numbered = update(projects).where(projects.c.id == project.id)
        connection.execute(numbered.values(last_topic=last))
    return given


def with_new_topic(event: NewEvent, newest: int | None) -> NewEvent:
    """The event with ``NEW_TOPIC`` replaced by the number of the topic that was created last."""
    if newest is None:
        return event
    if isinstance(event, Label) and NEW_TOPIC in event.permitted:
        permitted = tuple(newest if topic == NEW_TOPIC else topic for topic in event.permitted)
        return replace(event, permitted=permitted)
    if isinstance(event, MergeTopics):
        merged = tuple(newest if topic == NEW_TOPIC else topic for topic in event.topics)
        return replace(event, topics=merged, into=newest if event.into == NEW_TOPIC else event.into)
    one = AddWord | RemoveWord | ReleaseWord | LockTopic | SplitTopic
    if isinstance(event, one) and event.topic == NEW_TOPIC:
        return replace(event, topic=newest)
    return event
