"""Labels on an equal footing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import log_softmax

from core.guide.balance import (
    ASSUMED_SHIFT,
    ASSUMED_STRETCH,
    SHARPNESS,
    Footing,
    balance_of,
    choose_footing,
    log_likelihood,
)
from core.guide.linear import LinearScores

TAUGHT = np.array([True, True, False, True])


@pytest.fixture
def scores() -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.normal(size=(200, 4)) * [1, 0.5, 1, 2] + [0.0, 0.5, 3.0, -1.0]


def test_scores_get_the_same_mean_and_spread_and_labels_that_nothing_teaches_keep_theirs(scores):
    balance = balance_of(scores, TAUGHT, Footing(1, 1))
    after = scores * balance.scale + balance.shift
    assert_allclose(after[:, TAUGHT].mean(axis=0), after[:, 0].mean())
    assert_allclose(after[:, TAUGHT].std(axis=0), np.median(scores[:, TAUGHT].std(axis=0)))
    assert_allclose(after[:, 2], scores[:, 2])
    assert_allclose(balance_of(scores, TAUGHT, Footing(0, 0)).scale, 1)


def test_linear_scores_are_balanced_as_numbers_are(scores):
    rng = np.random.default_rng(1)
    linear = LinearScores(rng.random((5, 4)), rng.random((3, 4)), None, rng.random(4))
    balance = balance_of(scores, TAUGHT, Footing(0.5, 0.5))
    words, places = rng.random(5), rng.random(3)
    before = words @ linear.words + places @ linear.places + linear.constant
    found = balance.of(linear)
    after = words @ found.words + places @ found.places + found.constant
    assert_allclose(after, before * balance.scale + balance.shift)


def test_without_a_judged_document_the_footing_is_the_assumed_one(scores):
    nobody = np.empty((0, 3))
    assert choose_footing(scores[:, TAUGHT], nobody, nobody) == (ASSUMED_SHIFT, ASSUMED_STRETCH)


def test_labels_stay_unlike_where_labelled_documents_say_that_one_covers_most():
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(300, 3)) / 10 + [0.5, 0.0, 0.0]
    common = np.tile([1.0, 0.0, 0.0], (20, 1))
    assert choose_footing(scores, common, scores[:20]).shift == 0
    rare = np.tile([0.0, 1.0, 0.0], (20, 1))
    assert choose_footing(scores, rare, scores[:20]).shift == 1


def test_likelihood_is_that_of_a_softmax(scores):
    share = np.eye(4)[np.arange(200) % 4]
    share[0] = [0.5, 0.5, 0, 0]
    expected = (share * log_softmax(SHARPNESS * scores, axis=1)).sum()
    assert log_likelihood(scores, share) == pytest.approx(expected, rel=1e-12)
