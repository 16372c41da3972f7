"""Options chosen by labels held back."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core import Supervision
from core.engine.descent import Progress
from core.engine.validation import CancelOnce, choose_options, hold_back
from core.models import MODELS
from tests.core.models.test_nmf_alpha import separable


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_a_quarter_of_the_labels_is_held_back(rng):
    y = Supervision.of([0, 1] * 20 + [-1] * 10)
    kept, hidden = hold_back(y, 0.25, rng)
    assert hidden.size == 10
    assert not kept.permitted[hidden].toarray().any()
    assert kept.permitted.sum() + hidden.size == y.permitted.sum()
    assert y.permitted.sum() == 40  # the supervision given is left alone


def test_every_label_keeps_a_document(rng):
    y = Supervision.of([0] * 20 + [1])
    kept, hidden = hold_back(y, 0.9, rng)
    assert (kept.permitted.sum(axis=0) > 0).all()
    assert 20 not in hidden


def test_few_labels_are_not_held_back(rng):
    y = Supervision.of([0, 1, -1, 0])
    kept, hidden = hold_back(y, 0.25, rng)
    assert kept is y
    assert hidden.size == 0


def test_the_best_point_of_a_grid_is_chosen():
    X, _, y = separable(90, 3)
    model = MODELS["nmf_alpha"](max_iter=30, random_state=0)
    grid = {"n_topics": [1, 4], "cost": [1.0]}  # one topic cannot tell three labels apart
    assert choose_options(model, sp.csr_array(X), Supervision.of(y), grid)["n_topics"] == 4


def test_sets_of_labels_are_scored_too():
    X, truth, _ = separable(60, 3)
    sets = np.eye(3, dtype=int)[truth]
    sets[0] = 1
    model = MODELS["nmf_alpha"](max_iter=30, random_state=0)
    grid = {"n_topics": [1, 4]}
    assert choose_options(model, sp.csr_array(X), Supervision.of(sets), grid) == {"n_topics": 4}


def test_without_enough_labels_nothing_is_chosen():
    X, _, _ = separable(30, 3)
    model = MODELS["nmf_alpha"](3, random_state=0)
    grid = {"n_topics": [2, 3]}
    assert choose_options(model, sp.csr_array(X), Supervision.none(30), grid) == {}


def test_a_cancelled_validation_stays_cancelled():
    asked = []
    once = CancelOnce(lambda progress: asked.append(progress) or True)
    assert once(Progress(1, 2, 0.0))
    assert once(Progress(2, 2, 0.0))
    assert len(asked) == 1
