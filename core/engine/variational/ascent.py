"""Coordinate ascent on a variational bound: gamma factors, their priors, and the climb.

x_nt = Σ_i s_nti with s_nti ~ Poisson(w_ni h_it). Each cell of W and of H has a gamma of its own as
its approximate posterior q; each step sets one factor to its best given the newest expectations of
everything else, so the bound never falls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln, psi

from core.engine.descent import Callback, Progress, Trace, descend
from core.engine.estimator import Factors
from core.engine.kernels.gammas import share_out, update_rows
from core.engine.kernels.threads import MAX_RANGES, Parts, each_part, parts_of
from core.engine.variational.gamma_priors import GammaPrior, GammaSums

MIN_CELLS_PER_THREAD = 4_000  # cells of a factor that are worth a thread


class GammaRows:
    """q of one factor, rows × topics, with what the other factor and the bound need of it."""

    def __init__(self, mean: np.ndarray, groups: sp.csr_array, parts: Parts) -> None:
        """Before the first update the factor is taken as known: geometric and plain mean agree."""
        self.geometric = np.array(mean, dtype=np.float64, order="C")
        self.shape = np.empty_like(self.geometric)
        self.groups, self.parts = groups, parts
        self.total = np.asarray(groups.T @ self.geometric)  # groups × topics: Σ ⟨rows⟩
        self.rest = self.log = 0.0

    def update(
        self, products: np.ndarray, shape: float, rate: np.ndarray, other_total: np.ndarray
    ) -> None:
        """The best q given the allocations: shape + G ∘ products, rate of the group + others."""
        self.prior_rate, self.other_total = rate, other_total
        groups, totals = self.groups, np.zeros((len(self.parts), *rate.shape))
        place = {first: number for number, (first, _) in enumerate(self.parts)}

        def work(first: int, last: int) -> tuple[float, float]:
            return update_rows(
                products, groups.indptr, groups.indices, groups.data, shape, rate, other_total,
                first, last, self.shape, self.geometric, totals[place[first]],
            )  # fmt: skip

        results = np.array(each_part(work, self.parts))
        self.rest, self.log = (float(value) for value in results.sum(axis=0))
        self.total = totals.sum(axis=0)

    @property
    def rate(self) -> np.ndarray:
        return np.asarray(self.groups @ self.prior_rate) + self.other_total

    @property
    def sums(self) -> GammaSums:
        return GammaSums(self.shape.size, float(self.total.sum()), self.log, self.rest)


class RowsPrior(Protocol):
    """A prior over the rows of a factor, with one rate per group and topic."""

    @property
    def shape(self) -> float: ...

    def rates(self) -> np.ndarray: ...

    def bound(self, rows: GammaRows) -> float: ...

    def improve(self, rows: GammaRows) -> None: ...


class SharedPrior:
    """One gamma for every cell of a factor (Cemgil); what is not fixed is learned."""

    def __init__(self, gamma: GammaPrior, n_topics: int, learn: str) -> None:
        self.gamma, self.n_topics, self.learn = gamma, n_topics, learn

    @property
    def shape(self) -> float:
        return self.gamma.shape

    def rates(self) -> np.ndarray:
        return np.full((1, self.n_topics), self.gamma.rate)

    def bound(self, rows: GammaRows) -> float:
        return self.gamma.bound(rows.sums)

    def improve(self, rows: GammaRows) -> None:
        if self.learn == "rate":
            self.gamma = self.gamma.with_best_rate(rows.sums)
        elif self.learn == "both":
            self.gamma = self.gamma.with_best_shape(rows.sums)


class LabelPrior:
    """w_ni ~ Gamma(1, rate Σ_l Δ_nl λ_li), λ_li ~ Gamma(a_λ, scale b_λ): eqs. (7) and (8).

    For several labels the expected log rate is replaced by its Jensen bound Σ_l Δ_nl ⟨ln λ_li⟩,
    which is exact for one label. During the burn-in all λ are equal and stay as they are.
    """

    shape = 1.0

    def __init__(
        self, groups: sp.csr_array, n_topics: int, gamma: GammaPrior, burn_in: int, learn: bool
    ) -> None:
        self.size = np.asarray(groups.sum(axis=0)).reshape(-1, 1)  # n_l
        self.gamma, self.burn_in, self.learn = gamma, burn_in, learn
        same = np.full((self.size.size, n_topics), gamma.shape + self.size.mean())
        self.label_shape, self.label_rate = same, same * gamma.rate / gamma.shape

    def rates(self) -> np.ndarray:
        return self.label_shape / self.label_rate

    def bound(self, rows: GammaRows) -> float:
        logs = psi(self.label_shape) - np.log(self.label_rate)
        given = (self.size * logs).sum() - (self.rates() * rows.total).sum()
        return float(rows.rest + rows.log + given) + self.gamma.bound(self._sums())

    def improve(self, rows: GammaRows) -> None:
        """λ given W, then b_λ given λ."""
        if self.burn_in > 0:
            self.burn_in -= 1
            return
        n_topics = self.label_shape.shape[1]
        self.label_shape = np.repeat(self.gamma.shape + self.size, n_topics, axis=1)
        self.label_rate = self.gamma.rate + rows.total
        if self.learn:
            self.gamma = self.gamma.with_best_rate(self._sums())

    def _sums(self) -> GammaSums:
        return GammaSums.of(self.label_shape, self.label_rate)


class Ascent:
    """Coordinate ascent on the bound: topics, documents, then their priors."""

    def __init__(
        self,
        X: sp.csr_array,
        factors: Factors,
        groups: sp.csr_array,
        weight_prior: RowsPrior,
        topic_prior: RowsPrior,
    ) -> None:
        """``factors`` are taken as known once; a first pass makes distributions of them."""
        (n_docs, n_terms), n_topics = X.shape, factors[1].shape[0]
        self.X, self.parts = X, parts_of(X)
        self.weight_prior, self.topic_prior = weight_prior, topic_prior
        self.documents = GammaRows(factors[0], groups, ranges(n_docs, n_topics))
        self.terms = GammaRows(factors[1].T, one_group(n_terms), ranges(n_terms, n_topics))
        self.doc_products = np.empty((1, n_docs, n_topics))
        self.term_products = np.empty((len(self.parts), n_terms, n_topics))
        self.constant = -float(gammaln(X.data.astype(np.float64) + 1).sum())
        self._allocate()
        self._update_factors()
        self._allocate()

    def step(self) -> float:
        """One pass over everything; the bound it has reached."""
        self._update_factors()
        self.weight_prior.improve(self.documents)
        self.topic_prior.improve(self.terms)
        self._allocate()
        return self.bound()

    def bound(self) -> float:
        """⟨ln p⟩ − ⟨ln q⟩ with the allocations at their best."""
        mass = float(self.documents.total.sum(axis=0) @ self.terms.total.sum(axis=0))
        return (
            self.likelihood + self.constant - mass
            + self.weight_prior.bound(self.documents) + self.topic_prior.bound(self.terms)
        )  # fmt: skip

    def _update_factors(self) -> None:
        """Table A3 in turn, always with the newest means (the print takes the old E_t for V)."""
        self.terms.update(
            self.term_products, self.topic_prior.shape, self.topic_prior.rates(),
            self.documents.total.sum(axis=0),
        )  # fmt: skip
        self.documents.update(
            self.doc_products, self.weight_prior.shape, self.weight_prior.rates(),
            self.terms.total.sum(axis=0),
        )  # fmt: skip

    def _allocate(self) -> None:
        """Ξ and both its products; Σ x ln(G(W) G(H)) on the way."""
        X, place = self.X, {first: number for number, (first, _) in enumerate(self.parts)}

        def work(first: int, last: int) -> float:
            return share_out(
                X.indptr, X.indices, X.data, first, last,
                self.documents.geometric, self.terms.geometric,
                self.doc_products[0], self.term_products[place[first]],
            )  # fmt: skip

        self.likelihood = sum(each_part(work, self.parts))


def climb(
    step: Callable[[], float],
    first: float,
    burn_in: int,
    max_iter: int,
    tol: float,
    callback: Callback | None = None,
) -> Trace:
    """``descend`` upwards; ``tol`` does not stop the burn-in."""
    n_burn = min(burn_in, max_iter)
    begun = _rising(step, first, n_burn, -np.inf, _shifted(callback, 0, max_iter))
    if begun.stopped == "cancelled" or n_burn == max_iter:
        return begun
    rest = _rising(
        step, begun.objective[-1], max_iter - n_burn, tol, _shifted(callback, n_burn, max_iter)
    )
    return Trace(
        begun.objective + rest.objective[1:],
        begun.n_iter + rest.n_iter,
        rest.stopped,
        begun.seconds + rest.seconds,
    )


def _rising(
    step: Callable[[], float], first: float, max_iter: int, tol: float, callback: Callback | None
) -> Trace:
    return descend(step, first, max_iter=max_iter, tol=tol, rising=True, callback=callback)


def _shifted(callback: Callback | None, done: int, max_iter: int) -> Callback | None:
    """The callback counts the whole fit, not one phase of it."""
    if callback is None:
        return None

    def whole_fit_callback(progress: Progress) -> bool | None:
        return callback(replace(progress, iteration=progress.iteration + done, max_iter=max_iter))

    return whole_fit_callback


def one_group(n_rows: int) -> sp.csr_array:
    """Every row in the same group."""
    return sp.csr_array(np.ones((n_rows, 1)))


def ranges(n_rows: int, n_topics: int) -> Parts:
    """Rows cut evenly; by their number alone, so results do not depend on the machine."""
    n_parts = max(1, min(MAX_RANGES, n_rows, n_rows * n_topics // MIN_CELLS_PER_THREAD))
    edges = np.linspace(0, n_rows, n_parts + 1).astype(int).tolist()
    return tuple(pairwise(edges))
