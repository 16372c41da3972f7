"""Limits on the words of topics: words that are held, removed or added, as bounds on the factor H.

=========  ====================================================================================
statement  what the fit does
=========  ====================================================================================
held       the topic is these words, with these weights, and no pass moves them
removed    the word has no weight in the topic: an exact zero
added      the word is rewarded in the topic (see below)
begun      the topic starts from these words where there is no earlier fit to start from
=========  ====================================================================================

A fit under limits minimises its own loss over the cells that are left. With added words it holds
topics at unit length and minimises

    loss − 2 Σ λ_kt h_kt,    λ_kt = strength · REWARD_WEIGHT · Σ_i e_i w_ik² when the fit began

so a word of strength 1 ends near REWARD_WEIGHT of a topic's length even if no document uses it. The
minimum over h_k of unit length is still exact: λ is added to the documents' part of the gradient.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

K = TypeVar("K", bound=Hashable)
New = TypeVar("New", bound=Hashable)
Words = Mapping[str, float]  # words and their weights

REWARD_WEIGHT = 0.25  # of an added word of strength 1 by itself; top words have 0.2 to 0.5
FORBIDDING_PRICE = 1e30  # a price that no cell can pay
BEGUN_COUNTS_AS = 4  # labelled documents that the words a topic begins with stand for
MIN_SIZE_SHARE = 0.05  # of the mean topic's size: the size of a topic that no document uses yet
NO_CELLS = np.empty(0, np.intp)


@dataclass(frozen=True)
class Steering(Generic[K]):
    """Statements about words, by topic: a name for a fit, a number in a project."""

    held: Mapping[K, Words] = field(default_factory=dict)
    removed: Mapping[K, tuple[str, ...]] = field(default_factory=dict)
    added: Mapping[K, Words] = field(default_factory=dict)
    begun: Mapping[K, Words] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))

    def unlocked(self) -> Steering[K]:
        """As if no topic were locked: a lock freezes words that all labels shaped."""
        return replace(self, held={})

    def renamed(self, names: Mapping[K, New]) -> Steering[New]:
        """The same statements about topics under other keys; topics without one are left out."""
        parts: list[Any] = [
            {names[key]: words for key, words in getattr(self, each.name).items() if key in names}
            for each in fields(self)
        ]
        return Steering(*parts)

    def limits(self, names: Sequence[K], terms: Sequence[str]) -> TopicLimits:
        """The statements as places in factors of these topics and terms; unknown words fall out."""
        topic = {name: k for k, name in enumerate(names)}
        place = {term: t for t, term in enumerate(terms)}
        removed = [
            (place[word], topic[name], 0.0)
            for name, words in self.removed.items()
            for word in words
            if name in topic and word in place
        ]
        added = [
            (place[word], topic[name], strength)
            for name, words in self.added.items()
            for word, strength in words.items()
            if name in topic and name not in self.held and word in place
        ]
        return TopicLimits(
            held=_rows(self.held, topic, place),
            begun=_rows(self.begun, topic, place),
            removed=LimitedCells.of(removed),
            added=LimitedCells.of(added),
        )


def _rows(
    by_topic: Mapping[K, Words], topic: Mapping[K, int], place: Mapping[str, int]
) -> dict[int, np.ndarray]:
    """Rows of unit length; a topic none of whose words is known is left out."""
    rows: dict[int, np.ndarray] = {}
    for name, words in by_topic.items():
        row = np.zeros(len(place))
        known = [(place[word], weight) for word, weight in words.items() if word in place]
        for t, weight in known:
            row[t] = weight
        length = float(np.linalg.norm(row))
        if name in topic and length > 0:
            rows[topic[name]] = row / length
    return rows


@dataclass(frozen=True)
class LimitedCells:
    """Cells of the topics' factor, and a number for each."""

    terms: np.ndarray = field(default_factory=lambda: NO_CELLS)
    columns: np.ndarray = field(default_factory=lambda: NO_CELLS)
    numbers: np.ndarray = field(default_factory=lambda: np.empty(0))

    @classmethod
    def of(cls, cells: Iterable[tuple[int, int, float]]) -> LimitedCells:
        given = list(cells)
        if not given:
            return cls()
        terms, columns, numbers = zip(*given, strict=True)
        return cls(np.array(terms, np.intp), np.array(columns, np.intp), np.array(numbers))

    def __len__(self) -> int:
        return self.terms.size

    def of_columns(self, columns: Collection[int]) -> LimitedCells:
        rows = zip(self.terms, self.columns, self.numbers, strict=True)
        return LimitedCells.of((int(t), int(k), float(n)) for t, k, n in rows if k in columns)

    def spread(self, columns: Sequence[Sequence[int]]) -> LimitedCells:
        """The same for every part of a topic."""
        rows = zip(self.terms, self.columns, self.numbers, strict=True)
        return LimitedCells.of((int(t), part, n) for t, k, n in rows for part in columns[k])


