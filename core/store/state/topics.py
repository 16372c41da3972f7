"""Topics, word rules, codebook and report wording, read from the events in force."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import (
    BindParameter,
    Connection,
    Row,
    and_,
    bindparam,
    distinct,
    func,
    select,
)

from core.store.events import codebook
from core.store.events.codebook import Codebook, codebook_of
from core.store.events.memos import WRITE_MEMO, Memo, memos_of
from core.store.events.report_fields import EDIT_REPORT, ReportField, report_fields_of
from core.store.events.saved_searches import SAVE_SEARCH, SavedSearch, saved_searches_of
from core.store.state import lineage, word_rules
from core.store.state.lineage import Lineage, lineage_of, topics_in_order
from core.store.state.word_rules import WordRules, word_rules_of
from core.store.tables import event_status, events, marks, topics
from core.store.values import Topic

_p: BindParameter[int] = bindparam("p_project")
_IN_FORCE = (
    select(events.c.id, events.c.kind, events.c.author, events.c.payload, events.c.time)
    .join(
        event_status,
        and_(events.c.project == event_status.c.project, events.c.id == event_status.c.event),
    )
    .where(
        event_status.c.project == _p,
        event_status.c.position.is_(None),
        event_status.c.status == "done",
    )
    .where(event_status.c.kind.in_(bindparam("p_kinds", expanding=True)))
    .order_by(event_status.c.event)
)
_ALIVE = select(topics).where(topics.c.project == _p, topics.c.alive).order_by(topics.c.id)
_MERGED_OR_SPLIT = (
    select(event_status.c.event)
    .where(
        event_status.c.project == _p,
        event_status.c.position.is_(None),
        event_status.c.status == "done",
    )
    .where(event_status.c.kind.in_(("merge_topics", "split_topic")))
    .limit(1)
)


def _events_in_force(
    connection: Connection, project: int, kinds: Collection[str]
) -> list[Row[tuple]]:
    keys = {"p_project": project, "p_kinds": list(kinds)}
    return list(connection.execute(_IN_FORCE, keys))


def read_full_lineage(connection: Connection, project: int) -> Lineage:
    """The lineage from the events; the table of topics is a copy of its topics."""
    return lineage_of(_events_in_force(connection, project, lineage.LINEAGE_KINDS))


def read_topics(connection: Connection, project: int) -> list[Topic]:
    """The topics in force, as they were created; parts of a split where it stood."""
    return topics_in_order(read_lineage(connection, project))


def _alive(connection: Connection, project: int) -> list[Topic]:
    rows = connection.execute(_ALIVE, {"p_project": project})
    return [Topic(row.id, row.name, row.colour, row.created) for row in rows]


def read_lineage(connection: Connection, project: int) -> Lineage:
    """The same from the table, which is faster, if no topic was merged or split."""
    if connection.scalar(_MERGED_OR_SPLIT, {"p_project": project}) is not None:
        return read_full_lineage(connection, project)
    return Lineage({topic.id: topic for topic in _alive(connection, project)})


def read_word_rules(connection: Connection, project: int) -> WordRules:
    """Which words analysts added to topics, removed, locked, or made stop words."""
    found = _events_in_force(connection, project, word_rules.WORD_RULE_KINDS)
    return word_rules_of(found, read_lineage(connection, project))


def read_codebook(connection: Connection, project: int) -> dict[int, Codebook]:
    """The codebook entries of the topics in force."""
    found = _events_in_force(connection, project, (codebook.EDIT_CODEBOOK,))
    return codebook_of(found, read_lineage(connection, project).topics) if found else {}


def read_report_fields(connection: Connection, project: int) -> dict[str, ReportField]:
    """What analysts wrote in the report."""
    return report_fields_of(_events_in_force(connection, project, (EDIT_REPORT,)))


def read_memos(connection: Connection, project: int) -> tuple[Memo, ...]:
    """The memos on the project and on topics, oldest first."""
    return memos_of(_events_in_force(connection, project, (WRITE_MEMO,)))


def read_saved_searches(connection: Connection, project: int) -> tuple[SavedSearch, ...]:
    """Searches under a name."""
    return saved_searches_of(_events_in_force(connection, project, (SAVE_SEARCH,)))


def label_counts(connection: Connection, project: int) -> dict[int, int]:
    """How many documents each topic in force is permitted in."""
    lineage = read_lineage(connection, project)
    marked = (marks.c.project == project, marks.c.permitted)
    plain = select(marks.c.topic, func.count()).where(*marked).group_by(marks.c.topic)
    counts = {row[0]: row[1] for row in connection.execute(plain)}
    for topic, names in lineage.names().items():
        if len(names) > 1:
            several = select(func.count(distinct(marks.c.position)))
            counts[topic] = connection.scalar(several.where(*marked, marks.c.topic.in_(names)))
    return {topic: counts.get(topic, 0) for topic in sorted(lineage.topics)}
