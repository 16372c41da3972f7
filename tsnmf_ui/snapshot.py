"""What the log of a project amounts to, kept in memory and in step act by act."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.store import (
    Annotation,
    Codebook,
    Event,
    Project,
    Run,
    Store,
    Topic,
    new_annotation,
)
from core.topics import Topics


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
    withdrawn: frozenset[int]  # documents without a label that somebody may have spoken of

    def blank(self, position: int) -> bool:
        """Whether nobody has ever spoken of a document."""
        return position not in self.annotations and position not in self.withdrawn


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
        known = self.known(project.id)
        if known is not None and known.revision >= project.revision:
            return known
        return self._keep(project.id, self._read(project.id, project.revision))

    def follow(self, event: Event) -> None:
        """Take what happened to one document into the snapshot; all else makes it be read anew."""
        known = self.known(event.project)
        if known is None or event.id != known.revision + 1 or event.position is None:
            return
        if event.kind == "label":
            said = new_annotation(event, known.topics)
            self._keep(event.project, _after(known, event, event.position, said, skips=False))
        elif event.kind in ("skip", "undo", "redo"):
            said = self._store.annotation(event.project, event.position)
            skipped = event.kind == "skip"
            if event.kind in ("undo", "redo"):
                skipped = event.position in self._store.skipped(event.project)
            self._keep(event.project, _after(known, event, event.position, said, skipped))

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
            frozenset(p for p, said in annotations.items() if said.labelled),
            Counter(topic for said in annotations.values() for topic in said.permitted),
            frozenset(self._store.withdrawn(project)),
        )

    def _keep(self, project: int, snapshot: Snapshot) -> Snapshot:
        with self._lock:
            self._known[project] = snapshot
        return snapshot


def _after(
    known: Snapshot, event: Event, position: int, said: Annotation | None, skips: bool
) -> Snapshot:
    """Changes what the act changed: a project can have very many labels."""
    annotations, counts = dict(known.annotations), Counter(known.counts)
    before = annotations.pop(position, None)
    counts.subtract(before.permitted if before else ())
    labelled, skipped = known.labelled - {position}, known.skipped - {position}
    if said is not None:
        annotations[position] = said
        counts.update(said.permitted)
    spoken = said is None and not skips  # a label that was taken back, or what an undo left
    return replace(
        known,
        revision=event.id,
        annotations=annotations,
        skipped=skipped | {position} if skips else skipped,
        labelled=labelled | {position} if said and said.labelled else labelled,
        counts=counts,
        withdrawn=known.withdrawn | {position} if spoken else known.withdrawn,
    )
