"""A sweep of Poisson factor analysis over documents: counts to topics and nodes, then weights.

``edge`` arrays list the nodes of each document like a CSR matrix; cell e of such an array belongs
to one (document, node) pair. ``topics`` is terms × topics, padded with zeros and cut into blocks,
whose products for one cell of X are summed side by side; a token then looks for its block first,
for its topic within it next. Values below ``MIN_VALUE`` are stored as zero: products of single
precision would become subnormal, which is slow, and no token would ever be drawn there.
"""

from __future__ import annotations

import math

import numpy as np

from core.engine.kernels.jit import compiled, inlined
from core.engine.kernels.random_draws import (
    begin,
    binomial,
    crt,
    gamma,
    large_gamma,
    log_small_gamma,
    poisson,
    positive_poisson,
    split,
    uniform,
)

N_BLOCKS = 8
BLOCK_MULTIPLE = 8  # a block is a multiple of this wide
MAX_COUNT_BY_TOKEN = 64  # counts above are split by binomials, not token by token
MIN_VALUE = 1e-18
LOG_MIN_VALUE = math.log(MIN_VALUE)
HELD_OUT = -1  # a count that is not known and must be drawn


@inlined
def weigh(weights, topics, term, blocks):  # type: ignore[no-untyped-def]
    """Σ_r v_r u_rm; ``blocks`` holds the sums up to the end of each block.

    Eight sums in one loop: each fills a vector register, and no two wait for one another.
    """
    v0, v1, v2, v3 = weights[0], weights[1], weights[2], weights[3]
    v4, v5, v6, v7 = weights[4], weights[5], weights[6], weights[7]
    u = topics[term]
    a = b = c = d = e = f = g = h = np.float32(0)
    for i in range(weights.shape[1]):
        a += v0[i] * u[0, i]
        b += v1[i] * u[1, i]
        c += v2[i] * u[2, i]
        d += v3[i] * u[3, i]
        e += v4[i] * u[4, i]
        f += v5[i] * u[5, i]
        g += v6[i] * u[6, i]
        h += v7[i] * u[7, i]
    total = np.float32(0)
    for place, part in enumerate((a, b, c, d, e, f, g, h)):
        total += part
        blocks[place] = total
    return total


@inlined
def pick(weights, topics, term, blocks, n_topics, state):  # type: ignore[no-untyped-def]
    """One token's topic, with a chance in proportion to v_r u_rm; never one of no weight."""
    target = np.float32(uniform(state)) * blocks[N_BLOCKS - 1]
    block = 0
    for b in range(N_BLOCKS - 1):
        block += blocks[b] <= target  # counting has no branch to mispredict
    if block > 0:
        target -= blocks[block - 1]
    place, last = 0, weights.shape[1] - 1
    target -= weights[block, 0] * topics[term, block, 0]
    while target >= 0 and place < last:
        place += 1
        target -= weights[block, place] * topics[term, block, place]
    if weights[block, place] * topics[term, block, place] > 0:
        return block * weights.shape[1] + place
    return heaviest(weights, topics, term, n_topics, state)  # rounding, once in millions of tokens


@compiled
def heaviest(weights, topics, term, n_topics, state):  # type: ignore[no-untyped-def]
    """The topic of the largest weight, or any if there is none."""
    topic, most = int(uniform(state) * n_topics), np.float32(0)
    for r in range(n_topics):
        weight = product(weights, topics, term, r)
        if weight > most:
            topic, most = r, weight
    return topic


