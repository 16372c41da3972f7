"""What topics cost a document, from how likely each of them is."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose

from core import Supervision
from core.engine.kernels import threads
from core.guide.calibration import MIN_PROBABILITY
from core.guide.classifier import Guide, fit_guide
from core.guide.novelty import Novelty
from core.guide.pricing import PRICE_PER_DOUBT, TopicChances
from core.guide.uncovered import UncoveredChance

N_DOCS, N_LABELS, N_TOPICS = 40, 3, 5
UNCOVERED = UncoveredChance(-1.0, Novelty(np.array([0.3]), np.array([0.6, 0.1])))


@pytest.fixture
def X() -> sp.csr_array:
    return sp.csr_array(sp.random_array((N_DOCS, 20), density=0.5, rng=0))


@pytest.fixture
def guide(X) -> Guide:
    """The third label is one that nothing tells of."""
    labels: list[list[str]] = [[] for _ in range(N_DOCS)]
    labels[:4] = [["a"], ["b"], ["a"], ["b"]]
    found = fit_guide(X, Supervision.of(labels, ["a", "b", "c"]))
    assert found is not None
    assert found.taught.tolist() == [True, True, False]
    return found


def test_no_label_is_likelier_than_that_any_covers_the_document(guide):
    by_label = np.random.default_rng(0).uniform(0.1, 0.9, (N_DOCS, N_LABELS))
    likely = TopicChances.of(guide, UNCOVERED, by_label, N_TOPICS).whole()
    p = by_label[:, :2]
    odds_of_none = (1 - p).prod(axis=1) / (1 - (1 - p).prod(axis=1))
    uncovered = 1 / (1 + np.exp(1.0) / odds_of_none)
    assert_allclose(
        likely[:, :2], p * np.minimum((1 - uncovered) / p.max(axis=1), 1)[:, None], rtol=1e-6
    )
    assert_allclose(likely[:, 2], MIN_PROBABILITY)
    told = np.where(p.max(axis=1) < 0.3, 0.6, 0.1)
    assert_allclose(likely[:, 3:], np.tile(np.maximum(uncovered, told)[:, None], 2), rtol=1e-6)


def test_a_price_is_the_doubt_times_the_length_of_the_document(guide, X, monkeypatch):
    by_label = np.random.default_rng(0).uniform(0.1, 0.9, (N_DOCS, N_LABELS))
    chances = TopicChances.of(guide, UNCOVERED, by_label, N_TOPICS)
    likely, length = chances.whole(), np.sqrt(X.multiply(X).sum(axis=1))
    shortness = (10 / np.diff(X.indptr)) ** 0.25
    doubt = np.log(likely.max(axis=1, keepdims=True) / likely)
    expected = 0.5 * PRICE_PER_DOUBT * (length * shortness)[:, None] * doubt
    monkeypatch.setattr(threads, "ROWS_PER_BLOCK", 7)
    assert_allclose(chances.prices(X, guide, 0.5), expected, rtol=1e-6, atol=1e-12)
