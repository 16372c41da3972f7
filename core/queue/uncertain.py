"""Uncertain: documents whose two likeliest topics are almost equally likely."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.queue.context import QueueContext, QueueItem, smallest

UNCERTAIN_KIND = "uncertain"


def rank(context: QueueContext) -> Iterator[QueueItem]:
    """Smallest margin first; a document with fewer than two topics has none."""
    hints = context.hints_or_shares
    margin = hints.chance[:, 0] - hints.chance[:, 1]
    has_two = context.open & (hints.likely[:, 1] >= 0)
    for row in smallest(np.where(has_two, margin, np.inf), context.limit):
        yield make_item(context, int(row), 1 - float(margin[row]))


def make_item(context: QueueContext, row: int, value: float) -> QueueItem:
    """The document, with its two likeliest topics and what makes them likely.

    Without numbers: the topics beside the text show its shares in the last fit, and the guide's
    probabilities differ from them.
    """
    names = context.topics.names
    topics = " or ".join(
        names[topic] for topic in context.hints_or_shares.likely[row] if topic >= 0
    )
    return QueueItem(row, UNCERTAIN_KIND, f"{_source(context)} {topics}", value)


def _source(context: QueueContext) -> str:
    if context.hints is None:
        return "Its words suggest"
    return "The labels so far suggest" if context.labels else "The topics’ names suggest"
