"""Informative: the documents whose labels would reduce the guide's uncertainty most.

The guide is a ridge regression, so the effect of a label is known before it is given: how far it
lowers the variance of the guide's scores over the corpus (transductive experimental design, Yu, Bi
& Tresp 2006), here over the landmarks, uncertain ones counting more. A document that resembles
many others and no labelled one lowers it most. A label that is foreseen teaches less than the
variance promises, so the less certain documents come first. A document of few words says little of
its topic, whatever it resembles, so in a large corpus the shorter of two counts less; in a small
one, where each label is a good part of all there is to get right, that does not pay. Each document
offered counts as labelled for the next, so the queue does not ask for near-copies in a row.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.guide.ridge import RIDGE_PENALTY
from core.queue.context import QueueContext, QueueItem, smallest
from core.queue.influential import INFLUENTIAL_KIND, describe_reach
from core.queue.neighbour_index import NeighbourIndex

MAX_SAMPLED_DOCUMENTS = 20_000  # in a larger corpus each document resembles one of the sample
MAX_CANDIDATES = 4000  # documents whose gain is computed again after each one offered
MIN_SURPRISE = 0.05  # of the document whose label is most certain
SHORTEST_COUNTS = 0.4  # what the shortest document of a large corpus counts beside the longest
LENGTH_COUNTS_FROM = 2000  # documents of a corpus that is large in this sense


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """Each document reduces the variance most after those before it, its surprise considered."""
    index = context.neighbour_index
    if index is None or index.vectors is None or not context.labels:
        return
    rows = smallest(np.where(context.open, context.random_key, np.inf), MAX_SAMPLED_DOCUMENTS)
    vectors = index.vectors[rows].astype(np.float32)
    projected = vectors @ _coefficient_covariance(index.vectors, context)
    effect = projected @ _landmark_root(index, index.vectors, context)
    variance = np.einsum("ij,ij->i", projected, vectors)
    promise = _length_weight(index)[rows] * _surprise(context.doubt[rows])
    gain = promise * np.einsum("ij,ij->i", effect, effect) / (variance + RIDGE_PENALTY)
    best = smallest(-gain, MAX_CANDIDATES)
    chosen = _greedy(
        vectors[best], projected[best], effect[best], variance[best], promise[best], context.limit
    )
    for place, value in chosen:
        row = int(rows[best[place]])
        yield QueueItem(row, INFLUENTIAL_KIND, describe_reach(index, row), value)


def _surprise(doubt: np.ndarray) -> np.ndarray:
    """By its rank among the documents, so that the scale of the guide's chances does not matter."""
    rank = np.empty(len(doubt))
    rank[np.argsort(doubt, kind="stable")] = np.arange(len(doubt)) / max(len(doubt), 1)
    return np.asarray(MIN_SURPRISE + (1 - MIN_SURPRISE) * rank)


def _length_weight(index: NeighbourIndex) -> np.ndarray:
    large = len(index.first_copy) >= LENGTH_COUNTS_FROM
    shortest = SHORTEST_COUNTS if large else 1.0
    return np.asarray(shortest + (1 - shortest) * index.length_rank)


def _coefficient_covariance(vectors: np.ndarray, context: QueueContext) -> np.ndarray:
    """Covariance of the guide's coefficients, given which documents are labelled."""
    labelled = vectors[np.fromiter(context.labels, dtype=np.intp)].astype(np.float64)
    size = labelled.shape[1]
    return np.linalg.inv(labelled.T @ labelled / RIDGE_PENALTY + np.eye(size)).astype(np.float32)


def _landmark_root(index: NeighbourIndex, vectors: np.ndarray, context: QueueContext) -> np.ndarray:
    """A square root of the landmarks' second moments, uncertain landmarks weighted more."""
    landmarks = vectors[index.landmarks].astype(np.float64)
    weight = context.landmark_weight
    moments = (landmarks * weight[:, None]).T @ landmarks / max(float(weight.sum()), 1e-12)
    return np.linalg.cholesky(moments + 1e-9 * np.eye(len(moments))).astype(np.float32)


def _greedy(
    vectors: np.ndarray,
    projected: np.ndarray,
    effect: np.ndarray,
    variance: np.ndarray,
    promise: np.ndarray,
    limit: int,
) -> Iterator[tuple[int, float]]:
    """Choose greedily; every choice lowers the gain of the others by a rank-one update."""
    left = np.ones(len(vectors), dtype=bool)
    for _ in range(min(limit, len(vectors))):
        fall = np.einsum("ij,ij->i", effect, effect) / (variance + RIDGE_PENALTY)
        gain = np.where(left, promise * fall, -1)
        best = int(gain.argmax())
        left[best] = False
        yield best, float(gain[best])
        covariance = projected @ vectors[best]
        factor = covariance / (RIDGE_PENALTY + variance[best])
        variance = variance - factor * covariance
        effect = effect - np.outer(factor, effect[best])
        projected = projected - np.outer(factor, projected[best])
