"""Steps on D(X ‖ W H) + λ D(Y ‖ W Bᵀ): two data sets that share their document weights.

Order of a step, as printed: H given W, B given W, then W given both. H and B each follow the plain
multiplicative update of their own term. The step for W minimises the sum of the two terms'
auxiliary functions, which never raises the objective; the printed step for a squared error and a
divergence together only looks like it, and may.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import scipy.sparse as sp

from core.engine.documents import DocumentHost, place
from core.engine.joint_documents import JointDocuments, JointLoss, JointSums, fixed, sums_of
from core.engine.kernels.joint import FixedFactor, KnownCells, LabelRows, Scratch, factor_pass
from core.engine.kernels.simd import padded
from core.engine.kernels.threads import each_part, parts_of
from core.engine.observed import ObservedData, cells
from core.engine.solvers import (
    MAX_SWEEPS,
    MIN_DIVISOR,
    in_own_scale,
    multiply,
    solve_documents,
    sweep_parts,
)
from core.errors import SupervisionError
from core.supervision import Supervision

Unnamed = Literal["absent", "unknown"]
START_WEIGHT = 1e-8  # updates of W alone must not start from zero,
START_SHARE = 1e-2  # nor far below the largest weight of their row
WEIGHT_TOLERANCE = 1e-5  # and end when no cell moves by more than this share of the largest


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
        host: DocumentHost | None = None,
    ) -> None:
        self.terms, self.n_topics = terms, factors[0].shape[1]
        n_labels = len(factors[2])
        rows = label_rows_of(known, n_labels)
        self.documents = place(JointDocuments(data, rows, factors[0], terms, n_labels), host)
        self._Ht, self._B = padded(factors[1].T), padded(factors[2])
        self._look_at_topics([sums_of(self._Ht, terms.squared)])
        self._look_at_labels()
        self._take(*self.documents.look(self.topics, self.labels))

    @property
    def W(self) -> np.ndarray:
        return np.asarray(self.documents.weights())

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
        self._take(*self.documents.move(self.topics, self.labels))
        return self.first_objective()

    def _move_topics(self) -> None:
        """Documents that are here take the step by terms; others have sent their halves."""
        if not self.sums.down.size:
            self._look_at_topics(self.documents.step_topics(self._Ht, self.sums))
            return
        down, up = self.sums.down, self.sums.documents.astype(self._Ht.dtype)
        multiply(self._Ht, down, self._Ht @ up if self.terms.squared else up[None])
        self._Ht[self._Ht <= MIN_DIVISOR] = 0  # as the kernel does: denormal numbers are slow
        self._look_at_topics([sums_of(self._Ht, self.terms.squared)])

    def _look_at_topics(self, parts: Sequence[np.ndarray]) -> None:
        self.topics = fixed(self._Ht, parts)

    def _move_labels(self) -> None:
        """B ← B · down / up; a document of which every label is known counts in all of them."""
        down, up = self.sums.halves
        everywhere = (
            self._B @ self.sums.label_sums
            if self.terms.label_squared
            else self.sums.label_sums[None]
        )
        multiply(self._B, down, up + everywhere.astype(up.dtype))
        self._look_at_labels()

    def _look_at_labels(self) -> None:
        self.labels = fixed(self._B, [sums_of(self._B, self.terms.label_squared)])

    def _take(self, *sums: np.ndarray) -> None:
        """The sums of a pass, and the two losses they tell."""
        self.sums = JointSums(*sums)
        error, label_error = self.sums.errors.tolist()
        self.x_error, self.y_error = error + self._whole(), label_error

    def _whole(self) -> float:
        """The part of the loss on X that belongs to no cell in particular."""
        documents = self.sums.documents.astype(self._Ht.dtype).astype(np.float64)
        if self.terms.squared:
            size = np.einsum("jk,jk->", documents, self.topics.gram, dtype=np.float64)
            return float(self.documents.total) + float(size)
        shares = documents @ self.topics.total.astype(np.float64)
        return float(self.documents.total) + float(shares)


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
