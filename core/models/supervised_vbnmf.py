"""Supervised variational Bayesian NMF.

Ivek (2014), *Supervised variational Bayesian NMF for documents*; equation numbers are the paper's.

=========  ========================  ============================================================
paper      code                      meaning
=========  ========================  ============================================================
X          Xᵀ                        the paper keeps documents in columns
T, V       Hᵀ, Wᵀ                    topics (4), document weights (7)
Δ, z       groups                    documents × labels, rows sum to one; z is its one-label case
Λ          λ, topics × labels        rates of W's exponential prior (7), with a gamma prior (8)
1/⟨λ⟩      label_topic_              how much of a topic to expect in a document of a label
a_λ, b_λ   label_sparsity, scale     prior of λ; a_λ is the user's, b_λ is learned
a_t, b_t   topic_shape_, _scale_     prior of H, learned
=========  ========================  ============================================================

Updates follow table A3 with its misprints mended: V takes the new E_t, shapes start from the prior
in every pass, α^λ counts the documents of a label. What the paper leaves open: documents without a
label form a group of their own, and a document with several labels has equal shares of them.
"""

from __future__ import annotations

from typing import Any, Literal, cast

import numpy as np
import scipy.sparse as sp

from core.engine.checks import check_number
from core.engine.estimator import Factors, FitInputs
from core.engine.starts.topics import Init
from core.engine.variational.ascent import Ascent, LabelPrior
from core.engine.variational.gamma_priors import GammaPrior
from core.engine.variational.model import Variational, gamma_of_mean
from core.errors import ModelError
from core.supervision import Supervision


class SupervisedVBNMF(Variational):
    """vbNMF whose document weights follow their label: few topics active in each label.

    Labels guide and do not bind: a document may use topics that its label rarely uses.

    Parameters
    ----------
    n_topics
        Topics in all; with ``init="labels"`` the first start as the labels, in order.
    label_sparsity
        Shape a_λ of the labels' prior; the smaller, the more the labels may differ in the topics
        they use.
    burn_in
        Passes during which all λ stay equal, so that topics form before labels choose among them.
    topic_shape, learn_priors, unit, init, max_iter, tol, random_state
        As in ``VBNMF``.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), posterior means scaled to unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics), posterior means, scaled to match
    components_spread_, doc_topic_spread_ : their posterior standard deviations
    label_topic_ : ndarray of shape (n_labels, n_topics), 1/⟨λ⟩ on the scale of doc_topic_
    unlabelled_topic_ : ndarray of shape (n_topics,), the same for documents without a label
    label_scale_, topic_shape_, topic_scale_, weight_rate_ : b_λ; a_t; b_t; the rate of the plain
        prior that new documents get; each on the scale of the scaled topics
    objective_ : the bound reached; ``trace_`` holds it at every pass, rising
    """

    def __init__(
        self,
        n_topics: int = 10,
        *,
        label_sparsity: float = 1.0,
        burn_in: int = 10,
        topic_shape: float = 0.1,
        learn_priors: bool = True,
        unit: float | Literal["auto"] = "auto",
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.label_sparsity = label_sparsity
        self.burn_in = burn_in
        self.topic_shape = topic_shape
        self.learn_priors = learn_priors
        self.unit = unit
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _ascent(self, inputs: FitInputs, factors: Factors) -> Ascent:
        supervision = inputs.supervision
        groups = sp.csr_array(supervision.groups()[:, _present(supervision)])
        mean = gamma_of_mean(1.0, factors[0]).rate  # where λ starts
        sparsity = float(self.label_sparsity)
        gamma = GammaPrior(sparsity, sparsity / mean)
        prior = LabelPrior(groups, self.n_topics, gamma, self.burn_in, self.learn_priors)
        return Ascent(inputs.X, factors, groups, prior, self._topic_prior(factors[1]))

    def _keep_priors(self, ascent: Ascent, supervision: Supervision, length: np.ndarray) -> None:
        prior = cast(LabelPrior, ascent.weight_prior)
        prior_mean = prior.gamma.rate / prior.gamma.shape  # a label without documents has its prior
        expected = np.full((supervision.n_labels + 1, length.size), prior_mean)
        expected[_present(supervision)] = 1 / prior.rates()
        expected *= length
        self.label_topic_, self.unlabelled_topic_ = expected[:-1], expected[-1]
        self.label_scale_ = 1 / (prior.gamma.rate * length)
        documents = ascent.documents
        self.weight_rate_ = documents.shape.size / documents.total.sum() / length

    def _label_rows(self) -> np.ndarray:
        return self.label_topic_

    def _burn_in(self) -> int:
        return self.burn_in

    def _check_options(self) -> None:
        super()._check_options()
        check_number("label_sparsity", self.label_sparsity, 1e-2)
        if isinstance(self.burn_in, bool) or not isinstance(self.burn_in, (int, np.integer)):
            raise ModelError(f"burn_in is a whole number, not {self.burn_in!r}.")
        check_number("burn_in", int(self.burn_in))


def _present(supervision: Supervision) -> np.ndarray:
    """Groups that have documents; the last group is of those without a label."""
    return np.flatnonzero(np.asarray(supervision.groups().sum(axis=0)).ravel() > 0)
