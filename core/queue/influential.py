"""Influential: documents that speak for many others which no label reaches yet.

Facility location, greedily: a document is worth the similarity it adds to the landmarks beyond what
the labelled documents, and those offered before it, already give them; an uncertain landmark counts
more. The worth of a document only falls as others are chosen, so it is looked at again only when
it comes up (lazy greedy), and the first picks cover the corpus.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from core.queue.outline import Outline
from core.queue.view import QueueItem, View, smallest

KIND = "influential"
ALONE = "Speaks for texts that no label reaches yet"
AHEAD = 10  # candidates kept per document asked for
EVEN = 0.1  # what a landmark counts of which the guide is sure
LITTLE = 1e-6  # a gain that is none


def line(view: View) -> Iterator[QueueItem]:
    """Each document adds most to what is reached before it."""
    if view.outline is None:
        return iter(())
    weight = EVEN + (1 - EVEN) * view.hinted.torn[view.outline.landmarks] if view.labels else None
    return reaching(view.outline, view.covered, view.open, weight, view.limit)


def reaching(
    outline: Outline,
    covered: np.ndarray,
    is_open: np.ndarray,
    weight: np.ndarray | None,
    limit: int,
) -> Iterator[QueueItem]:
    """The documents that reach most of the outline beyond what is covered."""
    for row, gain in covering(outline.near, covered, is_open, weight, limit):
        yield QueueItem(row, KIND, reason(outline, row), gain)


def reason(outline: Outline, row: int) -> str:
    about = _rounded(float(outline.neighbours[row]))
    return f"Speaks for about {about:,} similar texts" if about > 1 else ALONE


def covering(
    near: sp.csr_array,
    covered: np.ndarray,
    is_open: np.ndarray,
    weight: np.ndarray | None,
    limit: int,
) -> Iterator[tuple[int, float]]:
    """Rows of ``near`` that add most to ``covered``, one after the other, with what they add."""
    weight = np.ones(near.shape[1]) if weight is None else weight
    covered = covered.copy()
    gains = _gains(near, covered, weight)
    rows = smallest(np.where(is_open & (gains > LITTLE), -gains, np.inf), AHEAD * limit)
    heap = [(-gains[row], int(row)) for row in rows]
    heapq.heapify(heap)
    while heap:
        _, row = heapq.heappop(heap)
        cells = slice(near.indptr[row], near.indptr[row + 1])
        where, cosine = near.indices[cells], near.data[cells]
        gain = float((np.maximum(cosine - covered[where], 0) * weight[where]).sum())
        if heap and gain < -heap[0][0]:
            if gain > LITTLE:
                heapq.heappush(heap, (-gain, row))
            continue
        if gain <= LITTLE:
            return
        covered[where] = np.maximum(covered[where], cosine)
        yield row, gain


def _gains(near: sp.csr_array, covered: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """What each document alone would add."""
    added = np.maximum(near.data - covered[near.indices], 0) * weight[near.indices]
    total = np.concatenate([[0.0], np.cumsum(added)])
    return total[near.indptr[1:]] - total[near.indptr[:-1]]


def _rounded(count: float) -> int:
    """Two leading digits: it is an estimate."""
    size = 10 ** max(0, len(str(int(count))) - 2)
    return int(round(count / size) * size)
