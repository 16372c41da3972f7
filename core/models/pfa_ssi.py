"""Poisson factor analysis with structural side information.

Hu, Rai & Carin (2016), *Non-negative matrix factorization for discrete data with hierarchical
side-information*, AISTATS.

=======  ==================  ==============================================================
paper    code                meaning
=======  ==================  ==============================================================
Xᵀ       X                   counts, documents in rows here; or 0 and 1, eqs. (1), (13)
V        W, doc_topic_       v_nr = Σ_l v_nrl over the document's nodes, eqs. (6)–(8)
Uᵀ       H, components_      topics u_r, each a distribution over terms, eq. (2)
q_r      scale_              scale of a topic, eq. (5)
g_lr     node_topic_[0]      weights of the nodes documents hang from (the labels), eqs. (9)–(10)
h_pr     node_topic_[1]      weights of their parents, eq. (11); and so on upwards
α        word_prior
c, ε     concentration, sparsity
s, β₁    top_shape, top_rate the prior of nodes without parents, at any level
β₀       node_rate           g_lrp ~ Gamma(h_pr, 1/β₀)
=======  ==================  ==============================================================

The sweep is in ``core.engine.gibbs.sweep``. The printed conditionals (27) and (30)–(34) are not
those of the model; ``docs/pfa_ssi.md`` shows it and says what is drawn here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from core.engine.checks import check_positive
from core.engine.estimator import Matrix
from core.engine.gibbs.chains import Chain
from core.engine.gibbs.hierarchy import Hierarchy, node_shares
from core.engine.gibbs.poisson_factors import PoissonFactors
from core.engine.gibbs.sweep import Priors
from core.engine.prediction import cosines
from core.errors import ModelError
from core.supervision import Supervision


class PFASSI(PoissonFactors):
    """PFA whose documents hang from labelled nodes, and those from others, to any depth.

    Labels are the nodes of level one, ``Supervision.hierarchy`` names their parents. A document
    without a label hangs from a node of its own kind. Forbidden labels and confidence are not used.

    Parameters
    ----------
    n_topics
        The most topics there can be; more or fewer than labels.
    node_rate
        β₀, the rate of a node's weights given its parents'.
    data, max_iter, burn_in, thin, n_chains, prune, word_prior, concentration, sparsity, top_shape, top_rate, tol, random_state
        As in ``PFA``.

    Attributes
    ----------
    node_names_, node_topic_, node_topic_spread_ : by level, the nodes, the posterior means of their
        weights (nodes × topics) and the spreads
    node_shares_ : by level, nodes × topics: of the words of a node's documents, the part on each
        topic; what ``predict`` and ``similarity`` compare
    label_names_ : the nodes of level one
    is_placed_ : which of them have documents or parents; ``predict`` chooses from those
    has_unlabelled_node_ : whether a further node of level one holds documents without a label
    and those of ``PFA``
    """  # noqa: E501

    def __init__(
        self,
        n_topics: int = 200,
        *,
        data: str = "counts",
        burn_in: int | None = None,
        thin: int = 1,
        n_chains: int = 1,
        prune: bool = True,
        word_prior: float = 0.1,
        concentration: float = 1.0,
        sparsity: float | None = None,
        top_shape: float = 1.0,
        top_rate: float = 1.0,
        node_rate: float = 1.0,
        max_iter: int = 500,
        tol: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.n_topics = n_topics
        self.data = data
        self.burn_in = burn_in
        self.thin = thin
        self.n_chains = n_chains
        self.prune = prune
        self.word_prior = word_prior
        self.concentration = concentration
        self.sparsity = sparsity
        self.top_shape = top_shape
        self.top_rate = top_rate
        self.node_rate = node_rate
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def predict(self, X: Matrix, level: int = 0) -> np.ndarray:
        """The label of each document; at higher levels, the name of its nearest node.

        Level 0 holds the labels, level 1 their parents, and so on.
        """
        if level == 0:
            return self._answers(self._scores_of(X))
        scores = self.decision_function(X, level)
        return np.array(self.candidates(level), dtype=object)[scores.argmax(axis=1)]

    def decision_function(self, X: Matrix, level: int = 0) -> np.ndarray:
        """Cosine between a new document's weights and the topic shares of each node."""
        X = self._checked_new(X)
        n_nodes = len(self.candidates(level))
        self._require_labels()
        return cosines(self._infer(X), self.node_shares_[level][:n_nodes])

    def _label_scores(self, X: sp.csr_array) -> np.ndarray:
        """A label that no document carries and that has no parents is nowhere, so never near."""
        return self.decision_function(X) * self.is_placed_[: len(self.label_names_)]

    def similarity(self, level: int = 0, other: int | None = None) -> np.ndarray:
        """Cosines between the topic shares of the nodes of two levels, or of one."""
        check_is_fitted(self, "components_")
        other = level if other is None else other
        return cosines(self.node_shares_[self._level(level)], self.node_shares_[self._level(other)])

    def candidates(self, level: int = 0) -> tuple[str, ...]:
        """The nodes of a level by name, without the node of unlabelled documents."""
        names = self.node_names_[self._level(level)]
        return names[:-1] if level == 0 and self.has_unlabelled_node_ else names

    def _level(self, level: int) -> int:
        if not 0 <= level < len(self.node_names_):
            raise ModelError(f"There are {len(self.node_names_)} levels, from 0 on; not {level!r}.")
        return level

    def _priors(self) -> Priors:
        return replace(super()._priors(), node_rate=float(self.node_rate))

    def _hierarchy(self, supervision: Supervision) -> Hierarchy:
        return Hierarchy.of(supervision)

    def _keep_nodes(self, best: Chain, hierarchy: Hierarchy) -> None:
        super()._keep_nodes(best, hierarchy)
        documents = best.spread_out(best.documents.mean)
        self.node_shares_ = node_shares(hierarchy, documents, self.node_topic_[0])
        self.has_unlabelled_node_ = hierarchy.unlabelled
        with_documents = hierarchy.links[0].children > 0
        self.is_placed_ = with_documents | (np.diff(hierarchy.links[1].indptr) > 0)

    def _set_classes(self, y: Any, labels: Supervision) -> None:
        """Nodes that only the hierarchy names can be predicted, too."""
        super()._set_classes(y, labels)
        more = self.candidates(0)[labels.n_labels :]
        if more:
            self.label_names_ = self.candidates(0)
            self.classes_ = np.array(self.label_names_, dtype=object)
            self.class_count_ = np.append(self.class_count_, np.zeros(len(more), np.intp))

    def _check_options(self) -> None:
        super()._check_options()
        check_positive("node_rate", self.node_rate)
