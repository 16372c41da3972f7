"""The state of a project in memory, brought up to the log event by event."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.store import (
    Annotation,
    Assignments,
    Codebook,
    DoubleCoding,
    Event,
    LabelInForce,
    Project,
    Run,
    SavedSearch,
    Store,
    Topic,
    new_annotation,
)
from core.store.coding.blind_labels import WaitingLabels
from core.store.coding.highlights import DROP_HIGHLIGHT, HIGHLIGHT, HighlightInForce
from core.store.events.new_events import BLIND_LABEL
from core.topics import Topics
from core.workspace.scores.left_out_trend import LeftOutTrend

HIGHLIGHT_KINDS = (HIGHLIGHT, DROP_HIGHLIGHT)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a project after its ``revision``-th event."""

    revision: int
    annotations: Mapping[int, Annotation]
    skipped: frozenset[int]
    topics: tuple[Topic, ...]
    codebook: Mapping[int, Codebook]
    labelled: frozenset[int]
    counts: Mapping[int, int]  # how many documents each topic is permitted in
    withdrawn: frozenset[int]  # not labelled, though a label event may be in force
    saved: tuple[SavedSearch, ...] = ()
    double_coding: DoubleCoding | None = None
    waiting: Mapping[int, WaitingLabels] = field(default_factory=dict)  # for a second person
    assignments: Assignments = field(default_factory=Assignments)
    highlights: Mapping[int, tuple[HighlightInForce, ...]] = field(default_factory=dict)

    def assigned_left(self, author: str) -> int:
        """How many texts a person has still to label of those assigned to them."""
        mine = self.assignments.of(author)
        if not mine:
            return 0
        done = mine & self.labelled  # each of these takes as long as its smaller side
        done |= mine & self.skipped
        return len(mine) - len(done | (mine & self.spoken_by(author)))

    def is_doubled(self, position: int) -> bool:
        """Whether two people are to label a document, and have not yet: nobody sees a label."""
        if position in self.annotations:
            return False
        chosen = self.double_coding is not None and self.double_coding.chooses(position)
        return chosen or position in self.waiting

    def own_label(self, position: int, author: str) -> Annotation | None:
        """The label that a person sees on a document: the one in force, or their own hidden one."""
        if position in self.annotations or position not in self.waiting:
            return self.annotations.get(position)
        own = self.waiting[position].get(author)
        return None if own is None else own.annotation

    def has_spoken(self, position: int, author: str) -> bool:
        """Whether a person's label of a doubled document waits for a second person."""
        own = self.waiting.get(position, {}).get(author)
        return own is not None and own.spoken

    def spoken_by(self, author: str) -> frozenset[int]:
        """The documents whose label by this person waits for a second person."""
        return frozenset(at for at in self.waiting if self.has_spoken(at, author))

    def spoken_by_others(self, author: str) -> frozenset[int]:
        """The documents that wait for a second person, who can be this one."""
        return frozenset(
            at
            for at, labels in self.waiting.items()
            if any(each.spoken for name, each in labels.items() if name != author)
        )

    def saved_search(self, name: str) -> SavedSearch | None:
        """The saved search of that name."""
        wanted = name.casefold()
        return next((each for each in self.saved if each.name.casefold() == wanted), None)

    def blank(self, position: int) -> bool:
        """Whether a document surely has no label event in force."""
        return position not in self.annotations and position not in self.withdrawn

    def label_in_force(self, position: int) -> LabelInForce[Annotation]:
        """The annotation of a document, if any, and whether it was skipped since."""
        return LabelInForce(self.annotations.get(position), position in self.skipped)

    def with_label(self, revision: int, position: int, now: LabelInForce[Annotation]) -> Snapshot:
        """The snapshot after an event that gave one document another label in force.

        Only that document is changed: a project can have very many labels.
        """
        annotations, counts = dict(self.annotations), Counter(self.counts)
        before = annotations.pop(position, None)
        counts.subtract(before.permitted if before else ())
        if now.label is not None:
            annotations[position] = now.label
            counts.update(now.label.permitted)
        labelled, skipped = self.labelled - {position}, self.skipped - {position}
        cleared = now.label is None and not now.skipped  # an empty label, or what an undo left
        return replace(
            self,
            revision=revision,
            annotations=annotations,
            skipped=skipped | {position} if now.skipped else skipped,
            labelled=labelled | {position} if now.label and now.label.labelled else labelled,
            counts=counts,
            waiting=_without(self.waiting, position) if now.label else self.waiting,
            withdrawn=self.withdrawn | {position} if cleared else self.withdrawn,
        )

    def with_waiting(self, revision: int, position: int, labels: WaitingLabels) -> Snapshot:
        """The snapshot after an event about labels that wait for a second person."""
        others = _without(self.waiting, position)
        hidden = labels and position not in self.annotations
        return replace(
            self, revision=revision, waiting={**others, position: labels} if hidden else others
        )


