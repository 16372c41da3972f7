"""scikit-learn's latent Dirichlet allocation behind the contract."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import LatentDirichletAllocation

from core.errors import ModelError
from core.models.lda import LDA
from tests.core.models.cases import planted


def test_a_pass_is_scikit_learn_s_batch_step():
    X = planted()
    ours = LDA(4, max_iter=12, tol=0.0, random_state=3).fit(X)
    theirs = LatentDirichletAllocation(4, max_iter=12, random_state=3).fit(X)
    assert ours.objective_ == pytest.approx(theirs.score(X), rel=0.03)
    assert ours.allocation_.components_.sum() == pytest.approx(theirs.components_.sum(), rel=1e-6)


def test_the_objective_is_scikit_learn_s_bound():
    X = planted()
    model = LDA(4, max_iter=5, random_state=0).fit(X)
    assert model.objective_ == model.allocation_.score(X)
    assert model.trace_.objective[-1] > model.trace_.objective[0]


def test_factors_hold_the_expected_counts():
    X = planted()
    X[3] = 0
    model = LDA(4, max_iter=30, random_state=0).fit(X)
    expected = model.doc_topic_ @ model.components_
    assert_allclose(expected.sum(axis=1), X.sum(axis=1), rtol=1e-6)
    assert np.corrcoef(expected.ravel(), X.ravel())[0, 1] > 0.8
    assert_allclose(model.transform(X), model.doc_topic_)


def test_a_warm_start_continues():
    X = planted()
    cold = LDA(4, max_iter=40, random_state=0).fit(X)
    warm = LDA(4, max_iter=1, random_state=1)
    warm.fit(X, start=(cold.doc_topic_, cold.components_))
    assert warm.trace_.objective[0] == pytest.approx(cold.objective_, rel=0.02)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"doc_topic_prior": -1.0}, "doc_topic_prior"), ({"n_topics": 0}, "n_topics")],
)
def test_bad_options_are_refused(options, sentence):
    with pytest.raises(ModelError, match=sentence):
        LDA(**options).fit(planted())


def test_unobserved_cells_are_refused():
    with pytest.raises(ModelError, match="ssnmf can"):
        LDA(3).fit(planted(), observed=planted())
