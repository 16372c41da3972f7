"""Two terms that share W: X ≈ W H and Y ≈ W Bᵀ, each under squared error or I-divergence.

Every loss has two gradient halves, ``down`` and ``up``, both non-negative. A row's pass gathers the
halves of both terms, moves the row, and, while the row is still in cache, sums what the objective
and the step for B need. Cells of X whose weight is not 1 are corrected one by one: their weight
less 1, times their share of the whole, so nothing of size n_docs × n_terms is ever formed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.kernels.squared import compiled, inlined

FLOOR = 1e-30  # divisor floor, and the weight below which a cell is taken for zero
HOLD, PRINTED, EXACT = 0, 1, 2  # look only; the papers' step; the minimiser of the summed bounds


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


@inlined
def dot(a, b):  # type: ignore[no-untyped-def]
    total = a.dtype.type(0)
    for m in range(a.size):
        total += a[m] * b[m]
    return total


@compiled
def squared_halves(X, extra, i, w, fixed, down, up, lost):  # type: ignore[no-untyped-def]
    """down = Σ_t o x h_t, up = w G + Σ_t (o − 1) z_t h_t."""
    other, gram, n_topics = fixed.rows, fixed.gram, w.size
    for m in range(n_topics):
        down[m] = 0
        up[m] = 0
        lost[m] = 0
    p, end = X.indptr[i], X.indptr[i + 1]
    while p + 4 <= end:
        a, b, c, d = X.data[p], X.data[p + 1], X.data[p + 2], X.data[p + 3]
        r, s, t, u = X.indices[p], X.indices[p + 1], X.indices[p + 2], X.indices[p + 3]
        for m in range(n_topics):
            down[m] += a * other[r, m] + b * other[s, m] + c * other[t, m] + d * other[u, m]
        p += 4
    while p < end:
        a, r = X.data[p], X.indices[p]
        for m in range(n_topics):
            down[m] += a * other[r, m]
        p += 1
    for j in range(n_topics):
        weight = w[j]
        if weight != 0:
            for m in range(n_topics):
                up[m] += weight * gram[j, m]
    if extra.indptr.size:
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            h = other[extra.indices[p]]
            z = extra.data[p] * dot(w, h)
            for m in range(n_topics):
                lost[m] += z * h[m]
        correct(up, lost)


@compiled
def divergence_halves(X, extra, i, w, fixed, down, up, lost):  # type: ignore[no-untyped-def]
    """down = Σ_t o x / z_t · h_t, up = Σ_t h_t + Σ_t (o − 1) h_t."""
    other, n_topics, floor = fixed.rows, w.size, w.dtype.type(FLOOR)
    for m in range(n_topics):
        down[m] = 0
        up[m] = fixed.total[m]
        lost[m] = 0
    for p in range(X.indptr[i], X.indptr[i + 1]):
        h = other[X.indices[p]]
        quotient = X.data[p] / max(dot(w, h), floor)
        for m in range(n_topics):
            down[m] += quotient * h[m]
    if extra.indptr.size:
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            h = other[extra.indices[p]]
            for m in range(n_topics):
                lost[m] += extra.data[p] * h[m]
        correct(up, lost)


@inlined
def correct(up, lost):  # type: ignore[no-untyped-def]
    """What is left after a correction is at least rounding noise of the whole, never less."""
    noise = up.dtype.type(1e-6 if up.itemsize == 4 else 1e-15)
    for m in range(up.size):
        up[m] = max(up[m] + lost[m], noise * up[m])


@compiled
def label_halves(known, squared, strength, i, w, B, down, up):  # type: ignore[no-untyped-def]
    """The same for the second term, over the known cells of a row; ``strength`` is λ."""
    floor = w.dtype.type(FLOOR)
    for m in range(w.size):
        down[m] = 0
        up[m] = 0
    for p in range(known.indptr[i], known.indptr[i + 1]):
        b = B[known.indices[p]]
        weight = strength * known.weight[p]
        z = dot(w, b)
        more = weight * (known.value[p] if squared else known.value[p] / max(z, floor))
        less = weight * z if squared else weight
        for m in range(w.size):
            up[m] += less * b[m]
        if more != 0:  # most labels are absent
            for m in range(w.size):
                down[m] += more * b[m]


@inlined
def settled(value):  # type: ignore[no-untyped-def]
    """Too small to matter is zero: denormal numbers would cost a hundred times as much."""
    return value if value > FLOOR else value * 0


@compiled
def ratio_step(w, down, up, more_down, more_up, scale, more_scale):  # type: ignore[no-untyped-def]
    """w ← w · Σ down / Σ up, each term with its own scale."""
    floor = w.dtype.type(FLOOR)
    for m in range(w.size):
        top = scale * down[m] + more_scale * more_down[m]
        w[m] = settled(w[m] * (top / max(scale * up[m] + more_scale * more_up[m], floor)))


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
        if q > 0:
            w[m] = settled(w[m] * (two * down_d[m] / max(q + root, floor)))
        else:
            w[m] = settled(w[m] * ((root - q) / max(four * up_f[m], floor)))


@compiled
def data_error(X, extra, squared, i, w, other, down):  # type: ignore[no-untyped-def]
    """A row's share of the loss on X that depends on its cells one by one."""
    total = 0.0
    if squared:
        total = -2.0 * np.float64(dot(w, down))
    else:
        for p in range(X.indptr[i], X.indptr[i + 1]):
            z = max(np.float64(dot(w, other[X.indices[p]])), FLOOR)
            total -= X.data[p] * np.log(z)
    if extra.indptr.size:
        for p in range(extra.indptr[i], extra.indptr[i + 1]):
            z = np.float64(dot(w, other[extra.indices[p]]))
            total += extra.data[p] * (z * z if squared else z)
    return total


