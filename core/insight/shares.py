"""The main topic of a document: the one that holds most of it."""

from __future__ import annotations

import numpy as np

from core.topics import Topics

NO_TOPIC = -1  # the main topic of a document in which the model found nothing


def main_topics(topics: Topics) -> np.ndarray:
    """The topic that holds most of each document; -1 where the model found nothing."""
    largest = topics.doc_topic.argmax(axis=1)
    return np.where(topics.doc_topic.max(axis=1, initial=0) > 0, largest, NO_TOPIC)
