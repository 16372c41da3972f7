"""The tables. ``events`` is the truth and only ever grows; the tables marked *derived* copy it.

Everything below a project is numbered within that project, so a project can be copied or
moved to another machine without renumbering.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    event,
    false,
    text,
)

from core.store.column_types import AnyText, Json, Moment, WholeNumber
from core.store.postgresql import LOG_GUARD, SEARCH_TABLE

SCHEMA = 8  # raise it together with a step in ``migrations``

metadata = MetaData()


def _project(**options: Any) -> Column[int]:
    return Column("project", WholeNumber, ForeignKey("projects.id"), **options)


def _document_columns() -> tuple[Column[Any], ...]:
    """What a document is, wherever one is kept; a table needs columns of its own."""
    return (
        Column("id", AnyText, nullable=False),
        Column("text", AnyText, nullable=False),
        Column("date", String(10)),
        Column("labels", Json),
        Column("side", Json),
    )


def _partial_index(name: str, *columns: str, where: str) -> Index:
    """An index of the rows for which ``where`` holds."""
    condition = text(where)
    return Index(name, *columns, sqlite_where=condition, postgresql_where=condition)


versions = Table(
    "schema_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("applied", Moment, nullable=False),
)

projects = Table(
    "projects",
    metadata,
    Column("id", WholeNumber, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("author", String(200), nullable=False),
    Column("created", Moment, nullable=False),
    Column("deleted", Moment),
    Column("settings", Json, nullable=False),
    Column("reading", Json, nullable=False),
    Column("side", Json, nullable=False),  # names of the side columns, in order
    Column("fingerprint", String(64), nullable=False),
    Column("n_docs", WholeNumber, nullable=False),
    Column("n_labelled", WholeNumber, nullable=False, default=0),  # derived
    Column("revision", WholeNumber, nullable=False, default=0),  # derived: the last event
    Column("last_act", Moment, nullable=False),  # derived
    Column("last_topic", WholeNumber, nullable=False, default=0),  # derived: numbers given away
    Column("last_run", WholeNumber, nullable=False, default=0),  # run numbers given away
    # derived: the last event that added texts or took added ones back
    Column("texts_revision", WholeNumber, nullable=False, default=0, server_default="0"),
    Column("searchable", Boolean, nullable=False, default=False),  # has a full-text index
    sqlite_autoincrement=True,
)
# The columns that events and pages read again and again; how a file was read can be long.
SHORT_PROJECT_COLUMNS = [column for column in projects.c if column.name not in ("reading", "side")]

documents = Table(
    "documents",
    metadata,
    _project(primary_key=True),
    Column("position", WholeNumber, primary_key=True, autoincrement=False),
    *_document_columns(),
)

replaced_documents = Table(  # what documents were before an addition of texts updated them
    "replaced_documents",
    metadata,
    _project(primary_key=True),
    Column("event", WholeNumber, primary_key=True, autoincrement=False),
    Column("position", WholeNumber, primary_key=True, autoincrement=False),
    *_document_columns(),
)

WITHOUT_STATUS = "kind IN ('undo', 'redo', 'use_run')"  # as the index says it, and its queries
NO_LABELS = "kind <> 'label'"

events = Table(
    "events",
    metadata,
    _project(primary_key=True),
    Column("id", WholeNumber, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("position", WholeNumber),
    Column("undoes", WholeNumber),
    Column("payload", Json, nullable=False),
    Column("author", String(200), nullable=False),
    Column("time", Moment, nullable=False),
    Column("client", String(100)),
    Column("sequence", BigInteger),
    UniqueConstraint("project", "client", "sequence"),
    # What has no status, and which event each undo and redo is about.
    _partial_index("events_without_status", "project", "kind", "undoes", where=WITHOUT_STATUS),
    sqlite_with_rowid=False,
)

NOBODY = ""  # owner of the events of a batch, which nobody can undo one by one

# derived: which events are in force, and which an author can undo or redo next. An event of a batch
# has no author, for only the whole batch can be undone; their status changes together, so that only
# the index by document holds them. That one holds every column asked of a document: if the table
# itself had to be read, too, SQLite would read every event of the project instead.
event_status = Table(
    "acts",
    metadata,
    _project(primary_key=True),
    Column("event", WholeNumber, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("author", String(200), nullable=False),
    Column("position", WholeNumber),
    Column("topic", WholeNumber),
    Column("status", String(8), nullable=False),  # done, undone (can be redone), dropped
    _partial_index("acts_by_author", "project", "author", "status", "event", where="author <> ''"),
    Index("acts_by_position", "project", "position", "event", "kind", "status"),
    _partial_index("acts_by_topic", "project", "topic", "event", where="topic IS NOT NULL"),
    # the few that are no labels: batches, restores, topics
    _partial_index("acts_by_kind", "project", "kind", "event", where=NO_LABELS),
    sqlite_with_rowid=False,
)

topics = Table(  # derived
    "topics",
    metadata,
    _project(primary_key=True),
    Column("id", WholeNumber, primary_key=True, autoincrement=False),
    Column("name", String(200), nullable=False),
    Column("colour", Integer, nullable=False),
    Column("created", Moment, nullable=False),
    Column("alive", Boolean, nullable=False),
)

annotated = Table(  # derived: the label in force of each document, and whether it was skipped
    "annotations",
    metadata,
    _project(primary_key=True),
    Column("position", WholeNumber, primary_key=True, autoincrement=False),
    Column("event", WholeNumber),
    Column("labelled", Boolean, nullable=False),
    Column("skipped", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

marks = Table(  # derived: the documents whose label names a topic, deleted or not
    "marks",
    metadata,
    _project(primary_key=True),
    Column("position", WholeNumber, primary_key=True, autoincrement=False),
    Column("topic", WholeNumber, primary_key=True, autoincrement=False),
    Column("permitted", Boolean, nullable=False),
    Index("marks_by_topic", "project", "topic", "permitted"),
    sqlite_with_rowid=False,
)

runs = Table(
    "runs",
    metadata,
    _project(primary_key=True),
    Column("id", WholeNumber, primary_key=True, autoincrement=False),
    Column("revision", WholeNumber, nullable=False),
    Column("spec", Json, nullable=False),
    Column("settings", Json, nullable=False),
    Column("topic_ids", Json, nullable=False),
    Column("scores", Json, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("finished", Moment, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("preview", Boolean, nullable=False, server_default=false()),  # a full fit follows it
)

members = Table(  # who may do what, where people sign in; no rows: the project is its creator's
    "members",
    metadata,
    _project(primary_key=True),
    Column("id", WholeNumber, primary_key=True, autoincrement=False),
    Column("person", String(200), nullable=False),
    Column("role", String(8), nullable=False),
    Column("changed_by", String(200), nullable=False),
    Column("changed", Moment, nullable=False),
    UniqueConstraint("project", "person"),
    Index("members_by_person", "person"),
)

# Only the log of a project that never became complete can be deleted.
LOG_TRIGGERS = {
    "events_no_update": "BEFORE UPDATE ON events",
    "events_no_delete": "BEFORE DELETE ON events "
    "WHEN EXISTS (SELECT 1 FROM projects WHERE id = OLD.project AND n_docs > 0)",
}


def log_trigger(name: str) -> DDL:
    """A trigger that keeps SQLite from changing the log."""
    raising = "BEGIN SELECT RAISE(ABORT, 'the log only grows'); END"
    return DDL(f"CREATE TRIGGER {name} {LOG_TRIGGERS[name]} {raising}")


for _name in LOG_TRIGGERS:
    event.listen(events, "after_create", log_trigger(_name).execute_if(dialect="sqlite"))

event.listen(events, "after_create", LOG_GUARD.execute_if(dialect="postgresql"))
event.listen(documents, "after_create", SEARCH_TABLE.execute_if(dialect="postgresql"))
