"""NMF-α against the paper, written out densely."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from core import Supervision
from core.engine.checks import canonical_csr
from core.engine.products import square_root
from core.engine.projection import project_documents
from core.errors import ModelError
from core.models.nmf import NMF
from core.models.nmf_alpha import MarginSteps, NMFAlpha
from tests.core.models.cases import N_TOPICS, planted, some_labels
from tests.oracles import nmf_alpha as oracle


@pytest.fixture
def problem():
    """Documents in rows, factors on the way, sparse coefficients of three machines."""
    rng = np.random.default_rng(5)
    X = planted(14, 9, seed=5)
    W, H = rng.uniform(0.1, 1, (14, N_TOPICS)), rng.uniform(0.1, 1, (N_TOPICS, 9))
    S = rng.uniform(size=(14, 6)) * (rng.uniform(size=(14, 6)) < 0.3)
    S[9:] = 0
    return X, W, H, S


def steps(X, W, H, S, strength):
    return MarginSteps(canonical_csr(X), W.copy(), H, sp.csr_array(S), strength)


def separable(n_docs=60, n_labels=3, labelled=0.5, seed=0):
    """Documents of one label each, with words of their own and words of all."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n_docs) % n_labels
    words = np.full((n_labels, 4 * n_labels + 6), 0.3)
    for label in range(n_labels):
        words[label, 4 * label : 4 * label + 4] = 1.5
    X = rng.poisson(words[truth]).astype(float)
    X[X.sum(axis=1) == 0, -1] = 1
    y = np.where(rng.uniform(size=n_docs) < labelled, truth, -1)
    y[:n_labels] = truth[:n_labels]
    return X, truth, y


@pytest.mark.parametrize("strength", [0.0, 0.7, 50.0])
def test_one_step_is_the_paper_s(problem, strength):
    X, W, H, S = problem
    ours = steps(X, W, H, S, strength)
    assert_allclose(ours.first_objective(), oracle.loss(X.T, H.T, W.T, S, strength), rtol=1e-10)
    objective = ours.step()
    V = oracle.update_V(X.T, H.T, W.T, S, strength)
    theirs = oracle.update_H(X.T, V, W.T, S, strength)
    assert_allclose(ours.Ht, V, rtol=1e-10)
    assert_allclose(ours.W, theirs.T, rtol=1e-10)
    assert_allclose(objective, oracle.loss(X.T, V, theirs, S, strength), rtol=1e-10)


def test_halves_are_the_gradient(problem):
    X, W, H, S = problem
    at = steps(X, W, H, S, 3.0)
    for factor, halves in ((at.W, at._document_halves()), (at.Ht, at._topic_halves())):
        down, up = halves
        for cell in [(0, 1), (3, 0), (8, 2)]:
            value = factor[cell]
            factor[cell] = value + 1e-6
            after = at.first_objective()
            factor[cell] = value - 1e-6
            before = at.first_objective()
            factor[cell] = value
            slope = (after - before) / 2e-6
            assert_allclose(slope, (up - down)[cell], rtol=1e-5, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.1, 1.0, 1e4]))
def test_the_loss_never_rises(seed, strength):
    """Random coefficients, empty documents, unused terms, documents without labels."""
    rng = np.random.default_rng(seed)
    X = planted(15, 12, seed=seed)
    X[rng.uniform(size=15) < 0.2] = 0
    X[:, rng.uniform(size=12) < 0.2] = 0
    S = rng.uniform(size=(15, 4)) * (rng.uniform(size=(15, 4)) < 0.4)
    W, H = rng.uniform(0.01, 1, (15, 3)), rng.uniform(0.01, 1, (3, 12))
    at = steps(X, W, H, S, strength)
    trace = [at.first_objective(), *(at.step() for _ in range(20))]
    assert all(b <= a + 1e-9 * max(trace) for a, b in pairwise(trace))


@pytest.mark.parametrize("case", ["strength 0", "no labels"])
def test_without_margins_it_is_plain_nmf(case):
    X, rng = planted(), np.random.default_rng(0)
    start = (rng.uniform(0.1, 1, (60, N_TOPICS)), rng.uniform(0.1, 1, (N_TOPICS, 40)))
    y = some_labels(X) if case == "strength 0" else None
    strength = 0.0 if case == "strength 0" else 5.0
    ours = NMFAlpha(N_TOPICS, margin_strength=strength).fit(X, y, start=start)
    plain = NMF(N_TOPICS, loss="i_divergence", solver="mu").fit(X, start=start)
    assert_allclose(ours.doc_topic_, plain.doc_topic_, rtol=1e-10)
    assert ours.objective_ == pytest.approx(plain.objective_)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_permuting_documents_permutes_rows(seed):
    rng = np.random.default_rng(seed)
    X, _, y = separable(24, 3, seed=seed)
    order = rng.permutation(24)
    W, H = rng.uniform(0.1, 1, (24, 4)), rng.uniform(0.1, 1, (4, X.shape[1]))
    here = NMFAlpha(4, max_iter=5).fit(X, y, start=(W, H))
    there = NMFAlpha(4, max_iter=5).fit(X[order], y[order], start=(W[order], H))
    assert_allclose(there.doc_topic_, here.doc_topic_[order], rtol=1e-3, atol=1e-5)


def test_the_corrected_space_keeps_inner_products():
    X, _, y = separable()
    model = NMFAlpha(4, random_state=0).fit(X, y)
    product = model.doc_topic_ @ model.components_
    Z = model.corrected_
    assert_allclose(Z @ Z.T, product @ product.T, rtol=1e-8)
    assert_allclose(Z, oracle.corrected(model.components_.T, model.doc_topic_.T).T, rtol=1e-8)
    root = square_root(model.components_)
    assert_allclose(root @ root, model.components_ @ model.components_.T, atol=1e-12)


