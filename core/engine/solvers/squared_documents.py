"""The document side of coordinate descent: W given the topics, and sums for the topics' step."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import scipy.sparse as sp

from core.engine.documents import rows_of
from core.engine.kernels.row_sums import gather_rows
from core.engine.kernels.simd import padded
from core.engine.kernels.squared import add_cross
from core.engine.kernels.threads import each_part, parts_of
from core.engine.losses import Frobenius
from core.engine.solvers.sweeps import (
    MAX_SWEEPS,
    NO_PRICE,
    numbers_room,
    sweep_parts,
    total,
)
from core.values.last_result import LastResult

SAMPLE_EVERY = 16  # one in so many documents estimates the topics per document
TERM_SUM_SPEEDUP = 16  # cells summed by terms in the time of one cell summed by documents
RESTART_TOLERANCE = 1e-6  # up to which a lost W is found again

_transposed: LastResult[sp.csr_array] = LastResult()  # every refit of a project needs the same


class SquaredSums(NamedTuple):
    """Wᵀ E W (topics × topics), Xᵀ E W (terms × topics), and what the documents pay."""

    square: np.ndarray
    cross: np.ndarray
    cost: float


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
        self.mask, self.free = padded(mask), np.asarray((mask == usable).all(axis=1))
        self.fresh = W is None  # nothing to start from but the topics
        self.W = np.zeros((X.shape[0], self.mask.shape[1]), X.dtype) if W is None else padded(W)
        self.unusable = np.flatnonzero(~usable)  # topics that no document may use
        self.weight = weight.astype(X.dtype)
        self.price = NO_PRICE if price is None else padded(price.astype(X.dtype, copy=False))
        self.total = Frobenius().constant(X, weight)
        self.parts = parts_of(X)

    def move(self, Ht: np.ndarray, gram: np.ndarray, relax: float, sweeps: int) -> SquaredSums:
        self._sweep(Ht, gram, relax, sweeps)
        return self.look()

    def look(self) -> SquaredSums:
        return SquaredSums(self._square(), self._cross(), self._cost())

    def weights(self) -> np.ndarray:
        return self.W[:, : self.n_topics]

    def part(self, first: int, last: int) -> Self:
        given = self._rows(slice(first, last))
        return type(self)(rows_of(self.X, first, last), *given)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (self.X, *self._rows(slice(None)))  # sums and Xᵀ are made anew

    def _rows(self, rows: slice) -> tuple[Any, ...]:
        """What some documents are made from, besides their words."""
        W = None if self.fresh else self.weights()[rows]
        price = self.price[rows, : self.n_topics] if self.price.size else None
        return W, self.mask[rows, : self.n_topics], self.weight[rows], price, self.usable

    def restart(self, Ht: np.ndarray, gram: np.ndarray, relax: float, sweeps: int) -> None:
        self.W[:] = 0
        self._sweep(Ht, gram, 1.0, MAX_SWEEPS, RESTART_TOLERANCE)

    def _sweep(
        self, Ht: np.ndarray, gram: np.ndarray, relax: float, sweeps: int, tol: float = 0.0
    ) -> None:
        self.fresh = False
        sweep_parts(
            self.X, self.parts, Ht, self._usable_gram(gram), self.W, free=self.free,
            mask=self.mask, price=self.price, relax=relax, sweeps=sweeps, tol=tol,
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
        Xt = self.turned
        cross = np.empty((Xt.shape[0], self.W.shape[1]), self.W.dtype)

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
        shape = (self.X.shape[1], self.W.shape[1])
        return {
            first: (np.zeros(shape, self.X.dtype), np.zeros(shape[::-1], self.X.dtype))
            for first, _ in self.parts
        }

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