@inlined
def product(weights, topics, term, r):  # type: ignore[no-untyped-def]
    """v_r u_rm."""
    size = weights.shape[1]
    return weights[r // size, r % size] * topics[term, r // size, r % size]


@compiled
def spread(count, weights, topics, term, total, n_topics, state, found, table):  # type: ignore[no-untyped-def]
    """A large count over the topics, by one binomial after the other."""
    rest = np.float64(total)
    alike = not total > 0
    last = 0
    for r in range(n_topics):
        weight = total / n_topics if alike else np.float64(product(weights, topics, term, r))
        chance = 1.0 / (n_topics - r) if alike else (weight / rest if rest > 0 else 1.0)
        if weight > 0 or alike:
            last = r
            share = binomial(count, min(chance, 1.0), state)
            found[r] += share
            table[term, r] += share
            count -= share
            rest -= weight
    found[last] += count
    table[term, last] += count


@inlined
def how_many(count, binary, rate, state):  # type: ignore[no-untyped-def]
    """The latent count of a cell: known, at least one, or not known at all."""
    if count == HELD_OUT:
        return np.int64(poisson(np.float64(rate), state))
    if binary and count > 0:
        return np.int64(positive_poisson(np.float64(rate), state))
    return np.int64(count)


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
    weights = np.zeros(topics.shape[1:], np.float32)
    flat = weights.ravel()
    found = np.zeros(flat.size, np.int32)
    blocks = np.empty(N_BLOCKS, np.float32)
    for n in range(first, last):
        begin(state, key, n)
        mass[n] = gather(edges[n], edges[n + 1], contribution, flat)
        found[:] = 0
        for p in range(indptr[n], indptr[n + 1]):
            term = indices[p]
            total = weigh(weights, topics, term, blocks)
            rate[p] = total
            count = how_many(counts[p], binary, total, state)
            if count > MAX_COUNT_BY_TOKEN:
                spread(count, weights, topics, term, total, n_topics, state, found, table)
                continue
            for _ in range(count):
                topic = pick(weights, topics, term, blocks, n_topics, state)
                found[topic] += 1
                table[term, topic] += 1
        hand_down(found, edges[n], edges[n + 1], contribution, found_at, state)


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
            node = nodes[e]
            for r in range(found_at.shape[1]):
                shape = weight[node, r] + found_at[e, r]
                contribution[e, r] = single_gamma(shape, scale[r], log_scale[r], state)


@inlined
def single_gamma(shape, scale, log_scale, state):  # type: ignore[no-untyped-def]
    """Gamma in single precision; what is below ``MIN_VALUE`` is zero."""
    if shape >= 1:
        value = large_gamma(shape, state) * scale
    elif shape <= 0:
        value = 0.0
    else:
        power = log_small_gamma(shape, state) + log_scale
        value = math.exp(power) if power > LOG_MIN_VALUE else 0.0
    return np.float32(value) if value >= MIN_VALUE else np.float32(0)


@compiled
def draw_terms(table, prior, first, last, n_topics, key, topics, total):  # type: ignore[no-untyped-def]
    """Gamma(α + x_·mr) for a range of terms: a Dirichlet before it is normalised, eq. (19)."""
    state = np.empty(4, np.uint64)
    total[:] = 0
    for term in range(first, last):
        begin(state, key, term)
        for r in range(n_topics):
            value = gamma(prior + table[term, r], state)
            topics[term, r] = value
            total[r] += value


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
    weights = np.zeros(topics.shape[1:], np.float32)
    flat = weights.ravel()
    found = np.zeros(flat.size, np.int32)
    blocks = np.empty(N_BLOCKS, np.float32)
    unused = np.zeros((1, flat.size), np.int32)
    log_scale = np.log(scale)
    for n in range(first, last):
        begin(state, key, signature(indices, counts, indptr[n], indptr[n + 1]))
        for r in range(n_topics):
            flat[r] = prior[r] * scale[r] / (1 - scale[r])
            out[n, r] = 0
        for sweep in range(sweeps):
            found[:] = 0
            for p in range(indptr[n], indptr[n + 1]):
                term = indices[p]
                total = weigh(weights, topics, term, blocks)
                count = how_many(counts[p], binary, total, state)
                if count > MAX_COUNT_BY_TOKEN:
                    row = topics[term : term + 1]
                    spread(count, weights, row, 0, total, n_topics, state, found, unused)
                    continue
                for _ in range(count):
                    found[pick(weights, topics, term, blocks, n_topics, state)] += 1
            for r in range(n_topics):
                flat[r] = single_gamma(prior[r] + found[r], scale[r], log_scale[r], state)
                if sweep >= rest:
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