def test_stronger_margins_are_better_kept():
    X, _, y = separable()
    error = []
    for strength in (0.0, 100.0):
        model = NMFAlpha(3, margin_strength=strength, random_state=0, max_iter=300).fit(X, y)
        normals = model.margins_.T @ X
        rebuilt = model.margins_.T @ model.doc_topic_ @ model.components_
        error.append(oracle.divergence(normals, rebuilt))
    assert error[1] < 0.5 * error[0]


@pytest.mark.parametrize("n_labels", [2, 3])
def test_predicts_labels_that_exclude_one_another(n_labels):
    X, truth, y = separable(90, n_labels, seed=2)
    model = NMFAlpha(n_labels + 1, random_state=0).fit(X, y)
    assert (model.predict(X)[y < 0] == truth[y < 0]).mean() > 0.8
    assert model.decision_function(X[:4]).shape == (4, n_labels)
    assert model.classes_.tolist() == list(range(n_labels))


def test_predicts_sets_of_labels():
    X, truth, _ = separable(90, 3, seed=3)
    X = X + X[np.roll(np.arange(90), 1)] * (np.arange(90) % 4 == 0)[:, None]
    sets = np.eye(3, dtype=int)[truth]
    sets[::4] |= np.eye(3, dtype=int)[np.roll(truth, 1)[::4]]
    told = sets.copy()
    told[60:] = 0
    predicted = NMFAlpha(4, random_state=0).fit(X, told).predict(X)
    assert predicted.shape == (90, 3)
    assert (predicted[60:] == sets[60:]).mean() > 0.8


def test_heavy_counts_are_fitted_in_silence():
    """Machines on counts in the thousands end before they are as precise as asked."""
    rng = np.random.default_rng(1)
    X = 1000 * rng.poisson(rng.gamma(0.3, 2, (20, 10))).astype(float)
    y = np.arange(20) % 2
    with pytest.warns(ConvergenceWarning):
        LinearSVC(dual=False, tol=1e-6, max_iter=10_000).fit(X, y)
    model = NMFAlpha(3, margin_strength=0.01, random_state=0).fit(X, y)
    assert np.isfinite(model.objective_)
    assert (model.predict(X) == y).mean() > 0.5


def test_prediction_needs_labels():
    with pytest.raises(ModelError, match="No document carried a label"):
        NMFAlpha(3).fit(planted()).predict(planted())


def test_one_label_is_always_predicted():
    X = planted()
    model = NMFAlpha(3, random_state=0).fit(X, [["only"]] * 5 + [[]] * 55)
    assert set(model.predict(X)) == {"only"}
    assert model.margins_.shape == (60, 0)


def test_fewer_topics_than_labels_are_fine():
    X, _, y = separable(60, 3)
    assert NMFAlpha(2, random_state=0).fit(X, y).doc_topic_.shape == (60, 2)


def test_the_strength_can_be_validated():
    X, _, y = separable(80, 3, labelled=0.6)
    model = NMFAlpha(4, margin_strength="validate", max_iter=20, random_state=0).fit(X, y)
    even = X.sum() / (model.margins_.T @ X).sum()
    assert np.isclose(model.margin_strength_ / even, [0, 0.001, 0.01, 0.1, 1]).any()
    again = NMFAlpha(4, margin_strength=model.margin_strength_, max_iter=20, random_state=0)
    assert_array_equal(again.fit(X, y).doc_topic_, model.doc_topic_)


def test_cancelling_a_validation_cancels_the_fit():
    X, _, y = separable(80, 3, labelled=0.6)
    seen = []
    model = NMFAlpha(4, margin_strength="validate", tol=0.0, random_state=0)
    model.fit(X, y, callback=lambda p: seen.append(p.iteration) or len(seen) == 2)
    assert model.trace_.stopped == "cancelled"
    assert seen == [1, 2]


def test_a_new_document_is_the_same_in_any_company():
    X, _, y = separable()
    model = NMFAlpha(4, random_state=0).fit(X, y)
    assert_allclose(model.transform(X)[7:9], model.transform(X[7:9]), rtol=1e-10)


def test_projection_reaches_the_minimum():
    X, rng = planted(12, 10, seed=1), np.random.default_rng(0)
    H = rng.uniform(0.1, 1, (3, 10))
    W = project_documents(canonical_csr(X), H, tol=1e-10)
    slope = H.sum(axis=1) - (X / (W @ H)) @ H.T  # zero inside, not negative at the border
    assert_allclose(W * slope, 0, atol=1e-4)
    assert slope.min() > -1e-3


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"margin_strength": -1.0}, "margin_strength is a number"),
        ({"margin_strength": "guess"}, "margin_strength is a number"),
        ({"machines": "all"}, "machines is one of auto, pairs, labels"),
        ({"learner": "tree"}, "learner is one of"),
        ({"cost": -1.0}, "cost is a number"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(ModelError, match=sentence):
        NMFAlpha(**options).fit(planted())


@pytest.mark.parametrize("start", [(np.ones((2, 3)), np.ones((3, 40))), "negative"])
def test_a_bad_start_is_refused(start):
    start = (-np.ones((60, 3)), np.ones((3, 40))) if start == "negative" else start
    with pytest.raises(ModelError, match="A start"):
        NMFAlpha(3).fit(planted(), start=start)


def test_a_warm_start_needs_few_passes():
    X, _, y = separable()
    cold = NMFAlpha(4, random_state=0, max_iter=500).fit(X, Supervision.of(y))
    warm = NMFAlpha(4, random_state=0).fit(X, y, start=(cold.doc_topic_, cold.components_))
    assert warm.n_iter_ < cold.n_iter_ / 3
    assert warm.objective_ <= cold.objective_ * (1 + 1e-3)
