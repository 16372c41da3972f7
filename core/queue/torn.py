"""Torn between many topics, spread over the topics: the work-horse of the mixed line.

Asking where the model is least sure pays, but the least sure documents are often odd ones that
teach nothing about others, and often belong to one large muddle. So only the documents of a topic
that have most neighbours are asked about, and they count less the more labels the topic has, and
less with each one offered.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue import uncertain
from core.queue.view import QueueItem, View, smallest

KIND = uncertain.KIND
PER_TOPIC = 25  # documents considered for each likeliest topic
TYPICAL = 0.2  # share of a topic's documents, those with most neighbours, among which to look


def line(view: View) -> Iterator[QueueItem]:
    """Where labels are few and the guide is torn."""
    hints = view.hinted
    likely = hints.likely[:, 0]
    known = view.open & (hints.likely[:, 1] >= 0)
    counts = np.zeros(len(view.topics) + 1)
    counts[: view.counts.size] = view.counts
    neighbours = None if view.outline is None else view.outline.neighbours
    rows = _candidates(np.where(known, hints.torn, 0.0), likely, neighbours, len(view.topics))
    value = hints.torn[rows] * (0.5 + 0.5 * (1 - hints.chance[rows, 0] + hints.chance[rows, 1]))
    before = _place_in_group(likely[rows], value)
    worth = value / np.sqrt(1 + counts[likely[rows]] + before)
    for i in smallest(-worth, view.limit):
        yield uncertain.item(view, int(rows[i]), float(worth[i]))


def _candidates(
    torn: np.ndarray, likely: np.ndarray, neighbours: np.ndarray | None, n_topics: int
) -> np.ndarray:
    """The typical documents of each likeliest topic that are most torn."""
    chosen = [np.empty(0, np.intp)]
    for topic in range(n_topics):
        mine = np.flatnonzero((likely == topic) & (torn > 0))
        if neighbours is not None:
            n_typical = max(PER_TOPIC, int(TYPICAL * mine.size))
            mine = mine[smallest(-neighbours[mine], n_typical)]
        chosen.append(mine[smallest(-torn[mine], PER_TOPIC)])
    return np.sort(np.concatenate(chosen))


def _place_in_group(group: np.ndarray, value: np.ndarray) -> np.ndarray:
    """How many of the same group are worth more: 0 for the best of each."""
    order = np.lexsort((-value, group))
    begins = np.concatenate([[True], np.diff(group[order]) != 0])[: len(order)]
    start = np.flatnonzero(begins)[np.cumsum(begins) - 1] if len(order) else order
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order)) - start
    return place
