"""Influential: documents similar to many others that are not similar to any labelled document.

Greedy facility location: the gain of a document is the similarity it adds to the landmarks beyond
what the labelled documents, and those offered before it, already give them; with each of the first
labels, landmarks whose two likeliest topics are close count more and more beside the others. A gain
only falls as others are chosen, so it is computed again only when the document comes up (lazy
greedy), and the first picks cover the corpus.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from core.queue.context import QueueContext, QueueItem, smallest
from core.queue.neighbour_index import NeighbourIndex

INFLUENTIAL_KIND = "influential"
NO_NEIGHBOURS = "Represents texts that are not labelled yet"
CANDIDATES_PER_ITEM = 10  # documents on the heap for each one asked for
MIN_GAIN = 1e-6  # a smaller gain counts as none


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """Each document adds most to the coverage of those before it."""
    index = context.neighbour_index
    if index is None:
        return iter(())
    return rank_by_reach(
        index, context.covered, context.open, context.landmark_weight, context.limit
    )


def rank_by_reach(
    index: NeighbourIndex,
    covered: np.ndarray,
    is_open: np.ndarray,
    weight: np.ndarray | None,
    limit: int,
) -> Iterator[QueueItem]:
    """The documents that cover most landmarks beyond what is covered."""
    for row, gain in greedy_cover(index.landmark_similarity, covered, is_open, weight, limit):
        yield QueueItem(row, INFLUENTIAL_KIND, describe_reach(index, row), gain)


def describe_reach(index: NeighbourIndex, row: int) -> str:
    about = _rounded(float(index.neighbour_counts[row]))
    return f"Similar to about {about:,} other texts" if about > 1 else NO_NEIGHBOURS


def greedy_cover(
    similarity: sp.csr_array,
    covered: np.ndarray,
    is_open: np.ndarray,
    weight: np.ndarray | None,
    limit: int,
) -> Iterator[tuple[int, float]]:
    """Rows of ``similarity`` that add most to ``covered``, one after the other, with their gain."""
    weight = np.ones(similarity.shape[1]) if weight is None else weight
    covered = covered.copy()
    gains = _gains(similarity, covered, weight)
    candidates = np.where(is_open & (gains > MIN_GAIN), -gains, np.inf)
    heap = [(-gains[row], int(row)) for row in smallest(candidates, CANDIDATES_PER_ITEM * limit)]
    heapq.heapify(heap)
    while heap:
        _, row = heapq.heappop(heap)
        cells = slice(similarity.indptr[row], similarity.indptr[row + 1])
        where, cosine = similarity.indices[cells], similarity.data[cells]
        gain = float((np.maximum(cosine - covered[where], 0) * weight[where]).sum())
        if heap and gain < -heap[0][0]:
            if gain > MIN_GAIN:
                heapq.heappush(heap, (-gain, row))
            continue
        if gain <= MIN_GAIN:
            return
        covered[where] = np.maximum(covered[where], cosine)
        yield row, gain


def _gains(similarity: sp.csr_array, covered: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """What each document alone would add."""
    added = np.maximum(similarity.data - covered[similarity.indices], 0)
    total = np.concatenate([[0.0], np.cumsum(added * weight[similarity.indices])])
    return total[similarity.indptr[1:]] - total[similarity.indptr[:-1]]


def _rounded(count: float) -> int:
    """Two leading digits: it is an estimate."""
    size = 10 ** max(0, len(str(int(count))) - 2)
    return int(round(count / size) * size)
