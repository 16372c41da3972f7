"""A sweep of PFA-SSI over the nodes of the side information: counts climb, weights come down.

Between two levels, ``parents`` lists each node's parents like a CSR matrix; cell e of a link array
belongs to one (node, parent) pair. At every level f_lr ~ Poisson(exposure_lr · g_lr), given what
lies below. A node without parents has the prior Gamma(top_shape, 1/top_rate), at whichever level.
"""

from __future__ import annotations

import math

import numpy as np

from core.engine.kernels.jit import compiled
from core.engine.kernels.random_draws import begin, crt, gamma, log_odds, split


@compiled
def draw_odds(a, b, key, odds):  # type: ignore[no-untyped-def]
    """ln(q_r / (1 − q_r)) with q_r ~ Beta(a_r, b_r), eq. (22)."""
    state = np.empty(4, np.uint64)
    for r in range(a.size):
        begin(state, key, r)
        odds[r] = log_odds(a[r], b[r], state)


@compiled
def climb(  # type: ignore[no-untyped-def]
    indptr, parents, above, share, rate, key, tables, exposure, tables_by, tables_above,
    exposure_above,
):  # fmt: skip
    """f_lr → f_lrp by a multinomial with the weights g_lrp, then one level up by CRT(f_lrp, h_pr).

    With g_lrp integrated out, f_lrp is negative binomial of h_pr with p = e / (rate + e), so its
    tables are Poisson with exposure −ln(1 − p) = ln(1 + e / rate).
    """
    state = np.empty(4, np.uint64)
    tables_by[:] = 0
    tables_above[:] = 0
    exposure_above[:] = 0
    for node in range(indptr.size - 1):
        begin(state, key, node)
        first, last = indptr[node], indptr[node + 1]
        for r in range(tables.shape[1]):
            if tables[node, r] > 0 and last > first:
                split(tables[node, r], share[first:last, r], tables_by[first:last, r], state)
            for e in range(first, last):
                p = parents[e]
                tables_above[p, r] += crt(tables_by[e, r], above[p, r], state)
                exposure_above[p, r] += math.log1p(exposure[node, r] / rate)


@compiled
def come_down(  # type: ignore[no-untyped-def]
    indptr, parents, above, rate, top_shape, top_rate, key, tables, exposure, tables_by, share,
    weight,
):  # fmt: skip
    """g_lrp ~ Gamma(h_pr + f_lrp, 1 / (rate + e_lr)) and g_lr = Σ_p g_lrp; a top has its prior."""
    state = np.empty(4, np.uint64)
    for node in range(indptr.size - 1):
        begin(state, key, node)
        first, last = indptr[node], indptr[node + 1]
        for r in range(weight.shape[1]):
            if first == last:
                shape = top_shape + tables[node, r]
                weight[node, r] = gamma(shape, state) / (top_rate + exposure[node, r])
                continue
            total = 0.0
            for e in range(first, last):
                shape = above[parents[e], r] + tables_by[e, r]
                share[e, r] = gamma(shape, state) / (rate + exposure[node, r])
                total += share[e, r]
            weight[node, r] = total
