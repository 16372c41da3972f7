"""The papers' multiplicative updates, to the letter."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import Factors
from core.engine.kernels.divergence import update_documents
from core.engine.kernels.simd import padded
from core.engine.kernels.threads import each_part, parts_of
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.losses import Frobenius, mass
from core.engine.solvers.sweeps import MIN_DIVISOR, total


class Multiplicative:
    """The printed updates for squared error: H first, then W, each cell times (down / up)."""

    def __init__(
        self,
        X: sp.csr_array,
        W: np.ndarray,
        H: np.ndarray,
        weight: np.ndarray,
        limits: TopicLimits = NO_LIMITS,
    ) -> None:
        self.X, self.W, self.Ht = X, W, np.ascontiguousarray(H.T)
        self.limits, self.kept = limits, self.Ht[:, limits.columns]
        self.weight = weight.astype(X.dtype)
        self.Xt = weighted_transpose(X, self.weight)
        self.loss = Frobenius()
        self.total = self.loss.constant(X, weight)

    def factors(self) -> Factors:
        return self.W, self.Ht.T

    def first_objective(self) -> float:
        """H's halves hold all that the objective needs, so a look serves the next step too."""
        down, up = self.halves = self.loss.halves(self.Xt, self.Ht, self.W, self.weight)
        return self.total + float(np.einsum("tk,tk->", up - 2 * down, self.Ht, dtype=np.float64))

    def step(self) -> float:
        multiply(self.Ht, *self.halves)
        self.limits.restore(self.Ht, self.kept)  # every cell's step descends by itself
        multiply(self.W, *self.loss.halves(self.X, self.W, self.Ht))
        return self.first_objective()


class MultiplicativeDivergence:
    """The same for the I-divergence, one pass over the documents a step."""

    def __init__(
        self,
        X: sp.csr_array,
        W: np.ndarray,
        H: np.ndarray,
        weight: np.ndarray,
        limits: TopicLimits = NO_LIMITS,
    ) -> None:
        self.X, self.n_topics = X, H.shape[0]
        self.W, self.Ht = padded(W), padded(H.T)
        self.limits, self.kept = limits, self.Ht[:, limits.columns]
        self.weight = weight.astype(X.dtype)
        self.parts = parts_of(X)

    def factors(self) -> Factors:
        return self.W[:, : self.n_topics], self.Ht[:, : self.n_topics].T

    def first_objective(self) -> float:
        return self._pass(move=False)

    def step(self) -> float:
        size = np.einsum("ik,i->k", self.W, self.weight, dtype=np.float64).astype(self.X.dtype)
        multiply(self.Ht, self.cross, size)
        self.limits.restore(self.Ht, self.kept)
        return self._pass(move=True)

    def _pass(self, *, move: bool) -> float:
        """W's step if asked, then H's next ratio and the objective, from the same products."""
        X, size = self.X, self.Ht.sum(axis=0, dtype=np.float64).astype(self.X.dtype)

        def work(first: int, last: int) -> tuple[float, np.ndarray]:
            cross = np.zeros_like(self.Ht)
            logs = update_documents(
                X.indptr, X.indices, X.data, first, last, self.weight, self.Ht, size, move,
                self.W, cross, np.empty(self.W.shape[1], self.W.dtype),
            )  # fmt: skip
            return float(logs), cross

        sums = each_part(work, self.parts)
        self.cross = total([cross for _, cross in sums])
        return sum(logs for logs, _ in sums) + mass(self.W, self.Ht, self.weight)


def multiply(factor: np.ndarray, down: np.ndarray, up: np.ndarray) -> None:
    """factor ← factor · down / up, in place; zeros stay zero, which is how a mask is kept."""
    factor *= down / np.maximum(up, MIN_DIVISOR)


def weighted_transpose(X: sp.csr_array, weight: np.ndarray) -> sp.csr_array:
    """The columns of E X, one contiguous row per term."""
    Xt = sp.csr_array(X.T)
    if (weight != 1).any():
        Xt.data *= weight[Xt.indices]
    return Xt
