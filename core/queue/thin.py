"""Thin topics: documents that belong to the topics with the fewest labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.context import QueueContext, QueueItem, smallest

THIN_KIND = "thin"
TOPICS_PER_THIN_TOPIC = 3  # the third of the topics with the fewest labels counts as thin


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """The thin topics in turn, each with the documents that have most of it."""
    n_thin = -(-context.topics.n_supervised // TOPICS_PER_THIN_TOPIC)
    thinnest = np.argsort(context.label_counts, kind="stable")[:n_thin]
    queues = [_documents_of(context, int(topic)) for topic in thinnest]
    seen: set[int] = set()
    while queues:
        for queue in list(queues):
            item = next((each for each in queue if each.position not in seen), None)
            if item is None:
                queues.remove(queue)
            else:
                seen.add(item.position)
                yield item


def _documents_of(context: QueueContext, topic: int) -> Iterator[QueueItem]:
    share = context.topics.shares()[:, topic]
    name, count = context.topics.names[topic], int(context.label_counts[topic])
    labels = f"only {count} label{'' if count == 1 else 's'}" if count else "no labels yet"
    reason = f"Few labels: {name} has {labels}"
    for row in smallest(np.where(context.open & (share > 0), -share, np.inf), context.limit):
        yield QueueItem(int(row), THIN_KIND, reason, float(share[row]))
