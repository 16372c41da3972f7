"""Coordinate descent for squared error: one kernel for both factors.

With H fixed, a row ``w`` of W has the loss ``w G wᵀ − 2 w · c`` with ``G = H Hᵀ`` and ``c = x Hᵀ``.
The best value of one coordinate is ``w_j − (wG − c)_j / G_jj``, cut at zero. A row of Hᵀ has the
same form with ``G = Wᵀ E W`` and ``c`` from the columns of ``E X``, so one kernel improves both.
Most coordinates are zero and stay zero; those cost one comparison, so a sweep costs
topics × active topics, not topics squared.
"""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled_without_arrays, inlined
from core.engine.kernels.row_sums import add_row, gather

SEED_SHARE = 1e-6  # share of a labelled document given to its topics when it would end without any


@compiled_without_arrays
def sweep(  # type: ignore[no-untyped-def]
    indptr,
    indices,
    data,
    first,
    last,
    H,
    other,
    gram,
    free,
    mask,
    penalty,
    weight,
    relax,
    sweeps,
    tol,
    rows,
    gradient,
    permitted,
):
    """Improve ``rows[first:last]`` of W; ``other`` is Hᵀ, a row per term, and H a row per topic.

    ``free[i]`` says that row i may use every topic; otherwise ``mask[i]`` names its topics and no
    other cell is touched. An empty ``free`` means that all rows are free. ``penalty``, if not
    empty, is a linear price per cell. Steps are ``relax`` times the best step: any value below 2
    still descends, and about 1.5 needs a third fewer passes. ``weight`` is how much each row
    counts; empty: once. ``gradient`` and ``permitted`` are room for a number per topic each; like
    ``other`` and ``gram``, and unlike what has a row per document, ``gradient`` is padded.

    Returns two sums over the rows, each row by its weight: w G wᵀ − 2 w · (c − price) as the row
    was found, which is its loss without its own length, and its price · w as it is left.
    """
    found, paid = 0.0, 0.0
    for i in range(first, last):
        if free.size == 0 or free[i]:
            start_gradient(indptr, indices, data, i, other, penalty, gradient)
            own = row_product(rows[i], gradient)
            explain_row(rows[i], gradient, gram)
            own += row_product(rows[i], gradient)
            descend_row(rows[i], gradient, gram, relax, sweeps, tol)
        else:
            n_permitted = 0
            for j in range(mask.shape[1]):
                if mask[i, j]:
                    permitted[n_permitted] = j
                    n_permitted += 1
            own = sweep_restricted(
                indptr, indices, data, i, H, gram, permitted[:n_permitted], penalty,
                relax, sweeps, tol, rows[i], gradient[0],
            )  # fmt: skip
        share = np.float64(weight[i]) if weight.size > 0 else 1.0
        found += share * own
        if penalty.shape[0] > 0:
            paid += share * row_price(rows[i], penalty, i)
    return found, paid


@compiled_without_arrays
def sweep_given(cross, gram, first, last, relax, sweeps, tol, rows, gradient):  # type: ignore[no-untyped-def]
    """The same for rows that are all free and whose products with the data are at hand.

    Returns Σ row · gradient as the rows are left, half of what the objective needs.
    """
    n_topics = gram.shape[0]
    total = 0.0
    for i in range(first, last):
        for m in range(n_topics):
            gradient[0, m] = -cross[i, m]
        explain_row(rows[i], gradient, gram)
        descend_row(rows[i], gradient, gram, relax, sweeps, tol)
        total += row_product(rows[i], gradient)
    return total


@compiled_without_arrays
def add_sums_of_topics(  # type: ignore[no-untyped-def]
    indptr, indices, data, weight, W, first, last, cross, square
):
    """Topics ``first`` to ``last`` of Wᵀ E X and Wᵀ E W, a row for each of them, added to both.

    A document is added to its own topics only, so nothing is touched for a weight of zero. The
    rows of a few dozen topics stay near, and they are sums over very many documents: they are in
    double precision.
    """
    for i in range(W.shape[0]):
        for j in range(first, last):
            if W[i, j] == 0:
                continue
            value = np.float64(weight[i]) * W[i, j]
            for p in range(indptr[i], indptr[i + 1]):
                cross[j - first, indices[p]] += value * data[p]
            for m in range(W.shape[1]):
                square[j - first, m] += value * W[i, m]


