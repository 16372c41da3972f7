"""How the guide sees documents: by their words, along latent directions, and by meaning.

Two documents are alike by the sum of three cosines and a constant: of their words, of their places
along the corpus's main directions (``core.guide.latent``), and, where documents have vectors, of
these vectors around the corpus's mean. A vector made of all the tokens of a text shares most of its
length with every other text; the mean taken away, what sets texts apart is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import DTypeLike

from core.guide.latent import Latent, latent_of, unit_rows
from core.values import ArrayValue
from core.values.last_result import LastResult

MAX_SAMPLE_DOCUMENTS = 2000  # documents that a guide teaches itself from
BIAS_SQUARE = 0.1  # square of the constant feature that every document carries
MIN_LENGTH = 1e-9  # of a vector that says something


@dataclass(frozen=True, eq=False)
class Features(ArrayValue):
    """Some documents, as the guide sees them."""

    words: sp.csr_array  # rows of length one
    places: np.ndarray  # along the latent directions
    meaning: np.ndarray | None  # rows of length one or zero; None: no document has a vector

    def __len__(self) -> int:
        return self.words.shape[0]

    def at(self, rows: np.ndarray) -> Features:
        meaning = None if self.meaning is None else self.meaning[rows]
        return Features(self.words[rows], self.places[rows], meaning)

    def astype(self, dtype: DTypeLike) -> Features:
        meaning = None if self.meaning is None else self.meaning.astype(dtype)
        words = sp.csr_array(self.words.astype(dtype))
        return Features(words, self.places.astype(dtype), meaning)

    def mean(self) -> Features:
        """One row: where the documents lie on average."""
        meaning = None if self.meaning is None else self.meaning.mean(axis=0, keepdims=True)
        words = sp.csr_array(np.asarray(self.words.mean(axis=0)).reshape(1, -1))
        return Features(words, self.places.mean(axis=0, keepdims=True), meaning)

    def followed_by(self, other: Features) -> Features:
        meaning = None
        if self.meaning is not None and other.meaning is not None:
            meaning = np.vstack([self.meaning, other.meaning])
        words = sp.csr_array(sp.vstack([self.words, other.words]))
        return Features(words, np.vstack([self.places, other.places]), meaning)

    def similarity(self, other: Features) -> np.ndarray:
        """The kernel of the ridge regression: documents here in rows, the others in columns."""
        alike = np.asarray((self.words @ other.words.T).toarray()) + BIAS_SQUARE
        alike += self.places @ other.places.T
        if self.meaning is not None and other.meaning is not None:
            alike += self.meaning @ other.meaning.T
        return alike


@dataclass(frozen=True, eq=False)
class Views(ArrayValue):
    """What is needed to see any document over the same terms; a function of the corpus alone."""

    latent: Latent
    mean_vector: np.ndarray | None = None  # of the corpus; None: its documents have no vectors

    @classmethod
    def of(cls, X: sp.csr_array, vectors: np.ndarray | None = None) -> Views:
        mean = None if vectors is None else vectors.mean(axis=0, dtype=np.float64)
        return cls(latent_of(X), None if mean is None else mean.astype(np.float32))

    def features(self, X: sp.csr_array, vectors: np.ndarray | None) -> Features:
        places = self.latent.places(X).astype(np.float64)
        meaning = self.meaning(vectors, X.shape[0])
        return Features(
            unit_rows(X), places, None if meaning is None else meaning.astype(np.float64)
        )

    def meaning(self, vectors: np.ndarray | None, n_docs: int) -> np.ndarray | None:
        """Vectors around the corpus's mean, of length one; zeros for documents without a vector."""
        if self.mean_vector is None:
            return None
        if vectors is None:
            return np.zeros((n_docs, self.mean_vector.size), np.float32)
        says = np.asarray(vectors.any(axis=1))[:, None]
        apart = np.where(says, vectors - self.mean_vector, 0)
        length = np.linalg.norm(apart, axis=1, keepdims=True)
        return np.asarray(apart / np.maximum(length, MIN_LENGTH), dtype=np.float32)

    def meaning_scores(self, vectors: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        """``meaning(vectors) @ coefficients`` without a copy of the vectors."""
        assert self.mean_vector is not None
        mean, says = self.mean_vector.astype(np.float64), np.asarray(vectors.any(axis=1))
        squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
        squares += mean @ mean - 2 * (vectors @ self.mean_vector)
        length = np.sqrt(np.maximum(squares, MIN_LENGTH**2))
        scores = vectors @ coefficients - (self.mean_vector @ coefficients)
        return np.asarray(scores * (says / length)[:, None], dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Sample(ArrayValue):
    """Some documents of a corpus: all, or the same ones every time."""

    positions: np.ndarray
    features: Features

    def without(self, labelled: np.ndarray) -> Features | None:
        """Those that nobody has labelled; None if there is none."""
        rows = np.flatnonzero(~labelled[self.positions])
        return self.features.at(rows) if rows.size else None


_last: LastResult[Sample] = LastResult()  # every fit of a project asks for the same


def sample_of(X: sp.csr_array, vectors: np.ndarray | None, views: Views) -> Sample:
    """Documents with words, as precise as the matrix; ``views`` are those of the same corpus."""
    return _last.of(X, lambda X: _sample_of(X, vectors, views), vectors)


def _sample_of(X: sp.csr_array, vectors: np.ndarray | None, views: Views) -> Sample:
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    if rows.size > MAX_SAMPLE_DOCUMENTS:
        rng = np.random.default_rng(0)
        rows = np.sort(rng.choice(rows, MAX_SAMPLE_DOCUMENTS, replace=False))
    features = views.features(X[rows], None if vectors is None else vectors[rows])
    return Sample(rows, features.astype(X.dtype))
