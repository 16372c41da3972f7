"""Undecided: uncertain documents, spread over the topics; for the mixed mode without an index.

Labels where the guide is least certain pay most, but the least certain documents are often outliers
that say nothing about others, or all belong to one large mixture. So only the documents of a topic
with the most neighbours are considered, and they count less the more labels the topic has, and less
with each one offered.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue import uncertain
from core.queue.context import QueueContext, QueueItem, smallest

CANDIDATES_PER_TOPIC = 25  # documents considered for each likeliest topic
TYPICAL_SHARE = 0.2  # of a topic's documents, those with the most neighbours, are considered


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """Documents with high entropy whose likeliest topic has few labels."""
    hints = context.hints_or_shares
    likely = hints.likely[:, 0]
    has_two = context.open & (hints.likely[:, 1] >= 0)
    counts = np.zeros(len(context.topics) + 1)
    counts[: context.label_counts.size] = context.label_counts
    index = context.neighbour_index
    neighbours = None if index is None else index.neighbour_counts
    entropy = np.where(has_two, hints.entropy, 0.0)
    rows = _candidates(entropy, likely, neighbours, len(context.topics))
    margin = hints.chance[rows, 0] - hints.chance[rows, 1]
    uncertainty = hints.entropy[rows] * (0.5 + 0.5 * (1 - margin))
    better = _rank_in_group(likely[rows], uncertainty)
    value = uncertainty / np.sqrt(1 + counts[likely[rows]] + better)
    for i in smallest(-value, context.limit):
        yield uncertain.make_item(context, int(rows[i]), float(value[i]))


def _candidates(
    entropy: np.ndarray, likely: np.ndarray, neighbours: np.ndarray | None, n_topics: int
) -> np.ndarray:
    """Of the typical documents of each likeliest topic, those with the highest entropy."""
    chosen = [np.empty(0, np.intp)]
    for topic in range(n_topics):
        mine = np.flatnonzero((likely == topic) & (entropy > 0))
        if neighbours is not None:
            n_typical = max(CANDIDATES_PER_TOPIC, int(TYPICAL_SHARE * mine.size))
            mine = mine[smallest(-neighbours[mine], n_typical)]
        chosen.append(mine[smallest(-entropy[mine], CANDIDATES_PER_TOPIC)])
    return np.sort(np.concatenate(chosen))


def _rank_in_group(group: np.ndarray, value: np.ndarray) -> np.ndarray:
    """How many of the same group have a higher value: 0 for the best of each."""
    order = np.lexsort((-value, group))
    begins = np.concatenate([[True], np.diff(group[order]) != 0])[: len(order)]
    start = np.flatnonzero(begins)[np.cumsum(begins) - 1] if len(order) else order
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order)) - start
    return rank
