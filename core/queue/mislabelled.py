"""Looks mislabelled: labelled documents that resemble the documents of another label."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.context import QueueContext, QueueItem, smallest

MISLABELLED_KIND = "mislabelled"
MAX_OWN_SHARE = 0.5  # doubted if its own topics hold less of it when the model ignores labels
MIN_RIVAL_RATIO = 3.0  # doubted by the guide if another label is so many times likelier …
MIN_RIVAL_CHANCE = 0.3  # … and at least this likely


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """By the guide if it judged any document, otherwise by a fit that ignored labels."""
    if context.hints is not None and context.hints.judged.size:
        return _doubted_by_guide(context)
    return _doubted_without_labels(context)


def _doubted_by_guide(context: QueueContext) -> Iterator[QueueItem]:
    """A guide trained without the document gives it another label than its own."""
    hints = context.hints
    assert hints is not None
    likely = hints.rival_chance >= MIN_RIVAL_CHANCE
    doubted = likely & (hints.rival_chance >= MIN_RIVAL_RATIO * hints.own)
    value = hints.rival_chance - hints.own
    for i in smallest(np.where(doubted, -value, np.inf), len(value)):
        row, rival = int(hints.judged[i]), int(hints.rival[i])
        given = context.labels.get(row, ())
        if len(given) and rival not in given and row not in context.confirmed:
            yield _item(context, row, context.topics.names[rival], float(value[i]))


def _doubted_without_labels(context: QueueContext) -> Iterator[QueueItem]:
    """Its own topics hold little of its weight when the model ignores labels."""
    rows = np.array([row for row, columns in context.labels.items() if columns], dtype=np.intp)
    if context.unlabelled_weights is None or not len(rows):
        return
    weights = context.unlabelled_weights[rows]
    total = weights.sum(axis=1)
    own = np.array([weights[i, list(context.labels[int(row)])].sum() for i, row in enumerate(rows)])
    share = np.divide(own, total, out=np.ones_like(total), where=total > 0)
    for i in smallest(np.where(share < MAX_OWN_SHARE, share, np.inf), len(share)):
        row, best = int(rows[i]), int(weights[i].argmax())
        if best not in context.labels[row] and row not in context.confirmed:
            yield _item(context, row, context.topics.names[best], 1 - float(share[i]))


def _item(context: QueueContext, row: int, rival: str, value: float) -> QueueItem:
    given = " and ".join(context.topics.names[column] for column in sorted(context.labels[row]))
    reason = f"Looks mislabelled: labelled {given}, reads like {rival}"
    return QueueItem(row, MISLABELLED_KIND, reason, value)
