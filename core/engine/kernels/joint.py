"""Two terms that share W: X ≈ W H and Y ≈ W Bᵀ, each under squared error or I-divergence.

Every loss has two gradient halves, ``down`` and ``up``, both non-negative. A row's pass gathers the
halves of both terms, moves the row, and, while the row is still in cache, sums what the objective
and the step for B need. Cells of X whose weight is not 1 are corrected one by one: their weight
less 1, times their share of the whole, so nothing of size n_docs × n_terms is ever formed.

All factors are padded to whole registers (``core.engine.kernels.simd``); a topic that is only
padding is zero and stays zero under every step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.engine.kernels.jit import compiled_without_arrays, inlined
from core.engine.kernels.row_sums import (
    add_row,
    clear_row,
    gather,
    products,
    row_product,
    row_times,
    weighted_logarithms,
)

MIN_DIVISOR = 1e-30  # divisor floor, and the weight below which a cell is taken for zero
LOG_BLOCK_CELLS = 512  # cells whose logarithms are summed at once
STEP_NONE, STEP_PRINTED, STEP_EXACT = 0, 1, 2  # of W: none, the papers', the exact minimiser
DOWN, UP, LOST, LABEL_DOWN, LABEL_UP, BEFORE, N_HALVES = range(7)  # rows of ``Scratch.half``


class SparseCells(NamedTuple):
    """A sparse matrix as its three CSR arrays; an ``indptr`` of length 0 means no cell at all."""

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray


class KnownCells(NamedTuple):
    """Cells of Y that are known: their values, and how much each counts."""

    indptr: np.ndarray
    indices: np.ndarray
    weight: np.ndarray
    value: np.ndarray


class LabelRows(NamedTuple):
    """The same, where a row of which every label is known needs its zeros no more.

    ``whole`` is the weight of all labels of such a row, 0 for the others.
    """

    whole: np.ndarray
    indptr: np.ndarray
    indices: np.ndarray
    weight: np.ndarray
    value: np.ndarray


class FixedFactor(NamedTuple):
    """The factor that a pass holds still: its rows, Σ row ⊗ row, and Σ row."""

    rows: np.ndarray
    gram: np.ndarray
    total: np.ndarray


class Scratch(NamedTuple):
    """To work in: a row's gradient halves, a number for each of its stored cells, and some more."""

    half: np.ndarray
    z: np.ndarray
    buffer: np.ndarray

    @classmethod
    def of(cls, X: SparseCells, n_topics: int) -> Scratch:
        longest = int(np.diff(X.indptr).max(initial=0))
        kind = X.data.dtype
        return cls(
            np.zeros((N_HALVES, n_topics), kind),
            np.empty(longest, kind),
            np.empty(LOG_BLOCK_CELLS, kind),
        )


@inlined
def squared_halves(X, extra, i, rows, fixed, half):  # type: ignore[no-untyped-def]
    """down = Σ_t o x h_t, up = w G + Σ_t (o − 1) z_t h_t."""
    gather(X.indices, X.data, X.indptr[i], X.indptr[i + 1], 0, fixed.rows, half, DOWN)
    row_times(rows, i, fixed.gram, half, UP)
    if extra.indptr.size:
        clear_row(half, LOST)
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            t = extra.indices[p]
            z = row_product(rows, i, fixed.rows, t)
            add_row(half, LOST, extra.data[p] * z, fixed.rows, t)
        correct(half)


@inlined
def quotients(X, i, rows, fixed, out):  # type: ignore[no-untyped-def]
    """x / z at the stored cells of a row."""
    first, last, floor = X.indptr[i], X.indptr[i + 1], rows.dtype.type(MIN_DIVISOR)
    products(X.indices, first, last, rows, i, fixed.rows, out)
    divide(X.data[first:last], out, floor)


@inlined
def divide(data, z, floor):  # type: ignore[no-untyped-def]
    for k in range(data.size):
        z[k] = data[k] / max(z[k], floor)


@inlined
def divergence_halves(X, extra, i, quotient, fixed, half):  # type: ignore[no-untyped-def]
    """down = Σ_t o x / z_t · h_t, up = Σ_t h_t + Σ_t (o − 1) h_t, given the row's quotients."""
    first, last = X.indptr[i], X.indptr[i + 1]
    gather(X.indices, quotient, first, last, first, fixed.rows, half, DOWN)
    for m in range(half.shape[1]):
        half[UP, m] = fixed.total[m]
    if extra.indptr.size:
        clear_row(half, LOST)
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            add_row(half, LOST, extra.data[p], fixed.rows, extra.indices[p])
        correct(half)


@inlined
def correct(half):  # type: ignore[no-untyped-def]
    """What is left after a correction is at least rounding noise of the whole, never less."""
    noise = half.dtype.type(1e-6 if half.itemsize == 4 else 1e-15)
    for m in range(half.shape[1]):
        half[UP, m] = max(half[UP, m] + half[LOST, m], noise * half[UP, m])


