"""I-divergence: the products WH at the non-zeros of X, and what follows from them."""

from __future__ import annotations

import numpy as np

from core.kernels.squared import compiled, inlined

FLOOR = 1e-30  # divisor floor: small, yet 0 · (x / FLOOR) is still 0, not nan


@inlined
def dot(rows, i, other, t):  # type: ignore[no-untyped-def]
    """Σ_k rows[i, k] · other[t, k]."""
    total = rows.dtype.type(0)
    for m in range(rows.shape[1]):
        total += rows[i, m] * other[t, m]
    return total


@compiled
def ratio_products(indptr, indices, data, first, last, rows, other, out):  # type: ignore[no-untyped-def]
    """``out[i] = Σ_t x_it / (rows · other)_it · other[t]`` for rows ``first`` to ``last``."""
    floor = rows.dtype.type(FLOOR)
    for i in range(first, last):
        for m in range(rows.shape[1]):
            out[i, m] = 0
        for p in range(indptr[i], indptr[i + 1]):
            t = indices[p]
            quotient = data[p] / max(dot(rows, i, other, t), floor)
            for m in range(rows.shape[1]):
                out[i, m] += quotient * other[t, m]


@compiled
def log_terms(indptr, indices, data, first, last, weight, rows, other):  # type: ignore[no-untyped-def]
    """Σ e_i (x log(x / z) − x) over the stored cells of a range of rows, z = rows · other."""
    total = 0.0
    for i in range(first, last):
        part = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            x = np.float64(data[p])
            if x > 0:
                z = max(np.float64(dot(rows, i, other, indices[p])), FLOOR)
                part += x * np.log(x / z) - x
        total += weight[i] * part
    return total
