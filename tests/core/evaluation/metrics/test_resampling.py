"""Intervals on data small enough to check by hand, and against theory."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.evaluation.metrics.resampling import (
    mean_of_ratios,
    paired_difference,
    ratio_of_sums,
    ratios_interval,
    wilson,
)


def test_wilson_is_wilsons():
    low, high = wilson(81, 263)  # Newcombe 1998, table I
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (0, 0)])
def test_a_share_of_none_or_all_is_not_certain(hits, n):
    low, high = wilson(hits, n)
    assert 0 <= low < high <= 1


def test_resampling_a_share_agrees_with_theory():
    hits = np.random.default_rng(1).random((4000, 1)) < 0.3
    low, high = ratios_interval(hits.astype(float), np.ones((4000, 1)), ratio_of_sums)
    assert (high - low) / 2 == pytest.approx(1.96 * np.sqrt(0.21 / 4000), rel=0.15)
    assert low < hits.mean() < high


def test_sparse_and_dense_give_the_same_interval():
    hits = np.eye(30, 3)
    dense = ratios_interval(hits, np.ones((30, 3)), mean_of_ratios)
    assert ratios_interval(sp.csr_array(hits), np.ones((30, 3)), mean_of_ratios) == dense


def test_columns_without_a_denominator_do_not_count():
    assert mean_of_ratios(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0]])) == [0.5]


def test_a_pair_of_equal_fits_does_not_differ():
    hits = np.array([True] * 6 + [False] * 4)
    gain, low, high, n, _ = paired_difference(hits, hits)
    assert (gain, n) == (0, 10)
    assert low < 0 < high


def test_many_won_and_none_lost_is_a_gain():
    before = np.zeros(100, dtype=bool)
    now = before.copy()
    now[:20] = True
    difference = paired_difference(now, before)
    assert difference.gain == 0.2
    assert difference.low > 0
    assert paired_difference(before, now).high < 0


def test_the_luck_of_a_fit_widens_a_difference():
    now, before = np.arange(100) < 70, np.arange(100) < 60
    plain, wide = paired_difference(now, before), paired_difference(now, before, fit_noise=0.05)
    assert plain.gain == wide.gain
    assert wide.low < plain.low < plain.high < wide.high
    assert wide.high - wide.low > 2 * 1.95 * 0.05
