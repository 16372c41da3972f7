"""What scikit-learn's users expect of every model: labels, probabilities, names, clean fits."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from core import Supervision
from core.engine.estimator import TopicModel
from core.errors import ModelError
from core.models import MODELS
from tests.core.models.cases import LABELS, N_TOPICS, planted, some_labels

every_model = pytest.mark.parametrize("name", list(MODELS))
METHODS = (
    "fit", "fit_transform", "transform", "predict", "predict_proba", "score",
    "get_feature_names_out", "set_output", "get_params", "set_params",
)  # fmt: skip
ATTRIBUTES = (
    "components_", "doc_topic_", "objective_", "trace_", "n_iter_", "n_features_in_", "classes_",
    "class_count_", "label_names_", "multilabel_",
)  # fmt: skip


def make(name, **options):
    return MODELS[name](**{"n_topics": N_TOPICS, "max_iter": 20, "random_state": 0, **options})


def separable(n_docs=60, seed=0):
    """Documents of three kinds that share no words but a few; the kind of each."""
    rng = np.random.default_rng(seed)
    kind = np.arange(n_docs) % 3
    rate = np.full((n_docs, 30), 0.2)
    for document, k in enumerate(kind):
        rate[document, 10 * k : 10 * k + 10] = 4.0
    return rng.poisson(rate).astype(float), kind


class Convertible:
    """Labels of a library that nobody here knows: all they can do is become an array."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)


@pytest.fixture(scope="module")
def corpus():
    return separable()


@pytest.fixture(scope="module")
def fitted(corpus):
    """Every model, fitted to names, once."""
    X, kind = corpus
    y = [[LABELS[k]] if i < 30 else [] for i, k in enumerate(kind)]
    return {name: make(name).fit(X, y) for name in MODELS}


@every_model
def test_every_method_and_attribute_is_there(name, fitted):
    for method in METHODS:
        assert callable(getattr(fitted[name], method)), method
    for attribute in ATTRIBUTES:
        assert hasattr(fitted[name], attribute), attribute


