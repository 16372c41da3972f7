"""Write the log: append events, and bring the derived tables up to them.

Every function works inside a writing transaction of its caller and touches only what the event is
about: one document, or topics and the documents whose labels name them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, literal, select

from core.store.bulk import insert_many
from core.store.column_types import as_text, microseconds
from core.store.events.append import (
    append_event,
    append_in_force,
    drop_undone,
    open_project,
    repeated_event,
    set_revision,
)
from core.store.events.bulk_labels import BulkLabels, Recordable
from core.store.events.checks import checked_name
from core.store.events.in_force import USE_RUN
from core.store.events.new_events import (
    KIND_BY_TYPE,
    BlindLabel,
    CreateTopic,
    Label,
    NewEvent,
    Restore,
    checked,
    payload_of,
)
from core.store.events.origin import Origin
from core.store.events.requirements import (
    TakenNames,
    prepare_topic,
    require_position,
    require_seen,
    require_topics,
    with_new_topic,
)
from core.store.state import lineage
from core.store.state.bulk_update import content_of, plan_update, read_rows
from core.store.state.document_update import update_document, update_for_new_label
from core.store.state.labels_in_force import labels_in_force
from core.store.state.log_lines import line_of
from core.store.state.planned_change import PlannedChange, apply_change
from core.store.state.topic_update import add_topic, update_topics
from core.store.state.topics import read_lineage
from core.store.tables import event_status, events
from core.store.values import Event


def record(
    connection: Connection,
    project: int,
    new: NewEvent,
    origin: Origin,
    seen: int | None = None,
    planned: PlannedChange | None = None,
    taken: TakenNames | None = None,
) -> Event:
    """Append an event; a repeated request returns the event that is on the log already.

    ``seen`` is the event of the label that its author saw: a newer one of somebody else is not
    replaced unseen. ``planned`` is what a restore was planned to change; ``taken`` the names of the
    topics, where several events are recorded.
    """
    new = checked(new)
    row = open_project(connection, project)
    repeated = repeated_event(connection, project, origin)
    if repeated is not None:
        return repeated
    if isinstance(new, Label | BlindLabel) and seen is not None:
        require_seen(connection, project, new, origin.author, seen)
    payload = payload_of(new)
    position = getattr(new, "position", None)
    for each in getattr(new, "positions", () if position is None else (position,)):
        require_position(each, row.n_docs)
    if isinstance(new, Label):
        require_topics(connection, project, (*new.permitted, *new.forbidden))
    else:
        taken = taken or TakenNames(connection, project)
        payload |= prepare_topic(connection, row, new, taken)
    kind = KIND_BY_TYPE[type(new)]
    event = append_in_force(connection, row, kind, payload, origin, position=position)
    if isinstance(new, Restore):
        apply_change(connection, project, line_of(event), None, planned)
    elif isinstance(new, Label):
        update_for_new_label(connection, event)
    elif isinstance(new, CreateTopic):
        add_topic(connection, event)
    else:
        update_tables(connection, project, position, kind)
    if taken is not None:
        taken.follow(event)
    return event


def update_tables(connection: Connection, project: int, position: int | None, kind: str) -> None:
    """Bring the derived tables up to an event that came into force or went out of it."""
    if position is not None:
        update_document(connection, project, position)
    if kind in lineage.LINEAGE_KINDS:
        update_topics(connection, project)


def record_many(
    connection: Connection,
    project: int,
    several: Iterable[Recordable],
    origin: Origin,
    *,
    owner: str | None = None,
) -> range:
    """Append several events in order, bulk labels with few statements; the numbers they get.

    ``owner`` is who can undo single labels of bulk labels, if not their author.
    """
    numbers: list[int] = []
    newest: int | None = None  # the topic created last; later events may be about it
    taken = TakenNames(connection, project)
    for each in several:
        if isinstance(each, BulkLabels):
            labels = each.with_new_topic(newest)
            added = _record_labels(connection, project, labels, origin, owner)
            numbers += added[0], added[-1]
            continue
        event = record(connection, project, with_new_topic(each, newest), origin, taken=taken)
        newest = event.payload["topic"] if event.kind == "create_topic" else newest
        numbers.append(event.id)
    return range(numbers[0], numbers[-1] + 1) if numbers else range(0)


def note_run(connection: Connection, project: int, title: str, origin: Origin) -> Event:
    """Note that a run was made current; labels and topics stay, so no undo is about it."""
    row = open_project(connection, project)
    payload = {"title": checked_name(title, "A run")}
    return append_event(connection, row, USE_RUN, payload, origin)


def _record_labels(
    connection: Connection, project: int, labels: BulkLabels, origin: Origin, owner: str | None
) -> range:
    row = open_project(connection, project)
    for position in labels.positions:
        require_position(position, row.n_docs)
    named = {topic for each in labels.contents for topic in (*each.permitted, *each.forbidden)}
    require_topics(connection, project, named)
    time = origin.time or datetime.now(UTC)
    numbers = range(row.revision + 1, row.revision + 1 + len(labels))
    drop_undone(connection, project, origin.author)
    texts = [as_text(payload_of(each)) for each in labels.contents]
    rows = list(zip(numbers, labels.positions, map(texts.__getitem__, labels.which), strict=True))
    same = {"project": project, "kind": KIND_BY_TYPE[Label], "author": origin.author}
    columns = ("id", "position", "payload")
    insert_many(connection, events, columns, rows, {**same, "time": microseconds(time)})
    _set_in_force(connection, project, numbers, origin.author if owner is None else owner)
    set_revision(connection, project, numbers[-1], time)
    _update_labelled(connection, project, labels, numbers)
    return numbers


def _set_in_force(connection: Connection, project: int, numbers: range, owner: str) -> None:
    """Note new labels as in force."""
    rows = select(
        events.c.project,
        events.c.id,
        events.c.kind,
        literal(owner),
        events.c.position,
        literal("done"),
    ).where(events.c.project == project, events.c.id.between(numbers[0], numbers[-1]))
    names = ["project", "event", "kind", "author", "position", "status"]
    connection.execute(insert(event_status).from_select(names, rows))


def _update_labelled(
    connection: Connection, project: int, labels: BulkLabels, numbers: range
) -> None:
    """Bring the tables up to new labels; each is the last event about its document."""
    topics = read_lineage(connection, project)
    different = [content_of(payload_of(each), topics) for each in labels.contents]
    contents = dict(zip(numbers, map(different.__getitem__, labels.which), strict=True))
    kind = KIND_BY_TYPE[Label]
    documents = labels_in_force(
        (position, kind, event) for position, event in zip(labels.positions, numbers, strict=True)
    )
    present = read_rows(connection, project, labels.positions)
    plan_update(documents, contents, present).write(connection, project)
