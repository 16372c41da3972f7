"""Coherence by hand, and against gensim where it is installed."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core.errors import ModelError
from core.evaluation.metrics import topic_coherence

X = np.array(  # documents × words
    [
        [2, 1, 0, 0],
        [1, 3, 0, 0],
        [1, 0, 1, 0],
        [0, 0, 2, 0],
    ]
)
ONE = np.array([[3.0, 2.0, 1.0, 0.0]])  # words 0, 1, 2; word 3 occurs nowhere


def test_npmi_by_hand():
    # p: ¾ ½ ½; pairs 01: ½, 02: ¼, 12: never
    pairs = [
        math.log(0.5 / (0.75 * 0.5)) / -math.log(0.5),
        math.log(0.25 / (0.75 * 0.5)) / -math.log(0.25),
        math.log(1e-12 / 0.25) / -math.log(1e-12),
    ]
    assert_allclose(topic_coherence(ONE, X), [np.mean(pairs)], rtol=1e-9)


def test_umass_by_hand():
    pairs = [math.log(2 / 3), math.log(1 / 3), math.log(4e-12 / 2)]
    assert_allclose(topic_coherence(ONE, X, measure="umass"), [np.mean(pairs)], rtol=1e-9)
    first_published = [math.log(3 / 3), math.log(2 / 3), math.log(1 / 2)]
    found = topic_coherence(ONE, sp.csr_array(X), measure="umass", pseudo_count=1)
    assert_allclose(found, [np.mean(first_published)])


def test_only_the_heaviest_words_count():
    assert_allclose(
        topic_coherence(ONE, X, n_words=2, measure="umass"), [math.log(2 / 3)], rtol=1e-9
    )


def test_words_the_corpus_lacks_say_nothing():
    with_absent = np.array([[3.0, 2.0, 1.0, 0.5]])
    assert_allclose(topic_coherence(with_absent, X), topic_coherence(ONE, X))
    assert np.isnan(topic_coherence(np.eye(1, 4), X)).all()


def test_words_of_every_document_say_nothing_about_one_another():
    found = topic_coherence(np.array([[2.0, 1.0]]), np.ones((5, 2)))
    assert_allclose(found, [0], atol=1e-9)


@pytest.mark.parametrize("measure", ["npmi", "umass"])
def test_words_that_never_meet_stay_finite_when_nothing_is_added(measure):
    found = topic_coherence(ONE, X, measure=measure, pseudo_count=0)
    assert np.isfinite(found).all()
    apart = topic_coherence(np.array([[0.0, 2.0, 1.0, 0.0]]), X, pseudo_count=0)
    assert_allclose(apart, [-1], atol=0.01)


def test_an_unknown_measure_is_refused():
    with pytest.raises(ModelError, match="npmi or umass"):
        topic_coherence(ONE, X, measure="c_v")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("measure", "theirs"), [("npmi", "c_npmi"), ("umass", "u_mass")])
def test_agrees_with_gensim(measure, theirs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        models = pytest.importorskip("gensim.models", reason="gensim is the oracle; not installed")
        from gensim.corpora import Dictionary
    rng = np.random.default_rng(0)
    counts = rng.poisson(0.4, size=(80, 12))
    counts[np.arange(80), rng.integers(12, size=80)] += 1  # gensim counts no empty document
    topics = rng.uniform(0.1, 1, size=(3, 12))
    terms = np.array([f"word{j}" for j in range(12)])
    texts = [list(np.repeat(terms, row)) for row in counts]
    words = [list(terms[np.argsort(-row)[:5]]) for row in topics]
    model = models.CoherenceModel(
        topics=words, texts=texts, dictionary=Dictionary(texts), coherence=theirs,
        window_size=None if measure == "umass" else 10_000, processes=1,
    )  # fmt: skip
    ours = topic_coherence(topics, sp.csr_array(counts), n_words=5, measure=measure)
    assert_allclose(ours, model.get_coherence_per_topic(), rtol=1e-8)
