"""Compiled loops against their NumPy twins."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal

from core.engine.kernels import threads as parts_module
from core.engine.kernels.divergence import log_terms, ratio_products
from core.engine.kernels.sums import row_squares
from core.engine.kernels.threads import each_part, parts_of
from core.engine.solvers import solve_documents, sweep_parts
from core.models import NMF
from tests.core.models.cases import planted


@pytest.fixture
def factors():
    rng = np.random.default_rng(0)
    X = planted(30, 20)
    return sp.csr_array(X), rng.uniform(0.1, 1, (30, 5)), rng.uniform(0.1, 1, (20, 5))


def test_parts_cover_every_document_once(monkeypatch):
    monkeypatch.setattr(parts_module, "MIN_WORK_PER_RANGE", 5_000)
    X = sp.random_array((50_000, 30), density=0.1, format="csr", rng=0)
    parts = parts_of(X)
    assert len(parts) == parts_module.MAX_RANGES
    assert [first for first, _ in parts[1:]] == [last for _, last in parts[:-1]]
    assert (parts[0][0], parts[-1][1]) == (0, 50_000)


def test_a_small_matrix_is_one_part():
    assert parts_of(sp.csr_array(np.eye(3))) == ((0, 3),)


def test_parts_come_back_in_order():
    parts = tuple((i, i + 1) for i in range(50))
    assert each_part(lambda first, last: first, parts) == list(range(50))


def test_an_error_in_any_part_reaches_the_caller_and_helpers_go_on(monkeypatch):
    monkeypatch.setattr(parts_module, "n_threads", lambda: 3)
    parts = tuple((i, i + 1) for i in range(30))

    def fails(first, last):
        if first == 17:
            raise ValueError("the seventeenth")
        return first

    for _ in range(3):
        with pytest.raises(ValueError, match="the seventeenth"):
            each_part(fails, parts)
        assert each_part(lambda first, last: last, parts) == list(range(1, 31))
    assert len(parts_module._idle) >= 2


def test_a_part_may_have_parts_of_its_own(monkeypatch):
    monkeypatch.setattr(parts_module, "n_threads", lambda: 2)
    parts = tuple((i, i + 1) for i in range(6))
    inner = each_part(lambda first, _: sum(each_part(lambda a, b: a, parts)) + first, parts)
    assert inner == [15 + i for i in range(6)]


def test_the_cut_does_not_change_the_result(monkeypatch):
    X = planted(200, 40)
    whole = NMF(4, random_state=0, max_iter=5).fit(X).doc_topic_
    monkeypatch.setattr(parts_module, "MIN_WORK_PER_RANGE", 500)
    assert len(parts_of(sp.csr_array(X))) > 1
    assert_allclose(NMF(4, random_state=0, max_iter=5).fit(X).doc_topic_, whole, atol=1e-9)


def test_ratio_products_twin(factors):
    X, W, Ht = factors
    out = np.empty_like(W)
    ratio_products(X.indptr, X.indices, X.data, 0, 30, W, Ht, out)
    assert_allclose(out, (X.toarray() / (W @ Ht.T)) @ Ht, rtol=1e-12)


def test_log_terms_twin(factors):
    X, W, Ht = factors
    weight = np.linspace(0.5, 2, 30)
    dense, Z = X.toarray(), W @ Ht.T
    with np.errstate(divide="ignore", invalid="ignore"):
        cells = np.where(dense > 0, dense * np.log(dense / Z) - dense, 0)
    value = log_terms(X.indptr, X.indices, X.data, 0, 30, weight, W, Ht)
    assert_allclose(value, (weight[:, None] * cells).sum(), rtol=1e-12)


def test_a_restricted_row_touches_permitted_cells_only(factors):
    X, W, Ht = factors
    mask = np.zeros(W.shape, bool)
    mask[:, 1:3] = True
    rows = W * mask
    free = np.zeros(30, bool)
    sweep_parts(X, ((0, 30),), Ht, Ht.T @ Ht, rows, free=free, mask=mask, sweeps=500, tol=1e-12)
    alone = solve_documents(X, np.ascontiguousarray(Ht[:, 1:3].T), tol=1e-12)
    assert_allclose(rows[:, 1:3], alone, atol=1e-7)
    assert not rows[:, [0, 3, 4]].any()


def test_an_empty_document_gets_no_weight(factors):
    _, _, Ht = factors
    assert_array_equal(solve_documents(sp.csr_array((3, 20)), Ht.T), np.zeros((3, 5)))


def test_row_squares_twin(factors):
    X, _, _ = factors
    out = np.empty(X.shape[0])
    row_squares(X.indptr, X.data.astype(np.float32), out)
    assert_allclose(out, (X.toarray() ** 2).sum(axis=1), rtol=1e-6)
