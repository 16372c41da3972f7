"""The state of a project, computed from its whole log; the derived tables are copies of this.

The state is what the events in force say, in the order in which they were recorded. An undo takes
one event out of force and a redo brings it back, so undo is exact however the events of several
authors are interleaved.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from core.store.coding.assignments import ASSIGN_TEXTS, Assignments, assignments_of
from core.store.coding.double_coding import SET_DOUBLE_CODING
from core.store.coding.highlights import HighlightInForce, highlights_of
from core.store.events.added_texts import AddedTexts
from core.store.events.codebook import Codebook, codebook_of
from core.store.events.in_force import ADD_TEXTS, events_in_force
from core.store.events.memos import Memo, memos_of
from core.store.events.new_events import BLIND_LABEL
from core.store.events.report_fields import ReportField, report_fields_of
from core.store.events.saved_searches import SavedSearch, saved_searches_of
from core.store.state.labels_in_force import annotations_of, labels_in_force
from core.store.state.lineage import lineage_of, topics_in_order
from core.store.state.word_rules import WordRules, word_rules_of
from core.store.values import Annotation, Event, Topic


@dataclass(frozen=True, slots=True)
class State:
    """Everything a project's log says at one point."""

    topics: tuple[Topic, ...]
    annotations: dict[int, Annotation]  # by position
    skipped: frozenset[int]
    word_rules: WordRules = field(default_factory=WordRules)
    codebook: dict[int, Codebook] = field(default_factory=dict)  # by topic
    report: dict[str, ReportField] = field(default_factory=dict)  # by name of the field
    memos: tuple[Memo, ...] = ()
    searches: tuple[SavedSearch, ...] = ()  # by name
    highlights: dict[int, tuple[HighlightInForce, ...]] = field(default_factory=dict)
    assignments: Assignments = field(default_factory=Assignments)
    doubled_share: float = 0.0  # of the texts, that two people label
    waiting: frozenset[int] = frozenset()  # events: labels that wait for a second person
    additions: dict[int, AddedTexts] = field(default_factory=dict)  # by event


def replay(log: Iterable[Event]) -> State:
    """The state after these events, oldest first."""
    events = events_in_force(log)
    lineage = lineage_of(events)
    documents = labels_in_force((e.position, e.kind, e) for e in events if e.position is not None)
    labels = (each.label for each in documents.values() if each.label is not None)
    annotations = annotations_of(labels, lineage)
    return State(
        topics=tuple(topics_in_order(lineage)),
        annotations=annotations,
        skipped=frozenset(at for at, each in documents.items() if each.skipped),
        word_rules=word_rules_of(events, lineage),
        codebook=codebook_of(events, lineage.topics),
        report=report_fields_of(events),
        memos=memos_of(events),
        searches=saved_searches_of(events),
        highlights=highlights_of(events, lineage),
        assignments=assignments_of(each for each in events if each.kind == ASSIGN_TEXTS),
        doubled_share=_doubled_share(events),
        waiting=_waiting(events, annotations),
        additions={e.id: AddedTexts.read(e.payload) for e in events if e.kind == ADD_TEXTS},
    )


def _doubled_share(events: Iterable[Event]) -> float:
    shares = [each.payload["share"] for each in events if each.kind == SET_DOUBLE_CODING]
    return float(shares[-1]) if shares else 0.0


def _waiting(events: Iterable[Event], labelled: Container[int]) -> frozenset[int]:
    """The last label of each person that waits for another's."""
    last = {(each.position, each.author): each.id for each in events if each.kind == BLIND_LABEL}
    return frozenset(event for (at, _), event in last.items() if at not in labelled)
