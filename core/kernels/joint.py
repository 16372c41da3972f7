"""Two terms that share W: X ≈ W H and Y ≈ W Bᵀ, each under squared error or I-divergence.

Every loss has two gradient halves, ``down`` and ``up``, both non-negative. A row's pass gathers the
halves of both terms, moves the row, and, while the row is still in cache, sums what the objective
and the step for B need. Cells of X whose weight is not 1 are corrected one by one: their weight
less 1, times their share of the whole, so nothing of size n_docs × n_terms is ever formed.

All factors are padded to whole registers (``core.kernels.lanes``); a topic that is only padding is
zero and stays zero under every step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.compiling import compiled, inlined
from core.kernels.gathering import (
    add_row,
    gather,
    products,
    row_product,
    row_times,
    weighted_logarithms,
)

FLOOR = 1e-30  # divisor floor, and the weight below which a cell is taken for zero
HOLD, PRINTED, EXACT = 0, 1, 2  # look only; the papers' step; the minimiser of the summed bounds
DOWN, UP, LOST, LABEL_DOWN, LABEL_UP, N_HALVES = 0, 1, 2, 3, 4, 5  # rows of a row's gradient halves


class Cells(NamedTuple):
    """A sparse matrix as its three CSR arrays; an ``indptr`` of length 0 means no cell at all."""

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray


class Known(NamedTuple):
    """Label cells somebody has spoken about: what they hold and how much that counts."""

    indptr: np.ndarray
    indices: np.ndarray
    weight: np.ndarray
    value: np.ndarray


class Fixed(NamedTuple):
    """The factor that a pass holds still: its rows, Σ row ⊗ row, and Σ row."""

    rows: np.ndarray
    gram: np.ndarray
    total: np.ndarray


@compiled
def squared_halves(X, extra, i, rows, fixed, half):  # type: ignore[no-untyped-def]
    """down = Σ_t o x h_t, up = w G + Σ_t (o − 1) z_t h_t."""
    gather(X.indices, X.data, X.indptr[i], X.indptr[i + 1], 0, fixed.rows, half, DOWN)
    row_times(rows, i, fixed.gram, half, UP)
    if extra.indptr.size:
        half[LOST] = 0
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            t = extra.indices[p]
            z = row_product(rows, i, fixed.rows, t)
            add_row(half, LOST, extra.data[p] * z, fixed.rows, t)
        correct(half)


@compiled
def divergence_halves(X, extra, i, rows, fixed, half, z):  # type: ignore[no-untyped-def]
    """down = Σ_t o x / z_t · h_t, up = Σ_t h_t + Σ_t (o − 1) h_t; ``z`` is room for a row."""
    first, last, floor = X.indptr[i], X.indptr[i + 1], rows.dtype.type(FLOOR)
    products(X.indices, first, last, rows, i, fixed.rows, z)
    data = X.data[first:last]
    for k in range(data.size):
        z[k] = data[k] / max(z[k], floor)
    gather(X.indices, z, first, last, first, fixed.rows, half, DOWN)
    half[UP] = fixed.total
    if extra.indptr.size:
        half[LOST] = 0
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            add_row(half, LOST, extra.data[p], fixed.rows, extra.indices[p])
        correct(half)


@inlined
def correct(half):  # type: ignore[no-untyped-def]
    """What is left after a correction is at least rounding noise of the whole, never less."""
    noise = half.dtype.type(1e-6 if half.itemsize == 4 else 1e-15)
    for m in range(half.shape[1]):
        half[UP, m] = max(half[UP, m] + half[LOST, m], noise * half[UP, m])


@compiled
def label_halves(known, squared, strength, i, rows, B, half):  # type: ignore[no-untyped-def]
    """The same for the second term, over the known cells of a row; ``strength`` is λ."""
    floor = rows.dtype.type(FLOOR)
    half[LABEL_DOWN] = 0
    half[LABEL_UP] = 0
    for p in range(known.indptr[i], known.indptr[i + 1]):
        label, weight, y = known.indices[p], strength * known.weight[p], known.value[p]
        if squared:
            add_row(half, LABEL_UP, weight * row_product(rows, i, B, label), B, label)
        else:
            add_row(half, LABEL_UP, weight, B, label)
        if y != 0:  # most labels are absent
            whole = rows.dtype.type(1) if squared else row_product(rows, i, B, label)
            add_row(half, LABEL_DOWN, weight * y / max(whole, floor), B, label)


@inlined
def settled(value):  # type: ignore[no-untyped-def]
    """Too small to matter is zero: denormal numbers would cost a hundred times as much."""
    return value if value > FLOOR else value * 0


@compiled
def ratio_step(w, half, scale, label_scale):  # type: ignore[no-untyped-def]
    """w ← w · Σ down / Σ up, each term with its own scale."""
    floor = w.dtype.type(FLOOR)
    for m in range(w.size):
        top = scale * half[DOWN, m] + label_scale * half[LABEL_DOWN, m]
        bottom = scale * half[UP, m] + label_scale * half[LABEL_UP, m]
        w[m] = settled(w[m] * (top / max(bottom, floor)))


@compiled
def root_step(w, down_f, up_f, down_d, up_d):  # type: ignore[no-untyped-def]
    """The minimiser ρ = w'/w of uF ρ² − 2 dF ρ (squared error) + uD ρ − dD log ρ (divergence).

    With q = uD − 2 dF that is (−q + √(q² + 8 uF dD)) / (4 uF), written without cancellation.
    """
    floor = w.dtype.type(FLOOR)
    two, four, eight = w.dtype.type(2), w.dtype.type(4), w.dtype.type(8)
    for m in range(w.size):
        q = up_d[m] - two * down_f[m]
        root = np.sqrt(q * q + eight * up_f[m] * down_d[m])
        top = two * down_d[m] if q > 0 else root - q
        bottom = q + root if q > 0 else four * up_f[m]
        w[m] = settled(w[m] * (top / max(bottom, floor)))


@compiled
def data_error(X, extra, squared, i, rows, other, half, z):  # type: ignore[no-untyped-def]
    """A row's share of the loss on X that depends on its cells one by one."""
    first, last, floor = X.indptr[i], X.indptr[i + 1], rows.dtype.type(FLOOR)
    if squared:
        total = -2.0 * np.float64(row_product(rows, i, half, DOWN))
    else:
        products(X.indices, first, last, rows, i, other, z)
        total = -weighted_logarithms(X.data[first:last], last - first, z, floor)
    if extra.indptr.size:
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            whole = np.float64(row_product(rows, i, other, extra.indices[p]))
            total += extra.data[p] * (whole * whole if squared else whole)
    return total