@every_model
def test_fit_takes_what_every_fit_takes(name):
    parameters = list(inspect.signature(MODELS[name].fit).parameters)
    assert parameters[:6] == ["self", "X", "y", "observed", "start", "callback"]
    kinds = {each.kind for each in inspect.signature(MODELS[name].fit).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds


@every_model
def test_fit_sets_nothing_but_fitted_attributes(name, fitted):
    options = set(make(name).get_params())
    for attribute in vars(fitted[name]):
        assert attribute in options or attribute.endswith("_"), attribute


@every_model
def test_a_fitted_model_keeps_neither_documents_nor_labels(name, corpus):
    """Neither the matrix nor the labels, nor a copy of them, can be reached."""
    X, kind = corpus
    documents, carried = sp.csr_array(X), np.eye(3, dtype=bool)[kind]
    model = make(name).fit(documents, [[LABELS[k]] for k in kind])
    for found in reachable(model):
        assert not isinstance(found, Supervision)
        if sp.issparse(found):
            assert found.shape != documents.shape or found.nnz == 0
            assert found.shape != carried.shape
        if isinstance(found, np.ndarray):
            assert not np.shares_memory(found, documents.data)
            assert found.shape != documents.shape
            assert found.shape != documents.data.shape
            assert found.shape != carried.shape or not np.array_equal(found, carried)


def reachable(value, seen=None):
    """Every object that hangs from a value by attributes, items and slots."""
    seen = {} if seen is None else seen
    if id(value) in seen or isinstance(value, (str, bytes, int, float, type, np.dtype)):
        return seen.values()
    seen[id(value)] = value
    inside = list(getattr(value, "__dict__", {}).values())
    inside += [getattr(value, slot, None) for slot in getattr(type(value), "__slots__", ())]
    if isinstance(value, dict):
        inside += list(value.values())
    if isinstance(value, (list, tuple, set)):
        inside += list(value)
    for each in inside:
        reachable(each, seen)
    return seen.values()


@every_model
def test_names_are_answered_with_names(name, corpus, fitted):
    X, kind = corpus
    model = fitted[name]
    assert model.classes_.tolist() == list(LABELS)
    found = model.predict(X)
    assert found.shape == (len(X),)
    assert set(found) <= set(LABELS)
    assert (found == np.array(LABELS, dtype=object)[kind]).mean() > 0.8


@every_model
@pytest.mark.parametrize("form", [list, np.array, pd.Series, Convertible])
def test_whole_numbers_are_answered_with_whole_numbers(name, form, corpus):
    X, kind = corpus
    y = np.where(np.arange(len(X)) < 30, kind, -1)
    model = make(name).fit(X, form(y.tolist()))
    assert model.classes_.tolist() == [0, 1, 2]
    assert np.issubdtype(model.predict(X).dtype, np.integer)
    assert (model.predict(X) == kind).mean() > 0.8
    assert model.score(X, form(kind.tolist())) > 0.8


@every_model
@pytest.mark.parametrize("form", [list, np.array, pd.Series])
def test_numbers_need_not_count_from_zero(name, form, corpus):
    """As scikit-learn's classifiers: the numbers that occur are the classes, whatever they are."""
    X, kind = corpus
    truth = np.array([10, 20, 30])[kind]
    y = form(np.where(np.arange(len(X)) < 30, truth, -1).tolist())
    model = make(name).fit(X, y)
    assert model.classes_.tolist() == [10, 20, 30]
    assert model.class_count_.tolist() == [10, 10, 10]
    found = model.predict(X)
    assert set(found.tolist()) <= {10, 20, 30}
    assert (found == truth).mean() > 0.8
    assert model.score(X, form(truth.tolist())) == pytest.approx((found == truth).mean())
    assert model.score(X, y) == pytest.approx((found == truth)[:30].mean())
    assert model.score(X, [40] * len(X)) == 0


@every_model
def test_as_many_topics_as_labels_are_enough_for_large_numbers(name, corpus):
    X, kind = corpus
    model = make(name, n_topics=3).fit(X, kind * 1000 + 7)
    assert model.classes_.tolist() == [7, 1007, 2007]


@every_model
def test_labels_that_nobody_gave_are_never_predicted(name, corpus):
    if name == "tsnmf":  # where a label of its own topic may attract texts before its first example
        return
    X, kind = corpus
    y = Supervision.of([LABELS[k] for k in kind], ["spare", *LABELS])
    assert "spare" not in set(make(name).fit(X, y).predict(X))


@every_model
def test_several_labels_are_answered_with_an_indicator_matrix(name, corpus):
    X, kind = corpus
    X = X + X[::-1] * (np.arange(len(X)) % 4 == 0)[:, None]
    sets = np.eye(3, dtype=int)[kind]
    sets[::4] |= np.eye(3, dtype=int)[kind[::-1][::4]]
    for y in (sets, sp.csr_array(sets), [[LABELS[j] for j in np.flatnonzero(row)] for row in sets]):
        model = make(name).fit(X, y)
        found = model.predict(X)
        assert found.shape == (len(X), 3)
        assert set(np.unique(found)) <= {0, 1}
        assert (found == sets).mean() > 0.6
        assert 0 <= model.score(X, y) <= 1


@every_model
def test_an_indicator_frame_names_the_classes(name, corpus):
    X, kind = corpus
    frame = pd.DataFrame(np.eye(3, dtype=int)[kind], columns=["x", "y", "z"])
    model = make(name).fit(X, frame)
    assert model.classes_.tolist() == ["x", "y", "z"]
    assert model.predict(X).shape == (len(X), 3)


@every_model
def test_probabilities_sum_to_one_and_agree_with_predict(name, corpus, fitted):
    X, _ = corpus
    model = fitted[name]
    found = model.predict_proba(X)
    assert found.shape == (len(X), len(model.classes_))
    assert (found >= 0).all()
    assert_allclose(found.sum(axis=1), 1, rtol=1e-5)
    assert_array_equal(model.classes_[found.argmax(axis=1)], model.predict(X))
    empty = model.predict_proba(np.zeros((1, X.shape[1])))
    assert_allclose(empty.sum(axis=1), 1, rtol=1e-5)


@every_model
def test_score_is_the_accuracy_on_labelled_documents(name, corpus, fitted):
    X, kind = corpus
    model = fitted[name]
    right = model.predict(X) == np.array(LABELS, dtype=object)[kind]
    names = [LABELS[k] for k in kind]
    assert model.score(X, names) == pytest.approx(right.mean())
    assert model.score(X, [n if i < 10 else None for i, n in enumerate(names)]) == pytest.approx(
        right[:10].mean()
    )
    assert model.score(X, ["never seen"] * len(X)) == 0
    with pytest.raises(ModelError, match="nothing to score"):
        model.score(X, [[]] * len(X))


@every_model
@pytest.mark.parametrize("method", ["predict", "predict_proba", "score"])
def test_a_model_without_labels_cannot_predict(name, method, corpus):
    X, kind = corpus
    model = make(name, max_iter=2).fit(X)
    arguments = (X, kind) if method == "score" else (X,)
    with pytest.raises(ModelError, match="No document carried a label"):
        getattr(model, method)(*arguments)


@every_model
@pytest.mark.parametrize("method", ["transform", "predict", "predict_proba", "score"])
def test_nothing_is_answered_before_the_fit(name, method, corpus):
    X, kind = corpus
    arguments = (X, kind) if method == "score" else (X,)
    with pytest.raises(NotFittedError):
        getattr(make(name), method)(*arguments)


@every_model
def test_labels_do_not_move_the_topics_of_a_model_that_uses_none(name, corpus):
    if MODELS[name].uses_labels:
        return
    X, kind = corpus
    assert_array_equal(make(name).fit(X, kind).components_, make(name).fit(X).components_)
    real = np.linspace(0, 1, len(X))  # as a regression at the end of a pipeline has it
    assert_array_equal(make(name).fit(X, real).components_, make(name).fit(X).components_)


@every_model
def test_topics_have_names_and_transform_can_answer_with_a_frame(name, corpus, fitted):
    X, _ = corpus
    model = clone(fitted[name]).set_output(transform="pandas")
    weights = model.fit_transform(X, [[LABELS[0]]] * len(X))
    expected = [f"{type(model).__name__.lower()}{k}" for k in range(N_TOPICS)]
    assert model.get_feature_names_out().tolist() == expected
    frame = pd.DataFrame(X, index=[f"d{i}" for i in range(len(X))], columns=map(str, range(30)))
    for answer in (weights, model.transform(X)):
        assert isinstance(answer, pd.DataFrame)
        assert list(answer.columns) == expected
    assert len(model.predict(X)) == len(X)  # not disturbed by the frame
    again = clone(model).fit(frame, [[LABELS[0]]] * len(X))
    assert list(again.transform(frame).index) == list(frame.index)


@every_model
def test_a_fitted_model_can_be_pickled_and_copied(name, corpus, fitted):
    X, _ = corpus
    for twin in (pickle.loads(pickle.dumps(fitted[name])), copy.deepcopy(fitted[name])):
        assert_array_equal(twin.predict(X), fitted[name].predict(X))
        assert_array_equal(twin.transform(X), fitted[name].transform(X))


def test_models_share_one_fit_unless_they_take_more():
    own = {name for name, kind in MODELS.items() if "fit" in vars(kind)}
    assert own == {"tsnmf", "ssnmf"}  # limits, a guide, a cluster to solve the documents
    assert all(issubclass(kind, TopicModel) for kind in MODELS.values())


def test_supervision_of_the_case_is_multilabel():
    X = planted()
    assert make("tsnmf").fit(X, some_labels(X)).multilabel_
