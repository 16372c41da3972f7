"""The document side of the multiplicative updates: W's step, and the sums that H's step needs."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from core.engine.documents import rows_of
from core.engine.kernels.divergence import update_documents
from core.engine.kernels.simd import padded
from core.engine.kernels.threads import each_part, parts_of
from core.engine.losses import Frobenius
from core.engine.solvers.sweeps import MIN_DIVISOR, total
from core.engine.starts.topics import projection

RESTART_PASSES = 100  # in which a lost W is found again


class MultiplicativeDocuments:
    """Squared error: zeros of W stay zero, which is how a mask is kept."""

    fresh = False

    def __init__(self, X: sp.csr_array, W: np.ndarray, weight: np.ndarray) -> None:
        self.X, self.W = X, W
        self.permitted = W > 0
        self.weight = weight.astype(X.dtype)
        self.Xt = weighted_transpose(X, self.weight)
        self.loss = Frobenius()
        self.total = self.loss.constant(X, weight)

    def look(self) -> tuple[np.ndarray, np.ndarray]:
        """Xᵀ E W and Wᵀ E W."""
        return np.asarray(self.Xt @ self.W), (self.W * self.weight[:, None]).T @ self.W

    def move(self, Ht: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        multiply(self.W, *self.loss.halves(self.X, self.W, Ht))
        return self.look()

    def weights(self) -> np.ndarray:
        return self.W

    def part(self, first: int, last: int) -> Self:
        rows = slice(first, last)
        return type(self)(rows_of(self.X, first, last), self.W[rows].copy(), self.weight[rows])

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.X, self.W, self.weight)

    def restart(self, Ht: np.ndarray) -> None:
        self.W[:] = projection(self.X, Ht.T, self.permitted)
        for _ in range(RESTART_PASSES):
            multiply(self.W, *self.loss.halves(self.X, self.W, Ht))


class DivergenceDocuments:
    """The same for the I-divergence."""

    fresh, total = False, 0.0

    def __init__(self, X: sp.csr_array, W: np.ndarray, weight: np.ndarray) -> None:
        self.X, self.n_topics, self.W = X, W.shape[1], padded(W)
        self.permitted = W > 0
        self.weight = weight.astype(X.dtype)
        self.parts = parts_of(X)

    def look(self, Ht: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        return self._pass(Ht, move=False)

    def move(self, Ht: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        return self._pass(Ht, move=True)

    def weights(self) -> np.ndarray:
        return self.W[:, : self.n_topics]

    def part(self, first: int, last: int) -> Self:
        rows = slice(first, last)
        return type(self)(rows_of(self.X, first, last), self.weights()[rows], self.weight[rows])

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.X, self.weights(), self.weight)

    def restart(self, Ht: np.ndarray) -> None:
        k = self.n_topics
        self.W[:, :k] = projection(self.X, Ht[:, :k].T, self.permitted)
        for _ in range(RESTART_PASSES):
            self._pass(Ht, move=True)

    def _pass(self, Ht: np.ndarray, *, move: bool) -> tuple[float, np.ndarray, np.ndarray]:
        """W's step if asked; then Σ e x (log(x / z) − 1), H's next ratio, and Σ e w."""
        X, size = self.X, Ht.sum(axis=0, dtype=np.float64).astype(self.X.dtype)

        def work(first: int, last: int) -> tuple[float, np.ndarray]:
            cross = np.zeros_like(Ht)
            logs = update_documents(
                X.indptr, X.indices, X.data, first, last, self.weight, Ht, size, move,
                self.W, cross, np.empty(self.W.shape[1], self.W.dtype),
            )  # fmt: skip
            return float(logs), cross

        sums = each_part(work, self.parts)
        used = np.einsum("ik,i->k", self.W, self.weight, dtype=np.float64)
        return sum(logs for logs, _ in sums), total([cross for _, cross in sums]), used


def multiply(factor: np.ndarray, down: np.ndarray, up: np.ndarray) -> None:
    """factor ← factor · down / up, in place; zeros stay zero, which is how a mask is kept."""
    factor *= down / np.maximum(up, MIN_DIVISOR)


def weighted_transpose(X: sp.csr_array, weight: np.ndarray) -> sp.csr_array:
    """The columns of E X, one contiguous row per term."""
    Xt = sp.csr_array(X.T)
    if (weight != 1).any():
        Xt.data *= weight[Xt.indices]
    return Xt
