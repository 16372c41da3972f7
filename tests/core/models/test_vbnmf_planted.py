"""vbNMF and supervised vbNMF on data made from known topics: what they find again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.optimize import linear_sum_assignment

from core.models import VBNMF, SupervisedVBNMF

MODELS = (VBNMF, SupervisedVBNMF)


def planted_topics(n_labels=6, seed=0, mass=1.0):
    """Every label has a topic of its own, with ten words of its own, beside traces of others."""
    rng = np.random.default_rng(seed)
    H = np.kron(np.eye(n_labels), rng.gamma(2.0, 1.0, 10))
    label = rng.integers(n_labels, size=300)
    W = 0.3 * rng.gamma(0.3, 1.0, (300, n_labels)) + np.eye(n_labels)[label]
    labels = [[f"label {number}"] for number in label]
    return mass * rng.poisson(2 * W @ H).astype(float), H, labels


@pytest.mark.parametrize("mass", [0.1, 1.0])
@pytest.mark.parametrize("kind", MODELS)
def test_planted_topics_are_found(kind, mass):
    X, H, labels = planted_topics(mass=mass)
    model = kind(6, random_state=0).fit(X, labels[:100] + [[]] * 200)
    cosine = model.components_ @ (H / np.linalg.norm(H, axis=1, keepdims=True)).T
    assert cosine[linear_sum_assignment(-cosine)].min() > 0.97


def test_labels_keep_their_topics_and_learn_their_use():
    X, H, labels = planted_topics()
    model = SupervisedVBNMF(6, random_state=0).fit(X, labels)
    assert_array_equal((model.components_ @ H.T).argmax(axis=1), np.arange(6))
    own = np.eye(6, dtype=bool)
    assert model.label_topic_[own].min() > 2 * model.label_topic_[~own].max()


def test_surplus_topics_shrink():
    X, _, _ = planted_topics()
    use = VBNMF(12, random_state=0, max_iter=400, tol=1e-7).fit(X).doc_topic_.sum(axis=0)
    assert np.sort(use)[:3].sum() < 0.05 * use.sum()


def test_light_matrices_do_not_fall_into_equal_topics():
    """From a shape of 0.5 on, learning drives a_t to tens and every topic to the corpus mean."""
    X, _, _ = planted_topics(mass=0.1)
    model = VBNMF(20, init="acol", unit=1.0, random_state=0).fit(X)
    assert model.topic_shape_ < 1
    assert (model.components_ @ model.components_.T).min() < 0.5


def test_labels_differ_less_under_a_tighter_prior():
    X, _, labels = planted_topics()
    loose, tight = (
        SupervisedVBNMF(8, label_sparsity=a, random_state=0).fit(X, labels).label_topic_
        for a in (0.1, 1e5)
    )
    assert np.log(loose).std(axis=0).mean() > 10 * np.log(tight).std(axis=0).mean()
