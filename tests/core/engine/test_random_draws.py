"""Every random draw against the moments of its distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba import njit
from scipy import special, stats

from core.engine.kernels import random_draws

N = 200_000


def draws_of(draw, *parameters, n=N, seed=7):
    """``n`` draws, each from the stream of its own row."""

    @njit
    def many(key, out):
        state = np.empty(4, np.uint64)
        for i in range(out.size):
            random_draws.begin(state, key, i)
            out[i] = draw(*parameters, state)

    out = np.empty(n)
    many(np.uint64(seed), out)
    return out


def assert_moments(values, mean, variance):
    """Mean and variance within five standard errors, the latter estimated from the draws."""
    assert abs(values.mean() - mean) < 5 * math.sqrt(variance / values.size) + 1e-12
    squares = (values - mean) ** 2
    assert abs(squares.mean() - variance) < 5 * squares.std() / math.sqrt(values.size) + 1e-12


def test_uniform_is_flat_inside_the_open_interval():
    values = draws_of(random_draws.uniform)
    assert values.min() > 0
    assert values.max() < 1
    assert stats.kstest(values, "uniform").pvalue > 1e-3


def test_normal_has_its_distribution_also_in_the_tail():
    values = draws_of(random_draws.normal, n=1_000_000)
    assert stats.kstest(values, "norm").pvalue > 1e-3
    beyond = np.mean(np.abs(values) > 3.5)
    expected = 2 * stats.norm.sf(3.5)
    assert abs(beyond - expected) < 5 * math.sqrt(expected / values.size)


def test_neighbouring_streams_are_independent():
    values = draws_of(random_draws.uniform)
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 5 / math.sqrt(N)


def test_one_stream_is_independent_from_draw_to_draw():
    @njit
    def stream(out):
        state = np.empty(4, np.uint64)
        random_draws.begin(state, np.uint64(1), 0)
        for i in range(out.size):
            out[i] = random_draws.uniform(state)

    values = np.empty(N)
    stream(values)
    assert stats.kstest(values, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 5 / math.sqrt(N)


@pytest.mark.parametrize("shape", [0.05, 0.7, 1.0, 3.5, 400.0])
def test_gamma(shape):
    assert_moments(draws_of(random_draws.gamma, shape), shape, shape)


@pytest.mark.parametrize("shape", [1e-4, 0.05, 0.7, 3.5])
def test_log_gamma_is_finite_and_exact_for_tiny_shapes(shape):
    values = draws_of(random_draws.log_gamma, shape)
    assert np.isfinite(values).all()
    assert_moments(values, special.digamma(shape), special.polygamma(1, shape))


def test_a_shape_of_zero_gives_zero():
    assert not draws_of(random_draws.gamma, 0.0, n=10).any()
    assert np.isneginf(draws_of(random_draws.log_gamma, 0.0, n=10)).all()


@pytest.mark.parametrize(("a", "b"), [(0.01, 3.0), (2.0, 0.02), (5.0, 9.0)])
def test_log_odds_of_a_beta(a, b):
    mean = special.digamma(a) - special.digamma(b)
    variance = special.polygamma(1, a) + special.polygamma(1, b)
    assert_moments(draws_of(random_draws.log_odds, a, b), mean, variance)


@pytest.mark.parametrize(("trials", "chance"), [(0, 0.5), (7, 0.3), (500, 0.02), (100_000, 0.7)])
def test_binomial(trials, chance):
    values = draws_of(random_draws.binomial, trials, chance)
    assert_moments(values, trials * chance, trials * chance * (1 - chance))


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_binomial_at_its_ends(chance):
    assert (draws_of(random_draws.binomial, 1000, chance, n=50) == 1000 * chance).all()


@pytest.mark.parametrize("mean", [0.0, 0.3, 11.0, 13.0, 900.0])
def test_poisson(mean):
    assert_moments(draws_of(random_draws.poisson, mean), mean, mean)


@pytest.mark.parametrize("mean", [0.2, 4.0, 60.0])
def test_positive_poisson(mean):
    values = draws_of(random_draws.positive_poisson, mean)
    kept = -math.expm1(-mean)
    first = mean / kept
    assert values.min() >= 1
    assert_moments(values, first, first * (1 + mean - first))


@pytest.mark.parametrize("mean", [0.0, 1e-12])
def test_positive_poisson_of_hardly_any_mean_is_one(mean):
    assert (draws_of(random_draws.positive_poisson, mean, n=100) == 1).all()


@pytest.mark.parametrize(("customers", "g"), [(1, 0.2), (9, 0.3), (40, 5.0), (3000, 0.7)])
def test_tables_of_a_chinese_restaurant(customers, g):
    chance = g / (g + np.arange(customers))
    values = draws_of(random_draws.crt, customers, g)
    assert_moments(values, chance.sum(), (chance * (1 - chance)).sum())


def test_no_customers_no_tables_and_one_table_without_concentration():
    assert not draws_of(random_draws.crt, 0, 2.0, n=10).any()
    assert (draws_of(random_draws.crt, 100, 0.0, n=10) == 1).all()


@pytest.mark.parametrize("count", [5, 2000])
def test_split_is_multinomial(count):
    weights = np.array([0.5, 0.0, 2.0, 1.5])

    @njit
    def many(out):
        state = np.empty(4, np.uint64)
        for i in range(out.shape[0]):
            random_draws.begin(state, np.uint64(3), i)
            random_draws.split(count, weights, out[i], state)

    out = np.zeros((50_000, 4))
    many(out)
    assert (out.sum(axis=1) == count).all()
    chance = weights / weights.sum()
    for values, p in zip(out.T, chance, strict=True):
        assert_moments(values, count * p, count * p * (1 - p))
    covariance = np.cov(out[:, 0], out[:, 2])[0, 1]
    assert abs(covariance + count * chance[0] * chance[2]) < 0.05 * count


def test_split_without_any_weight_shares_alike():
    out = np.zeros(4)
    state = np.arange(1, 5, dtype=np.uint64)
    random_draws.split(4000, np.zeros(4), out, state)
    assert out.sum() == 4000
    assert out.min() > 800
