"""λ by maximum likelihood: every pair of losses is a maximum-likelihood estimator.

Haddock et al. (2020), §2.1. Squared error means Gaussian noise, I-divergence Poisson counts. The
noise of a cell is the sum of one draw for each of r topics, so its variance is r σ.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from sklearn.base import clone

from core.engine.checks import check_number
from core.engine.estimator import FitInputs
from core.engine.losses import LossName
from core.engine.validation import choose_options
from core.errors import ModelError

StrengthRule = Literal["likelihood", "validate"]
DEFAULT_STRENGTH = 1.0
VALIDATED_STRENGTHS = (1.0, 0.1, 10.0, 100.0, 1000.0)  # the first of equally good ones is taken


def check_label_strength(value: Any) -> None:
    if not (isinstance(value, str) and value in get_args(StrengthRule)):
        check_number("label_strength", value)


def label_strength_of(model: Any, inputs: FitInputs) -> float:
    """λ of a fit of SSNMF: the number that was given, or the one that its rule finds."""
    given = model.label_strength
    if not isinstance(given, str):
        return float(given)
    if given == "likelihood":
        first = clone(model).set_params(label_strength=DEFAULT_STRENGTH)
        supervision, observed = inputs.supervision, inputs.observed
        first.fit(inputs.X, supervision, observed=observed, callback=inputs.callback)
        noise_is_known = first.x_error_ > 0 and first.y_error_ > 0
        return likeliest_label_strength(first) if noise_is_known else DEFAULT_STRENGTH
    grid = {"label_strength": VALIDATED_STRENGTHS}
    best = choose_options(model, inputs.X, inputs.supervision, grid, callback=inputs.callback)
    return float(best.get("label_strength", DEFAULT_STRENGTH))


def likeliest_label_strength(fitted: Any) -> float:
    """λ by the noise that a fit has left over."""
    return suggested_label_strength(
        fitted.x_loss,
        fitted.y_loss,
        n_topics=fitted.n_topics,
        x_variance=fitted.x_error_ / (max(fitted.n_cells_, 1.0) * fitted.n_topics),
        y_variance=fitted.y_error_ / (max(fitted.n_label_cells_, 1.0) * fitted.n_topics),
    )


def suggested_label_strength(
    x_loss: LossName,
    y_loss: LossName,
    *,
    n_topics: int,
    x_variance: float | None = None,
    y_variance: float | None = None,
) -> float:
    """λ of the maximum-likelihood estimator.

    ============  ============  ==============
    noise on X    noise on Y    λ
    ============  ============  ==============
    Gaussian      Gaussian      σ₁ / σ₂
    Gaussian      Poisson       2 r σ₁
    Poisson       Gaussian      1 / (2 r σ₂)
    Poisson       Poisson       1
    ============  ============  ==============

    σ₁ (``x_variance``) and σ₂ (``y_variance``) are variances *per topic*: the variance of a cell
    divided by ``n_topics``. Only those of Gaussian terms are needed.
    """
    if x_loss == y_loss == "i_divergence":
        return 1.0
    if y_loss == "i_divergence":
        return 2 * n_topics * _variance("x_variance", x_variance)
    if x_loss == "i_divergence":
        return 1 / (2 * n_topics * _variance("y_variance", y_variance))
    return _variance("x_variance", x_variance) / _variance("y_variance", y_variance)


def _variance(name: str, value: float | None) -> float:
    if value is None or not value > 0:
        raise ModelError(f"Gaussian noise needs {name}, a positive number, not {value!r}.")
    return float(value)
