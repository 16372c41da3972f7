"""The draw of a token's topic in two steps against the plain one, and gamma draws by the row."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from core.engine.gibbs.sweep import padded
from core.engine.kernels.allocation import MIN_VALUE
from core.engine.kernels.gamma_rows import gamma_row, series_exp, series_log
from core.engine.kernels.jit import compiled
from core.engine.kernels.random_draws import begin
from core.engine.kernels.topic_draw import WAYS, pick, weigh

N_TOKENS = 400_000


@compiled
def drawn(weights, topics, term, n_topics, n_tokens, state, sums, out):  # type: ignore[no-untyped-def]
    """How many of so many tokens fall to each topic; the rate of their cell."""
    total = weigh(weights, topics, term, sums)
    for _ in range(n_tokens):
        out[pick(weights, topics, term, sums, n_topics, state)] += 1
    return total


@compiled
def gamma_rows(shape, counts, scale, floor, state, out):  # type: ignore[no-untyped-def]
    log_scale = np.log(scale)
    for i in range(out.shape[0]):
        gamma_row(shape, counts, scale, log_scale, floor, out[i], state)


@compiled
def each(values, logs, powers):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        logs[i] = series_log(values[i])
        powers[i] = series_exp(values[i])


def stream(row=0):
    state = np.empty(4, np.uint64)
    begin(state, np.uint64(12345), row)
    return state


def cell(n_topics, *, used=1.0, seed=0):
    """v of a document and u of three terms; a share of the topics is used at all."""
    rng = np.random.default_rng(seed)
    v = rng.gamma(0.3, 1.0, n_topics) * (rng.random(n_topics) < used)
    u = rng.gamma(0.5, 1.0, (3, n_topics)) * (rng.random((3, n_topics)) < used)
    v[0], u[1, 0] = 1.0, 0.7
    return padded(v[None]), padded(u)


def tokens(weights, topics, n_topics):
    out, sums = np.zeros(topics.shape[1], np.int64), np.zeros((2, WAYS), np.float32)
    total = drawn(weights, topics, 1, n_topics, N_TOKENS, stream(), sums, out)
    return out, total


@pytest.mark.parametrize(("n_topics", "used"), [(1, 1), (5, 1), (16, 1), (45, 1), (100, 0.2)])
def test_topics_of_tokens_are_drawn_as_by_the_plain_multinomial(n_topics, used):
    weights, topics = cell(n_topics, used=used)
    found, total = tokens(weights, topics, n_topics)
    products = weights[0].astype(float) * topics[1]
    assert_allclose(total, products.sum(), rtol=1e-5)
    assert_array_equal(found[products == 0], 0)
    chance = products / products.sum()
    plain = np.random.default_rng(1).multinomial(N_TOKENS, chance)
    often = chance * N_TOKENS > 10
    expected = chance[often] * N_TOKENS
    misfit = ((found[often] - expected) ** 2 / expected).sum()
    plain_misfit = ((plain[often] - expected) ** 2 / expected).sum()
    limit = stats.chi2.isf(1e-6, max(often.sum() - 1, 1))
    assert misfit < limit
    assert plain_misfit < limit
    assert found[~often].sum() <= stats.poisson.isf(1e-6, (chance[~often] * N_TOKENS).sum())


def test_two_tokens_of_a_cell_are_independent():
    weights, topics = cell(20)
    state, sums, alike = stream(), np.zeros((2, WAYS), np.float32), 0
    for _ in range(20_000):
        out = np.zeros(topics.shape[1], np.int64)
        drawn(weights, topics, 1, 20, 2, state, sums, out)
        alike += out.max() == 2
    chance = (weights[0] * topics[1])[:20].astype(float)
    both = ((chance / chance.sum()) ** 2).sum()
    assert abs(alike / 20_000 - both) < 5 * np.sqrt(both * (1 - both) / 20_000)


def test_a_topic_of_tiny_weight_is_drawn_as_often_as_it_should():
    weights, topics = np.zeros((1, 32), np.float32), np.ones((3, 32), np.float32)
    weights[0, 3], weights[0, 19] = 1.0, 2e-4  # one way: the second step tells them apart
    found, _ = tokens(weights, topics, 32)
    assert abs(found[19] - N_TOKENS * 2e-4) < 5 * np.sqrt(N_TOKENS * 2e-4)


def test_where_nothing_weighs_every_topic_can_be_drawn():
    found, total = tokens(np.zeros((1, 16), np.float32), np.ones((3, 16), np.float32), 5)
    assert total == 0
    assert (found[:5] > N_TOKENS / 6).all()
    assert not found[5:].any()


@pytest.mark.parametrize("scale", [0.9, 1e-3])
def test_rows_of_gammas_follow_their_distributions(scale):
    shape = np.array([1e-3, 0.02, 0.1, 0.5, 0.97, 1.0, 3.5, 0.02, 0.5, 0.0])
    counts = np.array([0, 0, 0, 0, 0, 0, 0, 1, 400, 0], np.int32)
    out = np.empty((40_000, shape.size), np.float32)
    gamma_rows(shape, counts, np.full(shape.size, scale), MIN_VALUE, stream(), out)
    assert not out[:, -1].any()
    for r, a in enumerate((shape + counts)[:-1]):
        law, values = stats.gamma(a, scale=scale), out[:, r].astype(float)
        zero = law.cdf(MIN_VALUE)
        error = np.sqrt(zero * (1 - zero) / values.size)
        assert abs((values == 0).mean() - zero) < 5 * error + 1e-9
        above = values[values > 0]
        assert above.size == 0 or above.min() >= 0.99 * MIN_VALUE
        ranks = (law.cdf(above) - zero) / (1 - zero)
        assert above.size < 50 or stats.kstest(ranks, "uniform").pvalue > 1e-4


def test_draws_of_a_row_do_not_hang_together():
    out = np.empty((20_000, 24), np.float32)
    shape = np.full(24, 0.3)
    gamma_rows(shape, np.zeros(24, np.int32), np.ones(24), MIN_VALUE, stream(), out)
    apart = np.corrcoef(stats.gamma(0.3).cdf(out.astype(float)), rowvar=False) - np.eye(24)
    assert abs(apart).max() < 5 / np.sqrt(20_000)


def test_series_are_logarithm_and_exponential():
    values = np.concatenate([np.logspace(-300, 2.8, 4000), 1 + np.linspace(-1e-6, 1e-6, 101)])
    logs, powers = np.empty_like(values), np.empty_like(values)
    each(values, logs, powers)
    assert_allclose(logs, np.log(values), rtol=1e-12)
    assert_allclose(powers, np.exp(values), rtol=1e-9)
    each(-values, logs, powers)
    assert_allclose(powers, np.exp(-values), rtol=1e-9)
