"""What PFA and PFA-SSI share: whole numbers in, chains, posterior means out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from core.chains import Chain, Plan, split_r_hat
from core.descent import Callback
from core.errors import ModelError
from core.estimator import (
    Factors,
    Matrix,
    TopicModel,
    check_count,
    check_number,
    check_positive,
    check_start,
    unit_topics,
)
from core.gibbs import Counts, Priors, Sampler, Streams, in_blocks, padded
from core.hierarchy import Hierarchy
from core.kernels import allocation
from core.kernels.allocation import HELD_OUT
from core.kernels.parts import each_part, one_blas_thread, parts_of
from core.observed import excess
from core.starts import label_topics
from core.supervision import Supervision

MOST_TOKENS = 2**31 - 1  # counts are added up in 32 bits
INFER_SWEEPS, INFER_REST = 60, 20  # of the short chain for a new document, and its burn-in
TILT = 0.02  # share of every term in every topic at the start


class PoissonFactors(TopicModel, ABC):
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

    CHOICES: ClassVar[dict[str, tuple[str, ...]]] = {"data": ("counts", "binary")}

    def fit(
        self,
        X: Matrix,
        y: Any = None,
        *,
        observed: Any = None,
        start: Factors | None = None,
        callback: Callback | None = None,
    ) -> PoissonFactors:
        """Fit to counts, or to what is there and what is not.

        ``observed``: sparse weights of the cells that differ from 1; 0 holds a cell out.
        """
        self._check_options()
        X = self._checked(X, reset=True)
        supervision = self._supervised(y, X.shape[0])
        hierarchy = self._hierarchy(supervision)
        held = None if observed is None else held_out_cells(observed, X)
        X = X if held is None else without(X, held)
        counts = self._counts(X, held)
        rng = np.random.default_rng(self.random_state)
        self._seed = int(rng.integers(2**63))
        with one_blas_thread():
            chains = self._run(X, supervision, counts, hierarchy, rng, start, callback)
        self._conclude(chains, counts, hierarchy, X.dtype)
        return self

    def transform(self, X: Matrix) -> np.ndarray:
        """Topic weights of new documents: v by a short chain with the topics fixed.

        A document's chain is seeded by its own words, so its weights do not depend on the others.
        """
        check_is_fitted(self, "components_")
        X = self._checked(X, reset=False)
        return (self._infer(X) * self._length).astype(X.dtype)

    def _infer(self, X: sp.csr_array) -> np.ndarray:
        """Posterior mean of v, in the scale of topics that sum to one."""
        counts = self._counts(X)
        topics = in_blocks(padded((self.components_ * self._length[:, None]).T))
        scale = np.clip(self.scale_, 1e-300, 1 - 1e-12)
        key, W = Streams(self._seed).key(), np.empty((X.shape[0], scale.size))

        def work(first: int, last: int) -> None:
            allocation.infer(
                counts.indptr, counts.indices, counts.data, first, last, counts.binary,
                self._prior, scale, topics, key, INFER_REST, INFER_SWEEPS, W,
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
        if whole.sum(dtype=np.float64) > MOST_TOKENS:
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

    def _run(
        self,
        X: sp.csr_array,
        supervision: Supervision,
        counts: Counts,
        hierarchy: Hierarchy,
        rng: np.random.Generator,
        start: Factors | None,
        callback: Callback | None,
    ) -> list[Chain]:
        plan, chains = self._plan(), []
        for number in range(self.n_chains):
            W, H = self._start(X, supervision, rng, start)
            seed = int(rng.integers(2**63))
            sampler = Sampler(counts, hierarchy, self._priors(), seed, W, H)
            chain = Chain(sampler, plan)
            chains.append(
                chain.run(callback, number * plan.max_iter, self.n_chains * plan.max_iter)
            )
            if chain.trace.stopped == "cancelled":
                break
        return chains

    def _plan(self) -> Plan:
        burn_in = self.max_iter // 2 if self.burn_in is None else self.burn_in
        return Plan(self.max_iter, burn_in, self.thin, self.prune)

    def _start(
        self,
        X: sp.csr_array,
        supervision: Supervision,
        rng: np.random.Generator,
        start: Factors | None,
    ) -> Factors:
        """Where u and v start: earlier factors, or label means and documents far apart."""
        shape = (X.shape[0], self.n_topics)
        if start is None:
            if supervision.n_labels > self.n_topics:
                supervision = Supervision.none(X.shape[0])
            H = label_topics(X, supervision, self.n_topics, rng).astype(np.float64)
            H /= np.maximum(H.sum(axis=1, keepdims=True), 1e-30)
            return np.ones(shape), (1 - TILT) * H + TILT / X.shape[1]
        W, H = (np.array(factor, dtype=np.float64) for factor in start)
        if W.shape != shape or H.shape != (shape[1], X.shape[1]):
            raise ModelError(
                f"A start of shapes {W.shape} and {H.shape} does not fit {X.shape[0]} documents, "
                f"{self.n_topics} topics and {X.shape[1]} terms."
            )
        check_start(W, H)
        length = np.maximum(H.sum(axis=1), 1e-30)
        return W * length, H / length[:, None]

    def _conclude(
        self, chains: list[Chain], counts: Counts, hierarchy: Hierarchy, dtype: Any
    ) -> None:
        """Means and spreads of the likeliest chain; held-out cells from all of them."""
        kept = max(chains, key=lambda chain: chain.level)
        W, H = kept.spread_out(kept.documents.mean), kept.spread_out(kept.topics.mean).T
        W, H = W.astype(np.float64), H.astype(np.float64)
        total = H.sum(axis=1)
        H /= np.where(total > 0, total, 1)[:, None]
        self._length = np.sqrt((H**2).sum(axis=1))
        W, H = unit_topics(W, H)
        self.doc_topic_, self.components_ = W.astype(dtype), H.astype(dtype)
        self._conclude_spreads(kept, dtype)
        self.node_names_ = hierarchy.names
        self.node_topic_ = tuple(kept.spread_out(moments.mean) for moments in kept.nodes)
        self.node_topic_spread_ = tuple(kept.spread_out(moments.spread) for moments in kept.nodes)
        self.scale_ = kept.spread_out(kept.scale.mean)
        self._prior = hierarchy.links[0].children @ self.node_topic_[0] / hierarchy.n_docs
        self.active_topics_ = kept.columns
        self.n_draws_ = kept.documents.count
        self.held_out_ = held_out_means(chains, counts)
        self._conclude_traces(chains, kept)

    def _conclude_spreads(self, kept: Chain, dtype: Any) -> None:
        length = np.where(self._length > 0, self._length, 1)
        self.doc_topic_spread_ = (kept.spread_out(kept.documents.spread) * length).astype(dtype)
        spread = kept.spread_out(kept.topics.spread).T
        self.components_spread_ = (spread / length[:, None]).astype(dtype)

    def _conclude_traces(self, chains: list[Chain], kept: Chain) -> None:
        later = [np.array(chain.trace.objective[1:]) for chain in chains]
        burn_in = self._plan().burn_in
        self.chain_traces_ = tuple(chain.trace for chain in chains)
        self.r_hat_ = split_r_hat([values[burn_in:] for values in later])
        stopped = chains[-1].trace.stopped  # a later chain may have been cancelled
        self.trace_ = type(kept.trace)(
            kept.trace.objective, kept.trace.n_iter, stopped, kept.trace.seconds
        )
        self.objective_ = self.trace_.objective[-1]
        self.n_iter_ = self.trace_.n_iter

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


def held_out_cells(observed: Any, X: sp.csr_array) -> sp.csr_array | None:
    """``HELD_OUT`` at the cells of weight 0; other weights than 0 and 1 have no meaning here."""
    held = excess(observed, X)
    if held is None:
        return None
    if (held.data != -1).any():
        raise ModelError("Cells are observed (1) or held out (0) in this model, never weighted.")
    return sp.csr_array((np.full(held.nnz, HELD_OUT), held.indices, held.indptr), shape=X.shape)


def without(X: sp.csr_array, held: sp.csr_array) -> sp.csr_array:
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
