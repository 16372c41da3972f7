"""A sweep of Poisson factor analysis over documents: counts to topics and nodes, then weights.

``edge`` arrays list the nodes of each document like a CSR matrix; cell e of such an array belongs
to one (document, node) pair. ``topics`` is terms × topics, padded with zeros to whole registers
(``core.engine.kernels.topic_draw``). Values below ``MIN_VALUE`` are stored as zero: products of
single precision would become subnormal, which is slow, and no token would ever be drawn there.
"""

from __future__ import annotations

import numpy as np

from core.engine.kernels.gamma_rows import gamma_row
from core.engine.kernels.jit import compiled, compiled_without_arrays
from core.engine.kernels.random_draws import begin, crt, split
from core.engine.kernels.topic_draw import MAX_COUNT_BY_TOKEN, WAYS, how_many, pick, spread, weigh

MIN_VALUE = 1e-18
MIN_SINGLE = 1.2e-38  # the smallest normal number of single precision


@compiled
def allocate(  # type: ignore[no-untyped-def]
    indptr, indices, counts, first, last, binary, edges, contribution, topics, key, rate, mass,
    found_at, table,
):  # fmt: skip
    """x_nm → x_nmr → x_n·rl for a range of documents, in one pass over the stored cells.

    Leaves Σ_r v u in ``rate``, Σ_r v in ``mass``, x_n·rl in ``found_at``; adds x_·mr to ``table``.
    """
    n_topics = contribution.shape[1]
    state = np.empty(4, np.uint64)
    weights = np.zeros((1, topics.shape[1]), np.float32)
    found = np.zeros(topics.shape[1], np.int32)
    sums = np.empty((2, WAYS), np.float32)
    for n in range(first, last):
        begin(state, key, n)
        mass[n] = gather(edges[n], edges[n + 1], contribution, weights[0])
        found[:] = 0
        allocate_document(
            indptr[n], indptr[n + 1], indices, counts, binary, weights, topics, n_topics,
            state, sums, rate, found, table,
        )  # fmt: skip
        hand_down(found, edges[n], edges[n + 1], contribution, found_at, state)


@compiled_without_arrays
def allocate_document(  # type: ignore[no-untyped-def]
    first, last, indices, counts, binary, weights, topics, n_topics, state, sums, rate, found, table
):
    """x_nm → x_nmr for the cells of one document."""
    for p in range(first, last):
        term = indices[p]
        total = weigh(weights, topics, term, sums)
        rate[p] = total
        count = how_many(counts[p], binary, total, state)
        if count > MAX_COUNT_BY_TOKEN:
            spread(count, weights, topics, term, total, n_topics, state, found, table)
            continue
        for _ in range(count):
            topic = pick(weights, topics, term, sums, n_topics, state)
            found[topic] += 1
            table[term, topic] += 1


@compiled
def gather(first, last, contribution, weights):  # type: ignore[no-untyped-def]
    """v_nr = Σ_l v_nrl; returns Σ_r v_nr."""
    mass = 0.0
    for r in range(contribution.shape[1]):
        weight = contribution[first, r]
        for e in range(first + 1, last):
            weight += contribution[e, r]
        weights[r] = weight
        mass += weight
    return mass


@compiled
def hand_down(found, first, last, contribution, found_at, state):  # type: ignore[no-untyped-def]
    """x_n·r → x_n·rl by a multinomial with the weights v_nrl, eq. (17)."""
    n_topics = contribution.shape[1]
    if last - first == 1:
        found_at[first] = found[:n_topics]
        return
    found_at[first:last] = 0
    for r in range(n_topics):
        if found[r] > 0:
            split(found[r], contribution[first:last, r], found_at[first:last, r], state)


@compiled
def seat(edges, nodes, first, last, weight, found_at, key, tables):  # type: ignore[no-untyped-def]
    """f_lr += CRT(x_n·rl, g_lr) for a range of documents."""
    state = np.empty(4, np.uint64)
    for n in range(first, last):
        begin(state, key, n)
        for e in range(edges[n], edges[n + 1]):
            for r in range(found_at.shape[1]):
                if found_at[e, r] > 0:
                    tables[nodes[e], r] += crt(found_at[e, r], weight[nodes[e], r], state)


