"""The topic of a token: drawn in proportion to v_r u_rm, in two exact steps.

Topics are dealt to ``WAYS`` ways like cards: topic r is on way r modulo ``WAYS``. So the products
of one cell of X are added up in whole registers, a number of each way, and nothing has to be summed
across a register. A token chooses its way first, in proportion to the ways' sums; then a topic of
that way, in proportion to its products, by bits of its own. The chance of a topic is the product of
the two, v_r u_rm / Σ_r v_r u_rm.

``weights`` is one row, ``topics`` terms × topics; both are padded with zeros to ``WAYS`` columns.
"""

from __future__ import annotations

import numpy as np

from core.engine.kernels.jit import compiled, inlined
from core.engine.kernels.random_draws import binomial, poisson, positive_poisson, uniform, word
from core.engine.kernels.simd import (
    LANES,
    add_product,
    how_many_up_to,
    load,
    running_sums,
    splat,
    store,
)

WAYS = 2 * LANES
MAX_COUNT_BY_TOKEN = 64  # counts above are split by binomials, not token by token
HELD_OUT = -1  # a count that is not known and must be drawn

FIRST_BITS, SECOND_BITS = np.uint64(40), np.uint64(16)
BITS = np.uint64((1 << 24) - 1)
BITS_UNIT = np.float32(2.0**-24)


@inlined
def weigh(weights, topics, term, sums):  # type: ignore[no-untyped-def]
    """Σ_r v_r u_rm; leaves the sum of every way, and the sums up to each way, in ``sums``."""
    low = high = splat(np.float32(0))
    for r in range(0, weights.shape[1], WAYS):
        low = add_product(low, load(weights, 0, r), load(topics, term, r))
        high = add_product(high, load(weights, 0, r + LANES), load(topics, term, r + LANES))
    store(sums, 0, 0, low)
    store(sums, 0, LANES, high)
    store(sums, 1, 0, running_sums(low))
    rest = add_product(running_sums(high), splat(np.float32(1)), splat(sums[1, LANES - 1]))
    store(sums, 1, LANES, rest)
    return sums[1, WAYS - 1]


@inlined
def pick(weights, topics, term, sums, n_topics, state):  # type: ignore[no-untyped-def]
    """One token's topic, with a chance in proportion to v_r u_rm; never one of no weight."""
    bits = word(state)
    target = np.float32((bits >> FIRST_BITS) & BITS) * BITS_UNIT * sums[1, WAYS - 1]
    way = how_many_up_to(load(sums, 1, 0), target) + how_many_up_to(load(sums, 1, LANES), target)
    way = min(way, WAYS - 1)
    target = np.float32((bits >> SECOND_BITS) & BITS) * BITS_UNIT * sums[0, way]
    topic, total = way, np.float32(0)
    for r in range(way, weights.shape[1] - WAYS, WAYS):
        total += weights[0, r] * topics[term, r]
        topic += WAYS * (total <= target)  # counting has no branch to mispredict
    if weights[0, topic] * topics[term, topic] > 0:
        return topic
    return heaviest(weights, topics, term, n_topics, state)  # rounding, once in millions of tokens


@compiled
def heaviest(weights, topics, term, n_topics, state):  # type: ignore[no-untyped-def]
    """The topic of the largest weight, or any if there is none."""
    topic, most = int(uniform(state) * n_topics), np.float32(0)
    for r in range(n_topics):
        weight = weights[0, r] * topics[term, r]
        if weight > most:
            topic, most = r, weight
    return topic


@compiled
def spread(count, weights, topics, term, total, n_topics, state, found, table):  # type: ignore[no-untyped-def]
    """A large count over the topics, by one binomial after the other."""
    rest = np.float64(total)
    alike = not total > 0
    last = 0
    for r in range(n_topics):
        weight = total / n_topics if alike else np.float64(weights[0, r] * topics[term, r])
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