@compiled
def label_error(known, squared, i, rows, B, down, up):  # type: ignore[no-untyped-def]
    """A row's loss on Y; adds the row to the gradient halves of B, ``down`` and ``up``."""
    total = 0.0
    floor = rows.dtype.type(FLOOR)
    for p in range(known.indptr[i], known.indptr[i + 1]):
        label, weight, y = known.indices[p], known.weight[p], known.value[p]
        z = row_product(rows, i, B, label)
        if squared:
            total += weight * np.float64(y - z) ** 2
        else:
            total += weight * np.float64(z - y)
            if y > 0:
                total += weight * y * np.log(np.float64(y) / max(np.float64(z), FLOOR))
        add_row(up, label, weight * z if squared else weight, rows, i)
        if y != 0:
            add_row(down, label, weight * (y if squared else y / max(z, floor)), rows, i)
    return total


@compiled
def document_pass(  # type: ignore[no-untyped-def]
    X, extra, known, first, last, W, fixed, B, squared, label_squared, strength, how, down_b, up_b
):
    """Move ``W[first:last]`` as ``how`` says; the two losses' cell-wise sums afterwards.

    ``down_b`` and ``up_b`` receive the gradient halves of B at the new rows.
    """
    half, z = np.zeros((N_HALVES, W.shape[1]), W.dtype), room(X, first, last, W.dtype)
    one = W.dtype.type(1)
    mixed = squared != label_squared
    scale = one + one if mixed and squared else one
    label_scale = one + one if mixed and label_squared else one
    error, label_total = 0.0, 0.0
    for i in range(first, last):
        if squared:
            squared_halves(X, extra, i, W, fixed, half)
        elif how != HOLD:
            divergence_halves(X, extra, i, W, fixed, half, z)
        if how != HOLD:
            label_halves(known, label_squared, strength, i, W, B, half)
            if how == PRINTED or not mixed:
                ratio_step(W[i], half, scale, label_scale)
            elif squared:
                root_step(W[i], half[DOWN], half[UP], half[LABEL_DOWN], half[LABEL_UP])
            else:
                root_step(W[i], half[LABEL_DOWN], half[LABEL_UP], half[DOWN], half[UP])
        error += data_error(X, extra, squared, i, W, fixed.rows, half, z)
        label_total += label_error(known, label_squared, i, W, B, down_b, up_b)
    return error, label_total


@inlined
def room(X, first, last, dtype):  # type: ignore[no-untyped-def]
    """For the products at the stored cells of any one row of a range."""
    longest = 0
    for i in range(first, last):
        longest = max(longest, X.indptr[i + 1] - X.indptr[i])
    return np.empty(longest, dtype)


@compiled
def factor_pass(X, extra, first, last, rows, fixed, squared, sweeps, tol):  # type: ignore[no-untyped-def]
    """Multiplicative steps on ``rows[first:last]`` for one term alone, at most ``sweeps`` each.

    A row stops when no cell moves by more than ``tol`` of its largest.
    """
    half, z = np.zeros((N_HALVES, rows.shape[1]), rows.dtype), room(X, first, last, rows.dtype)
    one, before = rows.dtype.type(1), np.empty(rows.shape[1], rows.dtype)
    for i in range(first, last):
        for _ in range(sweeps):
            if sweeps > 1:
                before[:] = rows[i]
            if squared:
                squared_halves(X, extra, i, rows, fixed, half)
            else:
                divergence_halves(X, extra, i, rows, fixed, half, z)
            ratio_step(rows[i], half, one, one)
            if sweeps > 1 and np.abs(rows[i] - before).max() <= tol * rows[i].max():
                break
