"""Whether the derived tables of a project say what its log says.

The expected rows follow from the same functions as every replay (``in_force``, ``lineage``,
``labels_in_force``). Payloads are read as they are compared, so that a log of a million events
needs a few numbers for each of them, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, and_, func, select

from core.store.events.event_rows import PAYLOAD_TEXT, ParsedPayloads
from core.store.events.in_force import DONE, batch_members, status_of_events
from core.store.garbage_collection import without_garbage_collection
from core.store.state import lineage
from core.store.state.bulk_update import LabelContent, content_of
from core.store.state.labels_in_force import DOCUMENT_KINDS, LabelInForce, labels_in_force
from core.store.state.lineage import Lineage, lineage_of
from core.store.state.log_lines import ROWS_AT_ONCE, LogLine, read_log_lines
from core.store.tables import NOBODY, annotated, event_status, events, marks, projects, topics

WRONG_LOG = (ValueError, KeyError, TypeError)  # what reading a log raises that is none

_LABEL = and_(
    events.c.project == annotated.c.project,
    events.c.id == annotated.c.event,
    events.c.kind == "label",
)


def log_faults(connection: Connection, project: int) -> list[str]:
    """Where log and tables of a project differ, one phrase each; empty if nowhere."""
    try:
        return _differences(connection, project)
    except WRONG_LOG:
        return ["an event cannot be read"]


@without_garbage_collection()
def _differences(connection: Connection, project: int) -> list[str]:
    log = read_log_lines(connection, project)
    status = status_of_events(log)
    topics_now = _lineage(connection, project, status)
    found = {
        "numbers of events": _numbers_differ(connection, project, log),
        "events in force": _status_differs(connection, project, log, status),
        "topics": _topics_differ(connection, project, topics_now),
    }
    del log
    documents = _documents(connection, project, status)
    found |= _documents_differ(connection, project, documents, topics_now)
    return [name for name, differs in found.items() if differs]


def _numbers_differ(connection: Connection, project: int, log: list[LogLine]) -> bool:
    revision = connection.scalar(select(projects.c.revision).where(projects.c.id == project))
    counted = all(line.id == number for number, line in enumerate(log, start=1))
    return not counted or revision != len(log)


def _status_differs(
    connection: Connection, project: int, log: list[LogLine], status: Mapping[int, str]
) -> bool:
    """Each event that has a status has one row, with its kind, owner and status."""
    query = (
        select(event_status.c.event, event_status.c.kind, event_status.c.author)
        .add_columns(event_status.c.status, event_status.c.position, events.c.position)
        .outerjoin(
            events,
            and_(events.c.project == event_status.c.project, events.c.id == event_status.c.event),
        )
        .where(event_status.c.project == project)
        .order_by(event_status.c.event)
    )
    rows = _stream(connection, query)
    members_end = 0
    for line in log:
        if line.id not in status:
            continue
        owner = NOBODY if line.id < members_end else line.author
        members_end = batch_members(line).stop or members_end
        row = next(rows, None)
        if row is None or tuple(row[:4]) != (line.id, line.kind, owner, status[line.id]):
            return True
        if row[4] != row[5]:
            return True
    return next(rows, None) is not None


def _lineage(connection: Connection, project: int, status: Mapping[int, str]) -> Lineage:
    query = select(events.c.id, events.c.kind, events.c.payload, events.c.time).where(
        events.c.project == project, events.c.kind.in_(lineage.LINEAGE_KINDS)
    )
    rows = connection.execute(query.order_by(events.c.id))
    return lineage_of(row for row in rows if status[row.id] == DONE)


def _topics_differ(connection: Connection, project: int, expected: Lineage) -> bool:
    columns = select(topics.c.id, topics.c.name, topics.c.colour, topics.c.created)
    rows = connection.execute(columns.where(topics.c.project == project, topics.c.alive))
    wanted = {(t.id, t.name, t.colour, t.created) for t in expected.topics.values()}
    return {tuple(row) for row in rows} != wanted


def _documents(
    connection: Connection, project: int, status: Mapping[int, str]
) -> dict[int, LabelInForce[int]]:
    columns = select(events.c.position, events.c.kind, events.c.id)
    query = columns.where(events.c.project == project, events.c.kind.in_(DOCUMENT_KINDS))
    rows = _stream(connection, query.order_by(events.c.id))
    return labels_in_force(tuple(row) for row in rows if status[row[2]] == DONE)


def _documents_differ(
    connection: Connection,
    project: int,
    documents: dict[int, LabelInForce[int]],
    topics_now: Lineage,
) -> dict[str, bool]:
    """Labels and skips, the topics that labels name, and the number of labelled documents."""
    contents = _Contents(topics_now)
    differ, n_labelled, n_naming = False, 0, 0
    for position, event, labelled, skipped, payload in _stream(connection, _rows_of(project)):
        expected = documents.pop(position, LabelInForce())
        content = None if payload is None else contents[payload]
        labels = content is not None and content.labels
        differ |= (event, labelled, skipped) != (expected.label, labels, expected.skipped)
        differ |= expected == LabelInForce()
        n_labelled += labels
        n_naming += content is not None and bool(content.topics)
    differ |= any(each != LabelInForce() for each in documents.values())
    counted = connection.scalar(select(projects.c.n_labelled).where(projects.c.id == project))
    return {
        "labels in force": differ,
        "topics of labels": _marks_differ(connection, project, contents, n_naming),
        "number of labelled texts": counted != n_labelled,
    }


def _rows_of(project: int) -> Select[Any]:
    columns = select(annotated.c.position, annotated.c.event, annotated.c.labelled)
    return (
        columns.add_columns(annotated.c.skipped, PAYLOAD_TEXT)
        .outerjoin_from(annotated, events, _LABEL)
        .where(annotated.c.project == project)
        .order_by(annotated.c.position)
    )


def _marks_differ(connection: Connection, project: int, contents: _Contents, n_naming: int) -> bool:
    """A document has the topics that its label names, if it names any."""
    here = and_(annotated.c.project == marks.c.project, annotated.c.position == marks.c.position)
    query = (
        select(marks.c.position, marks.c.topic, marks.c.permitted, PAYLOAD_TEXT)
        .outerjoin_from(marks, annotated, here)
        .outerjoin(events, _LABEL)
        .where(marks.c.project == project)
        .order_by(marks.c.position)
    )
    for _, group in groupby(_stream(connection, query), key=lambda row: row[0]):
        rows = list(group)
        payload = rows[0][3]
        named = set() if payload is None else set(contents[payload].topics)
        if {(row[1], row[2]) for row in rows} != named:
            return True
        n_naming -= 1
    return n_naming != 0


def count_events(connection: Connection, project: int) -> int:
    """How many events the log of a project holds."""
    query = select(func.count()).select_from(events).where(events.c.project == project)
    return int(connection.scalar(query) or 0)


class _Contents(dict[str, LabelContent]):
    """What labels say now, by payload as the database keeps it; equal ones are read once."""

    def __init__(self, topics_now: Lineage) -> None:
        super().__init__()
        self._topics, self._payloads = topics_now, ParsedPayloads()

    def __missing__(self, text: str) -> LabelContent:
        value = self[text] = content_of(self._payloads[text], self._topics)
        return value


def _stream(connection: Connection, query: Select[Any]) -> Iterator[Any]:
    """Rows a few at a time, however many there are."""
    return iter(connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)))
