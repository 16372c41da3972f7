"""Sums over the stored cells of a row, eight topics at a time.

Several registers are filled at once where a row has so many topics: their sums do not wait for one
another. ``gather`` and ``add_row`` take rows of any length, the others whole registers only.
"""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled_without_arrays, inlined
from core.engine.kernels.simd import LANES, add_product, load, splat, store, summed

TWO_REGISTERS, FOUR_REGISTERS = 2 * LANES, 4 * LANES
LOG_2 = float(np.log(2.0))
ROOT_32, ROOT_64 = 0x3F3504F3, 0x3FE6A09E667F3BCD  # √½, bit by bit


@compiled_without_arrays
def gather(indices, values, first, last, skip, other, out, row):  # type: ignore[no-untyped-def]
    """``out[row] = Σ_p values[p − skip] · other[indices[p]]`` for p from ``first`` to ``last``."""
    zero = splat(out.dtype.type(0))
    column, n_topics = 0, out.shape[1]
    while column + FOUR_REGISTERS <= n_topics:
        a, b, c, d = zero, zero, zero, zero
        for p in range(first, last):
            x, t = splat(values[p - skip]), indices[p]
            a = add_product(a, x, load(other, t, column))
            b = add_product(b, x, load(other, t, column + LANES))
            c = add_product(c, x, load(other, t, column + TWO_REGISTERS))
            d = add_product(d, x, load(other, t, column + TWO_REGISTERS + LANES))
        store(out, row, column, a)
        store(out, row, column + LANES, b)
        store(out, row, column + TWO_REGISTERS, c)
        store(out, row, column + TWO_REGISTERS + LANES, d)
        column += FOUR_REGISTERS
    if column + TWO_REGISTERS <= n_topics:
        a, b = zero, zero
        for p in range(first, last):
            x, t = splat(values[p - skip]), indices[p]
            a = add_product(a, x, load(other, t, column))
            b = add_product(b, x, load(other, t, column + LANES))
        store(out, row, column, a)
        store(out, row, column + LANES, b)
        column += TWO_REGISTERS
    if column + LANES <= n_topics:
        a = zero
        for p in range(first, last):
            a = add_product(a, splat(values[p - skip]), load(other, indices[p], column))
        store(out, row, column, a)
        column += LANES
    if column < n_topics and n_topics >= LANES:  # the last eight, some of them once more
        a, column = zero, n_topics - LANES
        for p in range(first, last):
            a = add_product(a, splat(values[p - skip]), load(other, indices[p], column))
        store(out, row, column, a)
        column = n_topics
    while column < n_topics:
        total = out.dtype.type(0)
        for p in range(first, last):
            total += values[p - skip] * other[indices[p], column]
        out[row, column] = total
        column += 1


@compiled_without_arrays
def gather_rows(indptr, indices, data, first, last, other, out):  # type: ignore[no-untyped-def]
    """``out[first:last] = X[first:last] @ other``."""
    for i in range(first, last):
        gather(indices, data, indptr[i], indptr[i + 1], 0, other, out, i)


@compiled_without_arrays
def gather_block(indptr, indices, data, first, last, other, out):  # type: ignore[no-untyped-def]
    """``out = X[first:last] @ other``."""
    for i in range(first, last):
        gather(indices, data, indptr[i], indptr[i + 1], 0, other, out, i - first)


@inlined
def row_times(rows, i, matrix, out, row):  # type: ignore[no-untyped-def]
    """``out[row] = rows[i] @ matrix``."""
    zero = splat(out.dtype.type(0))
    for column in range(0, out.shape[1], LANES):
        a = zero
        for j in range(rows.shape[1]):
            a = add_product(a, splat(rows[i, j]), load(matrix, j, column))
        store(out, row, column, a)


