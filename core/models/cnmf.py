"""Constrained NMF: documents with the same label share one row of topic weights.

Liu & Wu, *Non-negative matrix factorization with constraints*, as Cho & Saul restate it, eqs.
(19)–(20).

=======  ========  =====================================================
paper    code      meaning
=======  ========  =====================================================
Xᵀ       X         document-term matrix, documents in rows here
Vᵀ       H         topic-term weights
Aᵀ       ties      which shared row each document takes
Pᵀ       Z         a row per label, then a row per unlabelled document
(PA)ᵀ    W = A Z   document-topic weights
=======  ========  =====================================================

Minimises ‖X − A Z H‖², squared (the print drops the square). A document with several labels, which
the papers leave open, takes the mean of their rows. There is nothing to tune.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import (
    Factors,
    FitInputs,
    Solution,
    TopicModel,
    topic_scale,
    unit_topics,
)
from core.engine.losses import Frobenius
from core.engine.solvers import multiply, solve_documents
from core.engine.starts.positive import positive_start
from core.engine.starts.topics import Init


class CNMF(TopicModel):
    """X ≈ A Z H: a label is one point in the space of topics, and its documents stand on it.

    Parameters
    ----------
    n_topics
        Topics in all; they need not match the labels, and may be fewer.
    init, max_iter, tol, random_state
        As in ``NMF``; ``init="labels"`` starts topics from the means of labelled documents.

    Attributes
    ----------
    components_, doc_topic_, objective_, trace_
        As in ``NMF``; documents of one label have equal rows of ``doc_topic_``.
    label_topic_ : ndarray of shape (n_labels, n_topics), the rows that labels share
    """

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {"init": ("labels", "acol", "nndsvd")}

    def __init__(
        self,
        n_topics: int = 10,
        *,
        init: Init = "labels",
        max_iter: int = 200,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _solve(self, inputs: FitInputs) -> Solution:
        X, supervision = inputs.X, inputs.supervision
        W, H = positive_start(inputs, self.n_topics, self.init)
        steps = TiedSteps(X, W, H, supervision.ties())
        trace = self._descend(steps.step, steps.first_objective(), inputs)
        W, H = steps.factors()
        label_rows = steps.Z[: supervision.n_labels]
        self.label_topic_ = (label_rows * topic_scale(H)).astype(X.dtype)  # as unit_topics scales
        return Solution(*unit_topics(W, H), trace)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        return solve_documents(X, self.components_)

    def _label_rows(self) -> np.ndarray:
        return self.label_topic_


class TiedSteps:
    """Multiplicative updates of H and Z; neither raises ‖X − A Z H‖²."""

    def __init__(self, X: sp.csr_array, W: np.ndarray, H: np.ndarray, ties: sp.csr_array) -> None:
        self.X, self.Ht = X, np.ascontiguousarray(H.T)
        self.Xt = sp.csr_array(X.T)
        self.ties = sp.csr_array(ties.astype(X.dtype))
        self.ties_t = sp.csr_array(self.ties.T)
        self.Z = shared_rows(self.ties_t, W)
        self.total = Frobenius().constant(X, np.ones(X.shape[0]))
        self.W = self._documents()

    def factors(self) -> Factors:
        return self.W, self.Ht.T

    def first_objective(self) -> float:
        cross = np.einsum("ik,ik->", np.asarray(self.X @ self.Ht), self.W, dtype=np.float64)
        W, Ht = self.W.astype(np.float64), self.Ht.astype(np.float64)
        return self.total - 2 * float(cross) + float(((W.T @ W) * (Ht.T @ Ht)).sum())

    def step(self) -> float:
        multiply(self.Ht, np.asarray(self.Xt @ self.W), self.Ht @ (self.W.T @ self.W))
        multiply(self.Z, *self._halves())
        self.W = self._documents()
        return self.first_objective()

    def _halves(self) -> Factors:
        """Aᵀ X Hᵀ and Aᵀ A Z H Hᵀ: the halves of every document, pulled back to its shared rows."""
        down = np.asarray(self.X @ self.Ht)
        up = self.W @ (self.Ht.T @ self.Ht)
        return np.asarray(self.ties_t @ down), np.asarray(self.ties_t @ up)

    def _documents(self) -> np.ndarray:
        return np.ascontiguousarray(self.ties @ self.Z)


def shared_rows(ties_t: sp.csr_array, W: np.ndarray) -> np.ndarray:
    """Z to start from: the mean row of the documents that share it."""
    size = np.maximum(np.asarray(ties_t.sum(axis=1)).ravel(), 1e-30)
    return np.ascontiguousarray((ties_t @ W) / size[:, None].astype(W.dtype))