@inlined
def explain_row(w, gradient, gram):  # type: ignore[no-untyped-def]
    """Complete the gradient with what the row already explains."""
    for j in range(w.size):
        if w[j] != 0:
            add_row(gradient, 0, w[j], gram, j)


@inlined
def row_product(w, gradient):  # type: ignore[no-untyped-def]
    """w · gradient; most weights are zero."""
    total = 0.0
    for j in range(w.size):
        if w[j] != 0:
            total += w[j] * gradient[0, j]
    return total


@inlined
def row_price(w, penalty, i):  # type: ignore[no-untyped-def]
    """w · price."""
    total = 0.0
    for j in range(w.size):
        if w[j] != 0:
            total += w[j] * penalty[i, j]
    return total


@inlined
def start_gradient(indptr, indices, data, i, other, penalty, gradient):  # type: ignore[no-untyped-def]
    """penalty − x · other."""
    gather(indices, data, indptr[i], indptr[i + 1], 0, other, gradient, 0)
    if penalty.shape[0] > 0:
        for m in range(penalty.shape[1]):
            gradient[0, m] = penalty[i, m] - gradient[0, m]
    else:
        for m in range(gradient.size):
            gradient[0, m] = -gradient[0, m]


@inlined
def descend_row(w, gradient, gram, relax, sweeps, tol):  # type: ignore[no-untyped-def]
    """Sweep over the coordinates of one row until they hardly move."""
    n_topics = w.size
    for _ in range(sweeps):
        moved = w.dtype.type(0)
        for j in range(n_topics):
            slope, weight = gradient[0, j], w[j]
            if (slope >= 0 and weight == 0) or gram[j, j] <= 0:
                continue
            step = max(-relax * slope / gram[j, j], -weight)
            w[j] = weight + step
            moved = max(moved, abs(step))
            add_row(gradient, 0, step, gram, j)
        if moved <= tol:
            break


@compiled_without_arrays
def sweep_restricted(  # type: ignore[no-untyped-def]
    indptr, indices, data, i, H, gram, permitted, penalty, relax, sweeps, tol, w, gradient
):
    """The same for a row that may use a few topics only, at the price of those alone.

    It reads the few topics' own rows of H, which stay near, not a cell of every term's row.
    Returns w G wᵀ − 2 w · (c − price) as the row was found.
    """
    zero, found = w.dtype.type(0), 0.0
    for a in range(permitted.size):
        j = permitted[a]
        slope = penalty[i, j] if penalty.shape[0] > 0 else zero
        for p in range(indptr[i], indptr[i + 1]):
            slope -= data[p] * H[j, indices[p]]
        found += w[j] * slope
        for b in range(permitted.size):
            slope += w[permitted[b]] * gram[permitted[b], j]
        found += w[j] * slope
        gradient[a] = slope
    for _ in range(sweeps):
        moved = zero
        for a in range(permitted.size):
            j = permitted[a]
            if (gradient[a] >= 0 and w[j] == 0) or gram[j, j] <= 0:
                continue
            step = max(-relax * gradient[a] / gram[j, j], -w[j])
            w[j] += step
            moved = max(moved, abs(step))
            for b in range(permitted.size):
                gradient[b] += step * gram[j, permitted[b]]
        if moved <= tol:
            break
    weight, price = zero, zero
    for a in range(permitted.size):
        weight += w[permitted[a]]
        if penalty.shape[0] > 0:
            price += penalty[i, permitted[a]]
    if weight == 0 and price == 0 and indptr[i] < indptr[i + 1]:
        # A zero row is a saddle: its topics never learn its words. A small weight lets them. Where
        # topics have a price, zero may be the minimum, and any weight would raise the objective.
        length = zero
        for p in range(indptr[i], indptr[i + 1]):
            length += data[p] * data[p]
        for a in range(permitted.size):
            own = gram[permitted[a], permitted[a]]
            w[permitted[a]] = w.dtype.type(SEED_SHARE) * np.sqrt(
                length / own if own > 0 else length
            )
    return found
