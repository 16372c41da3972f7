"""Bring the derived tables up to the labels in force of many documents: the one bulk path.

Equal to ``document_update`` for each document, but with few statements: labels that say the same
are read once, and rows are compared with those there are and written together. Undoing a batch,
restoring a point, recording many labels and ending topics all use it. Planning takes most of the
time and needs no lock; only ``write`` keeps other writers waiting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, select, update

from core.store.bulk import among, delete_documents, insert_many
from core.store.events.event_rows import PAYLOAD_TEXT, ParsedPayloads
from core.store.state.document_update import change_label_count
from core.store.state.labels_in_force import LabelInForce, labels_its_document, named_topics
from core.store.state.lineage import Lineage
from core.store.tables import annotated, events, marks

DocumentRow = tuple[int | None, bool, bool]  # label in force, whether it labels, whether skipped
NamedTopics = tuple[tuple[int, bool], ...]  # topics a label names, and whether it permits them

_p: BindParameter[int] = bindparam("p_project")
_ROWS = select(
    annotated.c.position, annotated.c.event, annotated.c.labelled, annotated.c.skipped
).where(annotated.c.project == _p)
_LABELS = select(events.c.id, PAYLOAD_TEXT).where(
    events.c.project == _p,
    events.c.kind == "label",
    events.c.id.between(bindparam("p_first"), bindparam("p_last")),
)


class LabelContent(NamedTuple):
    """What a label says now: whether its document counts as labelled, and the topics it names."""

    labels: bool
    topics: NamedTopics


def content_of(payload: Mapping[str, Any], lineage: Lineage) -> LabelContent:
    return LabelContent(labels_its_document(payload, lineage), named_topics(payload))


class DocumentChange(NamedTuple):
    """A document's row before and after; ``topics`` of its new label, None if that is the same."""

    before: DocumentRow | None
    after: DocumentRow | None
    topics: NamedTopics | None


@dataclass(frozen=True, slots=True)
class BulkUpdate:
    """Changes by position, as rows that leave the tables and rows that come into them."""

    changes: Mapping[int, DocumentChange]
    replaced: Sequence[int]  # positions whose row is deleted, and perhaps written anew
    renamed: Sequence[int]  # positions whose label names other topics
    rows: Sequence[tuple[Any, ...]]
    topic_rows: Sequence[tuple[Any, ...]]
    flipped: Mapping[bool, Sequence[int]]  # positions of which only ``labelled`` changes
    gained: int  # labelled documents more than before

    def without(self, positions: Collection[int]) -> BulkUpdate:
        """The same for all other documents."""
        if not positions:
            return self
        return _update({at: each for at, each in self.changes.items() if at not in positions})

    def write(self, connection: Connection, project: int) -> None:
        """Write all rows; the caller's transaction makes it all or nothing."""
        for labelled, positions in self.flipped.items():
            for which in among(connection, annotated, positions):
                flip = update(annotated).where(annotated.c.project == project, which)
                connection.execute(flip.values(labelled=labelled))
        delete_documents(connection, annotated, project, self.replaced)
        delete_documents(connection, marks, project, self.renamed)
        names, same = ("position", "event", "labelled", "skipped"), {"project": project}
        insert_many(connection, annotated, names, self.rows, same)
        topic_names = ("position", "topic", "permitted")
        insert_many(connection, marks, topic_names, self.topic_rows, same)
        change_label_count(connection, project, self.gained)


def plan_update(
    documents: Mapping[int, LabelInForce[int]],
    contents: Mapping[int, LabelContent],
    present: Mapping[int, DocumentRow],
) -> BulkUpdate:
    """What changes for these documents; ``contents`` by label, ``present`` rows by position."""
    changes = {}
    nothing: LabelInForce[int] = LabelInForce()
    for position, now in documents.items():
        label, before = now.label, present.get(position)
        labelled = label is not None and contents[label].labels
        after = None if now == nothing else (label, labelled, now.skipped)
        if before != after:
            same = before is not None and before[0] == label and after is not None
            topics = contents[label].topics if label is not None else ()
            changes[position] = DocumentChange(before, after, None if same else topics)
    return _update(changes)


def read_rows(
    connection: Connection, project: int, positions: Sequence[int]
) -> dict[int, DocumentRow]:
    """The rows that documents have now, by position."""
    found: dict[int, DocumentRow] = {}
    for which in among(connection, annotated, positions):
        rows = connection.execute(_ROWS.where(which), {"p_project": project}).all()
        found |= {position: (event, *flags) for position, event, *flags in rows}
    return found


def read_contents(
    connection: Connection, project: int, labels: Collection[int], lineage: Lineage
) -> dict[int, LabelContent]:
    """What the labels of these events say now."""
    if not labels:
        return {}
    wanted = set(labels)
    keys = {"p_project": project, "p_first": min(wanted), "p_last": max(wanted)}
    rows = connection.execute(_LABELS, keys).all()
    return contents_of(((event, text) for event, text in rows if event in wanted), lineage)


def contents_of(labels: Iterable[tuple[int, str]], lineage: Lineage) -> dict[int, LabelContent]:
    """From numbers and payloads as the database keeps them; equal payloads are read once."""
    payloads, known = ParsedPayloads(), dict[str, LabelContent]()
    found = {}
    for event, text in labels:
        if text not in known:
            known[text] = content_of(payloads[text], lineage)
        found[event] = known[text]
    return found


def _update(changes: Mapping[int, DocumentChange]) -> BulkUpdate:
    flipped: dict[bool, list[int]] = {}
    replaced: dict[int, DocumentChange] = {}
    for position, each in changes.items():
        if each.before and each.after and each.before[::2] == each.after[::2]:
            flipped.setdefault(each.after[1], []).append(position)
        else:
            replaced[position] = each
    known = [position for position, each in replaced.items() if each.before is not None]
    before = sum(each.before[1] for each in changes.values() if each.before is not None)
    after = sum(each.after[1] for each in changes.values() if each.after is not None)
    return BulkUpdate(
        changes=changes,
        replaced=known,
        renamed=[position for position in known if replaced[position].topics is not None],
        rows=[(position, *each.after) for position, each in replaced.items() if each.after],
        topic_rows=[(at, *topic) for at, each in replaced.items() for topic in each.topics or ()],
        flipped=flipped,
        gained=after - before,
    )
