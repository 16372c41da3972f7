"""Random draws for compiled samplers: a small generator, and the distributions a sweep needs.

Every row of work (a document, a term, a node) has a stream of its own, started from a key and the
row's number, so what is drawn for a row depends neither on who computes it nor on when. A key comes
from the seed, the sweep and the stage (``core.engine.gibbs.sweep.Streams``). The generator is
xoshiro256++ (Blackman & Vigna), its four words filled by splitmix64 in counter mode.

Shapes may be tiny: a Gamma draw of shape a < 1 is about U^(1/a), which underflows where its
logarithm does not; ``log_gamma`` gives that logarithm.
"""

from __future__ import annotations

import math

import numpy as np

from core.engine.kernels.jit import compiled

MAX_SINGLE_TRIALS = 32  # up to so many trials are drawn one by one

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX = np.uint64(0x94D049BB133111EB)
S11, S17, S19, S23, S27, S30, S31, S41, S45 = (
    np.uint64(shift) for shift in (11, 17, 19, 23, 27, 30, 31, 41, 45)
)
LAYER, ZERO, ONE, FOUR = np.uint64(127), np.uint64(0), np.uint64(1), np.uint64(4)
UNIT = 2.0**-53
ZIGGURAT_TAIL = 3.442619855899  # where the ziggurat ends and the tail begins


def _layers() -> tuple[np.ndarray, np.ndarray]:
    """Edges and ratios of the 128 layers of the ziggurat (Marsaglia & Tsang; Doornik)."""
    area = 9.91256303526217e-3
    edge = np.zeros(129)
    density = math.exp(-0.5 * ZIGGURAT_TAIL**2)
    edge[0], edge[1] = area / density, ZIGGURAT_TAIL
    for i in range(2, 128):
        edge[i] = math.sqrt(-2 * math.log(area / edge[i - 1] + density))
        density = math.exp(-0.5 * edge[i] ** 2)
    return edge, edge[1:] / edge[:-1]


EDGE, RATIO = _layers()


@compiled
def mix(z):  # type: ignore[no-untyped-def]
    """splitmix64's finaliser: every bit of the result hangs on every bit of ``z``."""
    z = (z ^ (z >> S30)) * FIRST_MIX
    z = (z ^ (z >> S27)) * SECOND_MIX
    return z ^ (z >> S31)


@compiled
def begin(state, key, row):  # type: ignore[no-untyped-def]
    """Start the stream of a row: four words that no other row under this key uses."""
    z = key + np.uint64(row) * FOUR * GOLDEN
    for i in range(4):
        z += GOLDEN
        state[i] = mix(z)


