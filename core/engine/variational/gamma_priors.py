"""Pieces the Bayesian models share: gamma priors and what a variational bound needs of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, polygamma, psi

SHAPE_RANGE = (1e-2, 1e4)  # where a learned shape may lie; below, geometric means would underflow
MAX_NEWTON_STEPS = 30  # steps at most; five or six are usual


@dataclass(frozen=True, slots=True)
class GammaSums:
    """What the bound needs of independent gammas q: sums over their cells.

    ``rest`` is Σ (α + ln Γ(α) − α ψ(α)). With it Σ (⟨(a − 1) ln x⟩ + entropy of q) is
    ``rest + a · log`` for any prior shape a, so a prior can change without another look at the
    cells.
    """

    count: int
    mean: float  # Σ ⟨x⟩
    log: float  # Σ ⟨ln x⟩
    rest: float

    @classmethod
    def of(cls, shape: np.ndarray, rate: np.ndarray) -> GammaSums:
        shape, rate = np.broadcast_arrays(shape, rate)
        digamma = psi(shape)
        rest = shape + gammaln(shape) - shape * digamma
        mean, log = shape / rate, digamma - np.log(rate)
        return cls(shape.size, float(mean.sum()), float(log.sum()), float(rest.sum()))


@dataclass(frozen=True, slots=True)
class GammaPrior:
    """One gamma for many cells; density ∝ x^(shape − 1) exp(−rate x)."""

    shape: float
    rate: float

    def bound(self, q: GammaSums) -> float:
        """Σ ⟨ln p(x)⟩ − ⟨ln q(x)⟩."""
        constant = self.shape * np.log(self.rate) - gammaln(self.shape)
        return float(q.rest + self.shape * q.log + q.count * constant - self.rate * q.mean)

    def with_best_rate(self, q: GammaSums) -> GammaPrior:
        """The rate that maximises the bound for this shape."""
        return GammaPrior(self.shape, self.shape * q.count / q.mean)

    def with_best_shape(self, q: GammaSums) -> GammaPrior:
        """Shape and rate that maximise the bound together; never worse than before."""
        gap = np.log(q.mean / q.count) - q.log / q.count
        best = GammaPrior(best_shape(gap, self.shape), 1.0).with_best_rate(q)
        return best if best.bound(q) >= self.bound(q) else self


def best_shape(gap: float, first: float = 1.0) -> float:
    """The shape a with ln a − ψ(a) = gap, by Newton's method on ln a, kept inside ``SHAPE_RANGE``.

    The left side falls from ∞ to 0, so there is one root; a bracket catches Newton where it jumps.
    """
    low, high = np.log(SHAPE_RANGE)
    position = float(np.clip(np.log(first), low, high))
    for _ in range(MAX_NEWTON_STEPS):
        shape = np.exp(position)
        excess = np.log(shape) - psi(shape) - gap
        low, high = (position, high) if excess > 0 else (low, position)
        step = excess / (shape * polygamma(1, shape) - 1.0)
        after = position + step if low <= position + step <= high else (low + high) / 2
        if abs(after - position) <= 1e-12:
            break
        position = float(after)
    return float(np.exp(position))