@compiled
def contribute(edges, nodes, first, last, weight, found_at, scale, key, contribution):  # type: ignore[no-untyped-def]
    """v_nrl ~ Gamma(g_lr + x_n·rl, scale q_r), eq. (20), for a range of documents."""
    state = np.empty(4, np.uint64)
    log_scale = np.log(scale)
    for n in range(first, last):
        begin(state, key, n)
        for e in range(edges[n], edges[n + 1]):
            shape, found, out = weight[nodes[e]], found_at[e], contribution[e]
            gamma_row(shape, found, scale, log_scale, MIN_VALUE, out, state)


@compiled
def draw_terms(table, prior, first, last, n_topics, key, topics, total):  # type: ignore[no-untyped-def]
    """Gamma(α + x_·mr) for a range of terms: a Dirichlet before it is normalised, eq. (19)."""
    state = np.empty(4, np.uint64)
    shape, scale, log_scale = np.full(n_topics, prior), np.ones(n_topics), np.zeros(n_topics)
    total[:] = 0
    for term in range(first, last):
        begin(state, key, term)
        row = topics[term, :n_topics]
        gamma_row(shape, table[term, :n_topics], scale, log_scale, MIN_SINGLE, row, state)
        for r in range(n_topics):
            total[r] += row[r]


@compiled
def normalise(topics, first, last, total):  # type: ignore[no-untyped-def]
    """Divide by the totals over all terms, so that every topic sums to one."""
    for term in range(first, last):
        for r in range(total.size):
            value = topics[term, r] / total[r]
            topics[term, r] = np.float32(value) if value >= MIN_VALUE else np.float32(0)


@compiled
def infer(  # type: ignore[no-untyped-def]
    indptr, indices, counts, first, last, binary, prior, scale, topics, key, rest, sweeps, out
):
    """Mean of v for new documents with u, g and q fixed, over the sweeps after ``rest``.

    A document's stream starts from its own words, so its weights depend on nothing beside it. The
    mean is of E[v | x] = (g + x_n·r) q, which wavers less than that of the draws.
    """
    n_topics = prior.size
    state = np.empty(4, np.uint64)
    weights = np.zeros((1, topics.shape[1]), np.float32)
    found = np.zeros(topics.shape[1], np.int32)
    sums = np.empty((2, WAYS), np.float32)
    unused = np.zeros((1, topics.shape[1]), np.int32)
    log_scale = np.log(scale)
    for n in range(first, last):
        begin(state, key, signature(indices, counts, indptr[n], indptr[n + 1]))
        for r in range(n_topics):
            weights[0, r] = prior[r] * scale[r] / (1 - scale[r])
            out[n, r] = 0
        for sweep in range(sweeps):
            found[:] = 0
            for p in range(indptr[n], indptr[n + 1]):
                term = indices[p]
                total = weigh(weights, topics, term, sums)
                count = how_many(counts[p], binary, total, state)
                if count > MAX_COUNT_BY_TOKEN:
                    row = topics[term : term + 1]
                    spread(count, weights, row, 0, total, n_topics, state, found, unused)
                    continue
                for _ in range(count):
                    found[pick(weights, topics, term, sums, n_topics, state)] += 1
            row_out = weights[0, :n_topics]
            gamma_row(prior, found[:n_topics], scale, log_scale, MIN_VALUE, row_out, state)
            if sweep >= rest:
                for r in range(n_topics):
                    out[n, r] += (prior[r] + found[r]) * scale[r] / (sweeps - rest)


@compiled
def signature(indices, counts, first, last):  # type: ignore[no-untyped-def]
    """A number that two documents share only if they have the same words, counts and order."""
    value = np.uint64(last - first)
    for p in range(first, last):
        value = (value ^ np.uint64(indices[p])) * np.uint64(0x100000001B3)
        value = (value ^ np.uint64(counts[p])) * np.uint64(0x9E3779B97F4A7C15)
        value ^= value >> np.uint64(29)
    return value


@compiled
def fold(value, count, mean, square):  # type: ignore[no-untyped-def]
    """One more draw into running means and squared deviations (Welford), cell by cell."""
    flat, means, squares = value.ravel(), mean.ravel(), square.ravel()
    for i in range(flat.size):
        away = flat[i] - means[i]
        means[i] += away / count
        squares[i] += away * (flat[i] - means[i])