@compiled
def label_error(known, squared, i, w, B, down, up):  # type: ignore[no-untyped-def]
    """A row's loss on Y; adds the row to the gradient halves of B, ``down`` and ``up``."""
    total = 0.0
    floor = w.dtype.type(FLOOR)
    for p in range(known.indptr[i], known.indptr[i + 1]):
        label, weight, y = known.indices[p], known.weight[p], known.value[p]
        z = dot(w, B[label])
        if squared:
            total += weight * np.float64(y - z) ** 2
        else:
            total += weight * np.float64(z - y)
            if y > 0:
                total += weight * y * np.log(np.float64(y) / max(np.float64(z), FLOOR))
        more = weight * (y if squared else y / max(z, floor))
        less = weight * z if squared else weight
        for m in range(w.size):
            up[label, m] += less * w[m]
        if more != 0:
            for m in range(w.size):
                down[label, m] += more * w[m]
    return total


@compiled
def document_pass(  # type: ignore[no-untyped-def]
    X, extra, known, first, last, W, fixed, B, squared, label_squared, strength, how, down_b, up_b
):
    """Move ``W[first:last]`` as ``how`` says; the two losses' cell-wise sums afterwards.

    ``down_b`` and ``up_b`` receive the gradient halves of B at the new rows.
    """
    n_topics, one = W.shape[1], W.dtype.type(1)
    down, up, lost = np.empty(n_topics, W.dtype), np.empty(n_topics, W.dtype), W[0] * 0
    more_down, more_up = np.empty(n_topics, W.dtype), np.empty(n_topics, W.dtype)
    mixed = squared != label_squared
    scale = one + one if mixed and squared else one
    more_scale = one + one if mixed and label_squared else one
    error, label_total = 0.0, 0.0
    for i in range(first, last):
        w = W[i]
        if squared:
            squared_halves(X, extra, i, w, fixed, down, up, lost)
        elif how != HOLD:
            divergence_halves(X, extra, i, w, fixed, down, up, lost)
        if how != HOLD:
            label_halves(known, label_squared, strength, i, w, B, more_down, more_up)
            if how == PRINTED or not mixed:
                ratio_step(w, down, up, more_down, more_up, scale, more_scale)
            elif squared:
                root_step(w, down, up, more_down, more_up)
            else:
                root_step(w, more_down, more_up, down, up)
        error += data_error(X, extra, squared, i, w, fixed.rows, down)
        label_total += label_error(known, label_squared, i, w, B, down_b, up_b)
    return error, label_total


@compiled
def factor_pass(X, extra, first, last, rows, fixed, squared, sweeps, tol):  # type: ignore[no-untyped-def]
    """Multiplicative steps on ``rows[first:last]`` for one term alone, at most ``sweeps`` each.

    A row stops when no cell moves by more than ``tol`` of its largest.
    """
    n_topics, one = rows.shape[1], rows.dtype.type(1)
    down, up, lost = np.empty(n_topics, rows.dtype), np.empty(n_topics, rows.dtype), rows[0] * 0
    none, before = rows[0] * 0, np.empty(n_topics, rows.dtype)
    for i in range(first, last):
        w = rows[i]
        for _ in range(sweeps):
            before[:] = w
            if squared:
                squared_halves(X, extra, i, w, fixed, down, up, lost)
            else:
                divergence_halves(X, extra, i, w, fixed, down, up, lost)
            ratio_step(w, down, up, none, none, one, one)
            if np.abs(w - before).max() <= tol * w.max():
                break
