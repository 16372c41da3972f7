"""Latent Dirichlet allocation, scikit-learn's, behind the contract of the other models.

Blei, Ng & Jordan (2003) by variational Bayes. A baseline: it hears no labels.

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
from sklearn.utils.validation import check_is_fitted

from core.descent import Callback, Trace, descend
from core.errors import ModelError
from core.estimator import Factors, Matrix, TopicModel, check_positive, unit_topics
from core.kernels.parts import one_blas_thread
from core.positive_starts import checked_start

SPREAD = 100.0  # shape of the random start; scikit-learn's own


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
    objective_ : the bound on the log-likelihood; ``trace_`` holds it at every pass
    """

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

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: Factors | None = None,
        callback: Callback | None = None,
    ) -> LDA:
        """Fit to a document-term matrix; ``y`` is ignored."""
        self._check_options()
        if observed is not None:
            raise ModelError("LDA cannot leave cells unobserved; ssnmf can.")
        X = self._checked(X, reset=True)
        with one_blas_thread():
            self._allocation = self._started(X, start)
            self.trace_: Trace = descend(
                lambda: self._pass(X),
                self._bound(X),
                max_iter=self.max_iter,
                tol=self.tol,
                rising=True,
                callback=callback,
            )
            self.doc_topic_, self.components_ = self._factors(X)
        self.objective_ = self.trace_.objective[-1]
        self.n_iter_ = self.trace_.n_iter
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Topic weights of new documents."""
        check_is_fitted(self, "components_")
        X = self._checked(X, reset=False)
        with one_blas_thread():
            return self._factors(X)[0]

    def _started(self, X: sp.csr_array, start: Factors | None) -> LatentDirichletAllocation:
        """scikit-learn's model before its first pass.

        With every document in one batch and no decay, its ``partial_fit`` is one batch step, which
        is how a fit can be watched, cancelled and continued. The first call only sets it up.
        """
        rng = np.random.default_rng(self.random_state)
        model = LatentDirichletAllocation(
            self.n_topics,
            doc_topic_prior=self.doc_topic_prior,
            topic_word_prior=self.topic_word_prior,
            learning_decay=0.0,
            batch_size=X.shape[0],
            total_samples=X.shape[0],
            random_state=int(rng.integers(2**31 - 1)),
        ).partial_fit(X[:1])
        if start is None:
            counts = rng.gamma(SPREAD, 1 / SPREAD, (self.n_topics, X.shape[1]))
        else:
            W, H = checked_start(start, X, self.n_topics)
            counts = model.topic_word_prior_ + W.sum(axis=0)[:, None] * H
        expected = psi(counts) - psi(counts.sum(axis=1, keepdims=True))
        model.components_ = counts.astype(X.dtype)
        model.exp_dirichlet_component_ = np.exp(expected).astype(X.dtype)
        return model

    def _pass(self, X: sp.csr_array) -> float:
        self._allocation.partial_fit(X)
        return self._bound(X)

    def _bound(self, X: sp.csr_array) -> float:
        return float(self._allocation.score(X))

    def _factors(self, X: sp.csr_array) -> Factors:
        counts = self._allocation.components_
        distributions = counts / counts.sum(axis=1, keepdims=True)
        shares = self._allocation.transform(X)
        length = np.asarray(X.sum(axis=1)).reshape(-1, 1)
        return unit_topics((shares * length).astype(X.dtype), distributions.astype(X.dtype))

    def _check_options(self) -> None:
        super()._check_options()
        for name in ("doc_topic_prior", "topic_word_prior"):
            if getattr(self, name) is not None:
                check_positive(name, getattr(self, name))
