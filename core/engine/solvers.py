"""Ways to take a step on Σ_i e_i D(x_i ‖ w_i H) with W zero outside its mask.

``CoordinateDescent`` is for squared error and is the fast one; ``Multiplicative`` and
``MultiplicativeDivergence`` take the papers' updates to the letter. None ever raises the objective,
and each step returns the objective it has reached, so the number optimised is the number reported.

The compiled loops take eight topics at a time; a rest of one to seven would cost them as much as
several rounds. So their factors are padded with empty topics, which nothing ever fills.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import Factors
from core.engine.kernels.divergence import update_documents
from core.engine.kernels.row_sums import gather_rows
from core.engine.kernels.simd import padded
from core.engine.kernels.squared import add_cross, sweep, sweep_given
from core.engine.kernels.threads import Parts, each_part, even_parts, parts_of
from core.engine.kernels.unit_topics import unit_topics_step
from core.engine.limits import NO_LIMITS, TopicLimits
from core.engine.losses import Frobenius, mass

RELAXATION_BY_PASS = ((1, 1.0), (8, 1.6), (None, 1.8))  # up to which pass; below 2 descends
MAX_SWEEPS = 500  # sweeps at most when only W is wanted
SAMPLE_EVERY = 16  # one in so many documents estimates the topics per document
TERM_SUM_SPEEDUP = 16  # cells summed by terms in the time of one cell summed by documents
MIN_DIVISOR = 1e-30  # divisor floor of the multiplicative updates
ALL_FREE = np.empty(0, bool)
NO_MASK = np.empty((0, 0), bool)
NO_PRICE = np.empty((0, 0))


class Solver(Protocol):
    """Factors that improve step by step."""

    def factors(self) -> Factors: ...

    def first_objective(self) -> float: ...

    def step(self) -> float: ...


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
            step = (real(relax), sweeps, real(0), self.Ht, _gradient(self.Ht))
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
            add_cross(*where, self.weight, self.W, cross, by_topic, _numbers(self.W))
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
        Xt = sp.csr_array(self.X.T)
        if (self.weight != 1).any():
            Xt.data *= self.weight[Xt.indices]
        return Xt

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


def relaxation_and_sweeps(number: int) -> tuple[float, int]:
    """Over-relaxation and sweeps over a row in a pass; passes count from 1."""
    relax = next(relax for last, relax in RELAXATION_BY_PASS if last is None or number <= last)
    return relax, 2 if number == 1 else 1


def total(arrays: list[np.ndarray]) -> np.ndarray:
    """Their sum, in order, in the first of them."""
    first = arrays[0]
    for array in arrays[1:]:
        first += array
    return first


def multiply(factor: np.ndarray, down: np.ndarray, up: np.ndarray) -> None:
    """factor ← factor · down / up, in place; zeros stay zero, which is how a mask is kept."""
    factor *= down / np.maximum(up, MIN_DIVISOR)


def solve_documents(
    X: sp.csr_array, H: np.ndarray, tol: float = 1e-6, price: np.ndarray | None = None
) -> np.ndarray:
    """Nonnegative least squares of every document on fixed topics, at a price if there is one."""
    X, scale = in_own_scale(X)
    Ht = padded(H.T.astype(X.dtype))
    W = np.zeros((X.shape[0], Ht.shape[1]), X.dtype)
    prices = NO_PRICE if price is None else padded((price / scale).astype(X.dtype, copy=False))
    sweep_parts(X, parts_of(X), Ht, Ht.T @ Ht, W, price=prices, sweeps=MAX_SWEEPS, tol=tol)
    return np.ascontiguousarray(W[:, : H.shape[0]] * scale)


def in_own_scale(X: sp.csr_array) -> tuple[sp.csr_array, np.ndarray]:
    """Documents of a length from 1 to 2, and by how much each was divided, as a column.

    What is small enough to stop at, or to start with, is then the same for every document. Powers
    of two lose no digit.
    """
    row = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    square = np.bincount(row, X.data.astype(np.float64) ** 2, minlength=X.shape[0])
    _, exponent = np.frexp(np.sqrt(square))
    scale = np.where(square > 0, np.ldexp(1.0, exponent - 1), 1.0).astype(X.dtype)
    return sp.csr_array((X.data / scale[row], X.indices, X.indptr), shape=X.shape), scale[:, None]


def sweep_parts(
    X: sp.csr_array,
    parts: Parts,
    other: np.ndarray,
    gram: np.ndarray,
    rows: np.ndarray,
    *,
    free: np.ndarray = ALL_FREE,
    mask: np.ndarray = NO_MASK,
    price: np.ndarray = NO_PRICE,
    relax: float = 1.0,
    sweeps: int = 1,
    tol: float = 0.0,
) -> float:
    """The coordinate-descent kernel over all parts; Σ row · gradient."""
    real = X.dtype.type
    gram, H = np.ascontiguousarray(gram), np.ascontiguousarray(other.T)
    price = price if price.size else np.empty((0, rows.shape[1]), X.dtype)

    def work(first: int, last: int) -> float:
        return float(
            sweep(
                X.indptr, X.indices, X.data, first, last, H, other, gram, free, mask, price,
                real(relax), sweeps, real(tol), rows, _gradient(rows), _numbers(rows),
            )
        )  # fmt: skip

    return sum(each_part(work, parts))


def _gradient(rows: np.ndarray) -> np.ndarray:
    """Room for the gradient of a row; kernels that make no arrays count no references."""
    return np.empty((1, rows.shape[1]), rows.dtype)


def _numbers(rows: np.ndarray) -> np.ndarray:
    """Room for the numbers of a row's topics."""
    return np.empty(rows.shape[1], np.int64)


def weighted_transpose(X: sp.csr_array, weight: np.ndarray) -> sp.csr_array:
    """The columns of E X, one contiguous row per term."""
    Xt = sp.csr_array(X.T)
    if (weight != 1).any():
        Xt.data *= weight[Xt.indices]
    return Xt
