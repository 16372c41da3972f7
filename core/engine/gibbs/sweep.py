"""The exact Gibbs sweep of Poisson factor analysis with side information.

Hu, Rai & Carin (2016), with the conditionals of the stated model, which the printed (27) and
(30)–(34) are not: see ``core/models/docs/pfa_ssi.md``. Nodes of any depth are drawn with the
document weights v integrated out, so v is drawn after them; counts come last, so a sweep ends with
u, v, and the allocation of every count under them.

Streams: a draw for a document, term or node comes from a stream keyed by (seed, sweep, stage) and
its row. Counts are whole numbers, so their sums do not depend on the order; sums of real numbers
run over fixed blocks. Hence the numbers depend on the seed alone, not on threads or parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln

from core.engine.gibbs.hierarchy import Hierarchy
from core.engine.kernels import allocation, node_sweep
from core.engine.kernels.threads import Parts, each_part, parts_of
from core.engine.kernels.topic_draw import HELD_OUT, WAYS

TERMS_PER_BLOCK = 512  # terms of one block: real sums run block by block
MASK_64_BITS = (1 << 64) - 1


@dataclass(frozen=True)
class Priors:
    """Hyper-parameters in words; the paper's letters beside them."""

    word_prior: float = 0.1  # α
    concentration: float = 1.0  # c
    sparsity: float = 0.005  # ε
    top_shape: float = 1.0  # s; c₀ g₀ in plain PFA
    top_rate: float = 1.0  # β₁; h₀ in plain PFA
    node_rate: float = 1.0  # β₀


class Streams:
    """Keys for the streams of a chain: one for every stage of every sweep."""

    def __init__(self, seed: int) -> None:
        self.seed = seed & MASK_64_BITS
        self.drawn = 0

    def key(self) -> np.uint64:
        """The next key; equal seeds give equal sequences of keys."""
        self.drawn += 1
        z = (self.seed + self.drawn * 0x9E3779B97F4A7C15) & MASK_64_BITS
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64_BITS
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK_64_BITS
        return np.uint64(z ^ (z >> 31))


@dataclass(frozen=True)
class Counts:
    """Whole numbers at the stored cells; ``HELD_OUT`` where a cell is not known."""

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray  # int32
    shape: tuple[int, int]
    binary: bool = False
    held: np.ndarray = field(init=False)  # where the held-out cells are stored
    constant: float = field(init=False)  # Σ ln x! over the known cells

    def __post_init__(self) -> None:
        known = self.data[self.data > 1].astype(np.float64)
        object.__setattr__(self, "held", np.flatnonzero(self.data == HELD_OUT))
        object.__setattr__(self, "constant", float(gammaln(known + 1).sum()))

    def parts(self) -> Parts:
        return parts_of(sp.csr_array((self.data, self.indices, self.indptr), shape=self.shape))

    def log_likelihood(self, rate: np.ndarray, mass: np.ndarray) -> float:
        """ln P(known cells | u, v); ``rate`` at the stored cells, ``mass`` Σ_r v_nr by document."""
        everything = float(mass.sum()) - float(rate[self.held].sum(dtype=np.float64))
        known = np.delete(rate, self.held) if self.held.size else rate
        known = np.maximum(known, np.float32(1e-37)).astype(np.float64)
        if self.binary:
            likely = np.log(-np.expm1(-known)).sum()
            return float(likely) - (everything - float(known.sum()))
        data = np.delete(self.data, self.held) if self.held.size else self.data
        return float(data @ np.log(known)) - everything - self.constant


