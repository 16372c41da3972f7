"""Who resembles whom, roughly: computed once per corpus, looked at after every label.

A sample of documents, the *landmarks*, stands for the corpus. The outline holds the similarity of
every document to the landmarks near it and nothing else, so it answers in one pass over a small
sparse matrix how many documents resemble one, and how far the labelled ones reach.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from core.latent import latent_of
from core.queue.copies import first_copies

LANDMARKS = 1000  # documents that stand for the corpus
FEWER = 400  # the same, for a corpus of more than MANY documents
MANY = 50_000
NEAR = 0.05  # share of all pairs that count as near
LEAST = 0.05  # cosine below which nothing is near
BLOCK = 4096  # documents compared at a time


@dataclass(frozen=True, eq=False)
class Outline:
    """Near-duplicates and neighbourhoods of a corpus."""

    first: np.ndarray  # (n_docs,) the first of each document's near-duplicates
    near: sp.csr_array  # (n_docs, n_landmarks) cosine to the landmarks that are near, no others
    landmarks: np.ndarray  # (n_landmarks,) positions
    places: np.ndarray | None = None  # (n_docs, directions) what each document is about; half size

    @cached_property
    def neighbours(self) -> np.ndarray:
        """About how many documents resemble each one, itself not counted."""
        counts = np.diff(self.near.indptr).astype(np.float64)
        counts[self.landmarks] -= np.diff(self.near.indptr)[self.landmarks] > 0
        return counts * len(self.first) / max(self.landmarks.size, 1)

    def covered_by(self, positions: np.ndarray) -> np.ndarray:
        """For each landmark its cosine to the nearest of the documents, 0 if none is near."""
        rows = self.near[positions]
        covered = np.zeros(self.near.shape[1], dtype=np.float32)
        np.maximum.at(covered, rows.indices, rows.data)
        return covered

    def closed(self, done: np.ndarray) -> np.ndarray:
        """Where a text was dealt with already, or is a copy of one that stands before it."""
        seen = np.zeros(len(self.first), dtype=bool)
        seen[self.first[done]] = True
        return seen[self.first] | (self.first != np.arange(len(self.first)))

    def save(self, path: Path | str) -> None:
        """One npz file, whole or not at all."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        none = np.empty((0, 0), dtype=np.float16)
        with open(partial, "wb") as file:
            np.savez(
                file,
                first=self.first,
                landmarks=self.landmarks,
                data=self.near.data,
                indices=self.near.indices,
                indptr=self.near.indptr,
                places=none if self.places is None else self.places,
            )
        os.replace(partial, path)

    @classmethod
    def load(cls, path: Path | str) -> Outline:
        with np.load(path, allow_pickle=False) as file:
            first, landmarks = file["first"], file["landmarks"]
            parts = (file["data"], file["indices"], file["indptr"])
            places = file.get("places")
        shape = (len(first), len(landmarks))
        return cls(first, sp.csr_array(parts, shape=shape), landmarks, _some(places))


def _some(places: np.ndarray | None) -> np.ndarray | None:
    """Outlines made before places were kept have none."""
    return None if places is None or not places.size else places


def outline_of(X: sp.csr_array, seed: int = 0) -> Outline:
    """The outline of a document-term matrix."""
    rng = np.random.default_rng(seed)
    units = _unit(X)
    first = first_copies(X, units, rng)
    landmarks = _landmarks(X, first, rng)
    places = latent_of(X).places(units).astype(np.float32)
    near = _near(units, places, landmarks)
    return Outline(first, near, landmarks, places.astype(np.float16))


def _landmarks(X: sp.csr_array, first: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Drawn blind, so that they stand for the corpus; empty documents stand for nothing."""
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    most = LANDMARKS if len(first) <= MANY else FEWER
    return np.sort(rng.choice(rows, min(most, rows.size), replace=False))


def _near(units: sp.csr_array, places: np.ndarray, landmarks: np.ndarray) -> sp.csr_array:
    """Likeness to the landmarks, only as high as that of the nearest few per cent of all pairs.

    Half by words and half by what the documents are about: what the guide learns by.
    """
    words = np.ascontiguousarray(units[landmarks].toarray().T)
    matter = np.ascontiguousarray(places[landmarks].T)

    def alike(rows: slice | np.ndarray) -> np.ndarray:
        return np.asarray((units[rows] @ words + places[rows] @ matter) / 2, dtype=np.float32)

    bound = _bound(alike(landmarks))
    parts = [sp.csr_array((0, len(landmarks)), dtype=np.float32)]
    for begin in range(0, units.shape[0], BLOCK):
        likeness = alike(slice(begin, begin + BLOCK))
        likeness[likeness < bound] = 0
        parts.append(sp.csr_array(likeness))
    return sp.csr_array(sp.vstack(parts, format="csr"))


def _bound(among: np.ndarray) -> float:
    """The likeness that a few in a hundred pairs of different landmarks reach."""
    pairs = among[np.triu_indices(len(among), 1)]
    return max(LEAST, float(np.quantile(pairs, 1 - NEAR))) if pairs.size else LEAST


def _unit(X: sp.csr_array) -> sp.csr_array:
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    length = np.sqrt(np.bincount(rows, X.data.astype(np.float64) ** 2, minlength=X.shape[0]))
    data = X.data / np.maximum(length, 1e-30)[rows]
    return sp.csr_array((data.astype(np.float32), X.indices, X.indptr), shape=X.shape)
