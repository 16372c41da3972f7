"""Latent Dirichlet allocation, scikit-learn's, behind the contract of the other models.

Blei, Ng & Jordan (2003) by variational Bayes. A baseline: labels do not change its topics.

=======  ===============  ======================================================
paper    code             meaning
=======  ===============  ======================================================
θ        shares           topic proportions of a document
β        distributions    word distribution of a topic
–        W                shares times the document's length, so that X ≈ W H
=======  ===============  ======================================================
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.special import psi
from sklearn.decomposition import LatentDirichletAllocation

from core.engine.checks import check_positive, checked_start
from core.engine.estimator import Factors, FitInputs, Solution, TopicModel, unit_topics

START_GAMMA_SHAPE = 100.0  # shape of the random start; scikit-learn's own


class LDA(TopicModel):
    """Topics by latent Dirichlet allocation; rising bound, no labels.

    Parameters
    ----------
    n_topics
        How many topics to find.
    doc_topic_prior, topic_word_prior
        Dirichlet priors; None for 1 / n_topics.
    max_iter, tol, random_state
        Stop after so many passes, or when one gains less than ``tol`` of the bound.

    Attributes
    ----------
    components_ : ndarray of shape (n_topics, n_terms), word distributions scaled to unit length
    doc_topic_ : ndarray of shape (n_docs, n_topics), so that ``doc_topic_ @ components_`` has the
        expected counts
    allocation_ : scikit-learn's model
    objective_ : the bound on the log-likelihood; ``trace_`` holds it at every pass
    """

    uses_labels = False
    rising = True

    def __init__(
        self,
        n_topics: int = 10,
        *,
        doc_topic_prior: float | None = None,
        topic_word_prior: float | None = None,
        max_iter: int = 50,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.doc_topic_prior = doc_topic_prior
        self.topic_word_prior = topic_word_prior
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _solve(self, inputs: FitInputs) -> Solution:
        X, allocation = inputs.X, self._started(inputs)

        def step() -> float:
            allocation.partial_fit(X)
            return float(allocation.score(X))

        trace = self._descend(step, float(allocation.score(X)), inputs)
        self.allocation_ = allocation
        return Solution(*factors_of(allocation, X), trace)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        return factors_of(self.allocation_, X)[0]

    def _started(self, inputs: FitInputs) -> LatentDirichletAllocation:
        """scikit-learn's model before its first pass.

        With every document in one batch and no decay, its ``partial_fit`` is one batch step, which
        is how a fit can be watched, cancelled and continued. The first call only sets it up.
        """
        X, rng = inputs.X, inputs.rng
        model = LatentDirichletAllocation(
            self.n_topics,
            doc_topic_prior=self.doc_topic_prior,
            topic_word_prior=self.topic_word_prior,
            learning_decay=0.0,
            batch_size=X.shape[0],
            total_samples=X.shape[0],
            random_state=int(rng.integers(2**31 - 1)),
        ).partial_fit(X[:1])
        if inputs.start is None:
            counts = rng.gamma(
                START_GAMMA_SHAPE, 1 / START_GAMMA_SHAPE, (self.n_topics, X.shape[1])
            )
        else:
            W, H = checked_start(inputs.start, X, self.n_topics)
            counts = model.topic_word_prior_ + W.sum(axis=0)[:, None] * H
        expected = psi(counts) - psi(counts.sum(axis=1, keepdims=True))
        model.components_ = counts.astype(X.dtype)
        model.exp_dirichlet_component_ = np.exp(expected).astype(X.dtype)
        return model

    def _check_options(self) -> None:
        super()._check_options()
        for name in ("doc_topic_prior", "topic_word_prior"):
            if getattr(self, name) is not None:
                check_positive(name, getattr(self, name))


def factors_of(allocation: LatentDirichletAllocation, X: sp.csr_array) -> Factors:
    """W and H in which X ≈ W H has the expected counts, topics of unit length."""
    counts = allocation.components_
    distributions = counts / counts.sum(axis=1, keepdims=True)
    shares = allocation.transform(X)
    length = np.asarray(X.sum(axis=1)).reshape(-1, 1)
    return unit_topics((shares * length).astype(X.dtype), distributions.astype(X.dtype))
