"""How likely it is that no label covers a document."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from core import Supervision
from core.guide.novelty import novelty_of
from core.models import TSNMF


def uniform(n, seed=0):
    return np.random.default_rng(seed).uniform(0.2, 1, n)


@pytest.mark.parametrize("n_labelled", [50, 400, 1600])
def test_documents_like_the_labelled_ones_are_nothing_new(n_labelled):
    novelty = novelty_of(uniform(n_labelled), uniform(5000, seed=1))
    assert novelty.chances.max() < 0.1


def test_an_excess_of_unlikely_documents_is_new():
    strange = np.full(2000, 0.1)
    novelty = novelty_of(uniform(400), np.concatenate([uniform(3000, seed=1), strange]))
    assert novelty.of(np.array([0.1]))[0] > 0.75
    assert novelty.of(np.array([0.9]))[0] < 0.45


def test_few_labelled_documents_prove_nothing():
    novelty = novelty_of(uniform(19), np.full(1000, 0.01))
    assert_array_equal(novelty.of(np.array([0.0, 0.5, 1.0])), 0)


def test_labelling_the_hard_ones_first_is_no_reason_to_call_others_new():
    hard = uniform(300) * 0.3
    assert not novelty_of(hard, uniform(3000, seed=1)).of(np.linspace(0, 1, 9)).any()


def test_a_guide_that_cannot_tell_documents_apart_finds_nothing_new():
    flat = np.full(60, 0.3)
    assert not novelty_of(flat, np.float32(0.3) * np.ones(500)).chances.any()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 300), st.integers(0, 300))
def test_chances_fall_as_the_likeliest_label_gets_likelier(seed, n_labelled, n_others):
    rng = np.random.default_rng(seed)
    novelty = novelty_of(rng.beta(2, 1, n_labelled), rng.beta(1, 1, n_others))
    chances = novelty.of(np.linspace(0, 1, 30))
    assert ((chances >= 0) & (chances < 1)).all()
    assert (np.diff(chances) <= 0).all()


@pytest.mark.parametrize("parts", [1, {"wide": 3}])
def test_free_topics_get_the_documents_of_a_theme_nobody_named(parts):
    """Labelled kinds share words with the unnamed one; guided, it must keep its free topic."""
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1, 2], 120)
    X = rng.poisson(0.6, (360, 24)).astype(float)
    for k in range(3):
        X[kind == k, 8 * k : 8 * k + 8] += rng.poisson(2, (120, 8))
    labels = [[("wide", "narrow")[k]] if k < 2 and i % 2 else [] for i, k in enumerate(kind)]
    y = Supervision.of(labels, ["narrow", "wide"])
    model = TSNMF(3, guidance=2.0, parts=parts, random_state=0).fit(X, y)
    best = model.doc_topic_.argmax(axis=1)
    assert (best[kind == 2] == 2).mean() > 0.9
    assert (best[kind < 2] == 2).mean() < 0.1
