"""What PFA and PFA-SSI share: whole numbers in, chains, posterior means out."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from core.engine.checks import check_count, check_number, check_positive, checked_start
from core.engine.estimator import Factors, FitInputs, Solution, TopicModel, unit_topics
from core.engine.gibbs.chains import Chain, ChainSchedule, split_r_hat
from core.engine.gibbs.hierarchy import Hierarchy
from core.engine.gibbs.sweep import Counts, Priors, Sampler, Streams, padded
from core.engine.kernels import allocation
from core.engine.kernels.threads import each_part, parts_of
from core.engine.kernels.topic_draw import HELD_OUT
from core.engine.observed import excess
from core.engine.starts.topics import label_topics, labels_with_topics
from core.errors import ModelError
from core.supervision import Supervision

MAX_TOKENS = 2**31 - 1  # counts are added up in 32 bits
INFER_SWEEPS, INFER_BURN_IN = 60, 20  # of the short chain for a new document, and its burn-in
UNIFORM_SHARE = 0.02  # share of every term in every topic at the start


class PoissonFactors(TopicModel):
    """x_nm ~ Poisson(Σ_r v_nr u_rm), or whether such a count is positive; sampled by sweeps."""

    data: str
    burn_in: int | None
    thin: int
    n_chains: int
    prune: bool
    word_prior: float
    concentration: float
    sparsity: float | None
    top_shape: float
    top_rate: float

    takes_observed = True
    rising = True
    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {"data": ("counts", "binary")}

    def _solve(self, inputs: FitInputs) -> Solution:
        X, hierarchy = inputs.X, self._hierarchy(inputs.supervision)
        held = None if inputs.observed is None else held_out_cells(inputs.observed, X)
        X = X if held is None else without_cells(X, held)
        counts = self._counts(X, held)
        self.seed_ = int(inputs.rng.integers(2**63))
        chains = self._run(replace(inputs, X=X), counts, hierarchy)
        return self._conclude(chains, counts, hierarchy, X.dtype)

    def _weights_of(self, X: sp.csr_array) -> np.ndarray:
        """v by a short chain with the topics fixed.

        A document's chain is seeded by its own words, so its weights do not depend on the others.
        """
        return (self._infer(X) * self.topic_length_).astype(X.dtype)

    def _infer(self, X: sp.csr_array) -> np.ndarray:
        """Posterior mean of v, in the scale of topics that sum to one."""
        counts = self._counts(X)
        topics = padded((self.components_ * self.topic_length_[:, None]).T)
        scale = np.clip(self.scale_, 1e-300, 1 - 1e-12)
        key, W = Streams(self.seed_).key(), np.empty((X.shape[0], scale.size))

        def work(first: int, last: int) -> None:
            allocation.infer(
                counts.indptr, counts.indices, counts.data, first, last, counts.binary,
                self.weight_prior_, scale, topics, key, INFER_BURN_IN, INFER_SWEEPS, W,
            )  # fmt: skip

        each_part(work, parts_of(X))
        return W

    @abstractmethod
    def _hierarchy(self, supervision: Supervision) -> Hierarchy:
        """What stands above the documents."""

    def _priors(self) -> Priors:
        return Priors(
            word_prior=float(self.word_prior),
            concentration=float(self.concentration),
            sparsity=1 / self.n_topics if self.sparsity is None else float(self.sparsity),
            top_shape=float(self.top_shape),
            top_rate=float(self.top_rate),
        )

    def _counts(self, X: sp.csr_array, held: sp.csr_array | None = None) -> Counts:
        """X as whole numbers, and ``HELD_OUT`` at the cells that are not known."""
        binary = self.data == "binary"
        whole = np.ones_like(X.data) if binary else np.rint(X.data)
        if not binary and not np.array_equal(whole, X.data):
            raise ModelError(
                "This model needs counts, whole numbers of words: weigh the terms by counts instead"
                ' of TF-IDF, or set data="binary" to use only which words are there.'
            )
        if whole.sum(dtype=np.float64) > MAX_TOKENS:
            raise ModelError("More than two thousand million words in all are too many to count.")
        values = sp.csr_array((whole, X.indices, X.indptr), X.shape)
        if held is not None:
            values = sp.csr_array(values + held)
            values.sort_indices()
        return Counts(
            values.indptr.astype(np.int32, copy=False),
            values.indices.astype(np.int32, copy=False),
            values.data.astype(np.int32),
            X.shape,
            binary,
        )

    def _run(self, inputs: FitInputs, counts: Counts, hierarchy: Hierarchy) -> list[Chain]:
        plan, chains = self._plan(), []
        for number in range(self.n_chains):
            W, H = self._start(inputs)
            seed = int(inputs.rng.integers(2**63))
            chain = Chain(Sampler(counts, hierarchy, self._priors(), seed, W, H), plan)
            done, total = number * plan.max_iter, self.n_chains * plan.max_iter
            chains.append(chain.run(inputs.callback, done, total))
            if chain.trace.stopped == "cancelled":
                break
        return chains

    def _plan(self) -> ChainSchedule:
        burn_in = self.max_iter // 2 if self.burn_in is None else self.burn_in
        return ChainSchedule(self.max_iter, burn_in, self.thin, self.prune)

    def _start(self, inputs: FitInputs) -> Factors:
        """Where u and v start: earlier factors, or label means and documents far apart."""
        X = inputs.X
        if inputs.start is not None:
            W, H = checked_start(inputs.start, X, self.n_topics, np.float64)
            length = np.maximum(H.sum(axis=1), 1e-30)
            return W * length, H / length[:, None]
        labels = labels_with_topics(inputs.supervision, self.n_topics)
        H = label_topics(X, labels, self.n_topics, inputs.rng).astype(np.float64)
        H /= np.maximum(H.sum(axis=1, keepdims=True), 1e-30)
        return np.ones((X.shape[0], self.n_topics)), (
            1 - UNIFORM_SHARE
        ) * H + UNIFORM_SHARE / X.shape[1]

    def _conclude(
        self, chains: list[Chain], counts: Counts, hierarchy: Hierarchy, dtype: Any
    ) -> Solution:
        """Means and spreads of the likeliest chain; held-out cells from all of them."""
        best = max(chains, key=lambda chain: chain.level)
        W, H = best.spread_out(best.documents.mean), best.spread_out(best.topics.mean).T
        W, H = W.astype(np.float64), H.astype(np.float64)
        total = H.sum(axis=1)
        H /= np.where(total > 0, total, 1)[:, None]
        length = np.sqrt((H**2).sum(axis=1))
        W, H = unit_topics(W, H)
        self.topic_length_ = length
        self._keep_spreads(best, length, dtype)
        self._keep_nodes(best, hierarchy)
        self.active_topics_ = best.columns
        self.n_draws_ = best.documents.count
        self.held_out_ = held_out_means(chains, counts)
        self.chain_traces_ = tuple(chain.trace for chain in chains)
        self.r_hat_ = agreement(chains, self._plan().burn_in)
        stopped = chains[-1].trace.stopped  # a later chain may have been cancelled
        return Solution(W.astype(dtype), H.astype(dtype), replace(best.trace, stopped=stopped))

    def _keep_spreads(self, best: Chain, length: np.ndarray, dtype: Any) -> None:
        length = np.where(length > 0, length, 1)
        self.doc_topic_spread_ = (best.spread_out(best.documents.spread) * length).astype(dtype)
        spread = best.spread_out(best.topics.spread).T
        self.components_spread_ = (spread / length[:, None]).astype(dtype)

    def _keep_nodes(self, best: Chain, hierarchy: Hierarchy) -> None:
        weights = tuple(best.spread_out(moments.mean) for moments in best.nodes)
        self.node_names_ = hierarchy.names
        self.node_topic_ = weights
        self.node_topic_spread_ = tuple(best.spread_out(moments.spread) for moments in best.nodes)
        self.scale_ = best.spread_out(best.scale.mean)
        self.weight_prior_ = hierarchy.links[0].children @ weights[0] / hierarchy.n_docs

    def _check_options(self) -> None:
        super()._check_options()
        check_count("thin", self.thin)
        check_count("n_chains", self.n_chains)
        if self.burn_in is not None:
            check_number("burn_in", self.burn_in)
            if self.burn_in != int(self.burn_in) or self.burn_in >= self.max_iter:
                raise ModelError(
                    f"burn_in is a whole number below max_iter, which is {self.max_iter}, "
                    f"not {self.burn_in!r}."
                )
        for name in ("word_prior", "concentration", "top_shape", "top_rate"):
            check_positive(name, getattr(self, name))
        if self.sparsity is not None:
            check_positive("sparsity", self.sparsity)
            if not self.sparsity < 1:
                raise ModelError(f"sparsity lies between 0 and 1, not at {self.sparsity!r}.")


def agreement(chains: list[Chain], burn_in: int) -> float:
    """Split R-hat of the objective after the burn-in."""
    return split_r_hat([np.array(chain.trace.objective[1 + burn_in :]) for chain in chains])


def held_out_cells(observed: Any, X: sp.csr_array) -> sp.csr_array | None:
    """``HELD_OUT`` at the cells of weight 0; other weights than 0 and 1 have no meaning here."""
    held = excess(observed, X)
    if held is None:
        return None
    if (held.data != -1).any():
        raise ModelError("Cells are observed (1) or held out (0) in this model, never weighted.")
    return sp.csr_array((np.full(held.nnz, HELD_OUT), held.indices, held.indptr), shape=X.shape)


def without_cells(X: sp.csr_array, held: sp.csr_array) -> sp.csr_array:
    """X without the held-out cells."""
    mark = sp.csr_array((np.ones(held.nnz), held.indices, held.indptr), shape=X.shape)
    known = sp.csr_array(X - X.multiply(mark))
    known.eliminate_zeros()
    known.sort_indices()
    return known


def held_out_means(chains: list[Chain], counts: Counts) -> sp.csr_array:
    """Expected count, or chance of a link, at every held-out cell; over the draws of all chains."""
    moments = [chain.held_out for chain in chains]
    draws = sum(moment.count for moment in moments)
    mean = sum((moment.mean * moment.count for moment in moments), np.zeros(counts.held.size))
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))[counts.held]
    cells = (rows, counts.indices[counts.held])
    return sp.csr_array((mean / max(draws, 1), cells), shape=counts.shape)
