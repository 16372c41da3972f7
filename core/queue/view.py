"""What every reason looks at, and how a line of documents is drawn from values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.queue.hints import Hints
from core.queue.outline import Outline
from core.topics import Topics


class QueueItem(NamedTuple):
    """A document, the kind of reason it is next, the reason in words, and how much it is worth.

    Values compare documents of one kind; between kinds they mean nothing.
    """

    position: int
    kind: str
    reason: str
    value: float = 0.0


@dataclass(frozen=True)
class View:
    """The corpus as the queue sees it. Whatever costs a pass over it is computed once."""

    topics: Topics
    open: np.ndarray  # (n_docs,) bool: neither labelled, skipped nor a copy
    labels: Mapping[int, Collection[int]]  # columns of the topics each labelled document was given
    settled: frozenset[int]  # labelled documents that are not to be doubted again
    limit: int
    key: np.ndarray = field(repr=False)  # one random number per document
    hints: Hints | None = None  # what the guide says; else the topics' shares speak
    outline: Outline | None = None  # who resembles whom
    reading: np.ndarray | None = None  # document weights found without labels

    @cached_property
    def counts(self) -> np.ndarray:
        """How many labelled documents each named topic has."""
        n_named = self.topics.n_supervised
        columns = [column for given in self.labels.values() for column in given]
        known = np.array([column for column in columns if column < n_named], dtype=np.intp)
        return np.bincount(known, minlength=n_named)

    @cached_property
    def hinted(self) -> Hints:
        """The guide's hints, or the same read off the topics' shares."""
        return Hints.of(self.topics.shares()) if self.hints is None else self.hints

    @cached_property
    def covered(self) -> np.ndarray:
        """How close each landmark of the outline is to its nearest labelled document."""
        assert self.outline is not None
        return self.outline.covered_by(np.fromiter(self.labels, dtype=np.intp))


def smallest(values: np.ndarray, limit: int) -> np.ndarray:
    """Places of the smallest finite values, in order; ties by place."""
    n = min(limit, len(values))
    if n == 0:
        return np.empty(0, dtype=np.intp)
    bound = np.partition(values, n - 1)[n - 1]
    near = np.flatnonzero((values <= bound) & np.isfinite(values))
    return near[np.argsort(values[near], kind="stable")][:n]


def percent(share: float) -> str:
    return f"{share * 100:.0f}\u00a0%"
