"""A score for each label that is linear in each view of a document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

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

    def plus(self, other: LinearScores) -> LinearScores:
        meaning = self.meaning
        if meaning is not None and other.meaning is not None:
            meaning = meaning + other.meaning
        return LinearScores(
            self.words + other.words,
            self.places + other.places,
            meaning,
            self.constant + other.constant,
        )

    def times(self, factor: float) -> LinearScores:
        meaning = None if self.meaning is None else self.meaning * factor
        return LinearScores(
            self.words * factor, self.places * factor, meaning, self.constant * factor
        )

    def raised(self, by: np.ndarray) -> LinearScores:
        """Each label's score raised for every document alike."""
        return LinearScores(self.words, self.places, self.meaning, self.constant + by)
