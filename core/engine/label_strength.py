"""λ by maximum likelihood: every pair of losses is a maximum-likelihood estimator.

Haddock et al. (2020), §2.1. Squared error means Gaussian noise, I-divergence Poisson counts. The
noise of a cell is the sum of one draw for each of r topics, so its variance is r σ.
"""

from __future__ import annotations

from core.engine.losses import LossName
from core.errors import ModelError


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
