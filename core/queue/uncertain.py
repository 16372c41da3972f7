"""Uncertain between A and B: the two likeliest topics are almost level."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.view import QueueItem, View, percent, smallest

KIND = "uncertain"


def line(view: View) -> Iterator[QueueItem]:
    """Smallest gap first; where fewer than two topics speak there is nothing to weigh."""
    hints = view.hinted
    gap = hints.chance[:, 0] - hints.chance[:, 1]
    weighed = view.open & (hints.likely[:, 1] >= 0)
    for row in smallest(np.where(weighed, gap, np.inf), view.limit):
        yield item(view, int(row), 1 - float(gap[row]))


def item(view: View, row: int, value: float) -> QueueItem:
    """The document with the two topics it lies between, and who says so.

    The card shows the shares of the last fit; the guide's chances are other numbers, so the
    sentence tells whose they are.
    """
    hints = view.hinted
    pair = zip(hints.likely[row], hints.chance[row], strict=True)
    told = " or ".join(f"{view.topics.names[t]} ({percent(share)})" for t, share in pair if t >= 0)
    source = "Its words fit" if view.hints is None else "The labels so far suggest"
    return QueueItem(row, KIND, f"{source} {told}", value)
