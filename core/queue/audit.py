"""Random check: documents drawn at random, so that scores measured on them are unbiased."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.context import QueueContext, QueueItem, smallest

RANDOM_KIND = "random"
RANDOM_REASON = "Random check"


def rank(context: QueueContext) -> Iterator[QueueItem]:
    return draw(context.open, context.random_key, context.limit)


def draw(is_open: np.ndarray, random_key: np.ndarray, limit: int) -> Iterator[QueueItem]:
    """Each document keeps its random number, so labelling one does not shuffle the others."""
    for position in smallest(np.where(is_open, random_key, np.inf), limit):
        yield QueueItem(int(position), RANDOM_KIND, RANDOM_REASON)
