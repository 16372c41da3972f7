"""Whether topics fit their own labelled documents: by their words, and by the guide.

That a labelled document holds its topic is true by construction, so it shows nothing. Two things
can: whether the topic's first words stand in the documents it was given to, and whether a guide
that was taught without such a document would give it the same label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.topics import Topics

FIRST_WORDS = 5  # of a topic, looked for in its labelled documents
MAX_READ = 40  # labelled documents of a topic that are read for its words

TermsOf = Callable[[int], Collection[str]]  # the terms of a document


@dataclass(frozen=True, slots=True)
class Doubts:
    """What a guide thought of labelled documents, each left out."""

    positions: np.ndarray
    own: np.ndarray  # share of the labels it carries
    rival: np.ndarray  # column of the likeliest label it does not carry; −1 if none
    rival_chance: np.ndarray


@dataclass(frozen=True, slots=True)
class LabelCheck:
    """One topic beside its labelled documents."""

    words: tuple[str, ...] = ()  # its first ones
    read: int = 0  # labelled documents that were read for them
    with_words: int = 0  # of these, how many hold any
    judged: int = 0  # labelled documents that the guide judged
    elsewhere: tuple[int, ...] = ()  # those it would give another label
    rival: int | None = None  # the topic that most of these would get


def check_labels(
    topics: Topics,
    labelled: Sequence[Sequence[int]],
    terms_of: TermsOf,
    doubts: Doubts | None = None,
) -> list[LabelCheck]:
    """By named topic; ``labelled`` are the positions that carry each, newest first."""
    rows = {} if doubts is None else {int(at): i for i, at in enumerate(doubts.positions)}
    return [
        _check(topics, topic, labelled[topic], terms_of, doubts, rows)
        for topic in range(min(topics.n_supervised, len(labelled)))
    ]


def _check(
    topics: Topics,
    topic: int,
    positions: Sequence[int],
    terms_of: TermsOf,
    doubts: Doubts | None,
    rows: dict[int, int],
) -> LabelCheck:
    words = tuple(word.term for word in topics.top_terms(topic, FIRST_WORDS))
    read = positions[:MAX_READ] if words else ()
    with_words = sum(not set(words).isdisjoint(terms_of(position)) for position in read)
    judged = [at for at in positions if at in rows]
    elsewhere: list[int] = []
    rivals: Counter[int] = Counter()
    for at in judged if doubts is not None else ():
        assert doubts is not None
        rival = int(doubts.rival[rows[at]])
        if rival >= 0 and doubts.rival_chance[rows[at]] > doubts.own[rows[at]]:
            elsewhere.append(at)
            rivals[rival] += 1
    main = rivals.most_common(1)[0][0] if rivals else None
    return LabelCheck(words, len(read), with_words, len(judged), tuple(elsewhere), main)
