"""How much no label covers: by what was met once, and calibrated over the documents."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core import ModelSpec, Supervision, TextSettings, build_matrix, fit
from core.corpus import Corpus
from core.guide.novelty import Novelty
from core.guide.uncovered import UncoveredChance, cover_evidence, uncovered_chance, uncovered_share

NO_NOVELTY = Novelty(np.zeros(0), np.zeros(1))


def labels(*rows: str) -> np.ndarray:
    """A row of ones for each letter that a document carries."""
    return np.array([[float(letter in row) for letter in "abcdefgh"] for row in rows])


def test_before_any_label_a_quarter_is_assumed():
    assert uncovered_share(np.zeros((0, 8)), n_waiting=3) == 0.25


def test_labels_met_once_stand_for_those_not_met_at_all():
    assert uncovered_share(labels("a"), 0) == pytest.approx(1.125 / 1.5)
    assert uncovered_share(labels("a", "b", "c"), 0) == pytest.approx(3.125 / 3.5)
    assert uncovered_share(labels("a", "a", "b"), 0) == pytest.approx(1.125 / 3.5)
    assert uncovered_share(labels(*"aabbccdd"), 0) == pytest.approx(0.125 / 8.5)


def test_a_document_is_covered_if_one_of_its_labels_was_met_elsewhere():
    assert uncovered_share(labels("ab", "a", "a"), 0) == pytest.approx(0.125 / 3.5)


def test_documents_to_which_nothing_fits_are_uncovered():
    assert uncovered_share(labels("a", "a", ""), 0) == pytest.approx(1.125 / 3.5)


def test_names_that_wait_for_their_first_document_cover_the_unseen():
    assert uncovered_share(labels("a", "b", "c"), 20) == pytest.approx(0.125 / 3.5)
    some = uncovered_share(labels("a", "b", "c"), 1)
    assert 0.125 / 3.5 < some < 3.125 / 3.5


@pytest.mark.parametrize("share", [0.05, 0.4, 0.9])
def test_the_mean_chance_is_the_share(share):
    chances = np.random.default_rng(0).uniform(0.01, 0.9, (200, 3))
    evidence = cover_evidence(chances)
    expected, _ = uncovered_chance(share, evidence.at(slice(0)), evidence).of(evidence)
    assert_allclose(expected.mean(), share, atol=1e-6)
    none = np.prod(1 - chances, axis=1)
    assert (np.diff(expected[np.argsort(none)]) >= 0).all()  # the order stays


def test_no_more_is_uncovered_than_the_guide_doubts_and_more_at_first():
    chances = np.random.default_rng(0).uniform(0.01, 0.9, (200, 3))
    evidence, doubted = cover_evidence(chances), np.prod(1 - chances, axis=1).mean()
    for n, factor in ((1, 4.5), (8, 1.0), (100, 0.54)):
        expected, _ = uncovered_chance(1.0, evidence.at(slice(n)), evidence).of(evidence)
        assert_allclose(expected.mean(), min(factor * doubted, 1), atol=1e-6)


def test_nothing_and_everything_uncovered():
    all_of_them = cover_evidence(np.random.default_rng(0).uniform(0.01, 0.99, (50, 2)))
    nobody = all_of_them.at(slice(0))
    assert uncovered_chance(0.0, all_of_them, all_of_them).of(all_of_them)[0].max() < 1e-6
    assert uncovered_chance(1.0, nobody, all_of_them).of(all_of_them)[0].min() > 1 - 1e-6
    assert uncovered_chance(0.5, all_of_them, nobody).of(all_of_them)[0].shape == (50,)


def test_what_the_documents_tell_counts_where_it_says_more():
    told = UncoveredChance(-30.0, Novelty(np.array([0.5]), np.array([0.7, 0.0])))
    expected, chance = told.of(cover_evidence(np.array([[0.2], [0.9]])))
    assert_allclose(expected, 0, atol=1e-9)
    assert_allclose(chance, [0.7, 0], atol=1e-9)


def test_a_label_for_each_of_most_topics_leaves_their_texts_to_them():
    """One text each for seven of eight topics: a free topic took four fifths of all texts."""
    n, drawn = 400, random.Random(0)
    own = [[f"own{topic}{letter}" for letter in "abcdefghij"] for topic in range(8)]
    shared = [f"shared{letter}" for letter in "abcdefghijkl"]
    texts = [
        " ".join(drawn.choices(own[i % 8], k=4) + drawn.choices(shared, k=4)) for i in range(n)
    ]
    corpus = Corpus(ids=tuple(map(str, range(n))), texts=tuple(texts))
    matrix = build_matrix(corpus, TextSettings(stop_words=False, lemmas=False, numbers=True))
    given = Supervision.of([[f"topic {i}"] if i < 7 else [] for i in range(n)])
    topics = fit(matrix, given, ModelSpec("tsnmf", n_topics=10))
    main = topics.doc_topic.argmax(axis=1)
    right = [topics.names[main[i]] == f"topic {i % 8}" for i in range(n) if i % 8 < 7]
    assert np.mean(right) > 0.9