class Sampler:
    """State of one chain: u, v, q, the nodes' weights, and the counts allotted to topics."""

    def __init__(
        self,
        counts: Counts,
        hierarchy: Hierarchy,
        priors: Priors,
        seed: int,
        W: np.ndarray,
        H: np.ndarray,
    ) -> None:
        """``W``, ``H``: where u and v start; rows of H are scaled to sum to one."""
        self.counts, self.hierarchy, self.priors = counts, hierarchy, priors
        self.streams = Streams(seed)
        self.parts = counts.parts()
        self.blocks: Parts = tuple(
            pairwise([*range(0, counts.shape[1], TERMS_PER_BLOCK), counts.shape[1]])
        )
        self.n_topics = H.shape[0]
        self._start(W, H)
        self.allocate()

    def _start(self, W: np.ndarray, H: np.ndarray) -> None:
        links, priors, n_topics = self.hierarchy.links, self.priors, self.n_topics
        length = np.maximum(H.sum(axis=1, dtype=np.float64), 1e-30)
        self.topics = padded((H / length[:, None]).T)
        owners = np.repeat(np.arange(links[0].n_below), np.diff(links[0].indptr))
        self.contribution = (W / np.diff(links[0].indptr)[:, None])[owners].astype(np.float32)
        self.found = np.zeros((links[0].n_links, n_topics), np.int32)
        self.rate = np.zeros(self.counts.data.size, np.float32)
        self.mass = np.zeros(links[0].n_below)
        prior = priors.top_shape / priors.top_rate
        self.weight = [np.full((link.n_above, n_topics), prior) for link in links[:-1]]
        self.share = [np.full((link.n_links, n_topics), prior) for link in links[1:]]
        self.odds = np.zeros(n_topics)

    def sweep(self) -> float:
        """Every unknown once; the log-likelihood of the known cells under the new u and v."""
        self.draw_parameters()
        self.allocate()
        return self.log_likelihood()

    def draw_parameters(self) -> None:
        """u, q, the nodes and v, given the counts of every topic."""
        self.draw_topics()
        self.draw_odds()
        self.draw_nodes()
        self.draw_documents()

    def allocate(self) -> None:
        """x_nm → x_nmr → x_n·rl, eqs. (16)–(18); held-out cells are drawn, then treated alike."""
        counts, links, key = self.counts, self.hierarchy.links[0], self.streams.key()

        def work(first: int, last: int, table: np.ndarray) -> None:
            allocation.allocate(
                counts.indptr, counts.indices, counts.data, first, last, counts.binary,
                links.indptr, self.contribution, self.topics, key, self.rate, self.mass,
                self.found, table,
            )  # fmt: skip

        self.table = summed(work, self.parts, self.topics.shape)

    def draw_topics(self) -> None:
        """u_r ~ Dirichlet(α + x_·mr), eq. (19)."""
        key, total = self.streams.key(), np.zeros((len(self.blocks), self.n_topics))

        def work(first: int, last: int) -> None:
            allocation.draw_terms(
                self.table, self.priors.word_prior, first, last, self.n_topics, key,
                self.topics, total[first // TERMS_PER_BLOCK],
            )  # fmt: skip

        each_part(work, self.blocks)
        sums = total.sum(axis=0)
        self._settle_empty(sums, key)
        each_part(lambda a, b: allocation.normalise(self.topics, a, b, sums), self.blocks)

    def _settle_empty(self, sums: np.ndarray, key: np.uint64) -> None:
        """Where every term underflowed, a Dirichlet of tiny α has all its mass on one term."""
        for topic in np.flatnonzero(sums < 1e-30):
            term = np.random.default_rng([int(key), int(topic)]).integers(self.topics.shape[0])
            self.topics[:, topic] = 0
            self.topics[term, topic] = sums[topic] = 1

    def draw_odds(self) -> None:
        """q_r ~ Beta(cε + x_··r, c(1−ε) + Σ_n Σ_{l ∈ nodes(n)} g_lr), eq. (22)."""
        strength, mean = self.priors.concentration, self.priors.sparsity
        a = strength * mean + self.topic_counts()
        b = strength * (1 - mean) + self.hierarchy.links[0].children @ self.weight[0]
        node_sweep.draw_odds(a, b, self.streams.key(), self.odds)

    def draw_nodes(self) -> None:
        """Tables climb from the documents to the top; weights come down again, eqs. (27)–(34)."""
        links, priors = self.hierarchy.links, self.priors
        tables, exposure = (
            [self._seated()],
            [links[0].children[:, None] * np.logaddexp(0, self.odds)],
        )
        by: list[np.ndarray] = []
        nothing = np.empty((0, self.n_topics))
        for level, up in enumerate(links[1:]):
            above = self.weight[level + 1] if up.n_above else nothing
            by.append(np.zeros((up.n_links, self.n_topics), np.int64))
            tables.append(np.zeros((up.n_above, self.n_topics), np.int64))
            exposure.append(np.zeros((up.n_above, self.n_topics)))
            node_sweep.climb(
                up.indptr, up.indices, above, self.share[level], priors.node_rate,
                self.streams.key(), tables[level], exposure[level], by[level],
                tables[level + 1], exposure[level + 1],
            )  # fmt: skip
        self.tables, self.exposure, self.tables_by = tables[:-1], exposure[:-1], by
        for level in reversed(range(self.hierarchy.depth)):
            up = links[level + 1]
            above = self.weight[level + 1] if up.n_above else nothing
            node_sweep.come_down(
                up.indptr, up.indices, above, priors.node_rate, priors.top_shape,
                priors.top_rate, self.streams.key(), tables[level], exposure[level], by[level],
                self.share[level], self.weight[level],
            )  # fmt: skip

    def _seated(self) -> np.ndarray:
        """f_lr = Σ_{n ∈ D_l} CRT(x_n·rl, g_lr), one restaurant for each document."""
        links, key = self.hierarchy.links[0], self.streams.key()

        def work(first: int, last: int, tables: np.ndarray) -> None:
            allocation.seat(
                links.indptr, links.indices, first, last, self.weight[0], self.found, key, tables
            )

        return summed(work, self.parts, self.weight[0].shape).astype(np.int64)

    def draw_documents(self) -> None:
        """v_nrl ~ Gamma(g_lr + x_n·rl, scale q_r), eq. (20)."""
        links, key, scale = self.hierarchy.links[0], self.streams.key(), self.scale()

        def work(first: int, last: int) -> None:
            allocation.contribute(
                links.indptr, links.indices, first, last, self.weight[0], self.found, scale, key,
                self.contribution,
            )  # fmt: skip

        each_part(work, self.parts)

    def scale(self) -> np.ndarray:
        """q_r, at least the smallest double so that its logarithm is finite."""
        return np.maximum(np.exp(-np.logaddexp(0, -self.odds)), 1e-300)

    def topic_counts(self) -> np.ndarray:
        """x_··r."""
        return self.table[:, : self.n_topics].sum(axis=0, dtype=np.int64)

    def log_likelihood(self) -> float:
        return self.counts.log_likelihood(self.rate, self.mass)

    def document_weights(self) -> np.ndarray:
        """v_nr = Σ_l v_nrl, documents × topics."""
        links = self.hierarchy.links[0]
        if links.n_links == links.n_below:
            return self.contribution
        return np.add.reduceat(self.contribution, links.indptr[:-1], axis=0)

    def keep(self, columns: np.ndarray) -> None:
        """Go on with these topics only; the others must be without counts."""
        self.n_topics = columns.size
        self.topics = padded(self.topics[:, columns])
        self.table = np.ascontiguousarray(padded(self.table[:, columns], np.int32))
        self.contribution = np.ascontiguousarray(self.contribution[:, columns])
        self.found = np.ascontiguousarray(self.found[:, columns])
        self.weight = [np.ascontiguousarray(weight[:, columns]) for weight in self.weight]
        self.share = [np.ascontiguousarray(share[:, columns]) for share in self.share]
        self.odds = np.ascontiguousarray(self.odds[columns])


def padded(columns: np.ndarray, dtype: type = np.float32) -> np.ndarray:
    """The same with zero columns until every way (``topic_draw``) has as many topics."""
    width = -(-columns.shape[1] // WAYS) * WAYS
    result = np.zeros((columns.shape[0], width), dtype)
    result[:, : columns.shape[1]] = columns
    return result


def summed(
    work: Callable[[int, int, np.ndarray], None], parts: Parts, shape: tuple[int, ...]
) -> np.ndarray:
    """Σ over the parts of what ``work`` adds to a table of whole numbers.

    Threads hand tables on to one another: there are as many as threads, and since whole numbers are
    added it does not matter who used which.
    """
    tables: list[np.ndarray] = []

    def run(first: int, last: int) -> None:
        try:
            table = tables.pop()
        except IndexError:
            table = np.zeros(shape, np.int32)
        work(first, last, table)
        tables.append(table)

    each_part(run, parts)
    total = tables.pop()
    for table in tables:
        total += table
    return total
