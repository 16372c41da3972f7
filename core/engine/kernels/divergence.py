"""I-divergence: the products WH at the non-zeros of X, and what follows from them."""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled_without_arrays, inlined

MIN_DIVISOR = 1e-30  # divisor floor: small, yet 0 · (x / MIN_DIVISOR) is still 0, not nan


@inlined
def dot(rows, i, other, t):  # type: ignore[no-untyped-def]
    """Σ_k rows[i, k] · other[t, k]."""
    total = rows.dtype.type(0)
    for m in range(rows.shape[1]):
        total += rows[i, m] * other[t, m]
    return total


@compiled_without_arrays
def ratio_products(indptr, indices, data, first, last, rows, other, out):  # type: ignore[no-untyped-def]
    """``out[i] = Σ_t x_it / (rows · other)_it · other[t]`` for rows ``first`` to ``last``."""
    floor = rows.dtype.type(MIN_DIVISOR)
    for i in range(first, last):
        for m in range(rows.shape[1]):
            out[i, m] = 0
        for p in range(indptr[i], indptr[i + 1]):
            t = indices[p]
            quotient = data[p] / max(dot(rows, i, other, t), floor)
            for m in range(rows.shape[1]):
                out[i, m] += quotient * other[t, m]


@compiled_without_arrays
def update_documents(  # type: ignore[no-untyped-def]
    indptr, indices, data, first, last, weight, Ht, size, move, W, cross, down
):
    """Multiply rows ``first`` to ``last`` of W by their ratio, then add them to H's next ratio.

    ``size`` is Σ_t H. Adds ``cross[t] += e_i x_it / z_it · w_i`` with the new z, and returns
    Σ e x (log(x / z) − 1). Both passes over a document meet its topics' words while they are near,
    which is why they share a kernel. With ``move`` unset, W stays as it is. ``down`` is room for a
    number per topic.
    """
    floor = W.dtype.type(MIN_DIVISOR)
    n_topics = W.shape[1]
    total = 0.0
    for i in range(first, last):
        if move:
            for m in range(n_topics):
                down[m] = 0
            for p in range(indptr[i], indptr[i + 1]):
                t = indices[p]
                quotient = data[p] / max(dot(W, i, Ht, t), floor)
                for m in range(n_topics):
                    down[m] += quotient * Ht[t, m]
            for m in range(n_topics):
                W[i, m] *= down[m] / max(size[m], floor)
        for p in range(indptr[i], indptr[i + 1]):
            t = indices[p]
            quotient = data[p] / max(dot(W, i, Ht, t), floor)
            if quotient > 0:
                total += weight[i] * data[p] * (np.log(quotient) - 1)
            quotient *= weight[i]
            for m in range(n_topics):
                cross[t, m] += quotient * W[i, m]
    return total


@compiled_without_arrays
def log_terms(indptr, indices, data, first, last, weight, rows, other):  # type: ignore[no-untyped-def]
    """Σ e_i (x log(x / z) − x) over the stored cells of a range of rows, z = rows · other."""
    total = 0.0
    for i in range(first, last):
        part = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            x = np.float64(data[p])
            if x > 0:
                z = max(np.float64(dot(rows, i, other, indices[p])), MIN_DIVISOR)
                part += x * np.log(x / z) - x
        total += weight[i] * part
    return total
