"""Losses D(X ‖ WH): a value, and the two halves of the gradient in one factor.

``halves`` gives ``(down, up)``, both non-negative, with ∂D/∂rows = up − down up to a constant. H's
step is the same call on the columns of E X, with the factors exchanged. Document weights sit in the
transposed data and in ``weight``; they cancel within a row of W.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.divergence import log_terms, ratio_products
from core.engine.kernels.sums import row_squares
from core.engine.kernels.threads import each_part, parts_of

LossName = Literal["frobenius", "i_divergence"]
Halves = tuple[np.ndarray, np.ndarray]


class Loss(Protocol):
    """What a step and a stop rule need to know."""

    def halves(
        self, X: sp.csr_array, rows: np.ndarray, other: np.ndarray, weight: np.ndarray | None = None
    ) -> Halves:
        """Gradient halves in ``rows``, where X ≈ rows · otherᵀ.

        ``weight`` belongs to the rows of ``other`` (the documents, when ``rows`` is Hᵀ) and is
        already part of X.
        """

    def value(self, X: sp.csr_array, W: np.ndarray, Ht: np.ndarray, weight: np.ndarray) -> float:
        """Σ_i e_i D(x_i ‖ w_i H)."""


@dataclass(frozen=True)
class Frobenius:
    """Σ (x − z)²."""

    def halves(
        self, X: sp.csr_array, rows: np.ndarray, other: np.ndarray, weight: np.ndarray | None = None
    ) -> Halves:
        weighted = other if weight is None else other * weight[:, None]
        return np.asarray(X @ other), rows @ (weighted.T @ other)

    def value(self, X: sp.csr_array, W: np.ndarray, Ht: np.ndarray, weight: np.ndarray) -> float:
        weighted = W * weight[:, None]
        cross = np.einsum("ik,ik->", np.asarray(X @ Ht), weighted, dtype=np.float64)
        size = np.einsum("jk,jk->", weighted.T @ W, Ht.T @ Ht, dtype=np.float64)
        return self.constant(X, weight) - 2 * float(cross) + float(size)

    def constant(self, X: sp.csr_array, weight: np.ndarray) -> float:
        squares = np.empty(X.shape[0])
        row_squares(X.indptr, X.data, squares)
        return float(squares @ np.asarray(weight, np.float64))


@dataclass(frozen=True)
class IDivergence:
    """Σ x log(x/z) − x + z, the generalised Kullback–Leibler divergence."""

    def halves(
        self, X: sp.csr_array, rows: np.ndarray, other: np.ndarray, weight: np.ndarray | None = None
    ) -> Halves:
        down = np.empty_like(rows)

        def work(first: int, last: int) -> None:
            ratio_products(X.indptr, X.indices, X.data, first, last, rows, other, down)

        each_part(work, parts_of(X))
        weighted = other if weight is None else other * weight[:, None]
        up = weighted.sum(axis=0, dtype=np.float64).astype(rows.dtype)
        return down, np.broadcast_to(up, rows.shape)

    def value(self, X: sp.csr_array, W: np.ndarray, Ht: np.ndarray, weight: np.ndarray) -> float:
        def work(first: int, last: int) -> float:
            return float(log_terms(X.indptr, X.indices, X.data, first, last, weight, W, Ht))

        at_data = sum(each_part(work, parts_of(X)))
        return at_data + mass(W, Ht, weight)


def mass(W: np.ndarray, Ht: np.ndarray, weight: np.ndarray) -> float:
    """Σ e z over all cells, without forming them."""
    documents = (W * weight[:, None]).sum(axis=0, dtype=np.float64)
    return float(documents @ Ht.sum(axis=0, dtype=np.float64))


LOSSES: dict[str, Loss] = {"frobenius": Frobenius(), "i_divergence": IDivergence()}
