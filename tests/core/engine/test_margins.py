"""Dual coefficients of linear classifiers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.svm import LinearSVC

from core import Supervision
from core.engine import margins
from core.engine.checks import canonical_csr
from core.engine.margins import LabelMachines, dual_coefficients, is_exclusive, machine_sides


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def X(rng):
    return canonical_csr(rng.poisson(0.8, size=(30, 12)).astype(float))


def sides(labels, **options):
    return [
        (sorted(rows[sign > 0].tolist()), sorted(rows[sign < 0].tolist()))
        for rows, sign in machine_sides(Supervision.of(labels), **options)
    ]


def test_two_labels_need_one_machine():
    assert sides([0, 1, -1, 1]) == [([0], [1, 3])]


def test_labels_that_exclude_one_another_are_distinct_label_in_pairs():
    assert sides([0, 1, 2, 0]) == [([0, 3], [1]), ([0, 3], [2]), ([1], [2])]


def test_sets_of_labels_are_distinct_label_one_label_at_a_time():
    labels = [["a"], ["a", "b"], [], ["c"]]
    assert sides(labels) == [([0, 1], [3]), ([1], [0, 3]), ([3], [0, 1])]
    assert not is_exclusive(Supervision.of(labels))


def test_pairs_leave_out_documents_on_both_sides():
    assert sides([["a"], ["a", "b"], ["b"]], machines="pairs") == [([0], [2])]


def test_nothing_fits_is_an_example_against_every_label():
    y = Supervision.of([["a"], ["b"], []], nothing_fits=[False, False, True])
    found = [(rows[sign < 0]).tolist() for rows, sign in machine_sides(y, "labels")]
    assert found == [[1, 2], [0, 2]]


@pytest.mark.parametrize("labels", [[-1] * 4, [0, 0, -1, -1]])
def test_without_two_sides_there_is_no_machine(labels):
    assert sides(labels) == []


def test_coefficients_give_the_machine_s_normal(X, rng):
    y = np.where(np.arange(30) < 20, np.arange(30) % 2, -1)
    S = dual_coefficients(X, Supervision.of(y), cost=0.5, rng=rng)
    machine = LinearSVC(C=0.5, dual=False, tol=1e-8).fit(X[:20], 1 - y[:20])  # label 0 positive
    normal = X.T @ (S[:, [0]] - S[:, [1]]).toarray()
    assert_allclose(normal.ravel(), machine.coef_[0], atol=2e-3)
    assert S.min() >= 0


def test_unlabelled_documents_have_no_coefficients(X, rng):
    y = np.where(np.arange(30) < 18, np.arange(30) % 3, -1)
    S = dual_coefficients(X, Supervision.of(y), rng=rng)
    assert S.shape == (30, 6)
    assert not S[18:].toarray().any()
    assert not S[np.flatnonzero(y == 0)][:, [2, 3, 5]].toarray().any()  # pair (1, 2); other sides


def test_a_sure_document_weighs_more(X, rng):
    y = [0, 1] * 15
    doubled = sp.csr_array(sp.vstack([X, X[:1]]))
    twice = dual_coefficients(doubled, Supervision.of([*y, 0]), rng=rng)
    sure = Supervision.of(y, confidence=["expert"] + ["sure"] * 29)
    once = dual_coefficients(X, sure, rng=rng)
    assert_allclose(once[0, 0], twice[0, 0] + twice[30, 0], atol=1e-3)


def test_a_perceptron_s_mistakes_are_its_coefficients(X, rng):
    y = np.arange(30) % 2
    S = dual_coefficients(X, Supervision.of(y), learner="perceptron", rng=rng)
    assert_array_equal(S.data, np.round(S.data))
    bias = S[:, 0].sum() - S[:, 1].sum()
    normal = X.T @ (S[:, [0]] - S[:, [1]]).toarray()
    right = np.sign((X @ normal).ravel() + bias) == np.where(y == 0, 1, -1)
    assert right.mean() > 0.7


def test_a_large_corpus_gets_perceptrons(X, rng, monkeypatch):
    y = Supervision.of(np.arange(30) % 2)
    monkeypatch.setattr(margins, "MAX_SVM_READS", 10)
    S = dual_coefficients(X, y, rng=np.random.default_rng(1))
    quick = dual_coefficients(X, y, learner="perceptron", rng=np.random.default_rng(1))
    assert_array_equal(S.toarray(), quick.toarray())


def test_a_label_of_all_or_none_is_constant():
    carried = np.array([[True, False, True], [True, False, False]])
    machines = LabelMachines.fit(np.eye(2), carried, 1.0, np.ones(2))
    scores = machines.scores(np.eye(2))
    assert_array_equal(scores[:, :2], [[1, -1], [1, -1]])
    assert scores[0, 2] > scores[1, 2]
