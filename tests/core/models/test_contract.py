"""What every model promises."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from core import ModelSpec, Supervision, Topics, fit
from core.errors import ModelError
from core.models import MODELS
from tests.core.models.cases import CASES, N_TOPICS, matrix_of, planted, some_labels

every_case = pytest.mark.parametrize("case", CASES, ids=str)


@pytest.fixture(scope="module")
def X():
    return planted()


@pytest.fixture(scope="module")
def y(X):
    return some_labels(X)


def test_every_model_is_under_contract():
    assert {case.model for case in CASES} == set(MODELS)


@every_case
def test_the_same_seed_gives_the_same_numbers(case, X, y):
    first, second = case.make().fit(X, y), case.make().fit(X, y)
    assert_array_equal(first.doc_topic_, second.doc_topic_)
    assert_array_equal(first.components_, second.components_)


@every_case
def test_a_second_fit_equals_the_first(case, X, y):
    model = case.make().fit(X, y)
    before = model.components_.copy()
    assert_array_equal(model.fit(X, y).components_, before)


@every_case
@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_matrix])
def test_sparse_equals_dense(case, X, y, form):
    dense, sparse = case.make().fit(X, y), case.make().fit(form(X), y)
    assert_array_equal(dense.doc_topic_, sparse.doc_topic_)


@every_case
def test_single_precision_agrees_with_double(case, X, y):
    double, single = case.make().fit(X, y), case.make().fit(X.astype(np.float32), y)
    assert single.doc_topic_.dtype == single.components_.dtype == np.float32
    assert_allclose(single.objective_, double.objective_, rtol=case.close)


@every_case
def test_factors_have_their_shapes_and_signs(case, X, y):
    model = case.make().fit(X, y)
    assert model.doc_topic_.shape == (len(X), N_TOPICS)
    assert model.components_.shape == (N_TOPICS, X.shape[1])
    assert model.doc_topic_.min() >= 0
    assert model.components_.min() >= 0


@every_case
def test_topics_have_unit_length(case, X, y):
    length = np.linalg.norm(case.make().fit(X, y).components_, axis=1)
    assert_allclose(length[length > 0], 1, rtol=1e-6)


@every_case
def test_empty_documents_and_unused_terms_stay_finite(case, X, y):
    X = X.copy()
    X[[0, 7]] = 0
    X[:, [3, 9]] = 0
    model = case.make().fit(X, y)
    for values in (model.doc_topic_, model.components_, model.transform(X)):
        assert np.isfinite(values).all()
    assert np.isfinite(model.objective_)


@every_case
def test_the_objective_goes_one_way(case, X, y):
    if not case.monotone:
        pytest.skip("makes no such promise")
    trace = np.array(case.make(tol=0.0).fit(X, y).trace_.objective)
    change = np.diff(trace) if case.rising else -np.diff(trace)
    assert (change >= -1e-9 * np.abs(trace[:-1])).all()


@every_case
def test_the_objective_reported_is_the_one_optimised(case, X, y):
    if case.objective is None:
        pytest.skip("has its own test")
    model = case.make().fit(X, y)
    assert_allclose(model.objective_, case.objective(X, y, model), rtol=1e-6)
    assert model.objective_ == model.trace_.objective[-1]


@every_case
def test_what_is_not_permitted_is_exactly_zero(case, X, y):
    if not case.binds:
        pytest.skip("labels are not guarantees here")
    W = case.make().fit(X, y).doc_topic_
    assert not W[~y.topic_mask(N_TOPICS)].any()


@every_case
def test_no_labelled_document_ends_without_weight(case, X, y):
    W = case.make(max_iter=100).fit(X, y).doc_topic_
    told = y.labelled & (X.sum(axis=1) > 0)
    assert (W[told].sum(axis=1) > 0).all()


@every_case
def test_new_documents_need_no_labels(case, X, y):
    model = case.make().fit(X, y)
    W = model.transform(X[:5])
    assert W.shape == (5, N_TOPICS)
    assert W.min() >= 0
    assert np.isfinite(W).all()


PROJECTING = ("nmf", "tsnmf", "ssnmf", "nmf_alpha", "cnmf")  # the others have priors, or counts


@pytest.mark.parametrize("case", [c for c in CASES if c.model in PROJECTING], ids=str)
def test_new_documents_of_another_scale_have_weights_of_that_scale(case, X, y):
    model = case.make().fit(X, y)
    W = model.transform(X)
    each = 10 ** np.random.default_rng(0).uniform(-3, 3, (len(X), 1))
    for scale in (1e-3, 1e3, each):
        assert_allclose(model.transform(X * scale) / scale, W, atol=2e-5 * W.max())


@every_case
def test_a_clone_fits_the_same(case, X, y):
    model = case.make()
    assert clone(model).get_params() == model.get_params()
    assert_array_equal(clone(model).fit(X, y).doc_topic_, model.fit(X, y).doc_topic_)


@every_case
def test_a_callback_can_cancel(case, X, y):
    seen = []
    model = case.make(tol=0.0).fit(X, y, callback=lambda p: seen.append(p) or len(seen) == 2)
    assert model.trace_.stopped == "cancelled"
    assert [progress.iteration for progress in seen] == [1, 2]


@every_case
def test_no_labels_at_all_is_fine(case, X):
    assert np.isfinite(case.make().fit(X).objective_)


@pytest.mark.parametrize("model", list(MODELS))
def test_a_misspelt_option_is_refused(model):
    with pytest.raises(ModelError, match="no option “n_tpoics”"):
        ModelSpec(model, options={"n_tpoics": 3}).estimator()


def test_an_unknown_model_is_refused():
    with pytest.raises(ModelError, match="no model “lsa”"):
        ModelSpec("lsa").estimator()


def test_too_few_topics_for_the_labels_are_refused(X):
    y = Supervision.of([["a"], ["b"]] + [[]] * (len(X) - 2))
    with pytest.raises(Exception, match="2 labels need at least as many topics"):
        MODELS["tsnmf"](n_topics=1).fit(X, y)


@pytest.mark.parametrize("model", list(MODELS))
def test_topics_of_every_model_are_saved_and_loaded(model, X, y, tmp_path):
    options = {"max_iter": 8}
    spec = ModelSpec(model, n_topics=N_TOPICS, options=options)
    topics = fit(matrix_of(X), y, spec)
    topics.save(tmp_path / "topics.npz")
    back = Topics.load(tmp_path / "topics.npz")
    assert_array_equal(back.doc_topic, topics.doc_topic)
    assert_array_equal(back.topic_term, topics.topic_term)
    assert (back.names, back.spec, back.trace) == (topics.names, topics.spec, topics.trace)
