"""What the guide learns from unlabelled documents, against the same written out densely."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core import Supervision
from core.guide.classifier import Guide, fit_guide
from core.guide.linear import LinearScores
from core.guide.self_training import N_FOLDS, _folds, learn_from_unlabelled
from core.guide.source_weights import USUAL
from core.guide.views import Features, Sample, Views

N_DOCS, N_TERMS, N_LABELS = 25, 8, 4


@pytest.fixture
def sample() -> Features:
    rng = np.random.default_rng(0)
    words = sp.csr_array(rng.poisson(0.7, (N_DOCS, N_TERMS)).astype(float))
    return Features(words, rng.normal(size=(N_DOCS, 3)), rng.normal(size=(N_DOCS, 5)))


@pytest.fixture
def linear() -> LinearScores:
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=(n, N_LABELS)) / 10 for n in (N_TERMS, 3, 5)]
    return LinearScores(*parts, rng.normal(size=N_LABELS) / 10)


def unit(row: np.ndarray) -> np.ndarray:
    return row / np.linalg.norm(row)


def test_a_label_scores_by_the_mean_of_its_likeliest_documents_in_every_view(sample, linear):
    taught = np.array([True, True, False, True])
    found, size = learn_from_unlabelled(linear, sample, taught)
    scores = linear.of(sample)[:, taught]
    odds = np.exp(20 * scores)
    shares = odds / odds.sum(axis=1, keepdims=True)
    weight = shares / (1 + np.exp(4 - 10 * scores))
    for place, label in enumerate(np.flatnonzero(taught)):
        mine = weight.argmax(axis=1) == place
        expected = 0.0
        for view in (sample.words.toarray(), sample.places, sample.meaning):
            expected = expected + view @ unit(weight[mine, place] @ view[mine])
        evidence = weight[mine, place].sum()
        alpha = evidence / (evidence + 1)
        assert_allclose(found.of(sample)[:, label], alpha * (expected - expected.mean()), rtol=1e-6)
    counts = shares.sum(axis=0) + 0.01 * N_DOCS / 3
    assert_allclose(size[taught], np.log(counts / counts.mean()))
    assert not found.of(sample)[:, 2].any()
    assert size[2] == 0


def corpus() -> tuple[sp.csr_array, list[str]]:
    """Two subjects of forty texts; a text has two of its subject's ten words, and one other."""
    rng = np.random.default_rng(2)
    rows = np.zeros((80, 30))
    for i in range(80):
        rows[i, 10 * (i % 2) + rng.choice(10, 2, replace=False)] = 1
        rows[i, 20 + rng.integers(10)] = 0.7
    return sp.csr_array(rows), ["a", "b"]


def right(X: sp.csr_array, names: list[str], n_labelled: int) -> float:
    labels = [[names[i % 2]] if i < n_labelled else [] for i in range(80)]
    guide = fit_guide(X, Supervision.of(labels, names))
    assert guide is not None
    return float((guide.probabilities(X).argmax(axis=1) == np.arange(80) % 2)[n_labelled:].mean())


def test_one_label_each_reaches_texts_that_share_no_word_with_it(monkeypatch):
    X, names = corpus()
    with_unlabelled = right(X, names, 2)
    monkeypatch.setattr("core.guide.views.MAX_SAMPLE_DOCUMENTS", 0)
    assert with_unlabelled > right(X, names, 2)


def test_nothing_is_added_when_every_document_is_labelled(monkeypatch):
    X, names = corpus()
    labels = [[names[i % 2]] for i in range(80)]
    whole = fit_guide(X, Supervision.of(labels, names))
    monkeypatch.setattr("core.guide.views.MAX_SAMPLE_DOCUMENTS", 0)
    alone = fit_guide(X, Supervision.of(labels, names))
    assert_allclose(whole.probabilities(X), alone.probabilities(X))


def last_of(X: sp.csr_array, vectors: None, views: Views) -> Sample:
    """The documents that stay unlabelled."""
    return Sample(np.arange(6, 80), views.features(X[6:], vectors))


def scores_of(probabilities: np.ndarray, guide: Guide) -> np.ndarray:
    return (np.log(probabilities / (1 - probabilities)) - guide.offset) / guide.slope


def test_left_out_scores_are_those_of_a_guide_to_which_the_document_was_never_labelled(monkeypatch):
    """Folds of one document each; targets and weights do not depend on the others."""
    monkeypatch.setattr("core.guide.classifier.sample_of", last_of)
    monkeypatch.setattr(
        "core.guide.self_training._folds", lambda at: np.arange(at.shape[0])[:, None]
    )
    monkeypatch.setattr("core.guide.self_training.source_weights", lambda *given: USUAL)
    monkeypatch.setattr("core.guide.classifier._target_scale", np.ones_like)
    X, names = corpus()
    labels = [[names[i % 2]] if i < 6 else [] for i in range(80)]
    guide = fit_guide(X, Supervision.of(labels, names))
    for i in range(6):
        others = [[] if j == i else row for j, row in enumerate(labels)]
        without = fit_guide(X, Supervision.of(others, names))
        expected = scores_of(without.probabilities(X[[i]])[0], without)
        assert_allclose(scores_of(guide.left_out[i], guide), expected, atol=1e-5)


def test_copies_are_left_out_together_wherever_they_stand():
    words = sp.csr_array(np.random.default_rng(0).random((40, 12)).round(2))
    folds = _folds(sp.csr_array(sp.vstack([words, words[::-1]])))
    assert len(folds) == N_FOLDS
    for rows in folds:
        assert set(rows) == {79 - row for row in rows}
