"""The solvers around the kernels: topics that no document may use cost and change nothing."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core.engine.solvers import CoordinateDescent, GuidedDescent, SquaredDocuments

N_DOCS, N_TERMS, N_TOPICS = 30, 20, 6
UNUSABLE = [1, 4]


def problem(columns: list[int]) -> tuple[sp.csr_array, np.ndarray, np.ndarray, np.ndarray]:
    """Documents, topics, a mask with some labelled rows and prices, over the given topics."""
    rng = np.random.default_rng(0)
    X = sp.csr_array(sp.random_array((N_DOCS, N_TERMS), density=0.4, rng=rng))
    H, price = rng.random((N_TOPICS, N_TERMS)), rng.random((N_DOCS, N_TOPICS)) / 50
    mask = np.ones((N_DOCS, N_TOPICS), bool)
    mask[:5] = np.arange(N_TOPICS) % 3 == 0
    mask[:, UNUSABLE] = False
    return X, H[columns], mask[:, columns], price[:, columns]


def fitted(kind: type, columns: list[int]) -> tuple[CoordinateDescent, list[float]]:
    X, H, mask, price = problem(columns)
    prices = (price,) if kind is GuidedDescent else ()
    H = H / np.linalg.norm(H, axis=1, keepdims=True) if kind is GuidedDescent else H
    solver = kind(SquaredDocuments(X, None, mask, np.ones(N_DOCS), *prices), H)
    return solver, [solver.step() for _ in range(5)]


@pytest.mark.parametrize("kind", [CoordinateDescent, GuidedDescent])
def test_a_topic_that_no_document_may_use_leaves_the_others_as_they_are_without_it(kind):
    usable = [k for k in range(N_TOPICS) if k not in UNUSABLE]
    whole, objectives = fitted(kind, list(range(N_TOPICS)))
    without, expected = fitted(kind, usable)
    W = whole.factors()[0]
    assert not W[:, UNUSABLE].any()
    np.testing.assert_allclose(W[:, usable], without.factors()[0], atol=1e-12)
    np.testing.assert_allclose(objectives, expected, rtol=1e-12)


def test_documents_without_a_label_stay_on_the_fast_path_when_a_topic_is_not_usable():
    solver, _ = fitted(GuidedDescent, list(range(N_TOPICS)))
    assert solver.documents.free.tolist() == [False] * 5 + [True] * (N_DOCS - 5)
