"""The derived tables of a project, all of them, from its log alone.

For projects whose log comes from a file: planning reads the log once, and the rows can be written
a piece at a time, so that nobody waits for a long log. Equal to what every event would have left
behind when it was recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, select

from core.store.bulk import insert_many
from core.store.column_types import microseconds
from core.store.events.in_force import ADD_TEXTS, DONE, USE_RUN, batch_members, status_of_events
from core.store.garbage_collection import without_garbage_collection
from core.store.state.bulk_update import BulkUpdate, plan_update, read_contents
from core.store.state.labels_in_force import DOCUMENT_KINDS, labels_in_force
from core.store.state.lineage import LINEAGE_KINDS, Lineage, lineage_of
from core.store.state.log_lines import ROWS_AT_ONCE, LogLine, read_log_lines
from core.store.tables import (
    NOBODY,
    annotated,
    event_status,
    events,
    marks,
    topics,
)

ROWS_PER_PIECE = 5_000  # written in one transaction
STATUS_COLUMNS = ("event", "kind", "author", "position", "topic", "status")
DOCUMENT_COLUMNS = ("position", "event", "labelled", "skipped")
TOPIC_COLUMNS = ("position", "topic", "permitted")


class Piece(NamedTuple):
    """Some rows of a derived table."""

    table: Table
    names: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def write(self, connection: Connection, project: int) -> None:
        insert_many(connection, self.table, self.names, self.rows, {"project": project})


class TopicRow(NamedTuple):
    """A topic that there is or was."""

    id: int
    name: str
    colour: int
    created: int
    alive: bool


@dataclass(frozen=True, slots=True)
class DerivedTables:
    """What a log says, before it is written."""

    log: list[LogLine]
    status: Mapping[int, str]
    positions: Mapping[int, int]  # of labels and skips, by event
    about: Mapping[int, int]  # the topic an event is about, by event
    topics: list[TopicRow]
    documents: BulkUpdate

    @property
    def project_values(self) -> dict[str, int]:
        """What the project's own row says about the log."""
        return {
            "revision": len(self.log),
            "last_topic": max((topic.id for topic in self.topics), default=0),
            "n_labelled": self.documents.gained,
            "texts_revision": self._texts_revision,
        }

    @property
    def _texts_revision(self) -> int:
        """The last event that added texts or took them back."""
        added = {line.id for line in self.log if line.kind == ADD_TEXTS}
        changed = (line.id for line in self.log if line.id in added or line.undoes in added)
        return max(changed, default=0)

    def pieces(self) -> Iterator[Piece]:
        """All rows, a few thousand at a time."""
        yield from _pieces(event_status, STATUS_COLUMNS, self._status_rows())
        yield from _pieces(topics, TopicRow._fields, self.topics)
        yield from _pieces(annotated, DOCUMENT_COLUMNS, self.documents.rows)
        yield from _pieces(marks, TOPIC_COLUMNS, self.documents.topic_rows)

    def _status_rows(self) -> Iterator[tuple[Any, ...]]:
        members = range(0)  # of the last batch; nobody owns them
        for line in self.log:
            members = batch_members(line) or members
            if line.id in self.status:
                owner = NOBODY if line.id in members else line.author
                place = self.positions.get(line.id), self.about.get(line.id)
                yield (line.id, line.kind, owner, *place, self.status[line.id])


@without_garbage_collection()
def derive_tables(connection: Connection, project: int) -> DerivedTables:
    """Read the log of a project and find what it says."""
    log = read_log_lines(connection, project)
    status = status_of_events(log)
    done = {number for number, each in status.items() if each == DONE}
    positions = _positions(connection, project)
    on_topics = _on_topics(connection, project)
    now = lineage_of(each for each in on_topics if each.id in done)
    documents = labels_in_force(
        (positions[line.id], line.kind, line.id)
        for line in log
        if line.id in done and line.kind in DOCUMENT_KINDS
    )
    labels = [each.label for each in documents.values() if each.label is not None]
    contents = read_contents(connection, project, labels, now)
    return DerivedTables(
        log=log,
        status=status,
        positions=positions,
        about=_topic_of_events(connection, project),
        topics=_topic_rows(on_topics, done, now),
        documents=plan_update(documents, contents, {}),
    )


def _positions(connection: Connection, project: int) -> dict[int, int]:
    query = select(events.c.id, events.c.position).where(
        events.c.project == project, events.c.kind.in_(DOCUMENT_KINDS)
    )
    rows = connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE))
    return {row.id: row.position for row in rows}


def _on_topics(connection: Connection, project: int) -> list[Any]:
    """Every event that creates, renames or ends topics, in force or not, oldest first."""
    columns = select(events.c.id, events.c.kind, events.c.payload, events.c.time)
    query = columns.where(events.c.project == project, events.c.kind.in_(LINEAGE_KINDS))
    return list(connection.execute(query.order_by(events.c.id)))


def _topic_of_events(connection: Connection, project: int) -> dict[int, int]:
    without = (*DOCUMENT_KINDS, "undo", "redo", USE_RUN)
    query = select(events.c.id, events.c.payload).where(
        events.c.project == project, events.c.kind.not_in(without)
    )
    rows = connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE))
    found = ((number, payload.get("topic")) for number, payload in rows)
    return {number: topic for number, topic in found if topic is not None}


def _topic_rows(on_topics: Iterable[Any], done: Collection[int], now: Lineage) -> list[TopicRow]:
    """Every topic that ever got a number; one that is gone keeps the name it had."""
    found: dict[int, TopicRow] = {}
    for event in on_topics:
        for each in _created(event):
            colour, time = each["colour"], microseconds(event.time)
            alive = each["topic"] in now.topics
            found[each["topic"]] = TopicRow(each["topic"], each["name"], colour, time, alive)
        if event.kind == "rename_topic" and event.id in done:
            number = event.payload["topic"]
            found[number] = found[number]._replace(name=event.payload["name"])
    for number, topic in now.topics.items():
        found[number] = found[number]._replace(name=topic.name)
    return list(found.values())


def _created(event: Any) -> Sequence[Mapping[str, Any]]:
    if event.kind == "create_topic":
        return (event.payload,)
    return event.payload["children"] if event.kind == "split_topic" else ()


def _pieces(table: Table, names: tuple[str, ...], rows: Iterable[Any]) -> Iterator[Piece]:
    """Rows as pieces of one transaction each."""
    rest = iter(rows)
    while some := list(islice(rest, ROWS_PER_PIECE)):
        yield Piece(table, names, some)
