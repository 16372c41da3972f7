"""Coordinate descent over the rows of one factor while the other stays as it is."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.engine.kernels.simd import padded
from core.engine.kernels.squared import sweep
from core.engine.kernels.threads import Parts, each_part, parts_of

MIN_DIVISOR = 1e-30  # what nothing is divided by less than
MAX_SWEEPS = 500  # sweeps at most when only W is wanted
ALL_FREE = np.empty(0, bool)
NO_MASK = np.empty((0, 0), bool)
NO_PRICE = np.empty((0, 0))


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
    weight: np.ndarray | None = None,
    relax: float = 1.0,
    sweeps: int = 1,
    tol: float = 0.0,
) -> tuple[float, float]:
    """The coordinate-descent kernel over all parts, and the two sums that it returns."""
    real = X.dtype.type
    gram, H = np.ascontiguousarray(gram), np.ascontiguousarray(other.T)
    price = price if price.size else np.empty((0, rows.shape[1]), X.dtype)
    weight = np.empty(0, X.dtype) if weight is None else weight

    def work(first: int, last: int) -> tuple[float, float]:
        found, paid = sweep(
            X.indptr, X.indices, X.data, first, last, H, other, gram, free, mask, price, weight,
            real(relax), sweeps, real(tol), rows, gradient_room(rows), numbers_room(rows),
        )  # fmt: skip
        return float(found), float(paid)

    found, paid = zip(*each_part(work, parts), strict=True)
    return sum(found), sum(paid)


def gradient_room(rows: np.ndarray) -> np.ndarray:
    """Room for the gradient of a row; kernels that make no arrays count no references."""
    return np.empty((1, rows.shape[1]), rows.dtype)


def numbers_room(rows: np.ndarray) -> np.ndarray:
    """Room for the numbers of a row's topics."""
    return np.empty(rows.shape[1], np.int64)


def total(arrays: list[np.ndarray]) -> np.ndarray:
    """Their sum, in order, in the first of them."""
    first = arrays[0]
    for array in arrays[1:]:
        first += array
    return first
