"""What vbNMF and supervised vbNMF share: starting, climbing, keeping, projecting new documents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from scipy.special import psi
from sklearn.utils.validation import check_is_fitted

from core.ascent import Ascent, SharedPrior, climb
from core.bayes import GammaPrior
from core.descent import Callback
from core.errors import ModelError
from core.estimator import Factors, Matrix, TopicModel, check_number, check_start, unit_topics
from core.kernels.gammas import project_rows
from core.kernels.parts import each_part, one_blas_thread, parts_of
from core.starts import Init, spread_topics, start_topics, start_weights
from core.supervision import Supervision

SOLVE = 500  # sweeps at most over a new document
TINY = 1e-30  # a mean must not be zero where a prior is scaled by it


class Variational(TopicModel, ABC):
    """X ≈ W H, Poisson, with gamma priors; components_ and doc_topic_ are posterior means."""

    init: Init
    topic_shape: float
    learn_priors: bool
    unit: float | Literal["auto"]
    weight_shape: float = 1.0

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {"init": ("labels", "acol", "nndsvd")}

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: Factors | None = None,
        callback: Callback | None = None,
    ) -> Variational:
        """Fit to a document-term matrix; ``start`` is taken as means of W and H."""
        self._check_options()
        if observed is not None:
            raise ModelError(f"{type(self).__name__} cannot leave cells unobserved; ssnmf can.")
        X = self._checked(X, reset=True)
        supervision = self._supervised(y, X.shape[0])
        self.unit_ = unit_of(X) if isinstance(self.unit, str) else float(self.unit)
        X = _in_units(X, self.unit_)
        with one_blas_thread():
            ascent = self._ascent(X, supervision, self._start(X, supervision, start))
            self.trace_ = climb(
                ascent.step, ascent.bound(), self._burn_in(), self.max_iter, self.tol, callback
            )
        self._keep(ascent, X.dtype)
        self._keep_priors(ascent, supervision)
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Mean topic weights of new documents: topics fixed, one plain prior for all of them."""
        check_is_fitted(self, "components_")
        X = _in_units(self._checked(X, reset=False), self.unit_)
        mean, spread = (
            np.ascontiguousarray(values.T, dtype=np.float64)
            for values in (self.components_, self.components_spread_)
        )
        shape = (mean / spread) ** 2
        geometric = np.exp(psi(shape)) * mean / shape
        rate = self.weight_rate_ * self.unit_ + mean.sum(axis=0)
        W = np.empty((X.shape[0], mean.shape[1]))

        def work(first: int, last: int) -> None:
            project_rows(
                X.indptr, X.indices, X.data, first, last, geometric,
                float(self.weight_shape), rate, SOLVE, W,
            )  # fmt: skip

        each_part(work, parts_of(X))
        return (W * (self.unit_ / rate)).astype(X.dtype)

    @abstractmethod
    def _ascent(self, X: sp.csr_array, supervision: Supervision, factors: Factors) -> Ascent:
        """The climber, with the model's own prior of the weights."""

    @abstractmethod
    def _keep_priors(self, ascent: Ascent, supervision: Supervision) -> None:
        """Keep the priors it has learned."""

    def _burn_in(self) -> int:
        return 0

    def _start(self, X: sp.csr_array, supervision: Supervision, start: Factors | None) -> Factors:
        if start is not None:
            W, H = _checked_start(start, X, self.n_topics)
            return W / self.unit_, H
        rng = np.random.default_rng(self.random_state)
        H = self._start_topics(X, supervision, rng)
        everything = np.ones((X.shape[0], self.n_topics), dtype=bool)
        return start_weights(X, H, everything, self.init, rng), H

    def _start_topics(
        self, X: sp.csr_array, supervision: Supervision, rng: np.random.Generator
    ) -> np.ndarray:
        """Labels guide and do not bind, so free topics may start on labelled documents too."""
        if supervision.n_labels > self.n_topics:  # then topics cannot begin as labels
            supervision = Supervision.none(X.shape[0])
        H = start_topics(X, supervision, self.n_topics, self.init, rng)
        told = np.asarray(supervision.indicator().sum(axis=0)).ravel() > 0
        if self.init == "labels" and told.any():
            told = np.append(told, np.zeros(self.n_topics - told.size, bool))
            n_open, anywhere = self.n_topics - int(told.sum()), np.ones(X.shape[0], bool)
            H[~told] = spread_topics(X, n_open, rng, H[told], anywhere)
        return H

    def _topic_prior(self, H: np.ndarray) -> SharedPrior:
        learn = "both" if self.learn_priors else "nothing"
        return SharedPrior(gamma_of_mean(self.topic_shape, H), self.n_topics, learn)

    def _keep(self, ascent: Ascent, dtype: Any) -> None:
        documents, terms = ascent.documents, ascent.terms
        W = (self.unit_ * documents.shape / documents.rate).astype(dtype)
        H = (terms.shape / terms.rate).T
        self.topic_length_ = np.linalg.norm(H, axis=1)  # what unit length took from H, W got
        self.doc_topic_, self.components_ = unit_topics(W, H.astype(dtype))
        self.doc_topic_spread_ = self.doc_topic_ / np.sqrt(documents.shape).astype(dtype)
        self.components_spread_ = self.components_ / np.sqrt(terms.shape.T).astype(dtype)
        prior = ascent.topic_prior
        self.topic_shape_ = prior.shape
        self.topic_scale_ = 1 / (prior.rates()[0] * self.topic_length_)
        self.objective_ = self.trace_.objective[-1]
        self.n_iter_ = self.trace_.n_iter

    def _check_options(self) -> None:
        super()._check_options()
        check_number("topic_shape", self.topic_shape, 1e-2)
        if self.unit != "auto":
            check_number("unit", self.unit, TINY)
        if not isinstance(self.learn_priors, bool):
            raise ModelError(f"learn_priors is True or False, not {self.learn_priors!r}.")


def unit_of(X: sp.csr_array) -> float:
    """What counts as one token: 1, or the mean non-zero cell where the matrix is lighter.

    A Poisson model believes a cell of 0.2 a fifth as much as one occurrence. Rows of TF-IDF with
    unit length would be taken for documents of three or four words, too few to tell topics apart.
    """
    return min(1.0, float(X.data.mean(dtype=np.float64))) if X.nnz else 1.0


def _in_units(X: sp.csr_array, unit: float) -> sp.csr_array:
    if unit == 1.0:
        return X
    return sp.csr_array((X.data / X.dtype.type(unit), X.indices, X.indptr), shape=X.shape)


def _checked_start(start: Factors, X: sp.csr_array, n_topics: int) -> Factors:
    W, H = (np.asarray(values, dtype=np.float64) for values in start)
    if W.shape != (X.shape[0], n_topics) or H.shape != (n_topics, X.shape[1]):
        raise ModelError(
            f"A start of shapes {W.shape} and {H.shape} does not fit {X.shape[0]} documents, "
            f"{n_topics} topics and {X.shape[1]} terms."
        )
    check_start(W, H)
    return W, H


def gamma_of_mean(shape: float, factor: np.ndarray) -> GammaPrior:
    """A prior on the scale of the factor it is for."""
    return GammaPrior(float(shape), float(shape) / max(float(factor.mean(dtype=np.float64)), TINY))
