"""λ from the noise: the maximum-likelihood table."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import norm, poisson

from core.engine.label_strength import suggested_label_strength
from core.errors import ModelError
from core.models.ssnmf import SSNMF

F, D = "frobenius", "i_divergence"


@pytest.mark.parametrize(
    ("x_loss", "y_loss", "expected"), [(F, F, 0.5), (F, D, 12.0), (D, F, 1 / 24), (D, D, 1.0)]
)
def test_the_table_of_the_paper(x_loss, y_loss, expected):
    got = suggested_label_strength(x_loss, y_loss, n_topics=3, x_variance=2.0, y_variance=4.0)
    assert_allclose(got, expected)


@pytest.mark.parametrize(("x_loss", "y_loss"), [(F, F), (F, D), (D, F), (D, D)])
def test_the_likelihood_and_the_objective_order_models_alike(x_loss, y_loss):
    """With λ of the table, the objective is a constant less a multiple of the log-likelihood."""
    rng = np.random.default_rng(0)
    r, sigma = 3, {"x": 0.7, "y": 1.9}
    x, y = rng.poisson(5.0, 50).astype(float), rng.poisson(4.0, 50).astype(float)
    lam = suggested_label_strength(
        x_loss, y_loss, n_topics=r, x_variance=sigma["x"], y_variance=sigma["y"]
    )

    def noise(loss, seen, mean, variance):
        if loss == F:
            return norm.logpdf(seen, mean, np.sqrt(r * variance)).sum()
        return poisson.logpmf(seen, mean).sum()

    def error(loss, seen, mean):
        if loss == F:
            return ((seen - mean) ** 2).sum()
        return (mean - seen * np.log(mean)).sum()

    def both(mean, rate):
        likelihood = noise(x_loss, x, mean, sigma["x"]) + noise(y_loss, y, rate, sigma["y"])
        return likelihood, error(x_loss, x, mean) + lam * error(y_loss, y, rate)

    likelihood, objective = np.subtract(both(4.0, 3.0), both(5.5, 4.4))
    scale = 2 * r * sigma["x"] if x_loss == F else 1
    assert_allclose(objective, -scale * likelihood)


def test_a_missing_variance_is_asked_for():
    with pytest.raises(ModelError, match="x_variance"):
        suggested_label_strength(F, D, n_topics=3)


def test_a_fit_suggests_from_what_it_left_over():
    rng = np.random.default_rng(0)
    W, H, B = rng.uniform(size=(300, 3)), rng.uniform(size=(3, 60)), rng.uniform(size=(2, 3))
    from core import Supervision

    X = np.maximum(5 * W @ H + rng.normal(0, 0.1, (300, 60)), 0)
    Y = np.maximum(5 * W @ B.T + rng.normal(0, 0.2, (300, 2)), 0)
    y = Supervision.of([[]] * 300, targets=Y)
    options = {"random_state": 0, "max_iter": 1000, "tol": 1e-7}
    model = SSNMF(3, **options).fit(X, y)
    assert 0.15 < model.suggest_label_strength() < 0.5  # the truth is 0.25
    found = SSNMF(3, label_strength="likelihood", **options).fit(X, y)
    assert found.label_strength_ == model.suggest_label_strength()
    assert_allclose(found.objective_, found.x_error_ + found.label_strength_ * found.y_error_)
    fixed = SSNMF(3, label_strength=found.label_strength_, **options).fit(X, y)
    assert found.objective_ == fixed.objective_


def test_validation_keeps_what_predicts_labels_held_back():
    rng = np.random.default_rng(1)
    X = np.hstack([np.repeat(np.eye(2), 60, axis=0) * 0.15, rng.uniform(size=(120, 8))])
    y = ["a"] * 60 + ["b"] * 60  # two columns of ten tell them: the rest is noise
    found = SSNMF(3, label_strength="validate", random_state=0).fit(X, y)
    assert found.label_strength_ >= 10
    few = SSNMF(3, label_strength="validate", random_state=0).fit(X[:5], ["a", "b", "a", "b", "a"])
    assert few.label_strength_ == 1


def test_where_nothing_is_left_over_or_known_the_strength_is_one():
    X = np.random.default_rng(2).uniform(size=(12, 5))
    found = SSNMF(2, label_strength="likelihood", random_state=0, max_iter=5).fit(X)
    assert found.label_strength_ == 1
    with pytest.raises(ModelError, match="label_strength"):
        SSNMF(2, label_strength="most").fit(X)
