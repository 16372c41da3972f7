"""Variational Bayesian NMF: Poisson counts, gamma factors.

Cemgil (2009), *Bayesian inference for nonnegative matrix factorisation models*, as Ivek (2014),
*Supervised variational Bayesian NMF for documents*, uses it (the paper's letters below).

=============  ====================  =====================================================
paper          code                  meaning
=============  ====================  =====================================================
X              Xᵀ                    the paper keeps documents in columns
T, V           Hᵀ, Wᵀ                topics, document weights
E_t, E_v       ⟨H⟩, ⟨W⟩              posterior means: components_ and doc_topic_
exp L_t, L_v   ``geometric``         exp ⟨ln ·⟩
a_t, b_t       topic_shape_, _scale_  prior of every cell of H, learned
a_v, b_v       weight_shape, 1/rate  prior of every cell of W; the shape is the user's
=============  ====================  =====================================================

    x_nt = Σ_i s_nti,  s_nti ~ Poisson(w_ni h_it),  h_it ~ Gamma(a_t, scale b_t),
    w_ni ~ Gamma(a_v, scale b_v)

The bound on ln p(X) is maximised over one gamma per cell, and over b_v, a_t and b_t.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from core.engine.checks import check_number
from core.engine.estimator import Factors, FitInputs
from core.engine.starts.topics import Init
from core.engine.variational.ascent import Ascent, SharedPrior, one_group
from core.engine.variational.model import Variational, gamma_of_mean
from core.supervision import Supervision


class VBNMF(Variational):
    """Poisson NMF with gamma priors, fitted by raising a bound on the likelihood.

    Parameters
    ----------
    n_topics
        How many topics to find; superfluous ones shrink.
    weight_shape
        Shape a_v of the prior of document weights: 1 or less; the less, the sparser.
    topic_shape
        Where the shape a_t of the topics' prior starts; it stays there without ``learn_priors``.
        From 0.5 on, light matrices (TF-IDF) can fall into the trap of topics that are all equal.
    learn_priors
        Choose a_t, b_t and b_v by maximising the bound.
    unit
        How much of X counts as one token; ``"auto"`` takes 1, or the mean non-zero cell if that is
        less. The bound is that of X / unit.
    init, max_iter, tol, random_state
        As in ``NMF``; ``tol`` is the gain of the bound in one pass, relative to the bound.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), posterior means scaled to unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics), posterior means, scaled to match
    components_spread_, doc_topic_spread_ : their posterior standard deviations
    topic_shape_, topic_scale_, weight_rate_ : a_t; b_t and 1/b_v of each scaled topic
    objective_ : the bound reached; ``trace_`` holds it at every pass, rising
    """

    uses_labels = False

    def __init__(
        self,
        n_topics: int = 10,
        *,
        weight_shape: float = 1.0,
        topic_shape: float = 0.1,
        learn_priors: bool = True,
        unit: float | Literal["auto"] = "auto",
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.weight_shape = weight_shape
        self.topic_shape = topic_shape
        self.learn_priors = learn_priors
        self.unit = unit
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _ascent(self, inputs: FitInputs, factors: Factors) -> Ascent:
        X, gamma = inputs.X, gamma_of_mean(self.weight_shape, factors[0])
        prior = SharedPrior(gamma, self.n_topics, "rate" if self.learn_priors else "nothing")
        return Ascent(X, factors, one_group(X.shape[0]), prior, self._topic_prior(factors[1]))

    def _keep_priors(self, ascent: Ascent, supervision: Supervision, length: np.ndarray) -> None:
        self.weight_rate_ = ascent.weight_prior.rates()[0] / length

    def _check_options(self) -> None:
        super()._check_options()
        check_number("weight_shape", self.weight_shape, 1e-2)
