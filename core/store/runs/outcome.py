"""What came of a fit: its scores, what it changed, whether it honoured operations.

A run keeps all of it in one JSON column. The names in that column are those of the first version:
the scores lie at the top, beside ``change``, ``honoured`` (verdicts), ``begun`` (began_with) and
``vectors``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from core.supervision import TopicKey

Degree = Literal["fully", "partly", "not"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScores:
    """Scores counted right after a fit; None where there is nothing to count.

    Those against the true labels are on the documents that nobody labelled.
    """

    n_labelled: int | None = None
    adherence: float | None = None  # where labels are rules
    mean_jaccard: float | None = None
    n_resolved: int | None = None
    n_labels: int | None = None
    n_documents: int | None = None
    left_out_right: int | None = None  # labelled documents that the guide got right, left out
    left_out_of: int | None = None  # of how many
    left_out_alone: int | None = None  # and how many more are the only example of their labels

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RunScores:
        return cls(**_known(cls, values))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefitChange:
    """What a refit changed, in one line: the topic that changed most, and documents that moved."""

    topic: str | None = None  # the name of the topic that changed most
    gained: tuple[str, ...] = ()  # words of that topic
    lost: tuple[str, ...] = ()
    moved: int = 0  # documents whose main topic is another one now
    stability: float | None = None  # share of first words kept, mean over topics
    untouched: float | None = None  # the same over topics that no new label spoke of
    added: tuple[str, ...] = ()  # names of topics that are new
    removed: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RefitChange:
        given = _known(cls, values)
        lists: dict[str, Any] = {k: tuple(v) for k, v in given.items() if isinstance(v, list)}
        return cls(**{**given, **lists})


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationVerdict:
    """How far a fit could follow one operation, and why."""

    event: int  # the operation's event on the log
    kind: str
    degree: Degree
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> OperationVerdict:
        return cls(**_known(cls, values))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """Everything a run tells about itself beside its factors."""

    scores: RunScores = field(default_factory=RunScores)
    change: RefitChange | None = None  # None: there was no earlier fit to compare with
    verdicts: tuple[OperationVerdict, ...] = ()  # on operations since the run before, newest first
    began_with: Mapping[TopicKey, int] = field(default_factory=dict)  # labels, by topic
    vectors: str | None = None  # fingerprint of the vectors it read; "" for none, None: not noted

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.scores.to_dict(),
            "change": None if self.change is None else self.change.to_dict(),
            "honoured": [verdict.to_dict() for verdict in self.verdicts],
            "begun": {str(topic): labels for topic, labels in self.began_with.items()},
            **({} if self.vectors is None else {"vectors": self.vectors}),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RunOutcome:
        change, begun = values.get("change"), values.get("begun") or {}
        return cls(
            scores=RunScores.from_dict(values),
            change=RefitChange.from_dict(change) if change else None,
            verdicts=tuple(map(OperationVerdict.from_dict, values.get("honoured") or ())),
            began_with={int(topic): int(labels) for topic, labels in begun.items()},
            vectors=values.get("vectors"),
        )


def _known(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a class has a field for; other versions may have written more."""
    names = {each.name for each in fields(kind)}
    return {name: value for name, value in values.items() if name in names}
