"""Where fits begin."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core import Supervision
from core.engine.groups import Layout
from core.engine.starts.parts import start_parts
from core.engine.starts.topics import (
    label_topics,
    nndsvd_topics,
    spread_topics,
    start_topics,
    start_weights,
)
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


def test_nndsvd_starts_alike_every_time_where_singular_values_are_equal():
    """Rounding inside the decomposition differs from call to call; the start must not."""
    X = sp.csr_array(np.kron(np.eye(4), np.ones((6, 5))).astype(np.float32))
    starts = [nndsvd_topics(X, 3, np.random.default_rng(0)) for _ in range(20)]
    for start in starts[1:]:
        assert_allclose(start, starts[0], atol=1e-6)


def test_a_labelled_topic_starts_as_the_mean_of_its_documents(X):
    y = Supervision.of([["b"], ["a"], ["a"]] + [[]] * 57)
    H = label_topics(X, y, 3, np.random.default_rng(0))
    assert_allclose(H[0], X[[1, 2]].toarray().mean(axis=0))
    assert_allclose(H[1], X[[0]].toarray().ravel())


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 1)])
def test_other_topics_keep_clear_of_rows_that_are_given(sizes):
    """A topic that was adopted is not found a second time."""
    X = sp.csr_array(np.kron(np.eye(3), np.ones((20, 4))))
    row = np.repeat([0.5, 0.0, 0.0], 4)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        H = start_parts(X, Supervision.none(60), Layout(sizes), rng, given={0: row})
        assert_allclose(H[0], row)
        assert not (H[1:] @ row).any()


def test_one_candidate_less_rarely_moves_the_other_seeds():
    X = sp.csr_array(np.random.default_rng(0).random((200, 30)) ** 8)
    nothing, everyone = np.zeros((0, 30)), np.ones(200, bool)
    kept = 0
    for seed in range(10):
        fewer = everyone.copy()
        fewer[seed] = False
        one, other = (
            spread_topics(X, 4, np.random.default_rng(seed), nothing, candidates)
            for candidates in (everyone, fewer)
        )
        lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
        kept += int(((one * other).sum(axis=1) / lengths > 0.95).all())
    assert kept >= 8


def test_free_topics_start_apart_where_every_document_is_labelled():
    """Two labels of two kinds of documents each; the free topics are not all the same mean."""
    X = sp.csr_array(np.kron(np.eye(4), np.ones((15, 5))))
    y = Supervision.of(np.repeat(["a", "b"], 30).tolist())
    for seed in range(10):
        H = label_topics(X, y, 6, np.random.default_rng(seed))
        unit = H / np.linalg.norm(H, axis=1, keepdims=True)
        assert len({int(row.argmax()) // 5 for row in H[2:]}) == 4
        assert np.abs(unit[2:] @ unit[2:].T - np.eye(4)).max() < 0.9


def test_more_topics_than_documents_still_start():
    X = sp.csr_array(np.eye(3, 4))
    H = label_topics(X, Supervision.none(3), 6, np.random.default_rng(0))
    assert (H.sum(axis=1) > 0).all()


def test_an_empty_corpus_of_known_labels_still_starts():
    X = sp.csr_array((5, 4))
    y = Supervision.of([["alpha"]] * 5, LABELS)
    assert np.isfinite(start_topics(X, y, 3, "labels", np.random.default_rng(0))).all()
