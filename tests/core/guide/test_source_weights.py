"""How much each source of the guide's scores counts, against the posterior written out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import log_softmax

from core.guide.source_weights import (
    LARGEST_WEIGHTS,
    LEAST_WEIGHTS,
    USUAL,
    USUAL_WEIGHTS,
    WEIGHT_SPREADS,
    source_weights,
)

N_LABELS = 5
NOTHING = np.zeros((200, N_LABELS))


@pytest.fixture
def labels() -> np.ndarray:
    return np.eye(N_LABELS)[np.random.default_rng(0).integers(N_LABELS, size=200)]


def noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=NOTHING.shape) / 10


@pytest.mark.parametrize("n_labels", [1, 2])
def test_weights_are_the_likeliest_and_two_labels_of_a_document_count_half(labels, n_labels):
    labels = labels if n_labels == 1 else np.maximum(labels, np.roll(labels, 1, axis=1))
    sources = [noise(seed) + 0.1 * labels for seed in range(1, 5)]

    def minus_log_posterior(weights: np.ndarray) -> float:
        worth = sum(w * source for w, source in zip(weights, sources, strict=True))
        doubt = ((weights - USUAL_WEIGHTS) ** 2 / (2 * WEIGHT_SPREADS**2)).sum()
        return doubt - (labels / n_labels * log_softmax(worth, axis=1)).sum()

    bounds = list(zip(LEAST_WEIGHTS, LARGEST_WEIGHTS, strict=True))
    plain = minimize(minus_log_posterior, USUAL_WEIGHTS, bounds=bounds, tol=1e-10).x
    assert_allclose(source_weights(sources, labels), plain[1:] / plain[0], rtol=1e-3)


def test_a_source_that_tells_the_label_counts_more_and_one_that_misleads_less(labels):
    right, wrong = 0.1 * labels, 0.1 * np.roll(labels, 1, axis=1)
    by_name = source_weights([noise(1), NOTHING, right, NOTHING], labels)
    misled = source_weights([noise(1), NOTHING, wrong, NOTHING], labels)
    assert by_name.descriptions > USUAL.descriptions > misled.descriptions >= 0


def test_weights_are_the_usual_ones_where_no_document_carries_a_label(labels):
    sources = [noise(seed) for seed in range(4)]
    assert source_weights(sources, np.zeros_like(labels)) == USUAL
    assert source_weights([source[:0] for source in sources], labels[:0]) == USUAL
