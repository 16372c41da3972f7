"""The solvers around the kernels: what documents answer, and topics that none of them may use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from core.engine.factorisation import _at_length_one
from core.engine.solvers import (
    CoordinateDescent,
    GuidedDescent,
    SquaredDocuments,
    coordinate_descent,
)
from core.engine.solvers.squared_documents import SquaredSums

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


class CountedDocuments(SquaredDocuments):
    """Documents that write down what they were asked for."""

    asked: tuple[str, ...] = ()

    def move(self, *topics: Any) -> SquaredSums:
        self.asked += ("move",)
        return super().move(*topics)

    def look(self) -> SquaredSums:
        self.asked += ("look",)
        return super().look()


@pytest.mark.parametrize("kind", [CoordinateDescent, GuidedDescent])
def test_the_first_move_tells_the_objective_at_the_start_and_is_made_once(kind):
    X, H, mask, price = problem(list(range(N_TOPICS)))
    H /= np.linalg.norm(H, axis=1, keepdims=True)
    given = np.random.default_rng(1).random(mask.shape)
    weight = np.linspace(0.5, 2, N_DOCS)
    c = price if kind is GuidedDescent else 0 * price
    prices = (price,) if kind is GuidedDescent else ()
    documents = CountedDocuments(X, given, mask, weight, *prices)
    solver, W = kind(documents, H), given * mask
    paid = 2 * (c * W).sum(axis=1)
    expected = weight @ (((X.toarray() - W @ H) ** 2).sum(axis=1) + paid)
    np.testing.assert_allclose(solver.first_objective(), expected, rtol=1e-12)
    solver.step()
    assert documents.asked == ("move",)
    solver.step()
    assert documents.asked == ("move", "move")


def test_documents_leave_the_weights_they_start_from_as_they_are():
    X, H, mask, price = problem(list(range(N_TOPICS)))
    given = np.random.default_rng(1).random(mask.shape)
    before = given.copy()
    GuidedDescent(SquaredDocuments(X, given, mask, np.ones(N_DOCS), price), H).step()
    np.testing.assert_array_equal(given, before)


@pytest.mark.parametrize("share", [0.02, 0.9])  # of the weights that are not zero
def test_sums_over_documents_of_few_and_of_many_topics(share):
    rng = np.random.default_rng(3)
    X = sp.csr_array(sp.random_array((200, 30), density=0.3, rng=rng))
    W, weight = rng.random((200, 43)) * (rng.random((200, 43)) < share), rng.random(200) + 0.5
    sums = SquaredDocuments(X, W, np.ones(W.shape, bool), weight).look()
    cross, square = np.zeros((30, 48)), np.zeros((48, 48))  # a multiple of eight topics
    cross[:, :43] = X.T @ (weight[:, None] * W)
    square[:43, :43] = W.T @ (weight[:, None] * W)
    np.testing.assert_allclose(sums.cross, cross, atol=1e-12)
    np.testing.assert_allclose(sums.square, square, atol=1e-12)


def test_weights_stay_where_topics_have_length_one_or_are_empty_and_unused():
    rng = np.random.default_rng(0)
    W, H = rng.random((30, 3)), rng.random((3, 10))
    H /= np.linalg.norm(H, axis=1, keepdims=True)
    H[1], W[:, 1] = 0, 0
    assert _at_length_one(W, H, W.dtype)[0] is W
    W[4, 1] = 1
    kept, unit = _at_length_one(W, 2 * H, W.dtype)
    assert kept is not None
    np.testing.assert_allclose(kept @ unit, W @ (2 * H))
    assert kept[4, 1] < 1e-20


@pytest.mark.parametrize("at_once", [1, 3, 32])
def test_topics_of_length_one_are_the_best_in_turn_however_many_move_together(monkeypatch, at_once):
    rng = np.random.default_rng(4)
    Ht, cross, W = rng.random((50, 8)), 20 * rng.random((50, 8)), rng.random((30, 8))
    W[:, 2] = 0  # nobody uses it
    Ht, square = Ht / np.linalg.norm(Ht, axis=0), W.T @ W
    expected = Ht.copy()
    for k in [0, 1, 3, 4, 5, 6, 7]:
        rest = cross[:, k] - expected @ square[k] + square[k, k] * expected[:, k]
        expected[:, k] = np.maximum(rest, 0) / np.linalg.norm(np.maximum(rest, 0))
    monkeypatch.setattr(coordinate_descent, "TOPICS_AT_ONCE", at_once)
    monkeypatch.setattr(coordinate_descent, "TERMS_AT_ONCE", 17)
    coordinate_descent.move_unit_topics(cross, square, Ht)
    np.testing.assert_allclose(Ht, expected, atol=1e-12)