@inlined
def label_halves(label_rows, squared, strength, i, rows, labels, half):  # type: ignore[no-untyped-def]
    """The same for the second term, over the known cells of a row; ``strength`` is λ."""
    floor, whole, B = rows.dtype.type(MIN_DIVISOR), label_rows.whole[i], labels.rows
    clear_row(half, LABEL_DOWN)
    clear_row(half, LABEL_UP)
    if whole > 0:
        all_labels(squared, strength * whole, i, rows, labels, half)
    for p in range(label_rows.indptr[i], label_rows.indptr[i + 1]):
        label, y = label_rows.indices[p], label_rows.value[p]
        weight = strength * label_rows.weight[p]
        if whole == 0:
            z = row_product(rows, i, B, label) if squared else rows.dtype.type(1)
            add_row(half, LABEL_UP, weight * z, B, label)
        if y != 0:
            z = rows.dtype.type(1) if squared else row_product(rows, i, B, label)
            add_row(half, LABEL_DOWN, weight * y / max(z, floor), B, label)


@inlined
def all_labels(squared, weight, i, rows, labels, half):  # type: ignore[no-untyped-def]
    """up = v w BᵀB, or v Σ_l b_l: every label of the row counts v."""
    if squared:
        row_times(rows, i, labels.gram, half, LABEL_UP)
        for m in range(half.shape[1]):
            half[LABEL_UP, m] *= weight
    else:
        for m in range(half.shape[1]):
            half[LABEL_UP, m] = weight * labels.total[m]


@inlined
def flush_tiny(value):  # type: ignore[no-untyped-def]
    """Too small to matter is zero: denormal numbers would cost a hundred times as much."""
    return value if value > MIN_DIVISOR else value * 0


@inlined
def ratio_step(w, half, scale, label_scale):  # type: ignore[no-untyped-def]
    """w ← w · Σ down / Σ up, each term with its own scale."""
    floor = w.dtype.type(MIN_DIVISOR)
    for m in range(w.size):
        top = scale * half[DOWN, m] + label_scale * half[LABEL_DOWN, m]
        bottom = scale * half[UP, m] + label_scale * half[LABEL_UP, m]
        w[m] = flush_tiny(w[m] * (top / max(bottom, floor)))


@inlined
def root_step(w, down_f, up_f, down_d, up_d):  # type: ignore[no-untyped-def]
    """The minimiser ρ = w'/w of uF ρ² − 2 dF ρ (squared error) + uD ρ − dD log ρ (divergence).

    With q = uD − 2 dF that is (−q + √(q² + 8 uF dD)) / (4 uF), written without cancellation.
    """
    floor = w.dtype.type(MIN_DIVISOR)
    two, four, eight = w.dtype.type(2), w.dtype.type(4), w.dtype.type(8)
    for m in range(w.size):
        q = up_d[m] - two * down_f[m]
        root = np.sqrt(q * q + eight * up_f[m] * down_d[m])
        top = two * down_d[m] if q > 0 else root - q
        bottom = q + root if q > 0 else four * up_f[m]
        w[m] = flush_tiny(w[m] * (top / max(bottom, floor)))


@inlined
def data_error(X, extra, squared, i, rows, other, half, z):  # type: ignore[no-untyped-def]
    """A row's share of the loss on X that depends on its cells one by one.

    For a divergence the stored cells' share is left to ``divergence_error``: here they leave z.
    """
    first, last = X.indptr[i], X.indptr[i + 1]
    total = 0.0
    if squared:
        total = -2.0 * np.float64(row_product(rows, i, half, DOWN))
    else:
        products(X.indices, first, last, rows, i, other, z[first:last])
    if extra.indptr.size:
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            whole = np.float64(row_product(rows, i, other, extra.indices[p]))
            total += extra.data[p] * (whole * whole if squared else whole)
    return total


@compiled_without_arrays
def divergence_error(data, first, last, z, buffer):  # type: ignore[no-untyped-def]
    """−Σ x log z over a range of stored cells; leaves x / z in place of z, for the step of H.

    Rows are short: a loop over many of them at once wastes less of its registers.
    """
    floor, total = data.dtype.type(MIN_DIVISOR), 0.0
    for begin in range(first, last, buffer.size):
        size = min(buffer.size, last - begin)
        for k in range(size):
            buffer[k] = max(z[begin + k], floor)
            z[begin + k] = data[begin + k] / buffer[k]
        total -= weighted_logarithms(data[begin : begin + size], size, buffer, floor)
    return total


