"""The state of a project in memory, brought up to the log event by event."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.store import (
    Annotation,
    Codebook,
    Event,
    LabelInForce,
    Project,
    Run,
    SavedSearch,
    Store,
    Topic,
    new_annotation,
)
from core.topics import Topics
from core.workspace.scores.left_out_trend import LeftOutTrend


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
            withdrawn=self.withdrawn | {position} if cleared else self.withdrawn,
        )


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
        if event.kind in ("undo", "redo"):
            now = self._store.label_in_force(event.project, event.position)
        else:
            label = new_annotation(event, known.topics) if event.kind == "label" else None
            now = known.label_in_force(event.position).after(event.kind, label)
        self._keep(event.project, known.with_label(event.id, event.position, now))

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
        )

    def _keep(self, project: int, snapshot: Snapshot) -> Snapshot:
        with self._lock:
            self._known[project] = snapshot
        return snapshot
