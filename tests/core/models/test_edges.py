"""Odd matrices, odd labels and odd options: a right answer or one sentence, for every model."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core import Supervision
from core.errors import ModelError
from core.models import MODELS
from tests.core.models.cases import LABELS, planted, some_labels

every_model = pytest.mark.parametrize("name", list(MODELS))


def nothing(n_docs, **more):
    return Supervision.of([[]] * n_docs, LABELS[:2], **more)


EDGES = {
    "one document": (planted(1, 9), Supervision.of([["alpha"]]), 3),
    "one term": (planted(12, 1) + 1, Supervision.of([["alpha"]] * 5 + [[]] * 7), 3),
    "one cell": (np.array([[2.0]]), None, 1),
    "one topic": (planted(12, 9), Supervision.of([["alpha"]] * 5 + [[]] * 7), 1),
    "one label on all": (planted(12, 9), Supervision.of([["alpha"]] * 12), 3),
    "every label on all": (planted(12, 9), Supervision.of([LABELS] * 12), 4),
    "more topics than documents": (planted(4, 9), Supervision.of([["a"], [], [], ["b"]]), 9),
    "more topics than terms": (planted(12, 3), Supervision.of([["a"], ["b"]] + [[]] * 10), 9),
    "no words at all": (np.zeros((6, 5)), Supervision.of([["a"], ["b"]] + [[]] * 4), 3),
    "labelled documents without words": (
        planted(12, 9) * (np.arange(12) > 4)[:, None],
        Supervision.of([["a"]] * 3 + [["b"]] * 2 + [[]] * 7),
        3,
    ),
    "all documents alike": (planted(1, 9).repeat(12, axis=0), nothing(12), 3),
    "everything forbidden": (planted(12, 9), nothing(12, forbidden=[LABELS[:2]] * 12), 2),
    "nothing ever fits": (planted(12, 9), nothing(12, nothing_fits=[True] * 12), 2),
    "labels that nobody gave": (planted(12, 9), nothing(12), 3),
}


@every_model
@pytest.mark.parametrize("edge", list(EDGES))
def test_odd_corpora_are_fitted(name, edge):
    X, y, n_topics = EDGES[edge]
    model = MODELS[name](n_topics, max_iter=12, random_state=0).fit(X.astype(np.float32), y)
    assert model.doc_topic_.shape == (len(X), n_topics)
    assert model.doc_topic_.dtype == np.float32
    for values in (model.doc_topic_, model.components_, model.transform(X), model.objective_):
        assert np.isfinite(values).all()
        assert np.min(values) >= 0 or np.ndim(values) == 0


@pytest.mark.parametrize("guidance", [0.0, "auto"])
@pytest.mark.parametrize("edge", ["everything forbidden", "nothing ever fits"])
def test_what_may_use_nothing_uses_nothing(edge, guidance):
    X, y, n_topics = EDGES[edge]
    assert not MODELS["tsnmf"](n_topics, guidance=guidance).fit(X, y).doc_topic_.any()


@every_model
@pytest.mark.parametrize("scale", [1e-40, 1e30])
def test_cells_beyond_all_reckoning_are_refused(name, scale):
    X = planted().astype(np.float32) if scale > 1 else planted()
    with pytest.raises(ModelError, match="largest cell of the matrix is"):
        MODELS[name](3, max_iter=2).fit(X * X.dtype.type(scale), some_labels(planted()))


OPTIONS = [
    ("tsnmf", "guidance"), ("ssnmf", "label_strength"), ("nmf_alpha", "margin_strength"),
    ("nmf_alpha", "cost"), ("vbnmf", "weight_shape"), ("vbnmf", "unit"),
    ("supervised_vbnmf", "label_sparsity"), ("pfa", "word_prior"), ("pfa_ssi", "node_rate"),
    ("lda", "topic_word_prior"), ("nmf", "tol"), ("cnmf", "tol"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "option"), OPTIONS)
@pytest.mark.parametrize("value", [float("inf"), float("nan"), True])
def test_no_option_is_infinite(name, option, value):
    with pytest.raises(ModelError, match=option):
        MODELS[name](3, **{option: value}).fit(planted())


@pytest.mark.parametrize(
    ("name", "option"),
    [("nmf_alpha", "cost"), ("lda", "doc_topic_prior"), ("lda", "topic_word_prior")],
)
def test_what_must_be_above_zero(name, option):
    with pytest.raises(ModelError, match=f"{option} is a number above 0"):
        MODELS[name](3, **{option: 0.0}).fit(planted())


def test_numbers_of_numpy_are_numbers():
    X, y = planted(), some_labels(planted())
    first = MODELS["ssnmf"](4, label_strength=np.int64(2), random_state=0).fit(X, y)
    second = MODELS["ssnmf"](4, label_strength=2.0, random_state=0).fit(X, y)
    assert first.objective_ == second.objective_


@every_model
@pytest.mark.parametrize("value", [-1.0, float("nan")])
@pytest.mark.parametrize("factor", [0, 1])
def test_a_start_of_impossible_weights_is_refused(name, value, factor):
    X = planted(12, 9)
    start = [np.ones((12, 3)), np.ones((3, 9))]
    start[factor][2, 1] = value
    with pytest.raises(ModelError, match="finite weights of at least 0"):
        MODELS[name](3, max_iter=2).fit(X, start=tuple(start))


def test_impossible_label_weights_are_refused():
    X, y = planted(12, 9), Supervision.of([["alpha"]] * 12)
    start = (np.ones((12, 3)), np.ones((3, 9)), np.full((1, 3), -1.0))
    with pytest.raises(ModelError, match="finite weights of at least 0"):
        MODELS["ssnmf"](3).fit(X, y, start=start)


def test_unobserved_cells_need_no_dense_matrix():
    """The dense matrix would take 160 gigabytes."""
    n_docs, n_terms = 100_000, 200_000
    rng = np.random.default_rng(0)
    cells = rng.integers(n_docs, size=4000), rng.integers(n_terms, size=4000)
    X = sp.csr_array((np.ones(4000), cells), shape=(n_docs, n_terms))
    hidden = sp.coo_array((np.zeros(500), (cells[0][:500], cells[1][:500])), shape=X.shape)
    for x_loss in ("frobenius", "i_divergence"):
        model = MODELS["ssnmf"](2, x_loss=x_loss, max_iter=2, random_state=0, init="acol")
        model.fit(X, observed=hidden)
        assert np.isfinite(model.objective_)
        assert np.isfinite(model.transform(X[:50], hidden.tocsr()[:50])).all()


def test_a_weight_told_twice_is_added_up():
    X, y = planted(12, 9), some_labels(planted(12, 9))
    once = sp.csr_array(([0.6], ([0], [1])), shape=X.shape)
    twice = sp.csr_array(
        (np.array([0.3, 0.3]), np.array([1, 1]), np.array([0] + [2] * 12)), shape=X.shape
    )
    model = MODELS["ssnmf"](4, random_state=0)
    expected = model.fit(X, y, observed=once).objective_
    assert model.fit(X, y, observed=twice).objective_ == expected


def test_a_fit_that_saw_nothing_suggests_no_strength():
    X, y = planted(12, 9), some_labels(planted(12, 9))
    model = MODELS["ssnmf"](4).fit(X, y, observed=np.zeros_like(X))
    with pytest.raises(ModelError, match="x_variance"):
        model.suggest_label_strength()
