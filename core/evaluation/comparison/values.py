"""What a comparison found, as plain values that a file can hold and a page can draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from core.evaluation.comparison.candidates import Judge
from core.spec import ModelSpec

COMPARISON_FORMAT = 1
SECONDS_SCORE = "seconds"


@dataclass(frozen=True, slots=True)
class TopicWords:
    """A topic in brief."""

    name: str
    label: int | None  # the label it belongs to or matches
    share: float  # of the corpus
    words: tuple[tuple[str, float], ...]  # heaviest first


@dataclass(frozen=True, slots=True)
class ComparisonEntry:
    """One candidate: its settings, and each score once per seed."""

    title: str
    spec: ModelSpec
    run: int | None
    scores: Mapping[str, tuple[float | None, ...]]
    topics: tuple[TopicWords, ...]  # of the first seed, on all labels
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # of the first seed
    agreement: float | None = None  # with itself, over seeds

    def values(self, name: str) -> list[float]:
        """The known values of a score."""
        return [value for value in self.scores.get(name, ()) if value is not None]

    def mean(self, name: str) -> float | None:
        known = self.values(name)
        return float(np.mean(known)) if known else None


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two candidates: how far they agree, which topics are the same, where they differ most."""

    first: int
    second: int
    agreement: float
    topics: tuple[tuple[int, int, float], ...]
    documents: tuple[tuple[int, float], ...]  # position and distance, furthest first


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The result of a comparison, without the factors."""

    entries: tuple[ComparisonEntry, ...]
    pairs: tuple[CandidatePair, ...]
    seeds: tuple[int, ...]
    judge: Judge
    n_judged: int  # documents that the scores rest on
    n_judged_labels: int
    n_labelled: int
    n_docs: int
    documents: tuple[tuple[int, float], ...]  # where all of them differ most
    mains: Mapping[int, tuple[tuple[int, float], ...]] = field(default_factory=dict)

    def table(self) -> pd.DataFrame:
        """One row per candidate, seed and score."""
        rows = [
            {"candidate": entry.title, "score": name, "seed": seed, "value": value}
            for entry in self.entries
            for name, values in entry.scores.items()
            for seed, value in zip(self.seeds, values, strict=False)
        ]
        return pd.DataFrame(rows, columns=["candidate", "score", "seed", "value"])

    def pair(self, first: int, second: int) -> CandidatePair | None:
        wanted = {first, second}
        return next((p for p in self.pairs if {p.first, p.second} == wanted), None)

    def partners(self, of: int, other: int) -> dict[int, tuple[int, float]]:
        """The topic of the other candidate matched with each topic of this one."""
        pair = self.pair(of, other)
        if pair is None:
            return {}
        if pair.first == of:
            return {a: (b, cosine) for a, b, cosine in pair.topics}
        return {b: (a, cosine) for a, b, cosine in pair.topics}

    def is_consistent(self, n_docs: int) -> bool:
        """Whether every document, candidate and topic it refers to exists."""
        sizes = [len(entry.topics) for entry in self.entries]
        listed = [self.documents, *(pair.documents for pair in self.pairs)]
        places = [at for rows in listed for at, _ in rows] + list(self.mains)
        pairs = all(
            0 <= pair.first < len(sizes)
            and 0 <= pair.second < len(sizes)
            and all(
                0 <= a < sizes[pair.first] and 0 <= b < sizes[pair.second]
                for a, b, _ in pair.topics
            )
            for pair in self.pairs
        )
        mains = all(
            len(main) == len(sizes)
            and all(0 <= topic < n for (topic, _), n in zip(main, sizes, strict=True))
            for main in self.mains.values()
        )
        return pairs and mains and all(0 <= at < n_docs for at in places)

    def to_dict(self) -> dict[str, Any]:
        plain_fields = ("seeds", "judge", "n_judged", "n_judged_labels", "n_labelled", "n_docs")
        return {
            "format": COMPARISON_FORMAT,
            **{name: getattr(self, name) for name in (*plain_fields, "documents")},
            "entries": [_entry_to_dict(entry) for entry in self.entries],
            "pairs": [asdict(pair) for pair in self.pairs],
            "mains": {str(position): main for position, main in self.mains.items()},
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Comparison:
        """Read what ``to_dict`` wrote, also through JSON."""
        numbers = ("n_judged", "n_judged_labels", "n_labelled", "n_docs")
        return cls(
            entries=tuple(_entry_from_dict(each) for each in values["entries"]),
            pairs=tuple(_pair_from_dict(each) for each in values["pairs"]),
            seeds=tuple(int(seed) for seed in values["seeds"]),
            judge=values["judge"],
            **{name: int(values[name]) for name in numbers},
            documents=_places(values["documents"]),
            mains={int(at): _places(main) for at, main in values["mains"].items()},
        )


def _places(rows: Any) -> tuple[tuple[int, float], ...]:
    return tuple((int(place), float(value)) for place, value in rows)


def _entry_to_dict(entry: ComparisonEntry) -> dict[str, Any]:
    return {
        "title": entry.title,
        "spec": entry.spec.to_dict(),
        "run": entry.run,
        "scores": dict(entry.scores),
        "topics": [asdict(topic) for topic in entry.topics],
        "intervals": dict(entry.intervals),
        "agreement": entry.agreement,
    }


def _entry_from_dict(values: Mapping[str, Any]) -> ComparisonEntry:
    return ComparisonEntry(
        title=str(values["title"]),
        spec=ModelSpec.from_dict(values["spec"]),
        run=values["run"],
        scores={str(name): tuple(each) for name, each in values["scores"].items()},
        topics=tuple(_topic_from_dict(each) for each in values["topics"]),
        intervals={str(name): (low, high) for name, (low, high) in values["intervals"].items()},
        agreement=values["agreement"],
    )


def _topic_from_dict(values: Mapping[str, Any]) -> TopicWords:
    return TopicWords(
        name=str(values["name"]),
        label=values["label"],
        share=float(values["share"]),
        words=tuple((str(term), float(weight)) for term, weight in values["words"]),
    )


def _pair_from_dict(values: Mapping[str, Any]) -> CandidatePair:
    return CandidatePair(
        first=int(values["first"]),
        second=int(values["second"]),
        agreement=float(values["agreement"]),
        topics=tuple((int(a), int(b), float(c)) for a, b, c in values["topics"]),
        documents=_places(values["documents"]),
    )
