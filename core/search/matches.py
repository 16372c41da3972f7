"""Find the documents that a query asks for, and order them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.errors import QueryError
from core.search.data import SearchData, Similarity
from core.search.named import named_documents, topics_called
from core.search.parts import (
    ColumnFilter,
    LikeFilter,
    NameFilter,
    Part,
    Pattern,
    RangeFilter,
    Words,
)
from core.search.query import Query
from core.search.ranges import NO_DAY

MAX_SIMILAR = 200  # documents in a list of similar ones
LEAST_OF_BEST = 1 / 3  # less similar than this share of the best is not similar


@dataclass(frozen=True)
class SearchHits:
    """Positions of the documents found: by score, in corpus order, or in a chosen order."""

    positions: np.ndarray
    scores: np.ndarray | None = None  # share of the topic or similarity, for every document
    chosen: bool = False  # neither by score nor in corpus order
    note: str = ""  # what similar texts were judged by

    def __len__(self) -> int:
        return len(self.positions)

    @cached_property
    def _place(self) -> dict[int, int]:
        return {int(position): i for i, position in enumerate(self.positions)}

    def place_of(self, position: int) -> int:
        """The index of a document in the list, or the index it would have."""
        if self.scores is None and not self.chosen:
            return int(np.searchsorted(self.positions, position))
        if position in self._place or self.scores is None:
            return self._place.get(position, 0)
        along = -self.scores[self.positions]
        return int(np.searchsorted(along, -self.scores[position], side="right"))

    def without(self, gone: np.ndarray) -> SearchHits:
        """The same list without some documents, given by a mask."""
        return replace(self, positions=self.positions[~gone[self.positions]])


def find_documents(query: Query, data: SearchData) -> SearchHits:
    """Of every clause one part must hold. By similarity or by share where these are asked for, else
    in corpus order; of similar documents so many at most as somebody would read."""
    matcher = _Matcher(query, data)
    keep = np.ones(data.n_docs, dtype=bool)
    for clause in sorted(query.clauses, key=_cost):
        keep &= matcher.any_of(clause, keep)
    if query.like is not None:
        return _most_similar(data.similarity(query.like), keep)
    positions = np.flatnonzero(keep)
    if matcher.scores is not None:
        positions = positions[np.argsort(-matcher.scores[positions], kind="stable")]
    return SearchHits(positions, matcher.scores)


def _cost(clause: Sequence[Part]) -> int:
    """Filters first, patterns last: they read the texts that are left."""
    costs = {Words: 1, Pattern: 2}
    return max(costs.get(type(part), 0) for part in clause)


class _Matcher:
    """Which documents each part of a query holds for."""

    def __init__(self, query: Query, data: SearchData) -> None:
        self._data = data
        self._by_score = any(span.kind == "score" for span in query.spans)
        asks = self._by_score or any(names.kind == "topic" for names in query.names)
        if asks and data.shares is None:
            raise QueryError("There is no fit yet to read topics and shares from.")
        self.scores = self._scores(query) if asks else None

    def _scores(self, query: Query) -> np.ndarray:
        """The share of the topics that the last clause with topics asks for; else the largest."""
        scores = self._largest
        for clause in query.clauses:
            asked = [
                self._share(part)
                for part in clause
                if isinstance(part, NameFilter) and part.kind == "topic" and not part.negated
            ]
            scores = np.maximum.reduce(asked) if asked else scores
        return scores

    def any_of(self, clause: Sequence[Part], among: np.ndarray) -> np.ndarray:
        """Whether a part of the clause holds for each document, asked of those among only."""
        if self._by_score and len(clause) == 1 and _asks_for_topic(clause[0]):
            return np.ones(self._data.n_docs, bool)  # score: says how much of it
        found = np.zeros(self._data.n_docs, bool)
        for part in sorted(clause, key=lambda part: _cost([part])):
            assert not isinstance(part, LikeFilter)  # it stands beside the clauses
            found |= self._holds(part, among & ~found) ^ part.negated
        return found

    def _holds(self, part: Part, among: np.ndarray) -> np.ndarray:
        data = self._data
        if isinstance(part, Pattern):
            return data.patterns(part, among)
        if isinstance(part, Words):
            return _mask(data.n_docs, data.matching(part))
        if isinstance(part, ColumnFilter):
            return np.logical_or.reduce([data.columns[part.column].holding(v) for v in part.values])
        if isinstance(part, RangeFilter):
            return self._score_within(part) if part.kind == "score" else _dated(part, data)
        assert isinstance(part, NameFilter)
        if part.kind == "topic":
            share = self._share(part)
            some = self._by_score and not part.negated
            return (share > 0) & ((share >= self._largest) | some)
        return _mask(data.n_docs, named_documents(part, data))

    def _share(self, names: NameFilter) -> np.ndarray:
        assert self._data.shares is not None
        columns = topics_called(names.values, self._data.topics)
        share: np.ndarray = self._data.shares[:, columns].max(axis=1, initial=0.0)
        return share

    @cached_property
    def _largest(self) -> np.ndarray:
        assert self._data.shares is not None
        largest: np.ndarray = self._data.shares.max(axis=1, initial=0.0)
        return largest

    def _score_within(self, span: RangeFilter) -> np.ndarray:
        assert self.scores is not None
        within: np.ndarray = (self.scores >= span.low) & (self.scores <= span.high)
        return within & (self.scores > 0)


def _asks_for_topic(part: Part) -> bool:
    return isinstance(part, NameFilter) and part.kind == "topic" and not part.negated


def _most_similar(similarity: Similarity, keep: np.ndarray) -> SearchHits:
    best = similarity.values[keep].max(initial=0.0)
    near = (similarity.values > 0) & (similarity.values >= LEAST_OF_BEST * best)
    positions = np.flatnonzero(keep & near)
    order = np.argsort(-similarity.values[positions], kind="stable")[:MAX_SIMILAR]
    return SearchHits(positions[order], similarity.values, note=similarity.note)


def _mask(n_docs: int, positions: np.ndarray) -> np.ndarray:
    mask = np.zeros(n_docs, dtype=bool)
    mask[positions] = True
    return mask


def _dated(span: RangeFilter, data: SearchData) -> np.ndarray:
    dates = data.dates()
    if not dates.any():
        raise QueryError("The texts of this project have no dates.")
    least = span.low if span.high == NO_DAY else max(span.low, NO_DAY + 1)
    within: np.ndarray = (dates >= least) & (dates <= span.high)
    return within
