"""Poisson factor analysis.

Hu, Rai & Carin (2016), *Non-negative matrix factorization for discrete data with hierarchical
side-information*, section 2.1; after Zhou, Hannah, Dunson & Carin (2012).

=======  ==================  ==============================================================
paper    code                meaning
=======  ==================  ==============================================================
Xᵀ       X                   counts, documents in rows here; or 0 and 1
V        W, doc_topic_       document-topic weights v_nr, eq. (3)
Uᵀ       H, components_      topics u_r, each a distribution over terms, eq. (2)
q_r      scale_              scale of a topic: v_nr ~ Gamma(g_r, q_r / (1 − q_r)), eq. (5)
g_r      node_topic_[0]      how much documents use a topic; one node shared by all, eq. (4)
α        word_prior
c, ε     concentration, sparsity
c₀g₀     top_shape           not printed: 1
h₀       top_rate            not printed: 1
R        n_topics            an upper bound: topics without counts are pruned
=======  ==================  ==============================================================
"""

from __future__ import annotations

from typing import Any

from core.engine.gibbs.hierarchy import Hierarchy
from core.engine.gibbs.poisson_factors import PoissonFactors
from core.supervision import Supervision


class PFA(PoissonFactors):
    """x_nm ~ Poisson(Σ_r v_nr u_rm), sampled; labels do not change the topics.

    Parameters
    ----------
    n_topics
        The most topics there can be.
    data
        ``"counts"``, whole numbers; or ``"binary"``, where any positive number means "there".
    max_iter, burn_in, thin, n_chains
        Sweeps of a chain; how many of them are forgotten (None: half); which of the others are
        kept (every ``thin``-th); and how many chains run. The likeliest chain is reported.
    prune
        Drop topics that held no count during the second half of the burn-in; their columns and rows
        stay in place, as zeros. ``False`` keeps the sampler exact to the end.
    word_prior, concentration, sparsity, top_shape, top_rate
        Hyper-parameters, see the table above; ``sparsity=None`` is 1 / n_topics.
    tol
        Not used: a sampler does not converge to a point.
    random_state
        The same seed gives the same numbers on any number of threads.

    Attributes
    ----------
    doc_topic_, components_ : posterior means of v and u, topics scaled to unit length
    doc_topic_spread_, components_spread_ : their posterior standard deviations, in the same scale
    node_names_, node_topic_, node_topic_spread_ : the shared node, its weights g and their spread
    scale_ : posterior mean of q; active_topics_ : the topics that were not pruned
    held_out_ : expected count (or chance of a link) at the held-out cells
    objective_, trace_ : log-likelihood of the known cells under each sweep's u and v
    chain_traces_, r_hat_, n_draws_ : all chains, their agreement, and how many draws were kept
    """

    uses_labels = False

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
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _hierarchy(self, supervision: Supervision) -> Hierarchy:
        return Hierarchy.plain(supervision.n_docs)
