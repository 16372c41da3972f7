"""A score for each label that is linear in each view of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from core.engine.kernels.threads import each_part, row_blocks
from core.guide.views import BIAS_SQUARE, Features
from core.values import ArrayValue


@dataclass(frozen=True, eq=False)
class LinearScores(ArrayValue):
    """Coefficients, a column per label."""

    words: np.ndarray  # (n_terms, n_labels)
    places: np.ndarray  # (n_directions, n_labels)
    meaning: np.ndarray | None  # (n_dimensions, n_labels); None: documents have no vectors
    constant: np.ndarray  # (n_labels,)

    @classmethod
    def from_dual(cls, features: Features, dual: np.ndarray) -> LinearScores:
        """The ridge solution: ``dual`` says how much each of the documents counts for a label."""
        return cls(
            words=np.asarray(features.words.T @ dual),
            places=features.places.T @ dual,
            meaning=None if features.meaning is None else features.meaning.T @ dual,
            constant=BIAS_SQUARE * dual.sum(axis=0),
        )

    def of(self, features: Features) -> np.ndarray:
        """Documents × labels."""
        scores = np.asarray(features.words @ self.words) + features.places @ self.places
        if self.meaning is not None and features.meaning is not None:
            scores += features.meaning @ self.meaning
        return scores + self.constant

    def astype(self, dtype: DTypeLike) -> LinearScores:
        meaning = None if self.meaning is None else self.meaning.astype(dtype, copy=False)
        return LinearScores(
            self.words.astype(dtype, copy=False),
            self.places.astype(dtype, copy=False),
            meaning,
            self.constant.astype(dtype, copy=False),
        )

    def zeros(self) -> LinearScores:
        """Scores of nothing, of the same shape."""
        meaning = None if self.meaning is None else np.zeros_like(self.meaning)
        blank = (np.zeros_like(self.words), np.zeros_like(self.places), meaning)
        return LinearScores(*blank, np.zeros_like(self.constant))

    def plus(self, *others: tuple[float, LinearScores]) -> LinearScores:
        """And the scores of others, so many times each; coefficients in one new array."""
        meaning = self.meaning
        if meaning is not None:
            theirs = ((factor, other.meaning) for factor, other in others)
            meaning = _sum(meaning, [(f, each) for f, each in theirs if each is not None])
        return LinearScores(
            _sum(self.words, [(factor, other.words) for factor, other in others]),
            _sum(self.places, [(factor, other.places) for factor, other in others]),
            meaning,
            _sum(self.constant, [(factor, other.constant) for factor, other in others]),
        )

    def raised(self, by: np.ndarray) -> LinearScores:
        """Each label's score raised for every document alike."""
        return LinearScores(self.words, self.places, self.meaning, self.constant + by)


def _sum(first: np.ndarray, others: Sequence[tuple[float, np.ndarray]]) -> np.ndarray:
    """first + Σ factor · other, a few rows at a time: with hundreds of labels they are large."""
    kind = np.result_type(first, *(other for _, other in others))
    out = np.empty(first.shape, kind)

    def work(begin: int, end: int) -> None:
        rows = first[begin:end].astype(kind)
        for factor, other in others:
            rows += factor * other[begin:end]
        out[begin:end] = rows

    each_part(work, row_blocks(len(first)))
    return out
