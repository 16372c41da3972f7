"""One topic in depth: what sets its words apart, and the documents in which it is in doubt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from core.topics import Topics

CONTESTED = 0.2  # a document in doubt gives the topic at least this share


class Borderline(NamedTuple):
    """A document that two topics claim almost equally."""

    position: int
    share: float
    other: int
    other_share: float


def distinctive_terms(topics: Topics, topic: int, n: int = 10) -> pd.DataFrame:
    """The words that tell a topic from the others, most telling first.

    ``lift`` is how many times as frequent a word is in the topic as in the corpus, topics counted
    by their volume. Words are ranked by weight × log(lift): a rare word alone tells little.
    """
    words = _distributions(topics)
    volume = topics.shares().sum(axis=0, dtype=np.float64)
    usual = (volume / max(volume.sum(), 1e-300)) @ words
    lift = np.divide(words[topic], usual, out=np.zeros_like(usual), where=usual > 0)
    telling = words[topic] * np.log(np.maximum(lift, 1.0))
    order = [j for j in np.argsort(-telling, kind="stable")[:n] if telling[j] > 0]
    return pd.DataFrame(
        {
            "term": [topics.terms[j] for j in order],
            "weight": [float(topics.topic_term[topic, j]) for j in order],
            "lift": [float(lift[j]) for j in order],
        }
    )


def borderline_documents(topics: Topics, topic: int, n: int = 5) -> list[Borderline]:
    """Documents in which the topic and another hold nearly the same share, closest first."""
    shares = topics.shares()
    if len(topics) < 2:
        return []
    mine = shares[:, topic]
    candidates = np.flatnonzero(mine >= CONTESTED)
    rest = shares[candidates].copy()
    rest[:, topic] = -1.0
    other = rest.argmax(axis=1)
    theirs = rest[np.arange(candidates.size), other]
    gap = np.where(theirs >= CONTESTED, np.abs(mine[candidates] - theirs), np.inf)
    order = [i for i in np.argsort(gap, kind="stable")[:n] if np.isfinite(gap[i])]
    return [
        Borderline(int(candidates[i]), float(mine[candidates[i]]), int(other[i]), float(theirs[i]))
        for i in order
    ]


def _distributions(topics: Topics) -> np.ndarray:
    """Every topic's words, summing to one; a topic without words stays zero."""
    words = topics.topic_term.astype(np.float64)
    total = words.sum(axis=1, keepdims=True)
    return np.divide(words, total, out=np.zeros_like(words), where=total > 0)
