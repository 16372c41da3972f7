"""Thin topic: documents that lean towards the topics with fewest labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.view import QueueItem, View, smallest

KIND = "thin"
THIN = 3  # one topic in so many counts as thin


def line(view: View) -> Iterator[QueueItem]:
    """The thinnest third of the topics in turn, each with the documents that lean to it most."""
    n_named = view.topics.n_supervised
    thinnest = np.argsort(view.counts, kind="stable")[: -(-n_named // THIN)]
    lines = [_leaning(view, int(topic)) for topic in thinnest]
    seen: set[int] = set()
    while lines:
        for each in list(lines):
            item = next((one for one in each if one.position not in seen), None)
            if item is None:
                lines.remove(each)
            else:
                seen.add(item.position)
                yield item


def _leaning(view: View, topic: int) -> Iterator[QueueItem]:
    share = view.topics.shares()[:, topic]
    name, count = view.topics.names[topic], int(view.counts[topic])
    many = f"only {count} label{'' if count == 1 else 's'}" if count else "no label yet"
    reason = f"Thin topic: {many} for {name}"
    for row in smallest(np.where(view.open & (share > 0), -share, np.inf), view.limit):
        yield QueueItem(int(row), KIND, reason, float(share[row]))
