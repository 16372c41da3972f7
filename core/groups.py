"""Several topics per label: how many, and where they lie.

A label may own a group of topics, its *parts*. The group is permitted, forbidden and priced as one,
so to the solvers it is TS-NMF with the label's column of the mask repeated; to everybody else a
group is one topic, whose weight in a document is the sum of its parts'.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError
from core.supervision import Supervision

if TYPE_CHECKING:
    from core.fitting import ModelSpec

Size = int | Literal["auto"]
Parts = Size | Mapping[str, Size] | Sequence[int]

OTHERS = "*"  # in a mapping: the labels it does not name
MOST = 8  # parts that the data may ask for
ENOUGH = 10  # labelled documents that one part should stand on
SLACK = 0.5  # how far below its size a group must fall before it loses a part


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


@dataclass(frozen=True)
class Groups:
    """The parts behind some topics: X ≈ ``doc_part`` ``part_term``."""

    sizes: tuple[int, ...]
    doc_part: np.ndarray  # (n_docs, n_parts)
    part_term: np.ndarray  # (n_parts, n_terms), rows of unit length

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


def settled_sizes(
    parts: Parts,
    X: sp.csr_array,
    supervision: Supervision,
    n_topics: int,
    earlier: Sequence[int] = (),
) -> tuple[int, ...]:
    """Parts of every topic, free ones last; ``earlier`` sizes stay unless the data insist."""
    wanted = _wanted(parts, supervision.names)
    if "auto" in wanted:
        found = chosen_sizes(X, supervision, earlier)
        wanted = [found[j] if size == "auto" else size for j, size in enumerate(wanted)]
    return tuple(int(size) for size in wanted) + (1,) * (n_topics - supervision.n_labels)


def _wanted(parts: Parts, names: Sequence[str]) -> Sequence[Size]:
    if isinstance(parts, Mapping):
        return [parts.get(name, parts.get(OTHERS, 1)) for name in names]
    if isinstance(parts, Sequence) and not isinstance(parts, str):
        if names and len(parts) != len(names):
            raise ModelError(f"{len(parts)} sizes in parts for {len(names)} labels.")
        return parts[: len(names)]
    return [parts] * len(names)


def chosen_sizes(
    X: sp.csr_array, supervision: Supervision, earlier: Sequence[int] = ()
) -> list[int]:
    """Sizes from the labelled documents: one more part for each doubling beyond the usual label.

    A label of usual size gets one. No label gets more parts than its documents have directions.
    """
    wish = np.minimum(size_wishes(supervision), MOST)
    sizes = np.maximum(np.floor(wish), 1).astype(int)
    for label in np.flatnonzero(sizes > 1):
        wish[label] = min(wish[label], directions(X[documents_of(supervision, int(label))]))
    sizes = np.maximum(np.floor(wish), 1).astype(int)
    before = np.zeros_like(sizes)
    before[: len(earlier)] = earlier[: sizes.size]
    kept = (sizes < before) & (before <= wish + SLACK)
    return np.where(kept, before, sizes).tolist()


def size_wishes(supervision: Supervision) -> np.ndarray:
    """1 + log₂(documents of a label / documents of a usual label), a real number per label."""
    shares = supervision.groups(unlabelled_group=False)
    count = np.bincount(shares.indices, shares.data, minlength=supervision.n_labels)
    told = count > 0
    if not told.any():
        return np.ones(supervision.n_labels)
    usual = max(ENOUGH, float(count.mean()))
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
    told = supervision.permitted
    carrier = np.repeat(np.arange(supervision.n_docs), np.diff(told.indptr))
    return carrier[told.indices == label]


def size_of(spec: ModelSpec, label: str) -> Size | None:
    """The size set by hand for one label; None if it follows the rule for all."""
    parts = spec.options.get("parts", 1)
    return parts.get(label) if isinstance(parts, Mapping) else None


def rule_of(spec: ModelSpec) -> Size:
    """The size of every label that has none set by hand."""
    parts = spec.options.get("parts", 1)
    return parts.get(OTHERS, 1) if isinstance(parts, Mapping) else parts


def with_size(spec: ModelSpec, label: str, size: Size | None) -> ModelSpec:
    """The spec with the size of one label set by hand; None leaves it to the rule again."""
    parts = spec.options.get("parts", 1)
    chosen = dict(parts) if isinstance(parts, Mapping) else {OTHERS: parts}
    chosen.pop(label, None)
    if size is not None:
        chosen[label] = size
    return _with_parts(spec, chosen)


def with_rule(spec: ModelSpec, size: Size) -> ModelSpec:
    """The spec with another size for every label that has none set by hand."""
    return with_size(spec, OTHERS, size)


def topic_key(number: int) -> str:
    """A label by the number of its topic in a project, which outlives every renaming."""
    return f"#{number}"


def with_names(spec: ModelSpec, names: Mapping[int, str]) -> ModelSpec:
    """The spec with sizes by name where they were kept by number; ``names`` are today's."""
    parts = spec.options.get("parts")
    if not isinstance(parts, Mapping):
        return spec
    today = {topic_key(number): name for number, name in names.items()}
    return _with_parts(spec, {today.get(str(key), str(key)): n for key, n in parts.items()})


def but_for_parts(spec: ModelSpec) -> ModelSpec:
    """The spec with one part each: a fit can start from another one's parts."""
    return _with_parts(spec, {})


def _with_parts(spec: ModelSpec, chosen: Mapping[str, Size]) -> ModelSpec:
    parts: Any = chosen.get(OTHERS, 1) if set(chosen) <= {OTHERS} else dict(chosen)
    options = {name: value for name, value in spec.options.items() if name != "parts"}
    return replace(spec, options=options if parts == 1 else {**options, "parts": parts})