def _without(waiting: Mapping[int, WaitingLabels], position: int) -> Mapping[int, WaitingLabels]:
    if position not in waiting:
        return waiting
    return {at: labels for at, labels in waiting.items() if at != position}


@dataclass(frozen=True, slots=True)
class Fitted:
    """A project, its state, its current run and the topics of that run."""

    project: Project
    snapshot: Snapshot
    run: Run | None
    topics: Topics | None
    left_out: LeftOutTrend | None = None  # what the guide of the run gets right


class Snapshots:
    """One snapshot per project; read anew only if somebody else has written meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Snapshot] = {}
        self._lock = threading.Lock()

    def of(self, project: Project) -> Snapshot:
        """The project's state at its revision."""
        known = self.known(project.id)
        if known is not None and known.revision >= project.revision:
            return known
        return self._keep(project.id, self._read(project.id, project.revision))

    def follow(self, event: Event) -> None:
        """Bring the snapshot up to an event about one document; others make it be read anew."""
        known = self.known(event.project)
        if known is None or event.id != known.revision + 1 or event.position is None:
            return
        if event.kind in HIGHLIGHT_KINDS or event.payload.get("kind") in HIGHLIGHT_KINDS:
            highlights = self._store.highlights(event.project)
            self._keep(event.project, replace(known, revision=event.id, highlights=highlights))
            return
        if event.kind == BLIND_LABEL:
            self._keep(event.project, self._with_waiting(known, event))
            return
        if event.kind in ("undo", "redo"):
            now = self._store.label_in_force(event.project, event.position)
        else:
            label = new_annotation(event, known.topics) if event.kind == "label" else None
            now = known.label_in_force(event.position).after(event.kind, label)
        followed = known.with_label(event.id, event.position, now)
        undone = event.kind in ("undo", "redo")
        self._keep(event.project, self._with_waiting(followed, event) if undone else followed)

    def _with_waiting(self, snapshot: Snapshot, event: Event) -> Snapshot:
        position = event.position or 0
        labels = self._store.waiting_labels_at(event.project, position)
        return snapshot.with_waiting(event.id, position, labels)

    def known(self, project: int) -> Snapshot | None:
        """The newest state that was read or followed."""
        with self._lock:
            return self._known.get(project)

    def _read(self, project: int, revision: int) -> Snapshot:
        annotations = self._store.annotations(project)
        return Snapshot(
            revision,
            annotations,
            frozenset(self._store.skipped(project)),
            tuple(self._store.topics(project)),
            self._store.codebook(project),
            frozenset(p for p, each in annotations.items() if each.labelled),
            Counter(topic for each in annotations.values() for topic in each.permitted),
            frozenset(self._store.withdrawn(project)),
            self._store.saved_searches(project),
            self._store.double_coding(project),
            self._store.waiting_labels(project, annotations),
            self._store.assignments(project),
            self._store.highlights(project),
        )

    def _keep(self, project: int, snapshot: Snapshot) -> Snapshot:
        with self._lock:
            self._known[project] = snapshot
        return snapshot
