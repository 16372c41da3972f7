"""What people say about the words of a topic, and the limits it sets to the topics' factor.

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

    loss − 2 Σ λ_kt h_kt,    λ_kt = strength · PULL · Σ_i e_i w_ik² when the fit began

so a word of strength 1 ends near PULL of a topic's length even if no document asks for it. The
minimum over h_k of unit length is still found exactly: λ is added to what the documents ask for.
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

PULL = 0.25  # weight that an added word of strength 1 gets by itself; top words have 0.2 to 0.5
NEVER = 1e30  # a price that no cell can pay
LEAST = 0.05  # of the mean topic's size: what a topic counts as that nobody uses yet
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
            {names[key]: said for key, said in getattr(self, each.name).items() if key in names}
            for each in fields(self)
        ]
        return Steering(*parts)

    def limits(self, names: Sequence[K], terms: Sequence[str]) -> Limits:
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
        return Limits(
            held=_rows(self.held, topic, place),
            begun=_rows(self.begun, topic, place),
            removed=Cells.of(removed),
            added=Cells.of(added),
        )


def _rows(
    said: Mapping[K, Words], topic: Mapping[K, int], place: Mapping[str, int]
) -> dict[int, np.ndarray]:
    """Rows of unit length; a topic none of whose words is known is left out."""
    rows: dict[int, np.ndarray] = {}
    for name, words in said.items():
        row = np.zeros(len(place))
        known = [(place[word], weight) for word, weight in words.items() if word in place]
        for t, weight in known:
            row[t] = weight
        length = float(np.linalg.norm(row))
        if name in topic and length > 0:
            rows[topic[name]] = row / length
    return rows


@dataclass(frozen=True)
class Cells:
    """Cells of the topics' factor, and a number for each."""

    terms: np.ndarray = field(default_factory=lambda: NO_CELLS)
    columns: np.ndarray = field(default_factory=lambda: NO_CELLS)
    numbers: np.ndarray = field(default_factory=lambda: np.empty(0))

    @classmethod
    def of(cls, cells: Iterable[tuple[int, int, float]]) -> Cells:
        given = list(cells)
        if not given:
            return cls()
        terms, columns, numbers = zip(*given, strict=True)
        return cls(np.array(terms, np.intp), np.array(columns, np.intp), np.array(numbers))

    def __len__(self) -> int:
        return self.terms.size

    def of_columns(self, columns: Collection[int]) -> Cells:
        rows = zip(self.terms, self.columns, self.numbers, strict=True)
        return Cells.of((int(t), int(k), float(n)) for t, k, n in rows if k in columns)

    def spread(self, columns: Sequence[Sequence[int]]) -> Cells:
        """The same for every part of a topic."""
        rows = zip(self.terms, self.columns, self.numbers, strict=True)
        return Cells.of((int(t), part, n) for t, k, n in rows for part in columns[k])


@dataclass(frozen=True)
class Limits:
    """Where the topics' factor is not free; columns are those of the solver."""

    held: Mapping[int, np.ndarray] = field(default_factory=dict)
    begun: Mapping[int, np.ndarray] = field(default_factory=dict)
    removed: Cells = field(default_factory=Cells)
    added: Cells = field(default_factory=Cells)
    groups: tuple[tuple[int, ...], ...] = ()  # columns that make up one topic, where several do

    def __bool__(self) -> bool:
        return bool(self.held or len(self.removed) or len(self.added))

    @cached_property
    def columns(self) -> np.ndarray:
        """The columns that are held."""
        return np.array(sorted(self.held), np.intp)

    def spread(self, columns: Sequence[Sequence[int]]) -> Limits:
        """For a factor with several columns per topic; a held topic has one."""
        return Limits(
            held={columns[k][0]: row for k, row in self.held.items()},
            begun={columns[k][0]: row for k, row in self.begun.items() if len(columns[k]) == 1},
            removed=self.removed.spread(columns),
            added=self.added.spread(columns),
            groups=tuple(tuple(group) for group in columns if len(group) > 1),
        )

    def of_topics(self, topics: Collection[int]) -> Limits:
        """What is said about these topics alone."""
        return Limits(
            held={k: row for k, row in self.held.items() if k in topics},
            begun={k: row for k, row in self.begun.items() if k in topics},
            removed=self.removed.of_columns(topics),
            added=self.added.of_columns(topics),
        )

    def begin(self, H: np.ndarray) -> np.ndarray:
        """Topics without an earlier fit: those with words of their own start from them."""
        for k, row in self.begun.items():
            H[k] = row
        for t, k, strength in zip(
            self.added.terms, self.added.columns, self.added.numbers, strict=True
        ):
            wanted = PULL * strength * float(np.linalg.norm(H[k]))
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
        cross[self.removed.terms, self.removed.columns] = -NEVER
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
        least = LEAST * float(used.mean()) if used.size else 1.0
        return PULL * self.added.numbers * np.maximum(size, least)[self.added.columns]


NO_LIMITS = Limits()
