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

from core.errors import SupervisionError
from core.kernels.joint import EXACT, HOLD, PRINTED, Fixed, Known, document_pass, factor_pass
from core.kernels.lanes import padded
from core.kernels.parts import each_part, parts_of
from core.observed import ObservedData, as_cells_of, cells
from core.solvers import FLOOR, SOLVE, solve_documents, sweep_parts
from core.supervision import Supervision

Unnamed = Literal["absent", "unknown"]
LIFT = 1e-8  # updates of W alone must not start from zero,
SHARE = 1e-2  # nor far below the largest weight of their row
TOLERANCE = 1e-5  # and end when no cell moves by more than this share of the largest


@dataclass(frozen=True)
class Terms:
    """Which loss each term has, how much the second counts, and how W moves."""

    squared: bool
    label_squared: bool
    strength: float
    printed: bool = False


def known_cells(supervision: Supervision, unnamed: Unnamed, dtype: np.dtype) -> Known:
    """The cells of Y that somebody has spoken about, weighted by the speaker's confidence.

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
    return Known(
        indptr=np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int32),
        indices=label.astype(np.int32),
        weight=supervision.confidence[document].astype(dtype),
        value=value[document, label].astype(dtype),
    )


def label_start(known: Known, W: np.ndarray, n_labels: int) -> np.ndarray:
    """B, positive: for each label and topic alone, least squares of the label on the topic."""
    shape = (W.shape[0], n_labels)
    value = sp.csr_array((known.weight * known.value, known.indices, known.indptr), shape=shape)
    weight = sp.csr_array((known.weight, known.indices, known.indptr), shape=shape)
    size = np.asarray(weight.T @ (W * W)) * W.shape[1]
    B = np.asarray(value.T @ W) / np.maximum(size, FLOOR)
    return np.ascontiguousarray(B + max(float(B.mean()) if B.size else 0.0, 1e-6) * 1e-2, W.dtype)


class JointDescent:
    """W, H and B, improved step by step; the objective is the number each step returns."""

    def __init__(
        self,
        data: ObservedData,
        known: Known,
        factors: tuple[np.ndarray, np.ndarray, np.ndarray],
        terms: Terms,
    ) -> None:
        X = data.X
        self.data, self.known, self.terms = data, known, terms
        self.n_topics = factors[0].shape[1]
        self._W, self._Ht, self._B = padded(factors[0]), padded(factors[1].T), padded(factors[2])
        self.cells, self.extra = cells(X, X.dtype), cells(data.extra, X.dtype)
        Xt = as_cells_of(sp.csr_array(X.T), X.dtype)
        turned = None if data.extra is None else as_cells_of(sp.csr_array(data.extra.T), X.dtype)
        self.term_cells, self.term_extra = cells(Xt, X.dtype), cells(turned, X.dtype)
        self.parts, self.term_parts = parts_of(X), parts_of(Xt)
        self.topics = self._fixed(self._Ht, [self._sums(self._Ht)])
        self.x_error, self.y_error = self._pass(HOLD)

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
        down, up = self._halves
        self._B *= down / np.maximum(up, FLOOR)
        self.x_error, self.y_error = self._pass(PRINTED if self.terms.printed else EXACT)
        return self.first_objective()

    def _move_topics(self) -> None:
        def work(first: int, last: int) -> np.ndarray:
            factor_pass(
                self.term_cells, self.term_extra, first, last, self._Ht, self.documents,
                self.terms.squared, 1, 0.0,
            )  # fmt: skip
            return self._sums(self._Ht[first:last])

        self.topics = self._fixed(self._Ht, each_part(work, self.term_parts))

    def _pass(self, how: int) -> tuple[float, float]:
        """The two losses after W has moved; leaves the gradient halves of B behind."""
        terms, real = self.terms, self._W.dtype.type

        def work(first: int, last: int) -> tuple[np.ndarray, tuple[float, float], np.ndarray]:
            halves = np.zeros((2, *self._B.shape), self._B.dtype)
            errors = document_pass(
                self.cells, self.extra, self.known, first, last, self._W, self.topics, self._B,
                terms.squared, terms.label_squared, real(terms.strength), how, *halves,
            )  # fmt: skip
            return halves, errors, self._sums(self._W[first:last])

        halves, errors, sums = zip(*each_part(work, self.parts), strict=True)
        self._halves = np.add.reduce(halves)
        self.documents = self._fixed(self._W, sums)
        error, label_error = (sum(part) for part in zip(*errors, strict=True))
        return error + self._whole(), label_error

    def _whole(self) -> float:
        """What the loss on X owes to no cell in particular."""
        documents, topics = self.documents, self.topics
        if self.terms.squared:
            size = np.einsum("jk,jk->", documents.gram, topics.gram, dtype=np.float64)
            return self.data.square + float(size)
        shares = documents.total.astype(np.float64) @ topics.total.astype(np.float64)
        return self.data.entropy + float(shares)

    def _sums(self, rows: np.ndarray) -> np.ndarray:
        """What the loss needs of a factor as a whole: Σ row ⊗ row, or Σ row."""
        return rows.T @ rows if self.terms.squared else rows.sum(axis=0, dtype=np.float64)

    def _fixed(self, rows: np.ndarray, sums: Sequence[np.ndarray]) -> Fixed:
        """A factor with the sums of its parts, added up in order."""
        total = np.add.reduce(sums).astype(rows.dtype)
        empty = np.empty(0, rows.dtype)
        return Fixed(rows, *((total, empty) if self.terms.squared else (empty[None], total)))


def project(data: ObservedData, H: np.ndarray, *, squared: bool) -> np.ndarray:
    """W of documents on fixed topics: nonnegative least squares, or updates of W alone.

    Each document is solved by itself, so its weights do not depend on its neighbours.
    """
    X, Ht = data.X, np.ascontiguousarray(H.T, dtype=data.X.dtype)
    W = solve_documents(X, H)
    if squared:
        _solve_weighted(data, Ht, W)
        return W
    rows = padded(W + (LIFT + SHARE * W.max(axis=1, keepdims=True)).astype(W.dtype))
    topics = padded(Ht)
    total = topics.sum(axis=0, dtype=np.float64).astype(X.dtype)
    fixed = Fixed(topics, np.empty((1, 0), X.dtype), total)

    def work(first: int, last: int) -> None:
        stored, extra = cells(X, X.dtype), cells(data.extra, X.dtype)
        factor_pass(stored, extra, first, last, rows, fixed, False, SOLVE, TOLERANCE)

    each_part(work, parts_of(X))
    return np.ascontiguousarray(rows[:, : W.shape[1]])


def _solve_weighted(data: ObservedData, Ht: np.ndarray, W: np.ndarray) -> None:
    """Least squares again for the documents that have cells of other weights, each on its own."""
    if data.extra is None:
        return
    extra, gram = data.extra, Ht.T @ Ht
    for i in np.flatnonzero(np.diff(extra.indptr)).tolist():
        part = slice(extra.indptr[i], extra.indptr[i + 1])
        h = Ht[extra.indices[part]]
        own = gram + (h * extra.data[part, None]).T @ h
        W[i] = 0
        sweep_parts(data.X, ((i, i + 1),), Ht, own, W, sweeps=SOLVE, tol=1e-6)
