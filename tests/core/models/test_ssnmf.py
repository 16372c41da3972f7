"""What is peculiar to SSNMF: weights of cells, partly known labels, prediction, its presets."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import nnls

from core import Supervision
from core.engine.joint import known_cells
from core.errors import ModelError, SupervisionError
from core.models.nmf import NMF
from core.models.ssnmf import SSNMF
from tests.core.models.cases import LABELS, N_TOPICS, planted, some_labels

LOSSES = ("frobenius", "i_divergence")
PAIRS = list(product(LOSSES, LOSSES))
every_pair = pytest.mark.parametrize(("x_loss", "y_loss"), PAIRS)


@pytest.fixture(scope="module")
def X():
    return planted()


@pytest.fixture(scope="module")
def y(X):
    return some_labels(X)


def random_start(X, n_labels=None, seed=3):
    rng = np.random.default_rng(seed)
    W, H = rng.uniform(0.1, 1, (len(X), N_TOPICS)), rng.uniform(0.1, 1, (N_TOPICS, X.shape[1]))
    return (W, H) if n_labels is None else (W, H, rng.uniform(0.1, 1, (n_labels, N_TOPICS)))


@every_pair
def test_no_label_strength_is_plain_nmf(x_loss, y_loss, X, y):
    options = {"max_iter": 20, "tol": 0.0}
    ours = SSNMF(N_TOPICS, x_loss=x_loss, y_loss=y_loss, label_strength=0.0, **options)
    plain = NMF(N_TOPICS, loss=x_loss, solver="mu", **options)
    start = random_start(X)
    ours.fit(X, y, start=start)
    plain.fit(X, start=start)
    assert_allclose(ours.doc_topic_, plain.doc_topic_, rtol=1e-5, atol=1e-7)
    assert_allclose(ours.objective_, plain.objective_, rtol=1e-7)


@every_pair
def test_no_labels_are_plain_nmf(x_loss, y_loss, X):
    start = random_start(X)
    ours = SSNMF(N_TOPICS, x_loss=x_loss, y_loss=y_loss, max_iter=10).fit(X, start=start)
    plain = NMF(N_TOPICS, loss=x_loss, solver="mu", max_iter=10).fit(X, start=start)
    assert_allclose(ours.components_, plain.components_, rtol=1e-5, atol=1e-7)
    with pytest.raises(ModelError, match="without labels"):
        ours.predict(X)


@every_pair
def test_weights_of_one_change_nothing(x_loss, y_loss, X, y):
    model = SSNMF(N_TOPICS, x_loss=x_loss, y_loss=y_loss, max_iter=10, random_state=0)
    without = model.fit(X, y).doc_topic_
    assert_array_equal(model.fit(X, y, observed=np.ones_like(X)).doc_topic_, without)
    assert_array_equal(model.fit(X, y, observed=sp.csr_array(np.ones_like(X))).doc_topic_, without)
    assert_array_equal(model.fit(X, y, observed=sp.csr_array(X.shape)).doc_topic_, without)


@every_pair
def test_what_is_not_observed_does_not_matter(x_loss, y_loss, X, y):
    hidden = np.random.default_rng(1).uniform(size=X.shape) < 0.2
    observed = sp.coo_array((np.zeros(hidden.sum()), hidden.nonzero()), shape=X.shape)
    model = SSNMF(N_TOPICS, x_loss=x_loss, y_loss=y_loss, random_state=0, max_iter=20)
    first = model.fit(X, y, observed=observed)
    W, new = first.doc_topic_, first.transform(X, observed)
    other = model.fit(np.where(hidden, 77.0, X), y, observed=observed)
    assert_array_equal(other.doc_topic_, W)
    assert_array_equal(other.transform(np.where(hidden, 5.0, X), observed), new)


def test_sparse_and_dense_weights_agree(X, y):
    weights = np.random.default_rng(1).choice([1.0, 1.0, 1.0, 0.0, 2.5], size=X.shape)
    where = (weights != 1).nonzero()
    observed = sp.csr_array((weights[where], where), shape=X.shape)
    assert (observed.data == 0).any()
    model = SSNMF(N_TOPICS, random_state=0, max_iter=5)
    dense = model.fit(X, y, observed=weights).doc_topic_
    assert_array_equal(model.fit(X, y, observed=observed).doc_topic_, dense)


def test_hidden_cells_are_filled_in(X):
    hidden = np.random.default_rng(1).uniform(size=X.shape) < 0.1
    W, H = random_start(X)
    truth = W @ H
    observed = sp.coo_array((np.zeros(hidden.sum()), hidden.nonzero()), shape=X.shape)
    model = SSNMF(N_TOPICS, random_state=0, max_iter=2000, tol=1e-9)
    model.fit(np.where(hidden, 0.0, truth), observed=observed)
    error = (model.doc_topic_ @ model.components_ - truth)[hidden]
    assert np.abs(error).mean() < 0.02 * truth.mean()


def test_weighted_least_squares_of_new_documents(X, y):
    model = SSNMF(N_TOPICS, random_state=0).fit(X, y)
    weights = np.random.default_rng(2).choice([1.0, 0.0, 2.0], size=X.shape)
    W = model.transform(X, weights)
    for i in (0, 3, 11):
        root = np.sqrt(weights[i])
        best, _ = nnls((model.components_ * root).T, X[i] * root)
        assert_allclose(W[i], best, atol=2e-5 * best.max())
    small = model.transform(X * 1e-3, weights)
    assert_allclose(small * 1e3, W, atol=2e-5 * W.max())


@pytest.mark.parametrize("x_loss", LOSSES)
def test_a_document_is_projected_by_itself(x_loss, X, y):
    model = SSNMF(N_TOPICS, x_loss=x_loss, random_state=0).fit(X, y)
    assert_array_equal(model.transform(X)[7:9], model.transform(X[7:9]))


def test_the_divergence_projection_is_a_stationary_point(X, y):
    model = SSNMF(N_TOPICS, x_loss="i_divergence", random_state=0).fit(X, y)
    W, H = model.transform(X), model.components_
    gradient = H.sum(axis=1) - (X / np.maximum(W @ H, 1e-30)) @ H.T
    assert np.abs(np.minimum(W, gradient)).max() < 0.02


def test_which_cells_of_the_labels_are_known():
    y = Supervision.of(
        [["a"], [], [], []],
        ["a", "b", "c"],
        forbidden=[["b"], ["c"], [], []],
        nothing_fits=[False, False, False, True],
        confidence=["expert", None, None, "unsure"],
    )
    absent = known_cells(y, "absent", np.dtype(float))
    assert_array_equal(absent.indptr, [0, 3, 4, 4, 7])
    assert_array_equal(absent.indices, [0, 1, 2, 2, 0, 1, 2])
    assert_array_equal(absent.value, [1, 0, 0, 0, 0, 0, 0])
    assert_array_equal(absent.weight, [2, 2, 2, 1, 0.5, 0.5, 0.5])
    unknown = known_cells(y, "unknown", np.dtype(float))
    assert_array_equal(unknown.indices, [0, 1, 2, 0, 1, 2])
    assert_array_equal(unknown.value, [1, 0, 0, 0, 0, 0])


def grouped(seed=0, n_docs=240, n_groups=6, n_terms=60):
    """Documents of six groups, two to a label, each with words of its own."""
    rng = np.random.default_rng(seed)
    words = rng.dirichlet(np.full(n_terms, 0.15), n_groups)
    group = rng.integers(n_groups, size=n_docs)
    X = np.stack([rng.multinomial(40, words[g]) for g in group]).astype(float)
    return X, group // 2


@every_pair
@pytest.mark.parametrize("n_topics", [6, 9])
def test_labels_of_new_documents_are_predicted(x_loss, y_loss, n_topics):
    X, label = grouped()
    told = np.where(np.arange(len(X)) < 120, label, -1)
    model = SSNMF(n_topics, x_loss=x_loss, y_loss=y_loss, label_strength=50.0, random_state=0).fit(
        X[:200], told[:200]
    )
    assert (model.predict(X[200:]) == label[200:]).mean() > 0.9
    proba = model.predict_proba(X[200:])
    assert_allclose(proba.sum(axis=1), 1)
    assert_array_equal(proba.argmax(axis=1), model.predict(X[200:]))
    assert model.label_topic_.shape == (3, n_topics)


@every_pair
def test_free_topics_differ_where_every_document_is_labelled(x_loss, y_loss):
    """Six kinds of documents under two labels: the topics find the kinds."""
    rng = np.random.default_rng(0)
    kind = np.arange(120) % 6
    X = rng.poisson(np.where(kind[:, None] == np.arange(60) // 10, 2.0, 0.1)).astype(float)
    options = {"x_loss": x_loss, "y_loss": y_loss, "label_strength": 10.0, "random_state": 0}
    model = SSNMF(8, **options).fit(X, (kind % 2).tolist())
    assert np.mean(model.predict(X) == kind % 2) > 0.9
    if y_loss == "i_divergence":
        assert len({int(row.argmax()) // 10 for row in model.components_}) == 6


def test_labels_are_predicted_by_name_and_without_words_all_are_equal():
    X, label = grouped()
    names = [[("ant", "bee", "cat")[j]] for j in label]
    model = SSNMF(6, random_state=0, label_strength=10.0).fit(X, names)
    assert set(model.predict(X)) == {"ant", "bee", "cat"}
    assert_allclose(model.predict_proba(np.zeros((1, X.shape[1]))), 1 / 3)


@pytest.mark.parametrize("kind", [list, np.array])
def test_integers_are_answered_with_integers(kind):
    X, label = grouped()
    model = SSNMF(6, random_state=0, label_strength=10.0).fit(X, kind(label.tolist()))
    assert np.issubdtype(model.predict(X).dtype, np.integer)
    assert (model.predict(X) == label).mean() > 0.9


def test_fewer_topics_than_labels_are_allowed():
    X, label = grouped()
    assert SSNMF(2, random_state=0).fit(X, label).label_topic_.shape == (3, 2)


def test_partly_labelled_documents_teach(X):
    """Zeros alone, where nothing is known of the rest, move the scores down."""
    n_docs = len(X)
    labels = [["alpha"] if i % 3 == 0 else [] for i in range(n_docs)]
    forbidden = [["alpha"] if i % 3 == 1 else [] for i in range(n_docs)]
    y = Supervision.of(labels, LABELS, forbidden=forbidden)
    model = SSNMF(8, label_strength=1e4, unnamed_labels="unknown", random_state=0, max_iter=500)
    scores = model.fit(X, y).doc_topic_ @ model.label_topic_.T
    assert scores[1::3, 0].mean() < 0.1 < 0.9 < scores[0::3, 0].mean()


@pytest.mark.parametrize("y_loss", LOSSES)
def test_real_valued_targets_are_regressed(y_loss):
    X, _ = grouped()
    W = NMF(6, random_state=0).fit_transform(X)
    truth = W @ np.random.default_rng(0).uniform(0, 1, (6, 2))
    told = truth.copy()
    told[::3] = np.nan
    told[1, 0] = np.nan
    y = Supervision.of([[]] * len(X), targets=told)
    model = SSNMF(6, y_loss=y_loss, label_strength=10.0, random_state=0, max_iter=400, tol=1e-6)
    predicted = model.fit(X, y).predict(X)
    assert model.classes_ is None
    for j in range(2):
        assert np.corrcoef(predicted[::3, j], truth[::3, j])[0, 1] > 0.95


def test_negative_targets_are_refused(X):
    y = Supervision.of([[]] * len(X), targets=-np.ones(len(X)))
    with pytest.raises(SupervisionError, match="at least 0"):
        SSNMF(3).fit(X, y)


@pytest.mark.parametrize("observed", [np.ones((2, 2)), np.full((60, 40), -1.0)])
def test_impossible_weights_are_refused(X, observed):
    with pytest.raises(ModelError, match="observed"):
        SSNMF(3).fit(X, observed=observed)


def test_the_preset_of_lee_et_al_knows_only_the_labelled(X, y):
    told, plain = y.labelled, Supervision.of(y.permitted)
    model = SSNMF.lee(N_TOPICS, label_strength=3.0, random_state=0).fit(X, plain)
    W, H, B = model.doc_topic_, model.components_, model.label_topic_
    Y = plain.indicator().toarray()
    loss = ((X - W @ H) ** 2).sum() + 3.0 * ((Y - W @ B.T)[told] ** 2).sum()
    assert_allclose(model.objective_, loss, rtol=1e-9)
    with pytest.raises(ModelError, match="fixes x_loss"):
        SSNMF.lee(x_loss="i_divergence")


@every_pair
def test_a_warm_start_goes_on_where_the_fit_stopped(x_loss, y_loss, X, y):
    model = SSNMF(N_TOPICS, x_loss=x_loss, y_loss=y_loss, random_state=0, max_iter=60).fit(X, y)
    reached = model.objective_
    start = (model.doc_topic_, model.components_, model.label_topic_)
    again = SSNMF(N_TOPICS, x_loss=x_loss, y_loss=y_loss, max_iter=3, tol=0.0)
    trace = again.fit(X, y, start=start).trace_.objective
    assert_allclose(trace[0], reached, rtol=1e-4)
    assert trace[-1] <= trace[0]


def test_a_start_of_other_shapes_is_refused(X, y):
    W, H, B = random_start(X, 3)
    with pytest.raises(ModelError, match="does not fit"):
        SSNMF(N_TOPICS).fit(X, y, start=(W[:, :2], H))
    with pytest.raises(ModelError, match="does not fit"):
        SSNMF(N_TOPICS).fit(X, y, start=(W, H, B[:2]))


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(20)), st.sampled_from(PAIRS), st.booleans())
def test_permuting_documents_permutes_rows(order, pair, hide):
    X, y = planted(20, 15), some_labels(planted(20, 15))
    start = random_start(X, 3)
    weights = np.where(X > 4, 0.0, 1.0) if hide else np.ones_like(X)
    model = SSNMF(N_TOPICS, x_loss=pair[0], y_loss=pair[1], max_iter=5, tol=0.0)
    W = model.fit(X, y, start=start, observed=weights).doc_topic_
    moved = Supervision.of(
        [np.array(LABELS)[row].tolist() for row in y.permitted.toarray()[order]],
        LABELS,
        forbidden=[np.array(LABELS)[row].tolist() for row in y.forbidden.toarray()[order]],
        confidence=y.confidence[order].tolist(),
    )
    model.fit(X[order], moved, start=(start[0][order], *start[1:]), observed=weights[order])
    assert_allclose(model.doc_topic_, W[order], rtol=1e-8, atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 19), st.sampled_from(PAIRS))
def test_a_document_twice_at_half_weight_counts_once(which, pair):
    X = planted(20, 15)
    W, H = random_start(X)
    model = SSNMF(N_TOPICS, x_loss=pair[0], y_loss=pair[1], max_iter=5, tol=0.0)
    once = model.fit(X, start=(W, H)).components_
    rows = np.r_[np.arange(20), which]
    weights = np.where(rows == which, 0.5, 1.0)[:, None] * np.ones_like(X[rows])
    twice = model.fit(X[rows], start=(W[rows], H), observed=weights).components_
    assert_allclose(twice, once, rtol=1e-6, atol=1e-7)
