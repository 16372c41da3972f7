"""Weighted Jaccard and the matching, by hand and by property."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from core.errors import ModelError
from core.evaluation.metrics.matching import match_topics, weighted_jaccard

NAMES = ["a", "b"]


def slow_jaccard(doc_topic, indicator):
    """The definition, written out: every pair of columns, dense."""
    W = doc_topic / np.where(doc_topic.sum(1) > 0, doc_topic.sum(1), 1)[:, None]
    Y = indicator / np.where(indicator.sum(1) > 0, indicator.sum(1), 1)[:, None]
    out = np.zeros((Y.shape[1], W.shape[1]))
    for i, j in np.ndindex(*out.shape):
        most = np.maximum(Y[:, i], W[:, j]).sum()
        out[i, j] = np.minimum(Y[:, i], W[:, j]).sum() / most if most else 0
    return out


def weights(n_docs, n_topics):
    sizes = st.integers(0, 4).map(float)
    return arrays(np.float64, (n_docs, n_topics), elements=sizes)


def test_by_hand():
    W = np.array([[3.0, 1.0], [0.0, 2.0], [1.0, 1.0]])  # shares .75 .25 | 0 1 | .5 .5
    Y = np.array([[1, 0], [0, 1], [1, 1]])  # rows 1 0 | 0 1 | .5 .5
    found = weighted_jaccard(W, Y)
    assert_allclose(found, [[1.25 / 1.5, 0.75 / 2.5], [0.5 / 2.25, 1.5 / 1.75]])


def test_numbers_can_be_compared_as_they_are():
    W = np.array([[3.0, 1.0], [0.0, 2.0]])
    found = weighted_jaccard(W, np.array([[1, 0], [1, 1]]), as_given=True)
    assert_allclose(found, [[1 / 4, 2 / 3], [0, 1 / 3]])
    assert match_topics(W, np.eye(2), label_names=NAMES, as_given=True).n_resolved == 2


def test_matching_takes_the_best_sum_not_the_best_first_pick():
    W = np.array([[5.0, 3.0], [5.0, 3.0], [1.0, 0.0]])
    Y = np.array([[1, 0], [1, 0], [0, 1]])  # both labels like topic 0 best
    found = match_topics(W, Y, label_names=NAMES)
    assert found.similarity.argmax(axis=1).tolist() == [0, 0]
    both = [sum(found.similarity[i, j] for i, j in enumerate(p)) for p in permutations(range(2))]
    assert_allclose(found.table["jaccard"].sum(), max(both))
    assert found.table["topic"].tolist() == [1, 0]


def test_table_names_topics_and_counts_documents():
    found = match_topics(
        np.eye(3), np.eye(3)[:, [2, 0]], label_names=NAMES, topic_names=["x", "y", "z"]
    )
    assert found.table["topic_name"].tolist() == ["z", "x"]
    assert found.table["documents"].tolist() == [1, 1]
    assert (found.mean_jaccard, found.n_resolved, found.n_labels) == (1.0, 2, 2)


def test_resolved_means_above_a_tenth():
    W = np.zeros((20, 2))
    W[:, 0] = 1
    Y = np.zeros((20, 2))
    Y[:2, 0] = 1  # 2 of 20 documents: exactly 0.1, not above it
    Y[2:, 1] = 1
    found = match_topics(W[:, :1], Y, label_names=NAMES)
    assert_allclose(found.similarity[0, 0], 0.1)
    assert found.table["resolved"].tolist() == [False, True]


def test_more_labels_than_topics_leaves_a_label_without_topic():
    found = match_topics(np.ones((2, 1)), np.eye(2), label_names=NAMES)
    assert sorted(found.table["topic"]) == [-1, 0]
    assert found.mean_jaccard == pytest.approx(0.25)  # (1/2 + 0) / 2


def test_rows_restrict_what_counts():
    W = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    Y = np.array([[1, 0], [1, 0], [0, 1]])
    assert match_topics(W, Y, label_names=NAMES, rows=[0]).mean_jaccard == 1.0
    assert match_topics(W, Y, label_names=NAMES, rows=np.array([True, False, False])).n_labels == 1


def test_a_label_nobody_carries_is_not_judged():
    Y = np.array([[1, 0], [1, 0]])
    found = match_topics(np.ones((2, 1)), Y, label_names=NAMES)
    assert (found.n_labels, found.mean_jaccard) == (1, 1.0)
    assert found.table["topic"].tolist() == [0, -1]


def test_no_labels_and_empty_rows_stay_finite():
    nothing = match_topics(np.zeros((3, 2)), np.zeros((3, 0)), label_names=[])
    assert (nothing.mean_jaccard, nothing.n_labels) == (0.0, 0)
    empty = match_topics(np.zeros((3, 2)), np.zeros((3, 2)), label_names=NAMES)
    assert np.isfinite(empty.similarity).all()
    assert empty.n_labels == 0


def test_shapes_that_disagree_are_refused():
    with pytest.raises(ModelError, match="2 documents, the labels 3"):
        match_topics(np.ones((2, 2)), np.ones((3, 2)), label_names=NAMES)
    with pytest.raises(ModelError, match="2 labels came with 1 names"):
        match_topics(np.ones((2, 2)), np.ones((2, 2)), label_names=["a"])


@settings(max_examples=60, deadline=None)
@given(W=weights(7, 4), Y=weights(7, 3))
def test_fast_equals_definition(W, Y):
    found = weighted_jaccard(W, sp.csr_array(Y))
    assert_allclose(found, slow_jaccard(W, Y), atol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()


@settings(max_examples=40, deadline=None)
@given(W=weights(8, 3), Y=weights(8, 3), order=st.permutations(range(8)))
def test_order_of_documents_and_topics_does_not_matter(W, Y, order):
    whole = match_topics(W, Y, label_names="abc")
    mixed = match_topics(W[order][:, [2, 0, 1]], Y[order], label_names="abc")
    assert_allclose(mixed.mean_jaccard, whole.mean_jaccard, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(W=weights(8, 3))
def test_labels_equal_to_topics_score_one(W):
    found = match_topics(W * 2.5, W, label_names="abc")
    assert_allclose(found.mean_jaccard, 1.0 if found.n_labels else 0.0)


def test_two_hundred_thousand_documents_find_their_own_topics():
    rng = np.random.default_rng(0)
    n, k = 200_000, 50
    W = rng.random((n, k), dtype=np.float32)
    Y = sp.csr_array((np.ones(n), (np.arange(n), rng.integers(0, k, n))), shape=(n, k))
    W += 5 * Y.toarray()
    found = match_topics(W, Y, label_names=[str(i) for i in range(k)])
    assert found.table["topic"].tolist() == list(range(k))
