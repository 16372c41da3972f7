"""Data of which some cells count differently, or are not known at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.joint import SparseCells
from core.errors import ModelError


@dataclass(frozen=True)
class ObservedData:
    """X with a weight for every cell, 1 almost everywhere.

    ``X`` holds weight times value, so a cell of weight 0 is gone whatever was in it; ``extra``
    holds weight less 1 at the cells where that is not 0. ``square`` is Σ o x², ``entropy`` is
    Σ o (x log x − x): the part of each loss that is the same for all factors.
    """

    X: sp.csr_array
    extra: sp.csr_array | None
    square: float
    entropy: float

    @classmethod
    def of(cls, X: sp.csr_array, observed: Any = None) -> ObservedData:
        """``observed``: None, or the weights of the cells that differ from 1 (0: not observed).

        A sparse matrix gives the weights of its stored cells, stored zeros included.
        """
        extra = None if observed is None else excess(observed, X)
        weighted = X if extra is None else weigh(X, extra)
        data = weighted.data.astype(np.float64)
        values = data if extra is None else observed_values(X, extra)
        return cls(
            X=weighted,
            extra=extra,
            square=float(data @ values),
            entropy=float(data @ (np.log(values) - 1)),
        )

    @property
    def weight(self) -> float:
        """Σ o, the number of cells where all count."""
        n_docs, n_terms = self.X.shape
        more = 0.0 if self.extra is None else float(self.extra.data.sum(dtype=np.float64))
        return n_docs * n_terms + more


def excess(observed: Any, X: sp.csr_array) -> sp.csr_array | None:
    """Weight less 1 where that is not 0; None if every cell counts once."""
    if sp.issparse(observed):
        stored: Any = observed
        result = sp.csr_array(stored, dtype=np.float64, copy=True)
        result.sum_duplicates()
        result.data -= 1  # stored zeros are kept by this route, and become −1
    else:
        result = sp.csr_array(np.asarray(observed, dtype=np.float64) - 1)
    if result.shape != X.shape:
        raise ModelError(f"observed has the shape {result.shape}, the matrix {X.shape}.")
    if not np.isfinite(result.data).all() or (result.data < -1).any():
        raise ModelError("observed holds weights: finite numbers of at least 0.")
    result.eliminate_zeros()
    return as_cells_of(result, X.dtype) if result.nnz else None


def as_cells_of(matrix: sp.csr_array, dtype: Any) -> sp.csr_array:
    matrix.sort_indices()
    return sp.csr_array(
        (
            matrix.data.astype(dtype),
            matrix.indices.astype(np.int32),
            matrix.indptr.astype(np.int32),
        ),
        shape=matrix.shape,
    )


def weigh(X: sp.csr_array, extra: sp.csr_array) -> sp.csr_array:
    """o x, without the cells that are not observed."""
    result = sp.csr_array(X + X.multiply(extra))
    result.eliminate_zeros()
    return as_cells_of(result, X.dtype)


def observed_values(X: sp.csr_array, extra: sp.csr_array) -> np.ndarray:
    """x at the cells that ``weigh`` keeps, in its order."""
    unseen = extra.copy()
    unseen.data = np.where(extra.data > -1, 0, -1).astype(X.dtype)
    unseen.eliminate_zeros()
    return weigh(X, unseen).data.astype(np.float64)


def cells(matrix: sp.csr_array | None, dtype: Any) -> SparseCells:
    """The three arrays a kernel reads."""
    if matrix is None:
        return SparseCells(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, dtype))
    return SparseCells(matrix.indptr, matrix.indices, matrix.data)
