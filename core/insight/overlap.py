"""Pairs of topics that overlap: in their words, or in the documents they are about.

An overlap is a fact about both topics. It is stated of each, with the share of its own documents
and of the other's: half of a small topic may be a twentieth of a large one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from core.insight.similarity import count_shared_documents, word_similarity
from core.topics import Topics
from core.values import percent

OVERLAP_COSINE = 0.5  # of the words of two topics, above which they overlap
OVERLAP_SHARE = 0.4  # of the smaller topic's documents, above which two topics overlap


@dataclass(frozen=True, slots=True)
class Overlap:
    """One topic beside another."""

    other: int
    similar_words: bool
    documents: int  # in common; 0 unless they are many
    own_share: float  # of this topic's documents
    other_share: float
    strength: float  # seen from this topic, from 0 to 1

    def sentence(self, name: str) -> str:
        """What is the matter, in one sentence; ``name`` is the other topic's."""
        texts = "1 text" if self.documents == 1 else f"{self.documents:,} texts"
        shares = f"{percent(self.own_share)} of its own, {percent(self.other_share)} of the other's"
        parts = [
            *(["similar words"] if self.similar_words else []),
            *([f"{texts} in common ({shares})"] if self.documents else []),
        ]
        return f"Overlaps with “{name}”: {' and '.join(parts)}."


def find_overlaps(topics: Topics) -> list[list[Overlap]]:
    """By topic, strongest first: the topic it overlaps with most, and those that do so with it."""
    measured = _Measured.of(topics)
    partners = measured.partners()
    return [[measured.overlap(topic, other) for other in partners[topic]] for topic in partners]


@dataclass(frozen=True)
class _Measured:
    """Topics × topics: cosines of words, documents in common, and their share of each row's."""

    words: np.ndarray
    shared: np.ndarray
    own: np.ndarray

    @classmethod
    def of(cls, topics: Topics) -> _Measured:
        shared = count_shared_documents(topics)
        own = shared / np.maximum(np.diag(shared), 1)[:, None]
        return cls(word_similarity(topics), shared, own)

    def partners(self) -> dict[int, list[int]]:
        """The topics to name beside each: a pair that one of the two is told of, both are."""
        smaller = np.maximum(self.own, self.own.T)  # the share of the smaller one's documents
        excess = _excess(self.words, OVERLAP_COSINE) + _excess(smaller, OVERLAP_SHARE)
        np.fill_diagonal(excess, 0.0)
        most = {topic: int(row.argmax()) for topic, row in enumerate(excess) if row.any()}
        pairs = {frozenset(pair) for pair in most.items()}
        order = np.argsort(-excess, axis=1, kind="stable").tolist()
        return {
            topic: [other for other in others if frozenset((topic, other)) in pairs]
            for topic, others in enumerate(order)
        }

    def overlap(self, topic: int, other: int) -> Overlap:
        own, theirs = float(self.own[topic, other]), float(self.own[other, topic])
        words = float(self.words[topic, other])
        strength = _excess(words, OVERLAP_COSINE) + _excess(own, OVERLAP_SHARE)
        many = max(own, theirs) > OVERLAP_SHARE
        return Overlap(
            other=other,
            similar_words=words > OVERLAP_COSINE,
            documents=int(self.shared[topic, other]) if many else 0,
            own_share=own,
            other_share=theirs,
            strength=float(min(1.0, strength)),
        )


V = TypeVar("V", float, np.ndarray)


def _excess(values: V, limit: float) -> V:
    """How far values lie above a limit, from 0 to 1."""
    return np.maximum(values - limit, 0) / (1 - limit)
