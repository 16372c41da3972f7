"""Unlike anything labelled: no labelled document reaches its neighbourhood."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.view import QueueItem, View, smallest

KIND = "novel"
FAR = 0.5  # a document is new when labels reach its neighbours less than half as close as it does


def line(view: View) -> Iterator[QueueItem]:
    """Documents whose neighbours are far from every label, those with more neighbours first.

    A document that resembles nothing at all teaches nothing about others: it is not offered.
    """
    if view.outline is None or not view.labels:
        return
    near = view.outline.near
    total = np.asarray(near.sum(axis=1)).ravel()
    reached = np.asarray(near @ view.covered).ravel()
    own = np.asarray(near.multiply(near).sum(axis=1)).ravel()
    distance = 1 - np.divide(reached, own, out=np.ones_like(own), where=own > 0)
    worth = np.maximum(distance, 0) * np.sqrt(total)
    new = view.open & (distance > FAR)
    for row in smallest(np.where(new, -worth, np.inf), view.limit):
        yield QueueItem(int(row), KIND, "Unlike anything labelled so far", float(worth[row]))
