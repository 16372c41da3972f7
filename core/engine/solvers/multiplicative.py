"""The papers' multiplicative updates, to the letter."""

from __future__ import annotations

import numpy as np

from core.engine.documents import Documents
from core.engine.estimator import Factors
from core.engine.kernels.simd import padded
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.solvers.multiplicative_documents import multiply


class Multiplicative:
    """The printed updates for squared error: H first, then W, each cell times (down / up)."""

    def __init__(
        self, documents: Documents, H: np.ndarray, limits: TopicLimits = NO_LIMITS
    ) -> None:
        self.documents, self.Ht = documents, np.ascontiguousarray(H.T)
        self.limits, self.kept = limits, self.Ht[:, limits.columns]

    def factors(self) -> Factors:
        return self.documents.weights(), self.Ht.T

    def used(self) -> np.ndarray:
        return np.asarray(self.documents.weights().any(axis=0))

    def first_objective(self) -> float:
        return self._reached(*self.documents.look())

    def step(self) -> float:
        multiply(self.Ht, *self.halves)
        self.limits.restore(self.Ht, self.kept)  # every cell's step descends by itself
        return self._reached(*self.documents.move(self.Ht))

    def _reached(self, down: np.ndarray, square: np.ndarray) -> float:
        """H's halves hold all that the objective needs, so a look serves the next step too."""
        up = self.Ht @ square
        self.halves = down, up
        explained = np.einsum("tk,tk->", up - 2 * down, self.Ht, dtype=np.float64)
        return self.documents.total + float(explained)


class MultiplicativeDivergence:
    """The same for the I-divergence, one pass over the documents a step."""

    def __init__(
        self, documents: Documents, H: np.ndarray, limits: TopicLimits = NO_LIMITS
    ) -> None:
        self.documents, self.n_topics = documents, H.shape[0]
        self.Ht = padded(H.T)
        self.limits, self.kept = limits, self.Ht[:, limits.columns]

    def factors(self) -> Factors:
        return self.documents.weights(), self.Ht[:, : self.n_topics].T

    def used(self) -> np.ndarray:
        return np.asarray(self.documents.weights().any(axis=0))

    def first_objective(self) -> float:
        return self._reached(*self.documents.look(self.Ht))

    def step(self) -> float:
        multiply(self.Ht, self.cross, self.size.astype(self.Ht.dtype))
        self.limits.restore(self.Ht, self.kept)
        return self._reached(*self.documents.move(self.Ht))

    def _reached(self, logs: float, cross: np.ndarray, size: np.ndarray) -> float:
        """Σ e z over all cells is added without forming them."""
        self.cross, self.size = cross, size
        return logs + float(size @ self.Ht.sum(axis=0, dtype=np.float64))
