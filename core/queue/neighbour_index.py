"""Which documents are similar: computed once per corpus, read after every label.

A random sample of documents, the *landmarks*, represents the corpus. The index holds the similarity
of every document to the landmarks near it and nothing else. One pass over this small sparse matrix
says how many documents resemble a document, and how much of the corpus the labelled ones cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from core.guide.latent import latent_of
from core.queue.near_duplicates import first_copies
from core.text.vectors import unit_rows
from core.values import whole_file

N_LANDMARKS = 1000
N_LANDMARKS_LARGE_CORPUS = 400
LARGE_CORPUS = 50_000  # documents
NEAR_PAIRS_SHARE = 0.05  # of all pairs of documents count as near
MIN_NEAR_COSINE = 0.05
BLOCK_DOCUMENTS = 4096  # compared at a time
MEANING_DIMENSIONS = 64  # of the document vectors that are compared
MAX_SVD_DOCUMENTS = 4000  # documents that their main directions are computed from


@dataclass(frozen=True, eq=False)
class NeighbourIndex:
    """Near-duplicates and neighbours of the documents of a corpus."""

    first_copy: np.ndarray  # (n_docs,) the first of each document's near-duplicates
    landmark_similarity: sp.csr_array  # (n_docs, n_landmarks) cosine to landmarks that are near
    landmarks: np.ndarray  # (n_landmarks,) positions
    vectors: np.ndarray | None = None  # (n_docs, n_dims) latent and document vectors, float16
    n_words: np.ndarray | None = None  # (n_docs,) different words of each document

    @cached_property
    def neighbour_counts(self) -> np.ndarray:
        """About how many other documents resemble each one."""
        n_near = np.diff(self.landmark_similarity.indptr)
        counts = n_near.astype(np.float64)
        counts[self.landmarks] -= n_near[self.landmarks] > 0
        return counts * len(self.first_copy) / max(self.landmarks.size, 1)

    @cached_property
    def length_rank(self) -> np.ndarray:
        """The share of documents that have no more words than each; 1 where that is not known."""
        if self.n_words is None:
            return np.ones(len(self.first_copy))
        longer = np.searchsorted(np.sort(self.n_words), self.n_words, side="right")
        return np.asarray(longer / max(len(self.n_words), 1))

    def covered_by(self, positions: np.ndarray) -> np.ndarray:
        """For each landmark its cosine to the nearest of the documents, 0 if none is near."""
        rows = self.landmark_similarity[positions]
        covered = np.zeros(self.landmark_similarity.shape[1], dtype=np.float32)
        np.maximum.at(covered, rows.indices, rows.data)
        return covered

    def already_seen(self, done: np.ndarray) -> np.ndarray:
        """Whether each document, or a copy of it, is done, or it is a copy of an earlier one."""
        seen = np.zeros(len(self.first_copy), dtype=bool)
        seen[self.first_copy[done]] = True
        return seen[self.first_copy] | (self.first_copy != np.arange(len(self.first_copy)))

    def save(self, path: Path | str) -> None:
        """Write one npz file, whole or not at all; its keys stay those of the first version."""
        none = np.empty((0, 0), dtype=np.float16)
        with whole_file(path) as file:
            np.savez(
                file,
                first=self.first_copy,
                landmarks=self.landmarks,
                data=self.landmark_similarity.data,
                indices=self.landmark_similarity.indices,
                indptr=self.landmark_similarity.indptr,
                places=none if self.vectors is None else self.vectors,
                n_words=none if self.n_words is None else self.n_words,
            )

    @classmethod
    def load(cls, path: Path | str) -> NeighbourIndex:
        with np.load(path, allow_pickle=False) as file:
            first_copy, landmarks = file["first"], file["landmarks"]
            parts = (file["data"], file["indices"], file["indptr"])
            vectors = file.get("places")  # missing in files of earlier versions
            n_words = file.get("n_words")  # likewise
        similarity = sp.csr_array(parts, shape=(len(first_copy), len(landmarks)))
        kept = (each if each is not None and each.size else None for each in (vectors, n_words))
        return cls(first_copy, similarity, landmarks, *kept)


def build_neighbour_index(
    X: sp.csr_array, seed: int = 0, meaning: np.ndarray | None = None
) -> NeighbourIndex:
    """The index of a document-term matrix, and of document vectors of length one or zero."""
    rng = np.random.default_rng(seed)
    units = _unit_rows(X)
    first_copy = first_copies(X, units, rng, meaning)
    landmarks = _draw_landmarks(X, rng)
    views = [latent_of(X).places(units).astype(np.float32)]
    if meaning is not None:
        views.append(_along_main_directions(meaning))
    similarity = _landmark_similarity(units, views, landmarks)
    vectors = np.hstack(views) / np.sqrt(np.float32(len(views)))
    n_words = np.diff(X.indptr).astype(np.int32)
    return NeighbourIndex(first_copy, similarity, landmarks, vectors.astype(np.float16), n_words)


def _along_main_directions(vectors: np.ndarray) -> np.ndarray:
    """Document vectors in fewer dimensions, each again of length one: quicker to compare."""
    if vectors.shape[1] <= MEANING_DIMENSIONS:
        return vectors
    step = -(-len(vectors) // MAX_SVD_DOCUMENTS)
    _, _, directions = np.linalg.svd(vectors[::step], full_matrices=False)
    return unit_rows(vectors @ directions[:MEANING_DIMENSIONS].T)


def _draw_landmarks(X: sp.csr_array, rng: np.random.Generator) -> np.ndarray:
    """A random sample of the documents that are not empty."""
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    wanted = N_LANDMARKS if X.shape[0] <= LARGE_CORPUS else N_LANDMARKS_LARGE_CORPUS
    return np.sort(rng.choice(rows, min(wanted, rows.size), replace=False))


def _landmark_similarity(
    units: sp.csr_array, views: list[np.ndarray], landmarks: np.ndarray
) -> sp.csr_array:
    """Cosine to the landmarks; zero below the cosine of the nearest few per cent of all pairs.

    The mean of the cosines of words, of latent vectors and of document vectors: what the guide
    uses.
    """
    landmark_words = np.ascontiguousarray(units[landmarks].toarray().T)
    landmark_views = [np.ascontiguousarray(view[landmarks].T) for view in views]

    def cosine(rows: slice | np.ndarray) -> np.ndarray:
        total = units[rows] @ landmark_words
        for view, theirs in zip(views, landmark_views, strict=True):
            total = total + view[rows] @ theirs
        return np.asarray(total / (1 + len(views)), dtype=np.float32)

    bound = _near_bound(cosine(landmarks))
    parts = [sp.csr_array((0, len(landmarks)), dtype=np.float32)]
    for begin in range(0, units.shape[0], BLOCK_DOCUMENTS):
        block = cosine(slice(begin, begin + BLOCK_DOCUMENTS))
        block[block < bound] = 0
        parts.append(sp.csr_array(block))
    return sp.csr_array(sp.vstack(parts, format="csr"))


def _near_bound(cosines: np.ndarray) -> float:
    """The cosine above which a pair of landmarks counts as near."""
    pairs = cosines[np.triu_indices(len(cosines), 1)]
    if not pairs.size:
        return MIN_NEAR_COSINE
    return max(MIN_NEAR_COSINE, float(np.quantile(pairs, 1 - NEAR_PAIRS_SHARE)))


def _unit_rows(X: sp.csr_array) -> sp.csr_array:
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    length = np.sqrt(np.bincount(rows, X.data.astype(np.float64) ** 2, minlength=X.shape[0]))
    data = X.data / np.maximum(length, 1e-30)[rows]
    return sp.csr_array((data.astype(np.float32), X.indices, X.indptr), shape=X.shape)
