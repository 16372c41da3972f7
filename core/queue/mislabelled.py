"""Looks mislabelled: labelled documents whose label the other labels speak against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.view import QueueItem, View, percent, smallest

KIND = "mislabelled"
DOUBT = 0.5  # a label is doubted when its topics hold less than this share of a free reading
RATIO = 3.0  # ... or when another label is so many times likelier, each document judged left out
SURE = 0.3  # ... and at least this likely


def line(view: View) -> Iterator[QueueItem]:
    """The guide's doubts if it has any to tell, otherwise those of a reading without labels."""
    if view.hints is not None and view.hints.judged.size:
        return _by_the_others(view)
    return _by_reading(view)


def _by_the_others(view: View) -> Iterator[QueueItem]:
    """Left out of the lesson, a document looks like another label than its own."""
    hints = view.hints
    assert hints is not None
    doubted = (hints.rival_chance >= SURE) & (hints.rival_chance >= RATIO * hints.own)
    value = hints.rival_chance - hints.own
    for i in smallest(np.where(doubted, -value, np.inf), len(value)):
        row, rival = int(hints.judged[i]), int(hints.rival[i])
        given = view.labels.get(row, ())
        if len(given) and rival not in given and row not in view.settled:
            likely = f"{view.topics.names[rival]} ({percent(hints.rival_chance[i])})"
            yield _item(view, row, likely, float(value[i]))


def _by_reading(view: View) -> Iterator[QueueItem]:
    """Its own topics hold little of what a reading without labels finds in it."""
    rows = np.array([row for row, columns in view.labels.items() if columns], dtype=np.intp)
    if view.reading is None or not len(rows):
        return
    weights = view.reading[rows]
    total = weights.sum(axis=1)
    own = np.array([weights[i, list(view.labels[int(row)])].sum() for i, row in enumerate(rows)])
    held = np.divide(own, total, out=np.ones_like(total), where=total > 0)
    for i in smallest(np.where(held < DOUBT, held, np.inf), len(held)):
        row, best = int(rows[i]), int(weights[i].argmax())
        if best not in view.labels[row] and row not in view.settled:
            yield _item(view, row, view.topics.names[best], 1 - float(held[i]))


def _item(view: View, row: int, likely: str, value: float) -> QueueItem:
    given = " and ".join(view.topics.names[column] for column in sorted(view.labels[row]))
    reason = f"Looks mislabelled: labelled {given}, reads as {likely}"
    return QueueItem(row, KIND, reason, value)
