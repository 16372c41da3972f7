"""A fitted vbNMF in the letters of its paper: the state its oracle speaks of."""

from __future__ import annotations

from typing import Any

import numpy as np

from core import Supervision
from tests.oracles import vbnmf as oracle


def present_groups(y: Supervision) -> np.ndarray:
    """Δ without the groups that have no documents: their q is their prior and adds nothing."""
    groups = y.groups().toarray()
    return groups[:, groups.sum(axis=0) > 0]


def gammas(mean: np.ndarray, spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shape and scale of gammas with these means and standard deviations."""
    return (mean / spread) ** 2, spread**2 / mean


def posterior(model: Any, y: Supervision | None = None) -> oracle.State:
    """q and the priors that a fit left behind; λ as after the burn-in."""
    unit = model.unit_
    alpha_t, beta_t = gammas(model.components_.T, model.components_spread_.T)
    alpha_v, beta_v = gammas(model.doc_topic_.T / unit, model.doc_topic_spread_.T / unit)
    Al = Bl = alpha_lambda = beta_lambda = np.ones(1)
    if y is not None:
        size = y.groups().toarray().sum(axis=0)
        per_label = np.vstack([model.label_topic_, model.unlabelled_topic_])[size > 0].T / unit
        Al, Bl = np.array(model.label_sparsity), model.label_scale_[:, None] * unit
        alpha_lambda = Al + size[size > 0] * np.ones_like(per_label)
        beta_lambda = 1 / (per_label * alpha_lambda)
    return oracle.State(
        alpha_t, beta_t, alpha_v, beta_v, alpha_lambda, beta_lambda,
        np.array(model.topic_shape_), model.topic_scale_, Al, Bl, model.weight_shape,
    )  # fmt: skip


def bound(X: np.ndarray, y: Supervision, model: Any) -> float:
    """The number the model maximised, from its results alone."""
    tokens = X.T / model.unit_
    if model.__class__.__name__ == "VBNMF":
        scale = 1 / (model.weight_rate_[:, None] * model.unit_)
        return oracle.plain_bound(tokens, posterior(model), scale)
    return oracle.bound(tokens, present_groups(y), posterior(model, y))
