"""What vbNMF and supervised vbNMF share: starting, climbing, keeping, projecting new documents."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np
import scipy.sparse as sp
from scipy.special import psi

from core.engine.checks import check_number, checked_start
from core.engine.descent import Trace
from core.engine.estimator import Factors, FitInputs, Solution, TopicModel, unit_topics
from core.engine.kernels.gammas import project_rows
from core.engine.kernels.threads import each_part, parts_of
from core.engine.starts.topics import (
    Init,
    labels_with_topics,
    spread_topics,
    start_topics,
    start_weights,
)
from core.engine.variational.ascent import Ascent, SharedPrior, climb
from core.engine.variational.gamma_priors import GammaPrior
from core.errors import ModelError
from core.supervision import Supervision

MAX_SWEEPS = 500  # sweeps at most over a new document
MIN_MEAN = 1e-30  # a mean must not be zero where a prior is scaled by it


class Variational(TopicModel):
    """X ≈ W H, Poisson, with gamma priors; components_ and doc_topic_ are posterior means."""

    init: Init
    topic_shape: float
    learn_priors: bool
    unit: float | Literal["auto"]
    weight_shape: float = 1.0

    rising = True
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {"init": ("labels", "acol", "nndsvd")}

    def _solve(self, inputs: FitInputs) -> Solution:
        unit = unit_of(inputs.X) if isinstance(self.unit, str) else float(self.unit)
        inputs = replace(inputs, X=_in_units(inputs.X, unit))
        ascent = self._ascent(inputs, self._start(inputs, unit))
        trace = climb(
            ascent.step, ascent.bound(), self._burn_in(), self.max_iter, self.tol, inputs.callback
        )
        return self._conclude(ascent, inputs, unit, trace)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        """Posterior means with the topics fixed and one plain prior for all new documents."""
        X = _in_units(X, self.unit_)
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
                float(self.weight_shape), rate, MAX_SWEEPS, W,
            )  # fmt: skip

        each_part(work, parts_of(X))
        return (W * (self.unit_ / rate)).astype(X.dtype)

    @abstractmethod
    def _ascent(self, inputs: FitInputs, factors: Factors) -> Ascent:
        """The climber, with the model's own prior of the weights."""

    @abstractmethod
    def _keep_priors(self, ascent: Ascent, supervision: Supervision, length: np.ndarray) -> None:
        """Set the priors that were learnt; ``length`` is what W was multiplied by, by topic."""

    def _burn_in(self) -> int:
        return 0

    def _start(self, inputs: FitInputs, unit: float) -> Factors:
        X, rng = inputs.X, inputs.rng
        if inputs.start is not None:
            W, H = checked_start(inputs.start, X, self.n_topics, np.float64)
            return W / unit, H
        H = self._start_topics(X, inputs.supervision, rng)
        everything = np.ones((X.shape[0], self.n_topics), dtype=bool)
        return start_weights(X, H, everything, self.init, rng), H

    def _start_topics(
        self, X: sp.csr_array, supervision: Supervision, rng: np.random.Generator
    ) -> np.ndarray:
        """Labels guide and do not bind, so free topics may start on labelled documents too."""
        supervision = labels_with_topics(supervision, self.n_topics)
        H = start_topics(X, supervision, self.n_topics, self.init, rng)
        taught = np.asarray(supervision.indicator().sum(axis=0)).ravel() > 0
        if self.init == "labels" and taught.any():
            taught = np.append(taught, np.zeros(self.n_topics - taught.size, bool))
            n_open, anywhere = self.n_topics - int(taught.sum()), np.ones(X.shape[0], bool)
            H[~taught] = spread_topics(X, n_open, rng, H[taught], anywhere)
        return H

    def _topic_prior(self, H: np.ndarray) -> SharedPrior:
        learn = "both" if self.learn_priors else "nothing"
        return SharedPrior(gamma_of_mean(self.topic_shape, H), self.n_topics, learn)

    def _conclude(self, ascent: Ascent, inputs: FitInputs, unit: float, trace: Trace) -> Solution:
        """Posterior means at unit length, their spreads, and the priors in the same scale."""
        documents, terms, dtype = ascent.documents, ascent.terms, inputs.X.dtype
        W = (unit * documents.shape / documents.rate).astype(dtype)
        H = (terms.shape / terms.rate).T
        length = np.linalg.norm(H, axis=1)  # what unit length took from H, W got
        W, H = unit_topics(W, H.astype(dtype))
        self.unit_, self.topic_length_ = unit, length
        self.doc_topic_spread_ = W / np.sqrt(documents.shape).astype(dtype)
        self.components_spread_ = H / np.sqrt(terms.shape.T).astype(dtype)
        prior = ascent.topic_prior
        self.topic_shape_ = prior.shape
        self.topic_scale_ = 1 / (prior.rates()[0] * length)
        self._keep_priors(ascent, inputs.supervision, length * unit)
        return Solution(W, H, trace)

    def _check_options(self) -> None:
        super()._check_options()
        check_number("topic_shape", self.topic_shape, 1e-2)
        if self.unit != "auto":
            check_number("unit", self.unit, MIN_MEAN)
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


def gamma_of_mean(shape: float, factor: np.ndarray) -> GammaPrior:
    """A prior on the scale of the factor it is for."""
    return GammaPrior(
        float(shape), float(shape) / max(float(factor.mean(dtype=np.float64)), MIN_MEAN)
    )