@dataclass(frozen=True)
class TopicLimits:
    """Where the topics' factor is not free; columns are those of the solver."""

    held: Mapping[int, np.ndarray] = field(default_factory=dict)
    begun: Mapping[int, np.ndarray] = field(default_factory=dict)
    removed: LimitedCells = field(default_factory=LimitedCells)
    added: LimitedCells = field(default_factory=LimitedCells)
    groups: tuple[tuple[int, ...], ...] = ()  # columns that make up one topic, where several do

    def __bool__(self) -> bool:
        return bool(self.held or len(self.removed) or len(self.added))

    @cached_property
    def columns(self) -> np.ndarray:
        """The columns that are held."""
        return np.array(sorted(self.held), np.intp)

    @property
    def given(self) -> Mapping[int, np.ndarray]:
        """Rows that are said to be so, at least at the start; other topics keep clear of them."""
        return {**self.begun, **self.held}

    def spread(self, columns: Sequence[Sequence[int]]) -> TopicLimits:
        """For a factor with several columns per topic; a held topic has one, and of several the
        first begins with the topic's words."""
        return TopicLimits(
            held={columns[k][0]: row for k, row in self.held.items()},
            begun={columns[k][0]: row for k, row in self.begun.items()},
            removed=self.removed.spread(columns),
            added=self.added.spread(columns),
            groups=tuple(tuple(group) for group in columns if len(group) > 1),
        )

    def of_topics(self, topics: Collection[int]) -> TopicLimits:
        """The limits of these topics alone."""
        return TopicLimits(
            held={k: row for k, row in self.held.items() if k in topics},
            begun={k: row for k, row in self.begun.items() if k in topics},
            removed=self.removed.of_columns(topics),
            added=self.added.of_columns(topics),
        )

    def begin(self, H: np.ndarray, examples: np.ndarray | None = None) -> np.ndarray:
        """Topics without an earlier fit: those with words of their own start from them.

        The words stand for a few documents: of a topic that ``examples`` documents are known to be
        about, they are a part.
        """
        for k, row in self.begun.items():
            known = 0.0 if examples is None or k >= examples.size else float(examples[k])
            length = max(float(np.linalg.norm(H[k])), 1e-30)
            H[k] = (BEGUN_COUNTS_AS * row + known * H[k] / length) / (BEGUN_COUNTS_AS + known)
        for t, k, strength in zip(
            self.added.terms, self.added.columns, self.added.numbers, strict=True
        ):
            wanted = REWARD_WEIGHT * strength * float(np.linalg.norm(H[k]))
            H[k, t] = max(float(H[k, t]), wanted)
        return H

    def hold(self, H: np.ndarray) -> np.ndarray:
        """Held topics as they are held, removed words at zero."""
        H[self.removed.columns, self.removed.terms] = 0
        for k, row in self.held.items():
            H[k] = row
            H[k, self.removed.terms[self.removed.columns == k]] = 0
        return H

    def bind(self, cross: np.ndarray, square: np.ndarray, reward: np.ndarray) -> np.ndarray:
        """Make coordinate descent on Hᵀ keep the limits.

        A removed cell gets a price it cannot pay and an added one its reward, both in place: the
        cell's own weight times ``cross`` then adds exactly that to the objective. A held topic gets
        a zero on the diagonal of the square that is returned, by which both kernels pass it over.
        """
        cross[self.removed.terms, self.removed.columns] = -FORBIDDING_PRICE
        if len(self.added):
            np.add.at(cross, (self.added.terms, self.added.columns), reward)
        if not self.columns.size:
            return square
        square = square.copy()
        square[self.columns, self.columns] = 0
        return square

    def restore(self, Ht: np.ndarray, kept: np.ndarray) -> None:
        """Undo what a step over all columns did to those that are held."""
        Ht[:, self.columns] = kept

    def reward(self, size: np.ndarray) -> np.ndarray:
        """λ of every added cell; ``size`` is each column's Σ_i e_i w_ik² at unit length.

        All columns of a topic are pulled as the largest is, or documents would change over to the
        one that is pulled least.
        """
        size, used = size.copy(), size[size > 0]
        for group in self.groups:
            size[list(group)] = size[list(group)].max()
        least = MIN_SIZE_SHARE * float(used.mean()) if used.size else 1.0
        return REWARD_WEIGHT * self.added.numbers * np.maximum(size, least)[self.added.columns]


NO_LIMITS = TopicLimits()
