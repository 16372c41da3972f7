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
    model = SSNMF(3, random_state=0, max_iter=1000, tol=1e-7).fit(X, y)
    assert 0.15 < model.suggest_label_strength() < 0.5  # the truth is 0.25
