"""Documents times a dense matrix equals SciPy's product, in the precision of the documents."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.engine import products
from core.engine.products import documents_times


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 1e-5), (np.float64, 1e-12)])
@pytest.mark.parametrize("n_columns", [1, 7, 90])
def test_product_equals_scipys(dtype, rtol, n_columns):
    rng = np.random.default_rng(0)
    X = sp.random_array((3000, 400), density=0.2, format="csr", rng=rng).astype(dtype)
    columns = rng.random((400, n_columns))
    found = documents_times(X, columns)
    assert found.dtype == dtype
    assert_allclose(found, X @ columns, rtol=rtol)


def test_no_documents_and_no_columns():
    assert documents_times(sp.csr_array((0, 3)), np.ones((3, 2))).shape == (0, 2)
    assert documents_times(sp.csr_array((2, 3)), np.ones((3, 0))).shape == (2, 0)


def test_a_transpose_is_contiguous_and_the_same_in_blocks(monkeypatch):
    matrix = np.random.default_rng(0).random((40, 7))
    monkeypatch.setattr(products, "ROWS_TURNED_AT_ONCE", 9)
    for given in (matrix, np.asfortranarray(matrix)):
        turned = products.transposed(given)
        assert turned.flags.c_contiguous
        np.testing.assert_array_equal(turned, matrix.T)


@pytest.mark.parametrize("n_columns", [3, 8, 61])
def test_some_rows_of_a_product(n_columns):
    X = sp.csr_array(sp.random_array((30, 12), density=0.4, rng=0))
    columns = np.random.default_rng(0).random((12, n_columns))
    found = products.RowsTimes(X, columns).rows(7, 19)
    assert_allclose(found, (X @ columns)[7:19], rtol=1e-12)
