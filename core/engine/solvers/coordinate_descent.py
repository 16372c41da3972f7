"""Coordinate descent on the squared error: the fast solver, plain and with a guide.

The compiled loops take eight topics at a time; a rest of one to seven would cost them as much as
several rounds. So their factors are padded with empty topics, which nothing ever fills.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import Factors
from core.engine.kernels.row_sums import gather_rows
from core.engine.kernels.simd import padded
from core.engine.kernels.squared import add_cross, sweep_given
from core.engine.kernels.threads import each_part, even_parts, parts_of
from core.engine.kernels.unit_topics import unit_topics_step
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.losses import Frobenius
from core.engine.solvers.sweeps import (
    MIN_DIVISOR,
    NO_PRICE,
    gradient_room,
    numbers_room,
    sweep_parts,
    total,
)
from core.values.last_result import LastResult

RELAXATION_BY_PASS = ((1, 1.0), (8, 1.6), (None, 1.8))  # up to which pass; below 2 descends
SAMPLE_EVERY = 16  # one in so many documents estimates the topics per document
TERM_SUM_SPEEDUP = 16  # cells summed by terms in the time of one cell summed by documents

_transposed: LastResult[sp.csr_array] = LastResult()  # every refit of a project needs the same


class CoordinateDescent:
    """Squared error, over the permitted cells only."""

    def __init__(
        self,
        X: sp.csr_array,
        W: np.ndarray | None,
        H: np.ndarray,
        mask: np.ndarray,
        weight: np.ndarray,
        limits: TopicLimits = NO_LIMITS,
    ) -> None:
        self.X, self.n_topics, self.limits = X, mask.shape[1], limits
        self.Ht = padded(H.T)
        self.fresh = W is None  # nothing to start from but the topics
        self.W = np.zeros((X.shape[0], self.Ht.shape[1]), X.dtype) if W is None else padded(W)
        usable = mask.any(axis=0)
        self.mask, self.free = padded(mask), np.asarray((mask == usable).all(axis=1))
        self.unusable = np.flatnonzero(~usable)  # topics that no document may use
        self.weight = weight.astype(X.dtype)
        self.total = Frobenius().constant(X, weight)
        self.parts = parts_of(X)
        self.gram = self.Ht.T @ self.Ht
        self.passes = 0
        self.price = NO_PRICE
        self.reward = np.empty(0, X.dtype)  # of added words

    def factors(self) -> Factors:
        return self.W[:, : self.n_topics], self.Ht[:, : self.n_topics].T

    def first_objective(self) -> float:
        if self.fresh:
            return self.total
        return self._reached(self._cross(), self._square())

    def step(self) -> float:
        """W given H, then H given W; the objective afterwards."""
        relax, sweeps = self._pace()
        self._sweep_documents(relax, sweeps)
        square, cross = self._square(), self._cross()
        slope = self._sweep_terms(cross, self._bound(cross, square), relax, sweeps)
        self.gram = self.Ht.T @ self.Ht
        if self.limits:
            return self._reached(cross, square)
        # h · gradient = h G hᵀ − h · c, so h G hᵀ − 2 h · c = 2 h · gradient − h G hᵀ
        return self.total + 2 * slope - self._size(square)

    def _sweep_documents(self, relax: float, sweeps: int) -> None:
        sweep_parts(
            self.X, self.parts, self.Ht, self._usable_gram(), self.W,
            free=self.free, mask=self.mask, price=self.price, relax=relax, sweeps=sweeps,
        )  # fmt: skip

    def _usable_gram(self) -> np.ndarray:
        """H Hᵀ in which topics that no document may use have length zero.

        The kernel passes over these. Naming the permitted topics of every document instead would
        send them all down the path for documents with few topics, which is thirty times slower.
        """
        if not self.unusable.size:
            return self.gram
        gram = self.gram.copy()
        gram[self.unusable, self.unusable] = 0
        return gram

    def _bound(self, cross: np.ndarray, square: np.ndarray) -> np.ndarray:
        """The square that the topics' step may see."""
        return self.limits.bind(cross, square, self.reward) if self.limits else square

    def _reached(self, cross: np.ndarray, square: np.ndarray) -> float:
        explained = float(np.einsum("tk,tk->", cross, self.Ht, dtype=np.float64))
        return self.total - 2 * explained + self._size(square)

    def _pace(self) -> tuple[float, int]:
        """Over-relaxation and sweeps of the next pass; the first, from nothing, looks twice."""
        self.passes += 1
        return relaxation_and_sweeps(self.passes)

    def _sweep_terms(
        self, cross: np.ndarray, square: np.ndarray, relax: float, sweeps: int
    ) -> float:
        real, n_terms = self.X.dtype.type, self.Ht.shape[0]
        square = np.ascontiguousarray(square)

        def work(first: int, last: int) -> float:
            step = (real(relax), sweeps, real(0), self.Ht, gradient_room(self.Ht))
            return float(sweep_given(cross, square, first, last, *step))

        return sum(each_part(work, even_parts(n_terms, len(self.parts))))

    def _cross(self) -> np.ndarray:
        """Xᵀ E W, a row per term: by documents if they have few topics each, else by terms."""
        active = np.count_nonzero(self.W[::SAMPLE_EVERY]) / max(1, len(self.W[::SAMPLE_EVERY]))
        return (
            self._by_terms()
            if active * TERM_SUM_SPEEDUP > self.W.shape[1]
            else self._by_documents()
        )

    def _by_documents(self) -> np.ndarray:
        """Every document added to its terms' rows; the sums of the parts in order."""
        X, sums = self.X, self.sums

        def work(first: int, last: int) -> np.ndarray:
            cross, by_topic = sums[first]
            cross[:], by_topic[:] = 0, 0
            where = (X.indptr, X.indices, X.data, first, last)
            add_cross(*where, self.weight, self.W, cross, by_topic, numbers_room(self.W))
            cross += by_topic.T
            return cross

        return total(each_part(work, self.parts))

    def _by_terms(self) -> np.ndarray:
        """Every term's row summed over its documents."""
        Xt, cross = self.turned, np.empty_like(self.Ht)

        def work(first: int, last: int) -> None:
            gather_rows(Xt.indptr, Xt.indices, Xt.data, first, last, self.W, cross)

        each_part(work, parts_of(Xt))
        return cross

    @cached_property
    def turned(self) -> sp.csr_array:
        """Xᵀ E, a row per term."""
        Xt = _transposed.of(self.X, lambda X: sp.csr_array(X.T))
        if (self.weight == 1).all():
            return Xt
        weighted = Xt.data * self.weight[Xt.indices]
        return sp.csr_array((weighted, Xt.indices, Xt.indptr), shape=Xt.shape)

    @cached_property
    def sums(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """Kept from pass to pass: a fresh array of this size costs more to map than to fill."""
        topics = self.Ht.shape
        return {
            first: (np.zeros(topics, self.X.dtype), np.zeros(topics[::-1], self.X.dtype))
            for first, _ in self.parts
        }

    def _square(self) -> np.ndarray:
        """Wᵀ E W, summed over the parts in order."""
        weighted = bool((self.weight != 1).any())

        def work(first: int, last: int) -> np.ndarray:
            W = self.W[first:last]
            return (W * self.weight[first:last, None] if weighted else W).T @ W

        return total(each_part(work, self.parts))

    def _size(self, square: np.ndarray) -> float:
        return float(np.einsum("jk,jk->", square, self.gram, dtype=np.float64))


class GuidedDescent(CoordinateDescent):
    """The same with a price on weights and every topic held at unit length.

    Minimises Σ_i e_i (‖x_i − w_i H‖² + 2 c_i · w_i). Without the fixed length a topic could grow
    and its weights shrink until the prices c no longer counted. The rewards of added words need
    the fixed length, too, prices or none.
    """

    def __init__(
        self,
        X: sp.csr_array,
        W: np.ndarray | None,
        H: np.ndarray,
        mask: np.ndarray,
        weight: np.ndarray,
        price: np.ndarray | None,
        limits: TopicLimits = NO_LIMITS,
    ) -> None:
        length = np.maximum(np.linalg.norm(H, axis=1), MIN_DIVISOR).astype(X.dtype)
        W = None if W is None else W * length
        super().__init__(X, W, H / length[:, None], mask, weight, limits)
        if price is not None:
            self.price = padded(price.astype(X.dtype, copy=False))
        if len(limits.added):
            self._prepare_reward()

    def _prepare_reward(self) -> None:
        """Rewards are fixed before the first pass, by how much the topics are used by then."""
        if self.fresh or not self.W[:, self.limits.added.columns].any(axis=0).all():
            self._sweep_documents(*relaxation_and_sweeps(1))
            self.fresh = False
        self.reward = self.limits.reward(self._square().diagonal()).astype(self.X.dtype)

    def first_objective(self) -> float:
        cells = self.limits.added
        rewarded = self.reward @ self.Ht[cells.terms, cells.columns] if len(cells) else 0.0
        return super().first_objective() + self._cost() - 2 * float(rewarded)

    def step(self) -> float:
        self._sweep_documents(*self._pace())
        square, cross = self._square(), self._cross()
        unit_topics_step(cross, self._bound(cross, square), self.Ht)
        self.gram = self.Ht.T @ self.Ht
        return self._reached(cross, square) + self._cost()

    def _cost(self) -> float:
        if not self.price.size:
            return 0.0
        return 2 * float(np.einsum("ik,ik,i->", self.price, self.W, self.weight, dtype=np.float64))


def relaxation_and_sweeps(number: int) -> tuple[float, int]:
    """Over-relaxation and sweeps over a row in a pass; passes count from 1."""
    relax = next(relax for last, relax in RELAXATION_BY_PASS if last is None or number <= last)
    return relax, 2 if number == 1 else 1
