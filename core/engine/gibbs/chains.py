"""Chains of a Gibbs sampler: burn-in, thinning, pruning, means and spreads of what is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.engine.descent import Callback, Progress, Trace, descend
from core.engine.gibbs.sweep import Sampler
from core.engine.kernels.allocation import fold


class RunningMoments:
    """Running mean and spread of an array over draws."""

    def __init__(self, shape: tuple[int, ...], dtype: type = np.float64) -> None:
        self.mean: np.ndarray = np.zeros(shape, dtype)
        self.square: np.ndarray = np.zeros(shape, dtype)
        self.count = 0

    def add(self, value: np.ndarray) -> None:
        self.count += 1
        fold(np.ascontiguousarray(value), self.count, self.mean, self.square)

    @property
    def spread(self) -> np.ndarray:
        """Standard deviation over the draws; zero where there was one only."""
        return np.sqrt(self.square / max(self.count - 1, 1))


@dataclass(frozen=True)
class ChainSchedule:
    """How long a chain runs and what of it is kept."""

    max_iter: int
    burn_in: int
    thin: int
    prune: bool

    def keeps(self, sweep: int) -> bool:
        """Whether this sweep, counted from 1, is a draw to remember."""
        return sweep > self.burn_in and (sweep - self.burn_in - 1) % self.thin == 0


class Chain:
    """One chain and the moments of its draws.

    Topics without a count during the second half of the burn-in are dropped if the schedule prunes;
    ``columns`` are those that stay, in their old places.
    """

    def __init__(self, sampler: Sampler, plan: ChainSchedule) -> None:
        self.sampler, self.plan = sampler, plan
        self.n_topics = sampler.n_topics
        self.columns = np.arange(sampler.n_topics)
        self.last_used = np.zeros(sampler.n_topics, int)
        self.done = 0
        self.trace = Trace()
        self._forget()

    def _forget(self) -> None:
        """Empty moments, of the topics that are left."""
        sampler, n_topics = self.sampler, self.columns.size
        self.documents = RunningMoments((sampler.counts.shape[0], n_topics), np.float32)
        self.topics = RunningMoments((sampler.counts.shape[1], n_topics), np.float32)
        self.nodes = [RunningMoments(weight.shape) for weight in sampler.weight]
        self.scale = RunningMoments((n_topics,))
        self.held_out = RunningMoments((sampler.counts.held.size,))

    def run(self, callback: Callback | None = None, offset: int = 0, total: int = 0) -> Chain:
        """All sweeps, unless the callback cancels; a sampler never stops by its gain."""

        def report(progress: Progress) -> bool | None:
            sweep, most = offset + progress.iteration, total or progress.max_iter
            return callback(Progress(sweep, most, progress.objective)) if callback else None

        self.trace = descend(
            self._sweep,
            self.sampler.log_likelihood(),
            max_iter=self.plan.max_iter,
            tol=-math.inf,
            rising=True,
            callback=report,
        )
        if self.documents.count == 0:
            self._collect()
        return self

    def _sweep(self) -> float:
        value = self.sampler.sweep()
        self.done += 1
        self.last_used[self.sampler.topic_counts() > 0] = self.done
        if self.done == self.plan.burn_in and self.plan.prune:
            self._prune()
        if self.plan.keeps(self.done):
            self._collect()
        return value

    def _prune(self) -> None:
        used = np.flatnonzero(self.last_used > self.plan.burn_in // 2)
        if 0 < used.size < self.columns.size:
            self.sampler.keep(used)
            self.columns, self.last_used = self.columns[used], self.last_used[used]
            self._forget()

    def _collect(self) -> None:
        sampler = self.sampler
        self.documents.add(sampler.document_weights())
        self.topics.add(sampler.topics[:, : self.columns.size])
        self.scale.add(sampler.scale())
        for moments, weight in zip(self.nodes, sampler.weight, strict=True):
            moments.add(weight)
        if sampler.counts.held.size:
            rate = sampler.rate[sampler.counts.held].astype(np.float64)
            self.held_out.add(-np.expm1(-rate) if sampler.counts.binary else rate)

    @property
    def level(self) -> float:
        """Mean log-likelihood of the later half: which of several chains to keep."""
        return float(np.mean(self.trace.objective[len(self.trace.objective) // 2 :]))

    def spread_out(self, values: np.ndarray) -> np.ndarray:
        """``values`` by kept topic (last axis), zero at the topics that were dropped."""
        result = np.zeros((*values.shape[:-1], self.n_topics), values.dtype)
        result[..., self.columns] = values
        return result


def split_r_hat(chains: list[np.ndarray]) -> float:
    """Potential scale reduction of halved chains (Gelman & Rubin); near 1 where they agree."""
    length = min(chain.size for chain in chains) // 2
    if length < 2:
        return math.nan
    halves = np.array([half for c in chains for half in (c[:length], c[-length:])])
    within = halves.var(axis=1, ddof=1).mean()
    between = halves.mean(axis=1).var(ddof=1)
    return float(np.sqrt((length - 1) / length + between / within)) if within > 0 else math.nan
