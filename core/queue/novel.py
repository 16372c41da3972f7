"""Novel: documents whose neighbours are not similar to any labelled document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.context import QueueContext, QueueItem, smallest

NOVEL_KIND = "novel"
NOVEL_REASON = "Not similar to any labelled text"
MIN_DISTANCE = 0.5  # labelled documents are less than half as close to its neighbours as it is


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """Documents far from every labelled one, those with more neighbours first.

    A document without neighbours says nothing about others, so it is not offered.
    """
    if context.neighbour_index is None or not context.labels:
        return
    similarity = context.neighbour_index.landmark_similarity
    total = np.asarray(similarity.sum(axis=1)).ravel()
    covered = np.asarray(similarity @ context.covered).ravel()
    own = np.asarray(similarity.multiply(similarity).sum(axis=1)).ravel()
    distance = 1 - np.divide(covered, own, out=np.ones_like(own), where=own > 0)
    value = np.maximum(distance, 0) * np.sqrt(total)
    novel = context.open & (distance > MIN_DISTANCE)
    for row in smallest(np.where(novel, -value, np.inf), context.limit):
        yield QueueItem(int(row), NOVEL_KIND, NOVEL_REASON, float(value[row]))