@compiled_without_arrays
def products(indices, first, last, rows, i, other, out):  # type: ignore[no-untyped-def]
    """``out[p − first] = rows[i] · other[indices[p]]`` for p from ``first`` to ``last``."""
    zero = splat(rows.dtype.type(0))
    column, n_topics = 0, rows.shape[1]
    while column + TWO_REGISTERS <= n_topics:
        a, b = load(rows, i, column), load(rows, i, column + LANES)
        for p in range(first, last):
            t = indices[p]
            z = add_product(zero, a, load(other, t, column))
            z = add_product(z, b, load(other, t, column + LANES))
            out[p - first] = summed(z) if column == 0 else out[p - first] + summed(z)
        column += TWO_REGISTERS
    if column < n_topics:
        a = load(rows, i, column)
        for p in range(first, last):
            z = summed(add_product(zero, a, load(other, indices[p], column)))
            out[p - first] = z if column == 0 else out[p - first] + z


@inlined
def row_product(rows, i, other, t):  # type: ignore[no-untyped-def]
    """``rows[i] · other[t]``."""
    total = splat(rows.dtype.type(0))
    for column in range(0, rows.shape[1], LANES):
        total = add_product(total, load(rows, i, column), load(other, t, column))
    return summed(total)


@inlined
def clear_row(out, row):  # type: ignore[no-untyped-def]
    """``out[row] = 0``."""
    zero = splat(out.dtype.type(0))
    for column in range(0, out.shape[1], LANES):
        store(out, row, column, zero)


@inlined
def add_row(out, row, x, other, t):  # type: ignore[no-untyped-def]
    """``out[row] += x · other[t]``."""
    factor, column, n_topics = splat(x), 0, out.shape[1]
    while column + LANES <= n_topics:
        sums = add_product(load(out, row, column), factor, load(other, t, column))
        store(out, row, column, sums)
        column += LANES
    while column < n_topics:
        out[row, column] += x * other[t, column]
        column += 1


@compiled_without_arrays
def weighted_logarithms(data, n, z, floor):  # type: ignore[no-untyped-def]
    """``Σ_k data[k] · log(max(z[k], floor))`` for the first n of ``z``, which is used up.

    The library's logarithm takes one number at a time. Loops of plain arithmetic are vectorised:
    z = 2^e m with m near 1, and log m = 2 (s + s³/3 + s⁵/5 + …) with s = (m − 1) / (m + 1).
    """
    for k in range(n):
        z[k] = max(z[k], floor)
    if z.itemsize == 4:
        power = _exponents(data, n, z.view(np.int32), np.int32, ROOT_32, 23)
        return LOG_2 * power + 2.0 * _single_series(data, n, z)
    power = _exponents(data, n, z.view(np.int64), np.int64, ROOT_64, 52)
    return LOG_2 * power + 2.0 * _double_series(data, n, z)


@inlined
def _exponents(data, n, bits, whole, root, shift):  # type: ignore[no-untyped-def]
    """Σ data · e; leaves m, between √½ and √2. ``root`` is √½, bit by bit.

    Numbers of another width in the loop would halve what a register holds: a row is short enough
    to be summed in its own precision.
    """
    total = data.dtype.type(0)
    for k in range(n):
        exponent = whole(whole(bits[k] - root) >> shift)
        bits[k] = whole(bits[k] - (exponent << shift))
        total += data[k] * data.dtype.type(exponent)
    return np.float64(total)


@compiled_without_arrays
def _single_series(data, n, m):  # type: ignore[no-untyped-def]
    one, third, fifth = np.float32(1), np.float32(1 / 3), np.float32(1 / 5)
    seventh, ninth = np.float32(1 / 7), np.float32(1 / 9)
    total = np.float32(0)
    for k in range(n):
        s = (m[k] - one) / (m[k] + one)
        q = s * s
        total += data[k] * (s * (one + q * (third + q * (fifth + q * (seventh + q * ninth)))))
    return np.float64(total)


@compiled_without_arrays
def _double_series(data, n, m):  # type: ignore[no-untyped-def]
    total = 0.0
    for k in range(n):
        s = (m[k] - 1.0) / (m[k] + 1.0)
        q = s * s
        series = 1 / 17 + q * (1 / 19 + q * (1 / 21))
        series = 1 / 11 + q * (1 / 13 + q * (1 / 15 + q * series))
        series = 1 / 5 + q * (1 / 7 + q * (1 / 9 + q * series))
        total += data[k] * s * (1 + q * (1 / 3 + q * series))
    return total
