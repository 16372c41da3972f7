"""Gamma draws for a whole row at once.

Most shapes of a sweep are far below one: a topic that a document does not use has the shape of its
node alone. Such a draw is nearly always a power of a uniform number (Ahrens & Dieter 1974, GS), so
a first pass over the row tries only that, without a branch, which fills the registers. What the
first pass leaves open is drawn one by one, from the same two uniform numbers on, so the result is
GS throughout. Logarithm and exponential are series here, since calls would leave the registers.
"""

from __future__ import annotations

import math

import numpy as np

from core.engine.kernels.jit import compiled, compiled_without_arrays, inlined
from core.engine.kernels.random_draws import (
    GOLDEN,
    S11,
    UNIT,
    continued_small_gamma,
    large_gamma,
    mix,
    word,
)

OPEN = np.float32(-1)  # not drawn in the first pass
MANTISSA_BITS = np.int64(52)
MANTISSA, EXPONENT_OF_ONE = np.int64((1 << 52) - 1), np.int64(1023)
LN2, ROOT2 = math.log(2), math.sqrt(2)
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # LN2 in two parts
MIN_POWER = -700.0
LEAST_SINGLE = -87.0  # its exponential is a normal number of single precision


@inlined
def series_log(x):  # type: ignore[no-untyped-def]
    """ln x of a positive normal number, by ln((1 + s) / (1 − s)); to about 1e-13 of itself."""
    bits = np.float64(x).view(np.int64)
    exponent = np.float64((bits >> MANTISSA_BITS) - EXPONENT_OF_ONE)
    m = np.int64((bits & MANTISSA) | (EXPONENT_OF_ONE << MANTISSA_BITS)).view(np.float64)
    large = m > ROOT2
    m = m * 0.5 if large else m
    exponent = exponent + 1.0 if large else exponent
    s = (m - 1) / (m + 1)
    z = s * s
    tail = 1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (
        1 / 9 + z * (1 / 11 + z * (1 / 13 + z * (1 / 15))))))  # fmt: skip
    return exponent * LN2 + 2 * s * (1 + z * tail)


@inlined
def series_exp(x):  # type: ignore[no-untyped-def]
    """exp x for x from −700 to 700; to about 1e-10 of itself, far finer than single precision."""
    steps = math.floor(x * (1 / LN2) + 0.5)
    r = x - steps * LN2_HIGH - steps * LN2_LOW
    value = 1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (
        1 / 120 + r * (1 / 720 + r * (1 / 5040 + r / 40320)))))))  # fmt: skip
    two_to_steps = np.int64((np.int64(steps) + EXPONENT_OF_ONE) << MANTISSA_BITS)
    return value * two_to_steps.view(np.float64)


@inlined
def uniform_at(place, base):  # type: ignore[no-untyped-def]
    """The number at a place of the stream that starts at ``base``: no number waits for another."""
    bits = mix(base + np.uint64(place) * GOLDEN)
    return (np.float64(np.int64(bits >> S11)) + 0.5) * UNIT


@compiled_without_arrays
def gamma_row(shape, counts, scale, log_scale, floor, out, state):  # type: ignore[no-untyped-def]
    """out[r] ~ Gamma(shape[r] + counts[r], scale[r]); what is below ``floor`` is zero."""
    base, least = word(state), math.log(floor)
    for r in range(out.size):
        a = shape[r] + counts[r]
        p = (1 + a * (1 / math.e)) * uniform_at(2 * r, base)
        power = series_log(p) / a
        x = series_exp(min(max(power, MIN_POWER), 0.0))
        at_once = (a < 1) & (p <= 1) & (uniform_at(2 * r + 1, base) < 1 - x)
        value = np.float32(series_exp(min(max(power + log_scale[r], LEAST_SINGLE), 700.0)))
        value = value if power + log_scale[r] >= least else np.float32(0)
        out[r] = (value if at_once else OPEN) if a > 0 else np.float32(0)
    for r in range(out.size):
        if out[r] < 0:
            out[r] = open_gamma(shape[r] + counts[r], scale[r], log_scale[r], floor, r, base, state)


@compiled
def open_gamma(shape, scale, log_scale, floor, r, base, state):  # type: ignore[no-untyped-def]
    """What the first pass left open."""
    if shape >= 1:
        value = large_gamma(shape, state) * scale
    else:
        p = (1 + shape / math.e) * uniform_at(2 * r, base)
        power = continued_small_gamma(shape, p, uniform_at(2 * r + 1, base), state) + log_scale
        value = math.exp(power) if power > MIN_POWER else 0.0
    return np.float32(value) if value >= floor else np.float32(0)
