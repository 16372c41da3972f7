"""Sums in registers against their NumPy twins, for rows of every length they take."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.engine.kernels.jit import compiled
from core.engine.kernels.row_sums import add_row, gather, products, row_times, weighted_logarithms
from core.engine.kernels.simd import padded

DTYPES = {np.float32: 1e-5, np.float64: 1e-12}


@compiled
def added(out, row, x, other, t):
    add_row(out, row, x, other, t)


@compiled
def times(rows, i, matrix, out, row):
    row_times(rows, i, matrix, out, row)


def stored(dtype):
    return sp.random_array((4, 30), density=0.4, format="csr", dtype=dtype, rng=1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_topics", [1, 5, 8, 16, 24, 32, 61, 96])
def test_gathered_rows_are_a_product(n_topics, dtype):
    X, other = stored(dtype), np.random.default_rng(0).uniform(size=(30, n_topics)).astype(dtype)
    out = np.full((4, n_topics), np.nan, dtype)
    for i in range(4):
        first, last = X.indptr[i], X.indptr[i + 1]
        gather(X.indices, X.data[first:last], first, last, first, other, out, i)
    assert_allclose(out, X @ other, rtol=DTYPES[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_topics", [3, 16, 40])
def test_products_and_sums_of_padded_rows(n_topics, dtype):
    rng, tolerance = np.random.default_rng(0), DTYPES[dtype]
    X = stored(dtype)
    rows, other = (padded(rng.uniform(size=(n, n_topics)).astype(dtype)) for n in (4, 30))
    first, last = X.indptr[2], X.indptr[3]
    z = np.empty(last - first, dtype)
    products(X.indices, first, last, rows, 2, other, z)
    assert_allclose(z, other[X.indices[first:last]] @ rows[2], rtol=tolerance)
    out, gram = rows.copy(), other.T @ other
    added(out, 1, dtype(3), other, 7)
    assert_allclose(out[1], rows[1] + 3 * other[7], rtol=tolerance)
    times(rows, 3, gram, out, 0)
    assert_allclose(out[0], rows[3] @ gram, rtol=tolerance)


@pytest.mark.parametrize("dtype", DTYPES)
def test_logarithms(dtype):
    rng = np.random.default_rng(0)
    z = np.exp(rng.normal(0, 12, 500)).astype(dtype)
    z[:4] = 0, 1, 0.5**0.5, 2**0.5
    floor = dtype(1e-30)
    for value in z:
        weight, one = np.ones(1, dtype), np.array([value], dtype)
        expected = np.log(np.float64(max(value, floor)))
        found = weighted_logarithms(weight, 1, one, floor)
        assert found == pytest.approx(expected, rel=DTYPES[dtype], abs=DTYPES[dtype])
    data = rng.uniform(size=500).astype(dtype)
    expected = data.astype(np.float64) @ np.log(np.maximum(z, floor).astype(np.float64))
    found = weighted_logarithms(data, 500, z.copy(), floor)
    assert found == pytest.approx(expected, rel=DTYPES[dtype])
