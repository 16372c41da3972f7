"""Documents times a dense matrix, on all cores; the root of topics times topics."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.row_sums import gather_block, gather_rows
from core.engine.kernels.threads import each_part, parts_of, ranges

ROWS_TURNED_AT_ONCE = 256  # and all their columns stay in a core's cache


def documents_times(X: sp.csr_array, columns: np.ndarray) -> np.ndarray:
    """``X @ columns``, as precise as X; SciPy would use one core."""
    other = np.ascontiguousarray(columns, dtype=X.dtype)
    out = np.empty((X.shape[0], other.shape[1]), X.dtype)

    def work(first: int, last: int) -> None:
        gather_rows(X.indptr, X.indices, X.data, first, last, other, out)

    each_part(work, parts_of(X))
    return out


def transposed(matrix: np.ndarray) -> np.ndarray:
    """A contiguous transpose; of a large matrix at once, each number would be far from the next."""
    out = np.empty(matrix.shape[::-1], matrix.dtype)

    def work(first: int, last: int) -> None:
        out[:, first:last] = matrix[first:last].T

    each_part(work, ranges(len(matrix), ROWS_TURNED_AT_ONCE))
    return out


class RowsTimes:
    """``X[first:last] @ columns``, for what makes more of them than the product.

    So nothing of the size of the whole product is held besides what is made of it.
    """

    def __init__(self, X: sp.csr_array, columns: np.ndarray) -> None:
        self.X, self.columns = X, np.ascontiguousarray(columns, dtype=X.dtype)

    def rows(self, first: int, last: int) -> np.ndarray:
        X, out = self.X, np.empty((last - first, self.columns.shape[1]), self.X.dtype)
        gather_block(X.indptr, X.indices, X.data, first, last, self.columns, out)
        return out


def square_root(H: np.ndarray) -> np.ndarray:
    """(H Hᵀ)^½, symmetric and positive semi-definite."""
    values, vectors = np.linalg.eigh(H.astype(np.float64) @ H.T.astype(np.float64))
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
