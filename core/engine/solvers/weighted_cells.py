"""The printed updates where a weight belongs to each cell of X, not to each document: E in full.

The weights differ from the document's own at a few cells only. There the products that the usual
steps read are corrected, so nothing of the size documents × terms is formed.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import Factors
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.observed import weigh
from core.engine.solvers.multiplicative_documents import multiply

CELLS_AT_ONCE = 100_000  # of which z is found; a number of topics for each


class WeightedCells:
    """Σ e_i o_ij (x_ij − z_ij)², Z = W H: H first, then W, each cell times (down / up)."""

    def __init__(
        self,
        X: sp.csr_array,
        extra: sp.csr_array,
        W: np.ndarray,
        H: np.ndarray,
        weight: np.ndarray,
        limits: TopicLimits = NO_LIMITS,
    ) -> None:
        """``X`` holds o x (``core.engine.observed.weigh``), ``extra`` o − 1, ``weight`` e."""
        self.X, self.extra = X, extra
        self.W, self.Ht = W, np.ascontiguousarray(H.T)
        self.weight = weight.astype(W.dtype)[:, None]
        self.limits, self.kept = limits, self.Ht[:, limits.columns]
        self.total = _weighted_square(X, extra, weight)

    def factors(self) -> Factors:
        return self.W, self.Ht.T

    def used(self) -> np.ndarray:
        return np.asarray(self.W.any(axis=0))

    def first_objective(self) -> float:
        return self._reached()

    def step(self) -> float:
        counted = self.W * self.weight
        down = np.asarray(self.X.T @ counted)
        up = self.Ht @ (counted.T @ self.W) + np.asarray(self._more().T @ counted)
        multiply(self.Ht, down, up)
        self.limits.restore(self.Ht, self.kept)
        up = self.W @ (self.Ht.T @ self.Ht) + np.asarray(self._more() @ self.Ht)
        multiply(self.W, np.asarray(self.X @ self.Ht), up)
        return self._reached()

    def _reached(self) -> float:
        """The total, less 2 Σ e o x z, plus Σ e z² and what is more or less of it at some cells."""
        counted, more = self.W * self.weight, self._more()
        square = np.sum((counted.T @ self.W) * (self.Ht.T @ self.Ht), dtype=np.float64)
        explained = np.sum(np.asarray(self.X @ self.Ht) * counted, dtype=np.float64)
        corrected = np.sum(np.asarray(more @ self.Ht) * counted, dtype=np.float64)
        return self.total + float(square + corrected - 2 * explained)

    def _more(self) -> sp.csr_array:
        """(o − 1) z at the cells where o is not 1."""
        extra = self.extra
        rows = np.repeat(np.arange(extra.shape[0]), np.diff(extra.indptr))
        values = np.empty_like(extra.data)
        for first in range(0, rows.size, CELLS_AT_ONCE):
            part = slice(first, first + CELLS_AT_ONCE)
            z = np.einsum("ck,ck->c", self.W[rows[part]], self.Ht[extra.indices[part]])
            values[part] = extra.data[part] * z
        return sp.csr_array((values, extra.indices, extra.indptr), shape=extra.shape)


def _weighted_square(X: sp.csr_array, extra: sp.csr_array, weight: np.ndarray) -> float:
    """Σ e o x², from o x and o."""
    ones = sp.csr_array((np.ones_like(X.data), X.indices, X.indptr), shape=X.shape)
    counted = weigh(ones, extra).data.astype(np.float64)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return float(np.sum(weight[rows] * X.data.astype(np.float64) ** 2 / counted))
