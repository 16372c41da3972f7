"""Which topics need a look, why, and which first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.changes import Changes
from core.similarity import spoken_together, word_similarity
from core.topics import Topics

Kind = Literal["empty", "few labels", "incoherent", "overlapping", "drifting"]

FEW = 5  # labels below which a topic of the analyst's is thin
INCOHERENT = 0.05  # NPMI from which on a topic's words belong together, whatever the others do
BEHIND = 0.15  # how far below the middle topic one must fall: short texts lower all of them
ALIKE = 0.5  # cosine of words from which two topics speak alike
SHARED = 0.4  # of the smaller topic's documents, from which two topics are hard to tell apart
DRIFTED = 0.6  # of its words kept since the last fit, below which a topic drifts
WEIGHT: dict[Kind, float] = {
    "empty": 3.0,
    "overlapping": 2.0,
    "few labels": 1.5,
    "incoherent": 1.5,
    "drifting": 1.0,
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a topic needs a look, in words, and how much, from 0 to 1."""

    kind: Kind
    sentence: str
    strength: float


@dataclass(frozen=True, slots=True)
class Attention:
    """One topic and what is the matter with it, worst first; without reasons all is well."""

    topic: int
    reasons: tuple[Reason, ...]

    @property
    def urgency(self) -> float:
        return sum(WEIGHT[reason.kind] * (0.5 + reason.strength) for reason in self.reasons)


def needs_attention(
    topics: Topics,
    *,
    labelled: Sequence[int] | None = None,
    coherence: Sequence[float] | np.ndarray | None = None,
    changes: Changes | None = None,
) -> list[Attention]:
    """All topics, those that need a look most first; ties stay in the topics' own order.

    ``labelled`` counts the documents people gave to each topic (asked only of the analyst's own),
    ``coherence`` is NPMI per topic, ``changes`` says what the last refit did. What is not given is
    not judged.
    """
    likeness, together = word_similarity(topics), spoken_together(topics)
    limit = _coherence_limit(coherence)
    found = [
        Attention(
            topic,
            tuple(
                sorted(
                    (
                        *_empty(together, topic),
                        *_few(topics, topic, labelled),
                        *_incoherent(topic, limit, coherence),
                        *_overlapping(topics, topic, likeness, together),
                        *_drifting(topic, changes),
                    ),
                    key=lambda reason: -WEIGHT[reason.kind] * (0.5 + reason.strength),
                )
            ),
        )
        for topic in range(len(topics))
    ]
    return sorted(found, key=lambda each: -each.urgency)


def _empty(together: np.ndarray, topic: int) -> list[Reason]:
    if together[topic, topic]:
        return []
    return [Reason("empty", "No text speaks of it.", 1.0)]


def _few(topics: Topics, topic: int, labelled: Sequence[int] | None) -> list[Reason]:
    if labelled is None or topic >= topics.n_supervised or labelled[topic] >= FEW:
        return []
    count = labelled[topic]
    told = {0: "No text is labelled with it yet.", 1: "Only one text is labelled with it."}
    sentence = told.get(count, f"Only {count} texts are labelled with it.")
    return [Reason("few labels", sentence, 1.0 - count / FEW)]


def _coherence_limit(coherence: Sequence[float] | np.ndarray | None) -> float:
    """Below this a topic is incoherent: by itself, and beside the other topics of the corpus."""
    known = [value for value in (() if coherence is None else coherence) if np.isfinite(value)]
    return min(INCOHERENT, float(np.median(known)) - BEHIND) if known else INCOHERENT


def _incoherent(
    topic: int, limit: float, coherence: Sequence[float] | np.ndarray | None
) -> list[Reason]:
    if coherence is None or not np.isfinite(coherence[topic]) or coherence[topic] >= limit:
        return []
    value = float(coherence[topic])
    sentence = f"Its words occur together less than those of other topics (coherence {value:.2f})."
    return [Reason("incoherent", sentence, float(np.clip((limit - value) / 0.5, 0.0, 1.0)))]


def _overlapping(
    topics: Topics, topic: int, likeness: np.ndarray, together: np.ndarray
) -> list[Reason]:
    """The other topic that is hardest to tell from this one, if any is."""
    if len(topics) < 2:
        return []
    sizes = np.diag(together)
    smaller = np.maximum(np.minimum(sizes, sizes[topic]), 1)
    words, documents = likeness[topic].copy(), together[topic] / smaller
    documents[sizes == 0] = 0.0
    words[topic] = documents[topic] = 0.0
    excess = np.maximum(words - ALIKE, 0) / (1 - ALIKE) + np.maximum(documents - SHARED, 0) / (
        1 - SHARED
    )
    other = int(excess.argmax())
    if excess[other] <= 0:
        return []
    return [_overlap(topics.names[other], words[other], documents[other], float(excess[other]))]


def _overlap(name: str, words: float, documents: float, excess: float) -> Reason:
    parts = [
        *(["most of its words"] if words > ALIKE else []),
        *([f"{documents:.0%} of the texts"] if documents > SHARED else []),
    ]
    sentence = f"Hard to tell from “{name}”: they have {' and '.join(parts)} in common."
    return Reason("overlapping", sentence, min(excess, 1.0))


def _drifting(topic: int, changes: Changes | None) -> list[Reason]:
    change = next((c for c in changes.topics if c.after == topic), None) if changes else None
    if change is None or change.stability >= DRIFTED:
        return []
    gone = ", ".join(change.lost[:3])
    sentence = f"Changed much in the last fit: {1 - change.stability:.0%} of its words are new"
    sentence += f" (gone: {gone})." if gone else "."
    return [Reason("drifting", sentence, 1.0 - change.stability)]
