"""95 % intervals of scores.

A proportion gets Wilson's interval, which is valid at 0 and at 1. A mean of ratios of sums
(Jaccard, F1, score P) is resampled: documents are put into at most ``MAX_GROUPS`` random groups,
the sums are taken once per group, and groups are drawn with replacement. With few documents a
group is a document, so this is the usual bootstrap; with many it costs no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from core.evaluation.metrics import intervals

MAX_GROUPS = 200
N_RESAMPLES = 400


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


def wilson(hits: int, n: int) -> Interval:
    """Interval of a share, hits of n (Wilson 1927)."""
    low, high = intervals.wilson(hits, n)
    return Interval(float(low), float(high))


def ratios_interval(
    numerator: Any,
    denominator: Any,
    combine: Callable[[np.ndarray, np.ndarray], np.ndarray],
    *,
    seed: int = 0,
) -> Interval:
    """Interval of ``combine`` of column sums, both matrices documents × columns.

    ``combine`` takes two arrays of resamples × columns and gives one number per resample.
    """
    n_docs = numerator.shape[0]
    if not n_docs:
        return Interval(0.0, 1.0)
    rng = np.random.default_rng(seed)
    groups = _groups(n_docs, rng)
    n_groups = groups.shape[0]
    drawn = rng.multinomial(n_groups, np.full(n_groups, 1 / n_groups), N_RESAMPLES)
    values = combine(drawn @ _sums(groups, numerator), drawn @ _sums(groups, denominator))
    low, high = np.quantile(values, (0.025, 0.975))
    return Interval(float(low), float(high))


def _groups(n_docs: int, rng: np.random.Generator) -> sp.csr_array:
    """Groups × documents, one 1 per document."""
    n_groups = min(MAX_GROUPS, n_docs)
    group = rng.permutation(n_docs) % n_groups
    return sp.csr_array((np.ones(n_docs), (group, np.arange(n_docs))), shape=(n_groups, n_docs))


def _sums(groups: sp.csr_array, values: Any) -> np.ndarray:
    total: Any = groups @ values
    return np.asarray(total.toarray() if hasattr(total, "toarray") else total)


def mean_of_ratios(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Mean over the columns that have a denominator."""
    known = denominator > 0
    ratio = np.divide(numerator, denominator, out=np.zeros_like(numerator), where=known)
    return ratio.sum(axis=1) / np.maximum(known.sum(axis=1), 1)


def ratio_of_sums(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    total = denominator.sum(axis=1)
    return np.divide(numerator.sum(axis=1), total, out=np.zeros(total.shape), where=total > 0)


class PairedDifference(NamedTuple):
    """How much more often one of two fits is right, on the same documents."""

    gain: float
    low: float
    high: float
    n: int
    sampling: float = 0.0  # half of the interval that the choice of documents alone makes


def paired_difference(
    now: np.ndarray, before: np.ndarray, *, fit_noise: float = 0.0
) -> PairedDifference:
    """The difference of two shares of hits on the same documents (Agresti & Min 2005).

    Half a document is added to each of the four outcomes, which keeps the interval valid when
    few documents changed. ``fit_noise`` is the standard deviation of the difference on the same
    documents because fits vary at random; it widens the interval.
    """
    n = now.size
    won, lost = int((now & ~before).sum()), int((~now & before).sum())
    size = n + 2
    middle = (won - lost) / size
    documents = np.sqrt(won + lost + 1 - (won - lost) ** 2 / size) / size
    half = intervals.TWO_SIDED_95 * np.hypot(documents, fit_noise)
    ends = float(middle - half), float(middle + half)
    sampling = float(intervals.TWO_SIDED_95 * documents)
    return PairedDifference((won - lost) / max(n, 1), *ends, n, sampling)
