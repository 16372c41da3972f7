"""One topic in detail: its distinctive words and its borderline documents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from core.topics import Topics

MIN_BORDERLINE_SHARE = 0.2  # both topics hold at least this share of a borderline document


class BorderlineDocument(NamedTuple):
    """A document with almost equal shares of two topics."""

    position: int
    share: float
    other: int
    other_share: float


def distinctive_terms(topics: Topics, topic: int, n: int = 10) -> pd.DataFrame:
    """The words that distinguish a topic from the others, by ``lift``.

    ``lift`` is the frequency of a word in the topic divided by its frequency in the corpus, topics
    weighted by their volume. Which words are listed is decided by weight × log(lift), so rare words
    do not win; they stand in the order of the lift, which is what a reader sees.
    """
    words = _distributions(topics)
    volume = topics.shares().sum(axis=0, dtype=np.float64)
    corpus_frequency = (volume / max(volume.sum(), 1e-300)) @ words
    lift = np.divide(
        words[topic],
        corpus_frequency,
        out=np.zeros_like(corpus_frequency),
        where=corpus_frequency > 0,
    )
    distinctiveness = words[topic] * np.log(np.maximum(lift, 1.0))
    best = [j for j in np.argsort(-distinctiveness, kind="stable")[:n] if distinctiveness[j] > 0]
    order = sorted(best, key=lambda j: -lift[j])
    return pd.DataFrame(
        {
            "term": [topics.terms[j] for j in order],
            "weight": [float(topics.topic_term[topic, j]) for j in order],
            "lift": [float(lift[j]) for j in order],
        }
    )


def borderline_documents(topics: Topics, topic: int, n: int = 5) -> list[BorderlineDocument]:
    """Documents in which the topic and another hold nearly the same share, closest first."""
    shares = topics.shares()
    if len(topics) < 2:
        return []
    mine = shares[:, topic]
    candidates = np.flatnonzero(mine >= MIN_BORDERLINE_SHARE)
    rest = shares[candidates].copy()
    rest[:, topic] = -1.0
    other = rest.argmax(axis=1)
    theirs = rest[np.arange(candidates.size), other]
    gap = np.where(theirs >= MIN_BORDERLINE_SHARE, np.abs(mine[candidates] - theirs), np.inf)
    order = [i for i in np.argsort(gap, kind="stable")[:n] if np.isfinite(gap[i])]
    return [
        BorderlineDocument(
            int(candidates[i]), float(mine[candidates[i]]), int(other[i]), float(theirs[i])
        )
        for i in order
    ]


def _distributions(topics: Topics) -> np.ndarray:
    """Every topic's words, normalised to sum to one; a topic without words stays zero."""
    words = topics.topic_term.astype(np.float64)
    total = words.sum(axis=1, keepdims=True)
    return np.divide(words, total, out=np.zeros_like(words), where=total > 0)
