"""What the log of a project amounts to, kept in memory and in step act by act."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.store import Annotation, Codebook, Event, Project, Run, Store, Topic
from core.topics import Topics


@dataclass(frozen=True)
class Snapshot:
    """The state of a project after its ``revision``-th event."""

    revision: int
    annotations: Mapping[int, Annotation]
    skipped: frozenset[int]
    topics: tuple[Topic, ...]
    codebook: Mapping[int, Codebook] = field(default_factory=dict)

    @cached_property
    def labelled(self) -> frozenset[int]:
        return frozenset(p for p, said in self.annotations.items() if said.labelled)

    @cached_property
    def counts(self) -> Mapping[int, int]:
        """How many documents each topic is permitted in."""
        counts: dict[int, int] = {}
        for said in self.annotations.values():
            for topic in said.permitted:
                counts[topic] = counts.get(topic, 0) + 1
        return counts


@dataclass(frozen=True, slots=True)
class Fitted:
    """A project, what was said in it, and the topics that were fitted to that."""

    project: Project
    snapshot: Snapshot
    run: Run | None
    topics: Topics | None


class Snapshots:
    """One snapshot per project; read anew only when somebody else has written meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Snapshot] = {}
        self._lock = threading.Lock()

    def of(self, project: Project) -> Snapshot:
        """The project's state at its revision."""
        with self._lock:
            known = self._known.get(project.id)
        if known is not None and known.revision >= project.revision:
            return known
        return self._keep(project.id, self._read(project.id, project.revision))

    def follow(self, event: Event) -> None:
        """Take what happened to one document into the snapshot; all else makes it be read anew."""
        with self._lock:
            known = self._known.get(event.project)
        if known is None or event.id != known.revision + 1 or event.position is None:
            return
        if event.kind in ("label", "skip", "undo", "redo"):
            said = self._store.annotation(event.project, event.position)
            skipped = event.kind == "skip"
            if event.kind in ("undo", "redo"):
                skipped = event.position in self._store.skipped(event.project)
            self._keep(event.project, _after(known, event, event.position, said, skipped))

    def _read(self, project: int, revision: int) -> Snapshot:
        return Snapshot(
            revision,
            self._store.annotations(project),
            frozenset(self._store.skipped(project)),
            tuple(self._store.topics(project)),
            self._store.codebook(project),
        )

    def _keep(self, project: int, snapshot: Snapshot) -> Snapshot:
        with self._lock:
            self._known[project] = snapshot
        return snapshot


def _after(
    known: Snapshot, event: Event, position: int, said: Annotation | None, skips: bool
) -> Snapshot:
    annotations = {p: each for p, each in known.annotations.items() if p != position}
    if said is not None:
        annotations[position] = said
    skipped = known.skipped - {position}
    return replace(
        known,
        revision=event.id,
        annotations=annotations,
        skipped=skipped | {position} if skips else skipped,
    )
