"""What every reason reads, what it yields, and how the best documents are taken from values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.queue.hints import Hints
from core.queue.neighbour_index import NeighbourIndex
from core.topics import Topics

MIN_LANDMARK_WEIGHT = 0.01  # of a landmark whose topic is sure
DOUBT_EXPONENT = 3.0  # how steeply a landmark counts less, the surer its topic is
RELIABLE_LABELS = 20  # labels from which on the guide's doubt counts in full


class QueueItem(NamedTuple):
    """A document, the kind of reason it is next, the reason as a sentence, and its value.

    Values compare documents of one kind; between kinds they cannot be compared.
    """

    position: int
    kind: str
    reason: str
    value: float = 0.0


@dataclass(frozen=True)
class QueueContext:
    """The corpus, its labels and the last fit. Results of a pass over the corpus are cached."""

    topics: Topics
    open: np.ndarray  # (n_docs,) bool: neither labelled, skipped nor a copy
    labels: Mapping[int, Collection[int]]  # topic columns given to each labelled document
    confirmed: frozenset[int]  # labelled documents that are not to be doubted again
    limit: int
    random_key: np.ndarray = field(repr=False)  # one random number per document
    hints: Hints | None = None  # the guide's; without them the topics' shares are used
    neighbour_index: NeighbourIndex | None = None
    unlabelled_weights: np.ndarray | None = None  # topic weights of a model that ignores labels

    @cached_property
    def label_counts(self) -> np.ndarray:
        """How many labelled documents each named topic has."""
        n_named = self.topics.n_supervised
        columns = [column for given in self.labels.values() for column in given]
        known = np.array([column for column in columns if column < n_named], dtype=np.intp)
        return np.bincount(known, minlength=n_named)

    @cached_property
    def hints_or_shares(self) -> Hints:
        """The guide's hints, or hints made from the topics' shares."""
        return Hints.of(self.topics.shares()) if self.hints is None else self.hints

    @cached_property
    def doubt(self) -> np.ndarray:
        """1 where a document's two likeliest topics are equally likely, 0 where one is sure."""
        chance = self.hints_or_shares.chance
        margin = chance[:, 0] - chance[:, 1].astype(np.float64)
        return np.asarray(1 - np.clip(margin, 0, 1))  # rounding may put it beyond

    @cached_property
    def landmark_weight(self) -> np.ndarray:
        """How much each landmark counts: those that the guide is sure of hardly at all.

        All alike before the first label: the first few teach too little to rely on its doubt.
        """
        assert self.neighbour_index is not None
        exponent = DOUBT_EXPONENT * min(len(self.labels) / RELIABLE_LABELS, 1)
        doubt = self.doubt[self.neighbour_index.landmarks] ** exponent
        return np.asarray(MIN_LANDMARK_WEIGHT + (1 - MIN_LANDMARK_WEIGHT) * doubt)

    @cached_property
    def covered(self) -> np.ndarray:
        """For each landmark the similarity to its nearest labelled document."""
        assert self.neighbour_index is not None
        return self.neighbour_index.covered_by(np.fromiter(self.labels, dtype=np.intp))


def smallest(values: np.ndarray, limit: int) -> np.ndarray:
    """Positions of the smallest finite values, in order; ties by position."""
    n = min(limit, len(values))
    if n == 0:
        return np.empty(0, dtype=np.intp)
    bound = np.partition(values, n - 1)[n - 1]
    candidates = np.flatnonzero((values <= bound) & np.isfinite(values))
    return candidates[np.argsort(values[candidates], kind="stable")][:n]
