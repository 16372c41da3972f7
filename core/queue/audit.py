"""Random audit: drawn blind, so that what is measured on it is honest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.view import QueueItem, View, smallest

KIND = "random"
REASON = "Random check"


def line(view: View) -> Iterator[QueueItem]:
    return drawn(view.open, view.key, view.limit)


def drawn(is_open: np.ndarray, key: np.ndarray, limit: int) -> Iterator[QueueItem]:
    """Each document keeps its number, so labelling one does not shuffle the others."""
    for position in smallest(np.where(is_open, key, np.inf), limit):
        yield QueueItem(int(position), KIND, REASON)
