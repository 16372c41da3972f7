"""Where fits begin."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core import Supervision
from core.starts import label_topics, start_topics, start_weights
from tests.core.models.cases import LABELS, N_TOPICS, planted, some_labels


@pytest.fixture
def X():
    return sp.csr_array(planted())


@pytest.mark.parametrize("init", ["labels", "acol", "nndsvd"])
def test_every_start_is_positive_where_permitted_and_zero_elsewhere(X, init):
    y = some_labels(X.toarray())
    mask = y.topic_mask(N_TOPICS)
    rng = np.random.default_rng(0)
    H = start_topics(X, y, N_TOPICS, init, rng)
    W = start_weights(X, H, mask, init, rng)
    assert (W[mask] > 0).all()
    assert not W[~mask].any()
    assert (H >= 0).all()
    assert (H.sum(axis=1) > 0).all()


def test_a_labelled_topic_starts_as_the_mean_of_its_documents(X):
    y = Supervision.of([["b"], ["a"], ["a"]] + [[]] * 57)
    H = label_topics(X, y, 3, np.random.default_rng(0))
    assert_allclose(H[0], X[[1, 2]].toarray().mean(axis=0))
    assert_allclose(H[1], X[[0]].toarray().ravel())


def test_more_topics_than_documents_still_start():
    X = sp.csr_array(np.eye(3, 4))
    H = label_topics(X, Supervision.none(3), 6, np.random.default_rng(0))
    assert (H.sum(axis=1) > 0).all()


def test_an_empty_corpus_of_known_labels_still_starts():
    X = sp.csr_array((5, 4))
    y = Supervision.of([["alpha"]] * 5, LABELS)
    assert np.isfinite(start_topics(X, y, 3, "labels", np.random.default_rng(0))).all()
