"""Two fits of the same documents: which topics match, and on which documents they differ.

Topics are paired by Kuhn–Munkres on the cosine between their documents' shares, because documents
are what two models have in common whatever words they read. What two fits say about a document
overlaps by Σ min(share, share of the paired topic); one minus that is how far they differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.errors import ModelError
from core.topics import Topics

BLOCK_DOCUMENTS = 20_000  # compared at a time


@dataclass(frozen=True)
class DocumentDifferences:
    """How two fits differ."""

    pairs: tuple[tuple[int, int, float], ...]  # topic of the first, of the second, cosine
    agreement: float  # share of documents whose main topics are a pair
    distance: np.ndarray  # (n_docs,): 0 where both say the same, 1 where nothing is in common
    known: np.ndarray  # (n_docs,) bool: the document has a topic in both fits

    def furthest(self, n: int) -> list[tuple[int, float]]:
        """The documents that differ most, with their distance; equals in corpus order."""
        order = np.argsort(-self.distance, kind="stable")[:n]
        return [(int(i), float(self.distance[i])) for i in order if self.distance[i] > 0]


def document_differences(first: Topics, second: Topics) -> DocumentDifferences:
    """Compare two fits of the same documents, document by document."""
    if first.doc_ids != second.doc_ids:
        raise ModelError("Only two fits of the same texts can be compared.")
    mine, theirs = first.shares(), second.shares()
    cosine = _cosine(mine, theirs)
    a, b = linear_sum_assignment(cosine, maximize=True)
    known = np.asarray(mine.any(axis=1) & theirs.any(axis=1))
    partner = np.full(mine.shape[1], -1)
    partner[a] = b
    same = partner[mine.argmax(axis=1)] == theirs.argmax(axis=1)
    return DocumentDifferences(
        pairs=tuple((int(i), int(j), float(cosine[i, j])) for i, j in zip(a, b, strict=True)),
        agreement=float(same[known].mean()) if known.any() else 0.0,
        distance=np.where(known, _distance(mine, theirs, a, b), 0.0),
        known=known,
    )


def _cosine(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    return np.asarray(_unit_columns(mine).T @ _unit_columns(theirs))


def _unit_columns(shares: np.ndarray) -> np.ndarray:
    length = np.sqrt(np.einsum("ij,ij->j", shares, shares, dtype=np.float64))
    return shares / np.where(length > 0, length, 1.0).astype(shares.dtype)


def _distance(mine: np.ndarray, theirs: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """In blocks, so that a large corpus needs no third table of its size."""
    overlap = np.empty(mine.shape[0])
    for begin in range(0, overlap.size, BLOCK_DOCUMENTS):
        part = slice(begin, begin + BLOCK_DOCUMENTS)
        overlap[part] = np.minimum(mine[part][:, a], theirs[part][:, b]).sum(axis=1)
    return np.clip(1.0 - overlap, 0.0, 1.0)
