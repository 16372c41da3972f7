"""The values that the store returns: frozen, without connections inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from core.spec import ModelSpec
from core.store.runs.outcome import RunOutcome, RunScores
from core.text import TextSettings

MEANING_SETTINGS = ("auto", "off", "own")  # or a model folder
COLUMN_ROLES = ("truth", "date", "kept")  # of a column kept with the texts; a group otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """How a project reads its texts and fits its model."""

    text: TextSettings = field(default_factory=TextSettings)
    spec: ModelSpec = field(default_factory=ModelSpec)
    n_free: int = 3  # topics beyond the named ones
    truth: bool = False  # the labels that came with the corpus are the truth for scores
    columns: Mapping[str, Any] = field(default_factory=dict)
    levels: tuple[str, ...] = ()  # side columns as levels above documents, lowest first
    demo: bool = False
    meaning: str = "auto"  # where vectors come from: one of MEANING_SETTINGS, or a model folder
    labels_from_file_until: int = 0  # labels up to this event came with the corpus
    vocabulary_texts: int = 0  # words come from the first so many texts; 0: from all of them
    column_roles: Mapping[str, str] = field(default_factory=dict)  # by side column: COLUMN_ROLES

    @property
    def has_truth(self) -> bool:
        """Whether labels of the file, or a column kept with the texts, are the truth."""
        return self.truth or self.column_in("truth") is not None

    def column_in(self, role: str) -> str | None:
        """The column that has a role that only one can have."""
        return next((name for name, each in self.column_roles.items() if each == role), None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text.to_dict(),
            "spec": self.spec.to_dict(),
            "n_free": self.n_free,
            "truth": self.truth,
            "columns": dict(self.columns),
            "levels": list(self.levels),
            "demo": self.demo,
            "meaning": self.meaning,
            "labels_from_file_until": self.labels_from_file_until,
            "vocabulary_texts": self.vocabulary_texts,
            "column_roles": dict(self.column_roles),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ProjectSettings:
        text = TextSettings.from_dict(values["text"])
        spec = ModelSpec.from_dict(values["spec"])
        levels = tuple(values.get("levels", ()))
        return cls(**{**values, "text": text, "spec": spec, "levels": levels})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """The newest run of a project, as its card shows it."""

    run: int
    revision: int
    seconds: float
    scores: RunScores
    finished: datetime
    preview: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A corpus, its settings, and how far its labelling has come."""

    id: int
    name: str
    created: datetime
    n_docs: int
    n_labelled: int
    revision: int
    settings: ProjectSettings
    fingerprint: str
    texts_revision: int = 0  # the last event that changed the texts; an earlier run knows others
    last_run: RunSummary | None = None
    deleted: datetime | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """A named topic; its colour is a palette index that never changes."""

    id: int
    name: str
    colour: int
    created: datetime


def counts_as_labelled(permitted: Sequence[int], nothing_fits: bool) -> bool:
    """Forbidding topics narrows a document down, but does not label it."""
    return bool(permitted) or nothing_fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """The label in force of one document, without topics that are gone."""

    position: int
    permitted: tuple[int, ...]
    forbidden: tuple[int, ...] = ()
    confidence: str = "sure"
    nothing_fits: bool = False
    note: str = ""
    author: str
    time: datetime
    event: int

    @property
    def labelled(self) -> bool:
        return counts_as_labelled(self.permitted, self.nothing_fits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of a project's log. Ids count 1, 2, 3, … within the project."""

    id: int
    project: int
    kind: str  # of ``new_events.KIND_BY_TYPE``, or batch, add_texts, undo, redo, use_run
    payload: Mapping[str, Any]
    author: str
    time: datetime
    undoes: int | None = None  # the event that an undo or redo is about
    position: int | None = None

    @property
    def last(self) -> int:
        """The number of its last event: a batch ends with the last of those behind its head."""
        return self.id + (int(self.payload["count"]) if self.kind == "batch" else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One finished fit: what went in, what came of it, where its factors lie.

    A ``preview`` continues an earlier fit and is there at once; the next run of its project takes
    its place. All other runs rest: they were fitted afresh, or chosen.
    """

    id: int
    project: int
    revision: int
    spec: ModelSpec
    settings: Mapping[str, Any]
    topic_ids: tuple[int, ...]  # of the named topics, in the order of the factors' columns
    outcome: RunOutcome
    seconds: float
    finished: datetime
    automatic: bool
    factors: Path
    preview: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One page of matching positions in corpus order, and how many match in all."""

    positions: tuple[int, ...]
    total: int
