"""Steps on D(X ‖ W H) + λ D(Y ‖ W Bᵀ): two data sets that share their document weights.

Order of a step, as printed: H given W, B given W, then W given both. H and B each follow the plain
multiplicative update of their own term. The step for W minimises the sum of the two terms'
auxiliary functions, which never raises the objective; the printed step for a squared error and a
divergence together only looks like it, and may.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.joint import (
    STEP_EXACT,
    STEP_NONE,
    STEP_PRINTED,
    FixedFactor,
    KnownCells,
    LabelRows,
    Scratch,
    document_pass,
    factor_pass,
    turned_pass,
)
from core.engine.kernels.simd import padded
from core.engine.kernels.threads import each_part, parts_of
from core.engine.observed import ObservedData, as_cells_of, cells
from core.engine.solvers import (
    MAX_SWEEPS,
    MIN_DIVISOR,
    in_own_scale,
    solve_documents,
    sweep_parts,
)
from core.errors import SupervisionError
from core.supervision import Supervision

Unnamed = Literal["absent", "unknown"]
START_WEIGHT = 1e-8  # updates of W alone must not start from zero,
START_SHARE = 1e-2  # nor far below the largest weight of their row
WEIGHT_TOLERANCE = 1e-5  # and end when no cell moves by more than this share of the largest
RANGE_SIZE = 0.5  # of the parts, in usual ones


@dataclass(frozen=True)
class JointLoss:
    """Which loss each term has, how much the second counts, and how W moves."""

    squared: bool
    label_squared: bool
    strength: float
    printed: bool = False


def known_cells(supervision: Supervision, unnamed: Unnamed, dtype: np.dtype) -> KnownCells:
    """The known cells of Y, weighted by the confidence in the document's labels.

    Real-valued targets are known where they are finite. Otherwise a label a document carries is a
    known one and a forbidden label a known zero; the labels not named on a labelled document are
    known zeros too, unless ``unnamed`` says that nothing is known of them.
    """
    if supervision.targets is not None:
        value = supervision.targets
        known = ~np.isnan(value)
        if not (np.isfinite(value[known]).all() and (value[known] >= 0).all()):
            raise SupervisionError("Targets are finite numbers of at least 0; NaN where unknown.")
    else:
        value = supervision.permitted.toarray()
        known = value | supervision.forbidden.toarray()
        known[supervision.labelled if unnamed == "absent" else supervision.nothing_fits] = True
    document, label = known.nonzero()
    return KnownCells(
        indptr=np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int32),
        indices=label.astype(np.int32),
        weight=supervision.confidence[document].astype(dtype),
        value=value[document, label].astype(dtype),
    )


def label_start(known: KnownCells, W: np.ndarray, n_labels: int) -> np.ndarray:
    """B, positive: for each label and topic alone, least squares of the label on the topic."""
    shape = (W.shape[0], n_labels)
    value = sp.csr_array((known.weight * known.value, known.indices, known.indptr), shape=shape)
    weight = sp.csr_array((known.weight, known.indices, known.indptr), shape=shape)
    size = np.asarray(weight.T @ (W * W)) * W.shape[1]
    B = np.asarray(value.T @ W) / np.maximum(size, MIN_DIVISOR)
    return np.ascontiguousarray(B + max(float(B.mean()) if B.size else 0.0, 1e-6) * 1e-2, W.dtype)


def label_rows_of(known: KnownCells, n_labels: int) -> LabelRows:
    """Rows of which every label is known, with one weight, hold only what is not zero."""
    n_docs = len(known.indptr) - 1
    row = np.repeat(np.arange(n_docs), np.diff(known.indptr))
    first = np.zeros(n_docs, known.weight.dtype)
    first[row] = known.weight
    even = np.ones(n_docs, bool)
    even[row[known.weight != first[row]]] = False
    whole = np.where(even & (np.diff(known.indptr) == n_labels), first, 0)
    kept = (whole[row] == 0) | (known.value != 0)
    counts = np.bincount(row[kept], minlength=n_docs)
    return LabelRows(
        whole=whole.astype(known.weight.dtype),
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        indices=known.indices[kept],
        weight=known.weight[kept],
        value=known.value[kept],
    )


class JointDescent:
    """W, H and B, improved step by step; the objective is the number each step returns."""

    def __init__(
        self,
        data: ObservedData,
        known: KnownCells,
        factors: tuple[np.ndarray, np.ndarray, np.ndarray],
        terms: JointLoss,
    ) -> None:
        X = data.X
        self.data, self.terms = data, terms
        self.label_rows = label_rows_of(known, len(factors[2]))
        whole = self.label_rows.whole
        self.even = whole[0] if whole.size and (whole == whole[0]).all() else None  # one for all
        self.n_topics = factors[0].shape[1]
        self._W, self._Ht, self._B = padded(factors[0]), padded(factors[1].T), padded(factors[2])
        self.cells, self.extra = cells(X, X.dtype), cells(data.extra, X.dtype)
        Xt, self.turn = turned(X)
        over = None if data.extra is None else as_cells_of(sp.csr_array(data.extra.T), X.dtype)
        self.term_cells, self.term_extra = cells(Xt, X.dtype), cells(over, X.dtype)
        self.parts, self.term_parts = parts_of(X, RANGE_SIZE), parts_of(Xt, RANGE_SIZE)
        self.quotient = np.empty(0 if terms.squared else X.nnz, X.dtype)  # x / z, kept for H
        self.topics = fixed(self._Ht, [sums(self._Ht, terms.squared)])
        self._look_at_labels()
        self.x_error, self.y_error = self._pass(STEP_NONE)

    @property
    def W(self) -> np.ndarray:
        return self._W[:, : self.n_topics]

    @property
    def Ht(self) -> np.ndarray:
        return self._Ht[:, : self.n_topics]

    @property
    def B(self) -> np.ndarray:
        return self._B[:, : self.n_topics]

    def first_objective(self) -> float:
        return self.x_error + self.terms.strength * self.y_error

    def step(self) -> float:
        """H, B, then W; the objective afterwards."""
        self._move_topics()
        self._move_labels()
        self.x_error, self.y_error = self._pass(STEP_PRINTED if self.terms.printed else STEP_EXACT)
        return self.first_objective()

    def _move_topics(self) -> None:
        squared = self.terms.squared

        def work(first: int, last: int) -> np.ndarray:
            room = Scratch.of(self.term_cells, self._Ht.shape[1])
            where = (self.term_cells, self.term_extra, first, last, self._Ht, self.documents, room)
            if squared:
                factor_pass(*where, True, 1, 0.0)
            else:
                turned_pass(*where, self.quotient, self.turn)
            return sums(self._Ht[first:last], squared)

        self.topics = fixed(self._Ht, each_part(work, self.term_parts))

    def _move_labels(self) -> None:
        """B ← B · down / up; a document of which every label is known counts in all of them."""
        down, up = self._halves
        everywhere = (
            self._B @ self._label_sums if self.terms.label_squared else self._label_sums[None]
        )
        self._B *= down / np.maximum(up + everywhere.astype(up.dtype), MIN_DIVISOR)
        self._look_at_labels()

    def _look_at_labels(self) -> None:
        self.labels = fixed(self._B, [sums(self._B, self.terms.label_squared)])

    def _pass(self, how: int) -> tuple[float, float]:
        """The two losses after W has moved; leaves the gradient halves of B behind."""
        terms, real = self.terms, self._W.dtype.type

        def work(first: int, last: int) -> tuple[np.ndarray, ...]:
            halves = np.zeros((2, *self._B.shape), self._B.dtype)
            errors = document_pass(
                self.cells, self.extra, self.label_rows, first, last, self._W, self.topics,
                self.labels, Scratch.of(self.cells, self._W.shape[1]), terms.squared,
                terms.label_squared, real(terms.strength), how, self.quotient, *halves,
            )  # fmt: skip
            rows = self._W[first:last]
            documents = sums(rows, terms.squared)
            if terms.squared == terms.label_squared and self.even is not None:
                return halves, np.array(errors), documents, self.even * documents
            label_sums = sums(rows, terms.label_squared, self.label_rows.whole[first:last])
            return halves, np.array(errors), documents, label_sums

        halves, errors, documents, label_sums = zip(*each_part(work, self.parts), strict=True)
        self._halves, self._label_sums = np.add.reduce(halves), np.add.reduce(label_sums)
        self.documents = fixed(self._W, documents)
        error, label_error = np.add.reduce(errors).tolist()
        return error + self._whole(), label_error

    def _whole(self) -> float:
        """The part of the loss on X that belongs to no cell in particular."""
        documents, topics = self.documents, self.topics
        if self.terms.squared:
            size = np.einsum("jk,jk->", documents.gram, topics.gram, dtype=np.float64)
            return self.data.square + float(size)
        shares = documents.total.astype(np.float64) @ topics.total.astype(np.float64)
        return self.data.entropy + float(shares)


def turned(X: sp.csr_array) -> tuple[sp.csr_array, np.ndarray]:
    """X by terms, and where each of its cells stands in X."""
    places = sp.csr_array((np.arange(X.nnz, dtype=np.int32), X.indices, X.indptr), shape=X.shape)
    Xt = as_cells_of(sp.csr_array(places.T), np.int32)
    turn, Xt.data = Xt.data, X.data[Xt.data]
    return Xt, turn


def sums(rows: np.ndarray, squared: bool, weight: np.ndarray | None = None) -> np.ndarray:
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


def project(data: ObservedData, H: np.ndarray, *, squared: bool) -> np.ndarray:
    """W of documents on fixed topics: nonnegative least squares, or updates of W alone.

    Each document is solved by itself, so its weights do not depend on its neighbours.
    """
    X, scale = in_own_scale(data.X)
    Ht = np.ascontiguousarray(H.T, dtype=X.dtype)
    W = solve_documents(X, H)
    if squared:
        _solve_weighted(X, data.extra, Ht, W)
        return W * scale
    rows = padded(W + (START_WEIGHT + START_SHARE * W.max(axis=1, keepdims=True)).astype(W.dtype))
    topics = padded(Ht)
    total = topics.sum(axis=0, dtype=np.float64).astype(X.dtype)
    held = FixedFactor(topics, np.empty((1, 0), X.dtype), total)

    def work(first: int, last: int) -> None:
        stored, extra = cells(X, X.dtype), cells(data.extra, X.dtype)
        factor_pass(
            stored,
            extra,
            first,
            last,
            rows,
            held,
            Scratch.of(stored, rows.shape[1]),
            False,
            MAX_SWEEPS,
            WEIGHT_TOLERANCE,
        )

    each_part(work, parts_of(X))
    return np.ascontiguousarray(rows[:, : W.shape[1]] * scale)


def _solve_weighted(
    X: sp.csr_array, extra: sp.csr_array | None, Ht: np.ndarray, W: np.ndarray
) -> None:
    """Least squares again for the documents that have cells of other weights, each on its own."""
    if extra is None:
        return
    gram = Ht.T @ Ht
    for i in np.flatnonzero(np.diff(extra.indptr)).tolist():
        part = slice(extra.indptr[i], extra.indptr[i + 1])
        h = Ht[extra.indices[part]]
        own = gram + (h * extra.data[part, None]).T @ h
        W[i] = 0
        sweep_parts(X, ((i, i + 1),), Ht, own, W, sweeps=MAX_SWEEPS, tol=1e-6)