@inlined
def label_error(label_rows, squared, i, rows, labels, half, down, up):  # type: ignore[no-untyped-def]
    """A row's loss on Y; adds its cells to the gradient halves of B, ``down`` and ``up``."""
    floor, whole, B = rows.dtype.type(MIN_DIVISOR), label_rows.whole[i], labels.rows
    total = 0.0
    if whole > 0:
        total += whole * np.float64(all_error(squared, i, rows, labels, half))
    for p in range(label_rows.indptr[i], label_rows.indptr[i + 1]):
        label, weight, y = label_rows.indices[p], label_rows.weight[p], label_rows.value[p]
        z = row_product(rows, i, B, label)
        if squared:
            square = np.float64(y - z) ** 2
            total += weight * (square if whole == 0 else square - np.float64(z) ** 2)
        else:
            total += weight * np.float64((z if whole == 0 else rows.dtype.type(0)) - y)
            if y > 0:
                total += weight * y * np.log(np.float64(y) / max(np.float64(z), MIN_DIVISOR))
        if whole == 0:
            add_row(up, label, weight * z if squared else weight, rows, i)
        if y != 0:
            add_row(down, label, weight * (y if squared else y / max(z, floor)), rows, i)
    return total


@inlined
def all_error(squared, i, rows, labels, half):  # type: ignore[no-untyped-def]
    """Σ_l z_l², or Σ_l z_l: the loss of a row that has none of the labels."""
    if squared:
        row_times(rows, i, labels.gram, half, LABEL_UP)
        return row_product(rows, i, half, LABEL_UP)
    total = rows.dtype.type(0)
    for m in range(rows.shape[1]):
        total += rows[i, m] * labels.total[m]
    return total


@compiled_without_arrays
def document_pass(  # type: ignore[no-untyped-def]
    X, extra, label_rows, first, last, W, fixed, labels, room, squared, label_squared, strength,
    how, quotient, down_b, up_b,
):  # fmt: skip
    """Move ``W[first:last]`` as ``how`` says; the two losses' cell-wise sums afterwards.

    ``down_b`` and ``up_b`` receive what single cells add to the gradient halves of B at the new
    rows, ``quotient`` the new x / z.
    """
    half, z, buffer = room
    one = W.dtype.type(1)
    mixed = squared != label_squared
    scale = one + one if mixed and squared else one
    label_scale = one + one if mixed and label_squared else one
    error, label_total = 0.0, 0.0
    for i in range(first, last):
        if squared:
            squared_halves(X, extra, i, W, fixed, half)
        elif how != STEP_NONE:
            quotients(X, i, W, fixed, z)
            divergence_halves(X, extra, i, z, fixed, half)
        if how != STEP_NONE:
            label_halves(label_rows, label_squared, strength, i, W, labels, half)
            if how == STEP_PRINTED or not mixed:
                ratio_step(W[i], half, scale, label_scale)
            elif squared:
                root_step(W[i], half[DOWN], half[UP], half[LABEL_DOWN], half[LABEL_UP])
            else:
                root_step(W[i], half[LABEL_DOWN], half[LABEL_UP], half[DOWN], half[UP])
        error += data_error(X, extra, squared, i, W, fixed.rows, half, quotient)
        label_total += label_error(label_rows, label_squared, i, W, labels, half, down_b, up_b)
    if not squared:
        error += divergence_error(X.data, X.indptr[first], X.indptr[last], quotient, buffer)
    return error, label_total


@compiled_without_arrays
def settled_by(before, now, tol):  # type: ignore[no-untyped-def]
    """Whether no cell has moved by more than ``tol`` of the largest."""
    most, largest = before.dtype.type(0), before.dtype.type(0)
    for m in range(now.size):
        most, largest = max(most, abs(now[m] - before[m])), max(largest, now[m])
    return most <= tol * largest


@compiled_without_arrays
def factor_pass(X, extra, first, last, rows, fixed, room, squared, sweeps, tol):  # type: ignore[no-untyped-def]
    """Multiplicative steps on ``rows[first:last]`` for one term alone, at most ``sweeps`` each.

    A row stops when no cell moves by more than ``tol`` of its largest.
    """
    half, z, _ = room
    one, before = rows.dtype.type(1), half[BEFORE]
    for i in range(first, last):
        for _ in range(sweeps):
            if sweeps > 1:
                for m in range(before.size):
                    before[m] = rows[i, m]
            if squared:
                squared_halves(X, extra, i, rows, fixed, half)
            else:
                quotients(X, i, rows, fixed, z)
                divergence_halves(X, extra, i, z, fixed, half)
            ratio_step(rows[i], half, one, one)
            if sweeps > 1 and settled_by(before, rows[i], tol):
                break


@compiled_without_arrays
def turned_pass(X, extra, first, last, rows, fixed, room, quotient, turn):  # type: ignore[no-untyped-def]
    """One step for a divergence whose quotients are known, but in the order of the other side.

    ``turn`` says where the cell p of X stands in ``quotient``.
    """
    half, z, _ = room
    one = rows.dtype.type(1)
    for i in range(first, last):
        begin = X.indptr[i]
        for k in range(X.indptr[i + 1] - begin):
            z[k] = quotient[turn[begin + k]]
        divergence_halves(X, extra, i, z, fixed, half)
        ratio_step(rows[i], half, one, one)
