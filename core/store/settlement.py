"""What turning many acts makes of the derived tables: worked out first, written afterwards.

Working it out takes most of the time and needs no lock; while it is written, nobody else can
write. Labels that others give in between are no reason to begin again: their documents are left
out of what was worked out, and settled one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Connection, bindparam, select, update

from core.store import lineage
from core.store.pouring import pieces, pour, sweep
from core.store.reading import KEPT, Payloads
from core.store.settle import count_labelled, named_topics, says_something, settle_document
from core.store.settle_topics import settle_topics
from core.store.standing import DONE
from core.store.tables import acts, annotated, events, marks
from core.store.topic_log import read_lineage

Becomes = Callable[[int, str], str]  # event and status to the status it gets
Pairs = Sequence[tuple[Any, str]]  # acts as ``_ACTS`` reads them, and the status each gets

_p: BindParameter[int] = bindparam("p_project")
_ACTS = (
    select(acts.c.event, acts.c.kind, acts.c.position, acts.c.topic, acts.c.status)
    .where(acts.c.project == _p)
    .order_by(acts.c.event)
)
_PRESENT = select(
    annotated.c.position, annotated.c.event, annotated.c.labelled, annotated.c.skipped
).where(annotated.c.project == _p)
_SAID = select(events.c.id, KEPT).where(
    events.c.project == _p,
    events.c.kind == "label",
    events.c.id.between(bindparam("p_first"), bindparam("p_last")),
)
_ON_TOPICS = select(events.c.id, events.c.kind, events.c.payload, events.c.time).where(
    events.c.project == _p, events.c.id.in_(bindparam("p_keys", expanding=True))
)
_SET_RANGE = (
    update(acts)
    .where(acts.c.project == _p, acts.c.event.between(bindparam("p_first"), bindparam("p_last")))
    .values(status=bindparam("p_status"))
)


Standing = tuple[int | None, bool, bool]  # the label in force, if it labels, if it was skipped
Named = tuple[tuple[int, bool], ...]  # topics that a label names, and whether it permits them


class Change(NamedTuple):
    """A document before and after; ``topics`` are those its new label names, None as before."""

    was: Standing | None
    becomes: Standing | None
    topics: Named | None


class Rows(NamedTuple):
    """Changes as rows that go out of the tables and come into them."""

    known: list[int]  # positions
    renamed: list[int]
    documents: list[tuple[Any, ...]]
    topics: list[tuple[Any, ...]]
    gained: int  # documents that carry a label


class Turned(NamedTuple):
    """Acts from one number to another that get a status."""

    first: int
    last: int
    status: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """The acts that turn, and what then changes in the tables."""

    turned: tuple[Turned, ...]
    documents: Mapping[int, Change]  # by position
    rows: Rows
    topics: bool  # whether topics come or go


def work_out(connection: Connection, project: int, becomes: Becomes) -> Settlement:
    """Look at every act of a project, and at the documents of those that turn."""
    several = connection.execute(_ACTS, {"p_project": project}).all()
    status = [becomes(act[0], act[4]) for act in several]
    pairs = list(zip(several, status, strict=True))
    moved = [act for act, new in pairs if act[4] != new and DONE in (act[4], new)]
    topics = any(act[3] is not None for act in moved)
    heirs = _lineage(connection, project, pairs) if topics else read_lineage(connection, project)
    touched = {act[2] for act in moved if act[2] is not None}
    standing, named = _standing(connection, project, pairs, touched, heirs.reaching)
    documents = _changes(connection, project, standing, named)
    return Settlement(_ranges(pairs), documents, _rows(documents), topics)


def settle(
    connection: Connection, project: int, found: Settlement, besides: Collection[int] = ()
) -> None:
    """Write it down; documents named by ``besides`` are settled by what stands now."""
    keys = [
        {"p_project": project, "p_first": first, "p_last": last, "p_status": status}
        for first, last, status in found.turned
    ]
    if keys:
        connection.execute(_SET_RANGE, keys)
    rows = found.rows
    if besides:
        rows = _rows({at: each for at, each in found.documents.items() if at not in besides})
    _write(connection, project, rows)
    if found.topics:
        settle_topics(connection, project)
    for position in sorted(besides):
        settle_document(connection, project, position)


def _ranges(pairs: Pairs) -> tuple[Turned, ...]:
    """Acts that get the same status one after another, where any of them had another one."""
    runs = ((new, [act for act, _ in run]) for new, run in groupby(pairs, lambda pair: pair[1]))
    return tuple(
        Turned(run[0].event, run[-1].event, new)
        for new, run in runs
        if any(act[4] != new for act in run)
    )


def _lineage(connection: Connection, project: int, pairs: Pairs) -> lineage.Lineage:
    """The topics there will be."""
    numbers = [act[0] for act, new in pairs if new == DONE and act[1] in lineage.KINDS]
    rows: list[Any] = []
    for part in pieces(numbers):
        rows += connection.execute(_ON_TOPICS, {"p_project": project, "p_keys": part})
    return lineage.lineage_of(rows)


def _standing(
    connection: Connection,
    project: int,
    pairs: Pairs,
    touched: Collection[int],
    reaching: Collection[int],
) -> tuple[dict[int, Standing | None], dict[int, Named]]:
    """What the touched documents will be, and the topics that their labels name."""
    last: dict[int, str] = {}
    labels: dict[int, int] = {}
    for (event, kind, position, _, _), new in pairs:
        if new == DONE and position in touched:
            last[position] = kind
            if kind == "label":
                labels[position] = event
    told = _told(connection, project, labels.values(), reaching)
    standing: dict[int, Standing | None] = dict.fromkeys(touched)
    for position, kind in last.items():
        label = labels.get(position)
        labelled = label is not None and told[label][0]
        standing[position] = (label, labelled, kind == "skip")
    return standing, {position: told[label][1] for position, label in labels.items()}


def _told(
    connection: Connection, project: int, labels: Collection[int], reaching: Collection[int]
) -> dict[int, tuple[bool, Named]]:
    """For each label whether it labels its document, and the topics it names."""
    if not labels:
        return {}
    payloads, wanted = Payloads(), set(labels)
    keys = {"p_project": project, "p_first": min(wanted), "p_last": max(wanted)}
    kept = {row[0]: row[1] for row in connection.execute(_SAID, keys).all()}
    told = {
        text: (says_something(payloads[text], reaching), tuple(named_topics(payloads[text])))
        for text in set(kept.values())
    }
    return {number: told[kept[number]] for number in wanted}


def _changes(
    connection: Connection,
    project: int,
    standing: Mapping[int, Standing | None],
    named: Mapping[int, Named],
) -> dict[int, Change]:
    """The documents of which the tables say something else so far."""
    rows = connection.execute(_PRESENT, {"p_project": project}).all()
    present = {position: (event, *said) for position, event, *said in rows}
    changes = {}
    for position, becomes in standing.items():
        was = present.get(position)
        if was != becomes:
            same = was is not None and becomes is not None and was[0] == becomes[0]
            topics = None if same else named.get(position, ())
            changes[position] = Change(was, becomes, topics)
    return changes


def _rows(documents: Mapping[int, Change]) -> Rows:
    known = [position for position, each in documents.items() if each.was is not None]
    rows = [(position, *each.becomes) for position, each in documents.items() if each.becomes]
    lost = sum(each.was[1] for each in documents.values() if each.was is not None)
    return Rows(
        known=known,
        renamed=[position for position in known if documents[position].topics is not None],
        documents=rows,
        topics=[(at, *topic) for at, each in documents.items() for topic in each.topics or ()],
        gained=sum(row[2] for row in rows) - lost,
    )


def _write(connection: Connection, project: int, rows: Rows) -> None:
    sweep(connection, annotated, project, rows.known)
    sweep(connection, marks, project, rows.renamed)
    names, always = ("position", "event", "labelled", "skipped"), {"project": project}
    pour(connection, annotated, names, rows.documents, always)
    pour(connection, marks, ("position", "topic", "permitted"), rows.topics, always)
    count_labelled(connection, project, rows.gained)
