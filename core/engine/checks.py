"""Checks of options, starts and matrices; each failure is one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.threads import each_part, row_blocks
from core.errors import ModelError

LARGEST_CELL_RANGE = {4: (1e-12, 1e8), 8: (1e-15, 1e60)}  # by bytes; products must fit too


def check_count(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ModelError(f"{name} is a whole number of at least 1, not {value!r}.")


def check_number(name: str, value: Any, least: float = 0.0) -> None:
    wrong = isinstance(value, bool) or not isinstance(value, (int, float, np.number))
    if wrong or not least <= value < np.inf:
        raise ModelError(f"{name} is a number of at least {least:g}, not {value!r}.")


def check_positive(name: str, value: Any) -> None:
    check_number(name, value)
    if value == 0:
        raise ModelError(f"{name} is a number above 0.")


def check_start(*factors: np.ndarray) -> None:
    if not all(all(each_part(_weighs(factor), row_blocks(len(factor)))) for factor in factors):
        raise ModelError("A start needs finite weights of at least 0.")


def _weighs(factor: np.ndarray) -> Callable[[int, int], bool]:
    """Whether some rows are finite and at least 0."""

    def work(first: int, last: int) -> bool:
        rows = factor[first:last]
        return bool(np.isfinite(rows).all() and (rows >= 0).all())

    return work


def checked_start(
    start: tuple[np.ndarray, ...], X: sp.csr_array, n_topics: int, dtype: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    """The W that a fit starts from, not to be written to, and a copy of the H.

    Both are of the right shapes, finite, and at least 0.
    """
    dtype = X.dtype if dtype is None else dtype
    W = np.asarray(start[0], dtype=dtype, order="C")
    H = np.array(start[1], dtype=dtype)
    if W.shape != (X.shape[0], n_topics) or H.shape != (n_topics, X.shape[1]):
        raise ModelError(
            f"A start of shapes {W.shape} and {H.shape} does not fit {X.shape[0]} documents, "
            f"{n_topics} topics and {X.shape[1]} terms."
        )
    check_start(W, H)
    return W, H


def check_range(X: sp.csr_array) -> None:
    """Refuse cells whose squares would overflow or vanish."""
    least, most = LARGEST_CELL_RANGE[X.dtype.itemsize]
    largest = float(X.data.max(initial=0))
    if largest and not least <= largest <= most:
        raise ModelError(
            f"The largest cell of the matrix is {largest:.0e}; scale the matrix so that it lies "
            f"between {least:.0e} and {most:.0e}."
        )


def canonical_csr(X: Any) -> sp.csr_array:
    """CSR with sorted 32-bit indices and no stored zeros; dense input becomes sparse here."""
    given = X
    if not isinstance(X, sp.csr_array):  # one wrapped again has other array objects: see LastResult
        X = sp.csr_array(X)
    if not X.has_canonical_format or (X.data == 0).any() or not X.has_sorted_indices:
        X = X.copy() if X is given or sp.issparse(given) else X
        X.sum_duplicates()
        X.eliminate_zeros()
    if X.indices.dtype != np.int32 or X.indptr.dtype != np.int32:
        if X.nnz >= np.iinfo(np.int32).max:
            raise ModelError("More than two thousand million non-zero cells in one matrix.")
        X = sp.csr_array(
            (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape
        )
    return X
