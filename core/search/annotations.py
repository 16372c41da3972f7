"""Annotations as arrays: who labelled which document, how sure, with which topics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from core.store import Annotation
from core.store.events.new_events import CONFIDENCES


@dataclass(frozen=True)
class AnnotationArrays:
    """One entry per annotated document, sorted by position; pairs of (entry, topic) beside it."""

    positions: np.ndarray
    labelled: np.ndarray
    confidence: np.ndarray  # index into CONFIDENCES
    nothing_fits: np.ndarray
    noted: np.ndarray
    authors: tuple[str, ...]
    permitted: np.ndarray  # (n, 2): position, topic id
    forbidden: np.ndarray
    skipped: np.ndarray

    @classmethod
    def of(
        cls, annotations: Mapping[int, Annotation], skipped: Collection[int]
    ) -> AnnotationArrays:
        ordered = [annotations[position] for position in sorted(annotations)]
        n = len(ordered)
        return cls(
            positions=np.fromiter((each.position for each in ordered), np.intp, n),
            labelled=np.fromiter((each.labelled for each in ordered), bool, n),
            confidence=np.fromiter((CONFIDENCES.index(e.confidence) for e in ordered), np.int8, n),
            nothing_fits=np.fromiter((each.nothing_fits for each in ordered), bool, n),
            noted=np.fromiter((bool(each.note) for each in ordered), bool, n),
            authors=tuple(each.author for each in ordered),
            permitted=_pairs((e.position, topic) for e in ordered for topic in e.permitted),
            forbidden=_pairs((e.position, topic) for e in ordered for topic in e.forbidden),
            skipped=np.fromiter(skipped, np.intp, len(skipped)),
        )

    def with_topics(self, pairs: np.ndarray, topics: Collection[int]) -> np.ndarray:
        """Positions whose pairs name one of the topics."""
        return pairs[np.isin(pairs[:, 1], list(topics)), 0]

    def by(self, names: Collection[str], *, whole: bool = False) -> np.ndarray:
        """Positions labelled by these authors; the beginning of a name is enough."""
        wanted = {name.casefold() for name in names}
        chosen = [a for a in set(self.authors) if _matches(a.casefold(), wanted, whole)]
        mine = np.fromiter((each in chosen for each in self.authors), bool, len(self.authors))
        return self.positions[mine & self.labelled]


def _matches(author: str, wanted: Collection[str], whole: bool) -> bool:
    return author in wanted or (not whole and any(author.startswith(name) for name in wanted))


def _pairs(pairs: object) -> np.ndarray:
    return np.array(list(pairs), dtype=np.intp).reshape(-1, 2)  # type: ignore[call-overload]