@compiled
def word(state):  # type: ignore[no-untyped-def]
    """The next 64 random bits."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    total = a + d
    result = ((total << S23) | (total >> S41)) + a
    c ^= a
    d ^= b
    state[0] = a ^ d
    state[1] = b ^ c
    state[2] = c ^ (b << S17)
    state[3] = (d << S45) | (d >> S19)
    return result


@compiled
def uniform(state):  # type: ignore[no-untyped-def]
    """Strictly between 0 and 1, so that its logarithm is finite."""
    return (np.float64(word(state) >> S11) + 0.5) * UNIT


@compiled
def normal(state):  # type: ignore[no-untyped-def]
    """Standard normal by the ziggurat; 97 of 100 draws end here."""
    bits = word(state)
    u = np.float64(np.int64(bits) >> 11) * 2 * UNIT  # the upper bits, signed
    i = bits & LAYER  # the lower ones; unsigned, so no check for counting from the end
    if abs(u) < RATIO[i]:
        return u * EDGE[i]
    return outer_normal(u, i, state)


@compiled
def outer_normal(u, i, state):  # type: ignore[no-untyped-def]
    """A draw that fell outside the inner box of its layer: the tail, the wedge, or another."""
    while True:
        if i == ZERO:
            x = math.log(uniform(state)) / ZIGGURAT_TAIL
            while -2 * math.log(uniform(state)) < x * x:
                x = math.log(uniform(state)) / ZIGGURAT_TAIL
            return ZIGGURAT_TAIL - x if u > 0 else x - ZIGGURAT_TAIL
        x = u * EDGE[i]
        above = math.exp(-0.5 * (EDGE[i] ** 2 - x * x))
        below = math.exp(-0.5 * (EDGE[i + ONE] ** 2 - x * x))
        if below + uniform(state) * (above - below) < 1:
            return x
        bits = word(state)
        u = np.float64(np.int64(bits) >> 11) * 2 * UNIT
        i = bits & LAYER
        if abs(u) < RATIO[i]:
            return u * EDGE[i]


@compiled
def large_gamma(shape, state):  # type: ignore[no-untyped-def]
    """Gamma of a shape of at least 1, scale 1 (Marsaglia & Tsang 2000)."""
    d = shape - 1 / 3
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal(state)
        v = 1 + c * x
        if v > 0:
            v = v * v * v
            u = uniform(state)
            if u < 1 - 0.0331 * x * x * x * x:
                return d * v
            if math.log(u) < 0.5 * x * x + d * (1 - v + math.log(v)):
                return d * v


@compiled
def log_small_gamma(shape, state):  # type: ignore[no-untyped-def]
    """The logarithm of a Gamma draw of a shape below 1 (Ahrens & Dieter 1974, GS).

    Almost all of a small shape's draws are powers of a uniform, accepted at once.
    """
    p = (1 + shape / math.e) * uniform(state)
    return continued_small_gamma(shape, p, uniform(state), state)


@compiled
def continued_small_gamma(shape, p, chance, state):  # type: ignore[no-untyped-def]
    """The same from its first two numbers on: ``p``, uniform up to 1 + shape / e; ``chance``."""
    edge = 1 + shape / math.e
    while True:
        if p <= 1:
            power = math.log(p) / shape
            if power < -40:
                return power  # accepted but for a chance of e⁻⁴⁰
            x = math.exp(power)
            if chance < 1 - x or chance < math.exp(-x):
                return power
        else:
            power = math.log(-math.log((edge - p) / shape))
            if math.log(chance) < (shape - 1) * power:
                return power
        p = edge * uniform(state)
        chance = uniform(state)


@compiled
def gamma(shape, state):  # type: ignore[no-untyped-def]
    """Gamma of any shape, scale 1; a shape of zero gives zero."""
    if shape >= 1:
        return large_gamma(shape, state)
    if shape <= 0:
        return 0.0
    return math.exp(log_small_gamma(shape, state))


@compiled
def log_gamma(shape, state):  # type: ignore[no-untyped-def]
    """The logarithm of a Gamma draw, finite however small the shape."""
    if shape >= 1:
        return math.log(large_gamma(shape, state))
    if shape <= 0:
        return -np.inf
    return log_small_gamma(shape, state)


@compiled
def log_odds(a, b, state):  # type: ignore[no-untyped-def]
    """ln(q / (1 − q)) of a Beta(a, b) draw, without ever rounding q to 0 or 1."""
    return log_gamma(a, state) - log_gamma(b, state)


@compiled
def binomial(trials, chance, state):  # type: ignore[no-untyped-def]
    """Successes in so many trials; many trials are cut at a Beta-distributed middle (Devroye)."""
    successes = 0
    while trials > MAX_SINGLE_TRIALS and 0 < chance < 1:
        middle = 1 + trials // 2
        left = large_gamma(np.float64(middle), state)
        cut = left / (left + large_gamma(np.float64(trials + 1 - middle), state))
        if cut <= chance:
            successes += middle
            trials -= middle
            chance = (chance - cut) / (1 - cut)
        else:
            trials = middle - 1
            chance /= cut
    if chance >= 1:
        return successes + trials
    if chance > 0:
        for _ in range(trials):
            successes += uniform(state) < chance
    return successes


@compiled
def poisson(mean, state):  # type: ignore[no-untyped-def]
    """Poisson of any mean; large means are cut at a Gamma-distributed arrival (Ahrens & Dieter)."""
    arrivals = 0
    while mean > 12:
        leap = int(mean * 0.875)
        time = large_gamma(np.float64(leap), state)
        if time > mean:
            return arrivals + binomial(leap - 1, mean / time, state)
        arrivals += leap
        mean -= time
    product, floor = uniform(state), math.exp(-mean)
    while product > floor:
        arrivals += 1
        product *= uniform(state)
    return arrivals


@compiled
def positive_poisson(mean, state):  # type: ignore[no-untyped-def]
    """Poisson given that it is not zero: the first arrival falls inside, the rest follow it."""
    if mean <= 0:
        return 1
    first = -math.log1p(uniform(state) * math.expm1(-mean))
    return 1 + poisson(max(mean - first, 0.0), state)


@compiled
def crt(customers, concentration, state):  # type: ignore[no-untyped-def]
    """Tables after so many customers of a Chinese restaurant: Σ Bernoulli(g / (g + i − 1)).

    After the first few customers the wait for the next new table is drawn whole, by bisection on
    its survival function, so a large count costs its tables, not its customers.
    """
    if customers <= 0:
        return 0
    tables, seated = 1, min(customers, MAX_SINGLE_TRIALS)
    for i in range(1, seated):
        tables += uniform(state) * (concentration + i) < concentration
    while seated < customers and concentration > 0:
        limit = math.log(uniform(state))
        start = math.lgamma(concentration + seated) - math.lgamma(np.float64(seated))
        if survival(customers, concentration, start) >= limit:
            break
        low, high = seated, customers
        while high - low > 1:
            middle = (low + high) // 2
            if survival(middle, concentration, start) >= limit:
                low = middle
            else:
                high = middle
        seated = high
        tables += 1
    return tables


@compiled
def survival(customer, concentration, start):  # type: ignore[no-untyped-def]
    """ln P(no new table up to this customer), ``start`` holding what the earlier ones add."""
    return start + math.lgamma(np.float64(customer)) - math.lgamma(concentration + customer)


@compiled
def split(count, weights, out, state):  # type: ignore[no-untyped-def]
    """A multinomial: ``count`` shared out in proportion to ``weights``, added to ``out``.

    Where no weight is positive all shares are alike.
    """
    rest = 0.0
    for i in range(weights.size):
        rest += weights[i]
    alike = not rest > 0
    if alike:
        rest = np.float64(weights.size)
    last = 0
    for i in range(weights.size):
        if count == 0:
            return
        weight = 1.0 if alike else np.float64(weights[i])
        if weight > 0:
            last = i
            share = binomial(count, min(weight / rest, 1.0) if rest > 0 else 1.0, state)
            out[i] += share
            count -= share
            rest -= weight
    out[last] += count  # what rounding left over
