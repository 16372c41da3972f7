"""The document side of two terms that share W: W's step, and the sums that H and B need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from core.engine.documents import rows_of
from core.engine.kernels.joint import (
    STEP_EXACT,
    STEP_NONE,
    STEP_PRINTED,
    FixedFactor,
    LabelRows,
    Scratch,
    document_pass,
    factor_pass,
    turned_pass,
)
from core.engine.kernels.row_sums import gather_rows
from core.engine.kernels.simd import padded
from core.engine.kernels.threads import each_part, parts_of
from core.engine.observed import ObservedData, as_cells_of, cells
from core.engine.starts.topics import projection
from core.errors import ModelError

RANGE_SIZE = 0.5  # of the parts, in usual ones
RESTART_PASSES = 100  # in which a lost W is found again


@dataclass(frozen=True)
class JointLoss:
    """Which loss each term has, how much the second counts, and how W moves."""

    squared: bool
    label_squared: bool
    strength: float
    printed: bool = False


class JointSums(NamedTuple):
    """What H, B and the objective need of all documents."""

    halves: np.ndarray  # of B's gradient, what single cells add: (2, n_labels, n_topics)
    errors: np.ndarray  # of the two terms, what single cells add
    documents: np.ndarray  # Wᵀ W, or the sum of W's rows
    label_sums: np.ndarray  # the same over rows of which every label is known, weighted
    down: np.ndarray  # the lower half of H's gradient, from documents that are a part; else empty


class JointDocuments:
    """Documents with their words and known labels.

    The whole of the documents takes H's step by terms, ``step_topics``; a part can only give its
    share of H's gradient.
    """

    fresh = False

    def __init__(
        self,
        data: ObservedData,
        label_rows: LabelRows,
        W: np.ndarray,
        terms: JointLoss,
        n_labels: int,
        *,
        is_part: bool = False,
    ) -> None:
        X = self.X = data.X
        self.data, self.terms, self.label_rows, self.n_labels = data, terms, label_rows, n_labels
        self.is_part, self.n_topics = is_part, W.shape[1]
        whole = label_rows.whole
        self.even = whole[0] if whole.size and (whole == whole[0]).all() else None  # one for all
        self.W = padded(W)
        self.cells, self.extra = cells(X, X.dtype), cells(data.extra, X.dtype)
        self.Xt, self.turn = turned(X)
        over = None if data.extra is None else as_cells_of(sp.csr_array(data.extra.T), X.dtype)
        self.term_cells, self.term_extra = cells(self.Xt, X.dtype), cells(over, X.dtype)
        self.parts, self.term_parts = parts_of(X, RANGE_SIZE), parts_of(self.Xt, RANGE_SIZE)
        self.quotient = np.empty(0 if terms.squared else X.nnz, X.dtype)  # x / z, kept for H
        self.total = data.square if terms.squared else data.entropy

    def look(self, topics: FixedFactor, labels: FixedFactor) -> JointSums:
        return self._pass(topics, labels, STEP_NONE)

    def move(self, topics: FixedFactor, labels: FixedFactor) -> JointSums:
        how = STEP_PRINTED if self.terms.printed else STEP_EXACT
        return self._pass(topics, labels, how)

    def weights(self) -> np.ndarray:
        return self.W[:, : self.n_topics]

    def part(self, first: int, last: int) -> Self:
        if self.data.extra is not None:
            raise ModelError("Cells that count differently (observed) need one machine.")
        data = ObservedData.of(rows_of(self.X, first, last))
        rows = _label_rows(self.label_rows, first, last)
        given = (self.weights()[first:last], self.terms, self.n_labels)
        return type(self)(data, rows, *given, is_part=True)

    def __reduce__(self) -> tuple[Callable[..., JointDocuments], tuple[Any, ...]]:
        given = (self.data, self.label_rows, self.weights(), self.terms, self.n_labels)
        return partial(JointDocuments, is_part=self.is_part), given

    def restart(self, topics: FixedFactor, labels: FixedFactor) -> None:
        k = self.n_topics
        everywhere = np.ones((self.X.shape[0], k), bool)
        self.W[:, :k] = projection(self.X, topics.rows[:, :k].T, everywhere)
        for _ in range(RESTART_PASSES):
            self.move(topics, labels)

    def step_topics(self, Ht: np.ndarray, sums: JointSums) -> list[np.ndarray]:
        """H ← H · down / up, by terms, in place; what the loss needs of H as a whole, in parts."""
        squared, documents = self.terms.squared, fixed(self.W, [sums.documents])

        def work(first: int, last: int) -> np.ndarray:
            room = Scratch.of(self.term_cells, Ht.shape[1])
            where = (self.term_cells, self.term_extra, first, last, Ht, documents, room)
            if squared:
                factor_pass(*where, True, 1, 0.0)
            else:
                turned_pass(*where, self.quotient, self.turn)
            return sums_of(Ht[first:last], squared)

        return each_part(work, self.term_parts)

    def _pass(self, topics: FixedFactor, labels: FixedFactor, how: int) -> JointSums:
        """Both losses after W has moved, and the gradient halves of B."""
        terms, real = self.terms, self.W.dtype.type

        def work(first: int, last: int) -> tuple[np.ndarray, ...]:
            halves = np.zeros((2, *labels.rows.shape), self.W.dtype)
            errors = document_pass(
                self.cells, self.extra, self.label_rows, first, last, self.W, topics,
                labels, Scratch.of(self.cells, self.W.shape[1]), terms.squared,
                terms.label_squared, real(terms.strength), how, self.quotient, *halves,
            )  # fmt: skip
            rows = self.W[first:last]
            documents = sums_of(rows, terms.squared)
            if terms.squared == terms.label_squared and self.even is not None:
                return halves, np.array(errors), documents, self.even * documents
            label_sums = sums_of(rows, terms.label_squared, self.label_rows.whole[first:last])
            return halves, np.array(errors), documents, label_sums

        added = [np.add.reduce(each) for each in zip(*each_part(work, self.parts), strict=True)]
        down = self._down() if self.is_part else np.empty(0, self.W.dtype)
        return JointSums(*[*added, down])

    def _down(self) -> np.ndarray:
        """Σ x w or Σ x / z · w for each term."""
        data = self.Xt.data if self.terms.squared else self.quotient[self.turn]
        down = np.empty((self.Xt.shape[0], self.W.shape[1]), self.W.dtype)

        def work(first: int, last: int) -> None:
            gather_rows(self.Xt.indptr, self.Xt.indices, data, first, last, self.W, down)

        each_part(work, self.term_parts)
        return down


def _label_rows(rows: LabelRows, first: int, last: int) -> LabelRows:
    """Those of neighbouring documents."""
    begin, end = int(rows.indptr[first]), int(rows.indptr[last])
    return LabelRows(
        whole=rows.whole[first:last],
        indptr=(rows.indptr[first : last + 1] - begin).astype(np.int32),
        indices=rows.indices[begin:end],
        weight=rows.weight[begin:end],
        value=rows.value[begin:end],
    )


def turned(X: sp.csr_array) -> tuple[sp.csr_array, np.ndarray]:
    """X by terms, and where each of its cells stands in X."""
    places = sp.csr_array((np.arange(X.nnz, dtype=np.int32), X.indices, X.indptr), shape=X.shape)
    Xt = as_cells_of(sp.csr_array(places.T), np.int32)
    turn, Xt.data = Xt.data, X.data[Xt.data]
    return Xt, turn


def sums_of(rows: np.ndarray, squared: bool, weight: np.ndarray | None = None) -> np.ndarray:
    """What a loss needs of a factor as a whole: Σ row ⊗ row, or Σ row, perhaps weighted."""
    if squared:
        return rows.T @ (rows if weight is None else rows * weight[:, None])
    if weight is None:
        return rows.sum(axis=0, dtype=np.float64)
    return weight.astype(np.float64) @ rows


def fixed(rows: np.ndarray, parts: Sequence[np.ndarray]) -> FixedFactor:
    """A factor with the sums of its parts, added up in order: a matrix or a vector."""
    total = np.add.reduce(parts).astype(rows.dtype)
    empty = np.empty(0, rows.dtype)
    return FixedFactor(rows, *((total, empty) if total.ndim == 2 else (empty[None], total)))
