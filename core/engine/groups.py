"""Several topics per label: how many, and where they lie.

A label may own a group of topics, its *parts*. The group is permitted, forbidden and priced as one,
so to the solvers it is TS-NMF with the label's column of the mask repeated; everywhere else a
group is one topic, whose weight in a document is the sum of its parts'.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError
from core.supervision import Supervision, TopicKey
from core.values import ArrayValue

Size = int | Literal["auto"]
Parts = Size | Mapping[str, Size] | Sequence[int]

ALL_OTHER_LABELS = "*"  # in a mapping by label key: the labels it does not list
MAX_PARTS = 8  # parts that the data may ask for
DOCUMENTS_PER_PART = 10  # labelled documents that one part should stand on
SHRINK_MARGIN = 0.5  # how far below its size a group must fall before it loses a part


@dataclass(frozen=True, slots=True)
class Layout:
    """How many parts each topic has; the parts of a topic stand side by side."""

    sizes: tuple[int, ...]

    @classmethod
    def single(cls, n_topics: int) -> Layout:
        return cls((1,) * n_topics)

    def single_at(self, topics: Collection[int]) -> Layout:
        """The same with one part for some topics."""
        return Layout(tuple(1 if k in topics else size for k, size in enumerate(self.sizes)))

    @property
    def grouped(self) -> bool:
        return any(size > 1 for size in self.sizes)

    @property
    def n_parts(self) -> int:
        return sum(self.sizes)

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The parts of every topic."""
        ends = accumulate(self.sizes)
        return tuple(
            tuple(range(end - size, end)) for size, end in zip(self.sizes, ends, strict=True)
        )

    def spread(self, by_topic: np.ndarray) -> np.ndarray:
        """A column per part from a column per topic."""
        return np.repeat(by_topic, self.sizes, axis=1) if self.grouped else by_topic

    def gathered(self, by_part: np.ndarray) -> np.ndarray:
        """A column per topic: the sum of its parts."""
        if not self.grouped:
            return by_part
        first = [columns[0] for columns in self.columns]
        return np.add.reduceat(by_part, first, axis=1)

    def represented(self, W: np.ndarray, H: np.ndarray) -> np.ndarray:
        """A row of unit length per topic: the mean of its parts, each as heavy as it is used.

        It is there to be read. The documents are explained by the parts.
        """
        if not self.grouped:
            return H
        use = W.sum(axis=0, dtype=np.float64)
        out = np.empty((len(self.sizes), H.shape[1]), H.dtype)
        for topic, columns in enumerate(map(list, self.columns)):
            row = H[columns[0]]
            if len(columns) > 1:
                weight = use[columns] if use[columns].any() else np.ones(len(columns))
                row = weight @ H[columns].astype(np.float64)
                row = row / max(float(np.linalg.norm(row)), 1e-30)
            out[topic] = row
        return out


@dataclass(frozen=True, eq=False)
class Groups(ArrayValue):
    """The parts behind some topics: X ≈ ``doc_part`` ``part_term``."""

    sizes: tuple[int, ...]
    doc_part: np.ndarray  # (n_docs, n_parts)
    part_term: np.ndarray  # (n_parts, n_terms), rows of unit length

    def __repr__(self) -> str:
        return f"Groups(sizes={self.sizes})"

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        return Layout(self.sizes).columns

    def picked(self, topics: Sequence[int]) -> Groups:
        """The parts of these topics only, in this order."""
        columns = [column for topic in topics for column in self.columns[topic]]
        return Groups(
            tuple(self.sizes[topic] for topic in topics),
            np.ascontiguousarray(self.doc_part[:, columns]),
            np.ascontiguousarray(self.part_term[columns]),
        )


def check_parts(parts: Any) -> None:
    """Refuse what is no number of parts."""
    values = [parts]
    if isinstance(parts, Mapping):
        values = list(parts.values())
    elif isinstance(parts, Sequence) and not isinstance(parts, str):
        values = list(parts)
    for value in values:
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if value != "auto" and not (whole and value >= 1):
            raise ModelError(f"parts are “auto” or a whole number of at least 1, not {value!r}.")


def part_sizes(
    parts: Parts,
    X: sp.csr_array,
    supervision: Supervision,
    n_topics: int,
    earlier: Sequence[int] = (),
) -> tuple[int, ...]:
    """Parts of every topic, free ones last; ``earlier`` sizes stay unless the data insist."""
    wanted = _wanted(parts, supervision.keys)
    if "auto" in wanted:
        found = automatic_sizes(X, supervision, earlier)
        wanted = [found[j] if size == "auto" else size for j, size in enumerate(wanted)]
    return tuple(int(size) for size in wanted) + (1,) * (n_topics - supervision.n_labels)


def _wanted(parts: Parts, keys: Sequence[TopicKey]) -> Sequence[Size]:
    if isinstance(parts, Mapping):
        return [parts.get(str(key), parts.get(ALL_OTHER_LABELS, 1)) for key in keys]
    if isinstance(parts, Sequence) and not isinstance(parts, str):
        if keys and len(parts) != len(keys):
            raise ModelError(f"{len(parts)} sizes in parts for {len(keys)} labels.")
        return parts[: len(keys)]
    return [parts] * len(keys)


def automatic_sizes(
    X: sp.csr_array, supervision: Supervision, earlier: Sequence[int] = ()
) -> list[int]:
    """Sizes from the labelled documents: one more part for each doubling beyond the usual label.

    A label of usual size gets one. No label gets more parts than its documents have directions.
    """
    wish = np.minimum(wanted_sizes(supervision), MAX_PARTS)
    sizes = np.maximum(np.floor(wish), 1).astype(int)
    for label in np.flatnonzero(sizes > 1):
        wish[label] = min(wish[label], directions(X[documents_of(supervision, int(label))]))
    sizes = np.maximum(np.floor(wish), 1).astype(int)
    before = np.zeros_like(sizes)
    before[: len(earlier)] = earlier[: sizes.size]
    kept = (sizes < before) & (before <= wish + SHRINK_MARGIN)
    return np.where(kept, before, sizes).tolist()


def wanted_sizes(supervision: Supervision) -> np.ndarray:
    """1 + log₂(documents of a label / documents of a usual label), a real number per label."""
    shares = supervision.groups(unlabelled_group=False)
    count = np.bincount(shares.indices, shares.data, minlength=supervision.n_labels)
    taught = count > 0
    if not taught.any():
        return np.ones(supervision.n_labels)
    usual = max(DOCUMENTS_PER_PART, float(count.mean()))
    return 1 + np.log2(np.maximum(count / usual, 0.5))


def directions(X: sp.csr_array) -> float:
    """How many unlike documents would be as spread as these: 1 / their mean cosine."""
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    scale = np.divide(1, length, out=np.zeros_like(length), where=length > 0)
    n, mean = int((length > 0).sum()), np.asarray(scale @ X)
    if n < 2:
        return 1.0
    cosine = (float(mean @ mean) - n) / (n * (n - 1))
    return 1 / max(cosine, 1e-3)


def documents_of(supervision: Supervision, label: int) -> np.ndarray:
    """Documents that carry a label."""
    taught = supervision.permitted
    carrier = np.repeat(np.arange(supervision.n_docs), np.diff(taught.indptr))
    return carrier[taught.indices == label]
