"""The perceptron and the projection kernels against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from core.engine.checks import canonical_csr
from core.engine.kernels.perceptron import count_mistakes
from core.engine.kernels.projection import project_divergence_rows
from tests.core.models.cases import planted


def mistakes(X, sign, passes):
    """The perceptron as one would write it on a board."""
    normal, bias, count = np.zeros(X.shape[1]), 0.0, np.zeros(len(X))
    for _ in range(passes):
        for i, x in enumerate(X):
            if sign[i] * (x @ normal + bias) <= 0:
                normal, bias = normal + sign[i] * x, bias + sign[i]
                count[i] += 1
    return count


@pytest.mark.parametrize("passes", [1, 7])
def test_mistakes_are_counted(passes):
    X, rng = planted(20, 9), np.random.default_rng(0)
    rows, sign = rng.permutation(20)[:15], rng.choice([-1, 1], 15)
    S = canonical_csr(X)
    found = count_mistakes(S.indptr, S.indices, S.data, rows, sign, passes, 9)
    assert_array_equal(found, mistakes(X[rows], sign, passes))


def test_a_sweep_is_a_multiplicative_step():
    X, rng = planted(12, 9), np.random.default_rng(0)
    X[4] = 0
    W, H = rng.uniform(0.1, 1, (12, 3)), rng.uniform(0.1, 1, (3, 9))
    S, Ht, found, work = canonical_csr(X), H.T.copy(), W.copy(), np.empty(3)
    project_divergence_rows(
        S.indptr, S.indices, S.data, 2, 10, Ht, Ht.sum(axis=0), 1, 0.0, found, work
    )
    step = W * ((X / (W @ H)) @ H.T) / H.sum(axis=1)
    assert_allclose(found[2:10], step[2:10], rtol=1e-12)
    assert_array_equal(found[[0, 1, 10, 11]], W[[0, 1, 10, 11]])  # other rows are left alone
