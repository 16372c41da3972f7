"""What NMF and TS-NMF share: checking the input, starting, descending, scaling the result."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from core.descent import Callback, Trace, descend
from core.errors import ModelError
from core.estimator import Factors, Matrix, TopicModel, unit_topics
from core.kernels.parts import one_blas_thread
from core.losses import LOSSES
from core.positive_starts import LIFT, checked_start, lifted
from core.projection import project_documents
from core.solvers import (
    CoordinateDescent,
    GuidedDescent,
    Multiplicative,
    MultiplicativeDivergence,
    Solver,
    solve_documents,
)
from core.starts import Init, start_topics, start_weights
from core.steering import NO_LIMITS, Limits
from core.supervision import Supervision


class Factorisation(TopicModel):
    """X ≈ W H, non-negative, under a mask and document weights."""

    solver: str
    loss: str
    init: Init

    limits_: Limits = NO_LIMITS
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {
        "solver": ("cd", "mu"),
        "loss": tuple(LOSSES),
        "init": ("labels", "acol", "nndsvd"),
    }

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: Factors | None = None,
        callback: Callback | None = None,
        document_weight: np.ndarray | None = None,
    ) -> Factorisation:
        """Fit to a document-term matrix; ``y`` is a Supervision or anything it can be made of."""
        self._check_options()
        if observed is not None:
            raise ModelError(f"{type(self).__name__} cannot leave cells unobserved; ssnmf can.")
        X = self._checked(X, reset=True)
        supervision = self._supervised(y, X.shape[0])
        mask = self._mask(X, supervision)
        weight = self._document_weight(supervision)
        if document_weight is not None:
            weight = weight * _checked_weight(document_weight, X.shape[0])
        with one_blas_thread():
            solver = self._solver(X, supervision, mask, weight, start)
            self._descend(solver, callback)
        return self

    def limit(self, limits: Limits) -> Self:
        """Say which words topics must keep, may not use or shall gain in the fits to come."""
        self.limits_ = limits
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Topic weights of new documents, about which nobody has said anything."""
        check_is_fitted(self, "components_")
        X = self._checked(X, reset=False)
        solve = project_documents if self.loss == "i_divergence" else solve_documents
        with one_blas_thread():
            return solve(X, self._solved_topics())

    def _solved_topics(self) -> np.ndarray:
        """The topics that explain a document."""
        return self.components_

    def _document_weight(self, supervision: Supervision) -> np.ndarray:
        return np.ones(supervision.n_docs)

    def _solver(
        self,
        X: sp.csr_array,
        supervision: Supervision,
        mask: np.ndarray,
        weight: np.ndarray,
        start: Factors | None,
    ) -> Solver:
        rng, limits = np.random.default_rng(self.random_state), self._spread_limits()
        if start is None:
            H, W = limits.begin(self._start_topics(X, supervision, rng)), None
        else:
            W, H = checked_start(start, X, mask.shape[1])
            W *= mask
        H, price = limits.hold(H), self._price(X, supervision)
        if self.solver == "cd":
            if price is not None or len(limits.added):
                return GuidedDescent(X, W, H, mask, weight, price, limits)
            return CoordinateDescent(X, W, H, mask, weight, limits)
        W = start_weights(X, H, mask, self.init, rng) if W is None else W + LIFT * mask
        kind = Multiplicative if self.loss == "frobenius" else MultiplicativeDivergence
        return kind(X, W.astype(X.dtype), limits.hold(lifted(H, X)), weight, limits)

    def _spread_limits(self) -> Limits:
        """The limits by the columns that are fitted."""
        return self.limits_

    def _mask(self, X: sp.csr_array, supervision: Supervision) -> np.ndarray:
        """What each document may use, a column for every topic that is fitted."""
        return supervision.topic_mask(self.n_topics)

    def _start_topics(
        self, X: sp.csr_array, supervision: Supervision, rng: np.random.Generator
    ) -> np.ndarray:
        return start_topics(X, supervision, self.n_topics, self.init, rng)

    def _price(self, X: sp.csr_array, supervision: Supervision) -> np.ndarray | None:
        """What a unit of each topic costs a document; nothing, unless a model is guided."""
        return None

    def _descend(self, solver: Solver, callback: Callback | None) -> None:
        self.trace_: Trace = descend(
            solver.step,
            solver.first_objective(),
            max_iter=self.max_iter,
            tol=self.tol,
            callback=callback,
        )
        self._keep(*unit_topics(*solver.factors()))
        self.objective_ = self.trace_.objective[-1]
        self.n_iter_ = self.trace_.n_iter

    def _keep(self, W: np.ndarray, H: np.ndarray) -> None:
        self.doc_topic_, self.components_ = W, H

    def _check_options(self) -> None:
        super()._check_options()
        if self.loss == "i_divergence" and self.solver == "cd":
            raise ModelError('The i_divergence loss needs solver="mu".')


def _checked_weight(weight: Any, n_docs: int) -> np.ndarray:
    weight = np.asarray(weight, dtype=np.float64)
    if weight.shape != (n_docs,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ModelError(f"document_weight needs {n_docs} finite numbers of at least 0.")
    return weight
