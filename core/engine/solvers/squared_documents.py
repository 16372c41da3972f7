"""The document side of coordinate descent: W given the topics, and sums for the topics' step."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from core.engine.documents import rows_of
from core.engine.kernels.row_sums import gather_rows
from core.engine.kernels.simd import padded, padded_width
from core.engine.kernels.squared import add_sums_of_topics
from core.engine.kernels.threads import each_part, parts_of, ranges, row_blocks
from core.engine.losses import Frobenius
from core.engine.solvers.sweeps import (
    MAX_SWEEPS,
    NO_PRICE,
    sweep_parts,
    total,
)
from core.values.last_result import LastResult

TOPICS_AT_ONCE = 32  # whose sums stay in a core's cache, while the documents are read again
SAMPLE_EVERY = 16  # one in so many documents estimates the topics per document
TERM_SUM_SPEEDUP = 16  # cells summed by terms in the time of one cell summed by documents
RESTART_TOLERANCE = 1e-6  # up to which a lost W is found again

_transposed: LastResult[sp.csr_array] = LastResult()  # every refit of a project needs the same


class SquaredSums(NamedTuple):
    """Wᵀ E W (topics × topics), Xᵀ E W (terms × topics), and what the documents pay.

    Of a move, ``found`` is the objective that it began at, without ``total``.
    """

    square: np.ndarray
    cross: np.ndarray
    cost: float
    found: float = 0.0


class SquaredDocuments:
    """Squared error, over the permitted cells only, at a price if there is one.

    ``usable`` are the topics that any document may use; of a part, those of the whole.
    """

    def __init__(
        self,
        X: sp.csr_array,
        W: np.ndarray | None,
        mask: np.ndarray,
        weight: np.ndarray,
        price: np.ndarray | None = None,
        usable: np.ndarray | None = None,
    ) -> None:
        self.X, self.n_topics = X, mask.shape[1]
        usable = np.asarray(mask.any(axis=0)) if usable is None else usable
        self.usable: np.ndarray = usable
        self.mask, self.free = mask, np.empty(len(mask), bool)
        self.fresh = W is None  # nothing to start from but the topics
        self.unusable = np.flatnonzero(~usable)  # topics that no document may use
        self.W = self._permitted(W)
        self.weight = weight.astype(X.dtype)
        self.price = NO_PRICE if price is None else price.astype(X.dtype, copy=False)
        self.total = Frobenius().constant(X, weight)
        self.parts = parts_of(X)

    def _permitted(self, W: np.ndarray | None) -> np.ndarray:
        """A copy of W in which nothing stands outside the mask; zeros without a W.

        On the way, the documents that are ``free`` to use every usable topic.
        """
        mask, free, usable = self.mask, self.free, self.usable
        permitted = (np.zeros if W is None else np.empty)(mask.shape, self.X.dtype)

        def work(first: int, last: int) -> None:
            rows = slice(first, last)
            free[rows] = (mask[rows] == usable).all(axis=1)
            if W is None:
                return
            permitted[rows] = W[rows]
            permitted[rows, self.unusable] = 0
            held = first + np.flatnonzero(~free[rows])
            permitted[held] *= mask[held]

        each_part(work, row_blocks(len(mask)))
        return permitted

    def move(self, Ht: np.ndarray, gram: np.ndarray, relax: float, sweeps: int) -> SquaredSums:
        found, paid = self._sweep(Ht, gram, relax, sweeps)
        return SquaredSums(*self._square_and_cross(), 2 * paid, found)

    def look(self) -> SquaredSums:
        return SquaredSums(*self._square_and_cross(), self._cost())

    def weights(self) -> np.ndarray:
        return self.W

    def part(self, first: int, last: int) -> Self:
        given = self._rows(slice(first, last))
        return type(self)(rows_of(self.X, first, last), *given)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.X, *self._rows(slice(None)))  # sums and Xᵀ are made anew

    def _rows(self, rows: slice) -> tuple[Any, ...]:
        """What some documents are made from, besides their words."""
        W = None if self.fresh else self.weights()[rows]
        price = self.price[rows] if self.price.size else None
        return W, self.mask[rows], self.weight[rows], price, self.usable

    def restart(self, Ht: np.ndarray, gram: np.ndarray, relax: float, sweeps: int) -> None:
        self.W[:] = 0
        self._sweep(Ht, gram, 1.0, MAX_SWEEPS, RESTART_TOLERANCE)

    def _sweep(
        self, Ht: np.ndarray, gram: np.ndarray, relax: float, sweeps: int, tol: float = 0.0
    ) -> tuple[float, float]:
        self.fresh = False
        return sweep_parts(
            self.X, self.parts, Ht, self._usable_gram(gram), self.W, free=self.free,
            mask=self.mask, price=self.price, weight=self.weight, relax=relax, sweeps=sweeps,
            tol=tol,
        )  # fmt: skip

    def _usable_gram(self, gram: np.ndarray) -> np.ndarray:
        """H Hᵀ in which topics that no document may use have length zero.

        The kernel passes over these. Naming the permitted topics of every document instead would
        send them all down the path for documents with few topics, which is thirty times slower.
        """
        if not self.unusable.size:
            return gram
        gram = gram.copy()
        gram[self.unusable, self.unusable] = 0
        return gram

    def _square_and_cross(self) -> tuple[np.ndarray, np.ndarray]:
        """Wᵀ E W and Xᵀ E W, by documents if they have few topics each, else by terms.

        Both with as many columns as the padded topics have.
        """
        active = np.count_nonzero(self.W[::SAMPLE_EVERY]) / max(1, len(self.W[::SAMPLE_EVERY]))
        if active * TERM_SUM_SPEEDUP > self.W.shape[1]:
            return padded(padded(self._square()).T), self._by_terms()
        return self._by_documents()

    def _by_documents(self) -> tuple[np.ndarray, np.ndarray]:
        """Every document added to the sums of its topics, some topics at a time."""
        X, W = self.X, self.W
        n_topics = padded_width(W.shape[1])
        square = np.zeros((n_topics, n_topics), X.dtype)
        cross = np.empty((X.shape[1], n_topics), X.dtype)
        cross[:, W.shape[1] :] = 0

        def work(first: int, last: int) -> None:
            here = np.zeros((last - first, X.shape[1])), np.zeros((last - first, W.shape[1]))
            where = (X.indptr, X.indices, X.data, self.weight, W, first, last)
            add_sums_of_topics(*where, *here)
            cross[:, first:last], square[first:last, : W.shape[1]] = here[0].T, here[1]

        each_part(work, ranges(W.shape[1], TOPICS_AT_ONCE))
        return square, cross

    def _by_terms(self) -> np.ndarray:
        """Every term's row summed over its documents."""
        Xt, W = self.turned, self._padded_weights()
        cross = np.empty((Xt.shape[0], W.shape[1]), W.dtype)

        def work(first: int, last: int) -> None:
            gather_rows(Xt.indptr, Xt.indices, Xt.data, first, last, W, cross)

        each_part(work, parts_of(Xt))
        return cross

    def _padded_weights(self) -> np.ndarray:
        """W as wide as registers want it, which read all of it for every term."""
        if self.W.shape[1] == self.room.shape[1]:
            return self.W

        def work(first: int, last: int) -> None:
            self.room[first:last, : self.n_topics] = self.W[first:last]

        each_part(work, row_blocks(len(self.W)))
        return self.room

    @cached_property
    def room(self) -> np.ndarray:
        """For the padded W, from pass to pass: a fresh array costs more to map than to fill."""
        n_docs, width = len(self.W), padded_width(self.n_topics)
        return np.zeros((0 if width == self.n_topics else n_docs, width), self.W.dtype)

    @cached_property
    def turned(self) -> sp.csr_array:
        """Xᵀ E, a row per term."""
        Xt = _transposed.of(self.X, lambda X: sp.csr_array(X.T))
        if (self.weight == 1).all():
            return Xt
        weighted = Xt.data * self.weight[Xt.indices]
        return sp.csr_array((weighted, Xt.indices, Xt.indptr), shape=Xt.shape)

    def _square(self) -> np.ndarray:
        """Wᵀ E W, summed over the parts in order."""
        weighted = bool((self.weight != 1).any())

        def work(first: int, last: int) -> np.ndarray:
            W = self.W[first:last]
            return (W * self.weight[first:last, None] if weighted else W).T @ W

        return total(each_part(work, self.parts))

    def _cost(self) -> float:
        """2 Σ e c · w"""
        if not self.price.size:
            return 0.0
        return 2 * float(np.einsum("ik,ik,i->", self.price, self.W, self.weight, dtype=np.float64))
