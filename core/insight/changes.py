"""What a refit changed: words in and out of each topic, documents that moved, how stable it is.

Stability is the overlap coefficient of the top words (Smith-Renner et al. 2020): 1 when a topic
kept all of its words, 0 when it kept none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ModelError
from core.insight.topic_titles import with_titles
from core.supervision import TopicKey
from core.topics import Topics

COMPARED_WORDS = 20  # words compared for stability
NO_SUCCESSOR = -1  # the successor of a topic that is no longer there


@dataclass(frozen=True, slots=True)
class TopicChange:
    """One topic before and after; indices into the two Topics."""

    before: int
    after: int
    key: TopicKey
    name: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    stability: float


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that differs between two fits of the same documents."""

    topics: tuple[TopicChange, ...]
    added: tuple[str, ...]  # names of topics that were not there before
    removed: tuple[str, ...]
    moved: tuple[int, ...]  # positions whose main topic is another one now
    n_documents: int
    stability: float  # mean over the topics that are in both


def compare(
    before: Topics,
    after: Topics,
    *,
    pairs: Sequence[tuple[int, int]] | None = None,
    words: int = 10,
) -> Changes:
    """Topics are the same when ``pairs`` says so, or else when they have the same key.

    Free topics are called by their words, as everywhere that people read.
    """
    if before.doc_topic.shape[0] != after.doc_topic.shape[0]:
        raise ModelError("Only two fits of the same documents can be compared.")
    before, after = with_titles(before), with_titles(after)
    pairs = _by_key(before, after) if pairs is None else pairs
    topics = tuple(_change(before, after, old, new, words) for old, new in pairs)
    kept_before, kept_after = {old for old, _ in pairs}, {new for _, new in pairs}
    return Changes(
        topics=topics,
        added=tuple(n for i, n in enumerate(after.names) if i not in kept_after),
        removed=tuple(n for i, n in enumerate(before.names) if i not in kept_before),
        moved=_moved(before, after, pairs),
        n_documents=before.doc_topic.shape[0],
        stability=float(np.mean([t.stability for t in topics])) if topics else 1.0,
    )


def _by_key(before: Topics, after: Topics) -> list[tuple[int, int]]:
    pairs = ((before.column(key), column) for column, key in enumerate(after.keys))
    return [(old, new) for old, new in pairs if old is not None]


def _change(before: Topics, after: Topics, old: int, new: int, words: int) -> TopicChange:
    was = [term for term, _ in before.top_terms(old, words)]
    now = [term for term, _ in after.top_terms(new, words)]
    return TopicChange(
        before=old,
        after=new,
        key=after.keys[new],
        name=after.names[new],
        gained=tuple(term for term in now if term not in was),
        lost=tuple(term for term in was if term not in now),
        stability=_overlap(before, after, old, new),
    )


def _overlap(before: Topics, after: Topics, old: int, new: int) -> float:
    """|A ∩ B| / min(|A|, |B|) over the top words; two topics without words are the same."""
    was = {term for term, _ in before.top_terms(old, COMPARED_WORDS)}
    now = {term for term, _ in after.top_terms(new, COMPARED_WORDS)}
    smaller = min(len(was), len(now))
    return len(was & now) / smaller if smaller else float(not was and not now)


def _moved(before: Topics, after: Topics, pairs: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Documents whose main topic is gone or no longer their largest; a tie is not a move."""
    successor = np.full(len(before), NO_SUCCESSOR)
    for old, new in pairs:
        successor[old] = new
    heir = successor[before.doc_topic.argmax(axis=1)]
    largest = after.doc_topic.max(axis=1, initial=0)
    kept = after.doc_topic[np.arange(len(heir)), heir] >= largest
    was_empty, is_empty = before.doc_topic.max(axis=1, initial=0) <= 0, largest <= 0
    moved = np.where(was_empty | is_empty, was_empty != is_empty, (heir == NO_SUCCESSOR) | ~kept)
    return tuple(int(i) for i in np.flatnonzero(moved))
