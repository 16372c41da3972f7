"""What a text is about beyond its own words: where it lies along the corpus's main directions.

Two texts on one matter may share no word. Seen along the directions in which the corpus varies most
(its leading singular vectors, latent semantic analysis) they lie close together all the same, which
is what makes a handful of labels reach far. Few directions see broad matters, many see fine ones,
so a text is placed among both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from sklearn.utils.extmath import randomized_svd

from core.kernels.sums import row_squares

RANKS = (16, 64)  # directions: broad and fine
SAMPLE = 4000  # documents that tell the directions; more tell the same
STAND = 1000  # of them that stand for the corpus
TINY = 1e-30
LARGE = 4000  # documents; what was computed for so many is kept until another matrix comes


@dataclass
class Kept:
    """The last answer for a large matrix: every label asks for the whole corpus again."""

    matrix: sp.csr_array | None = None
    answer: np.ndarray | None = None

    def of(self, X: sp.csr_array, make: Callable[[sp.csr_array], np.ndarray]) -> np.ndarray:
        if X.shape[0] < LARGE:
            return make(X)
        if self.answer is None or not _same(self.matrix, X):
            self.matrix, self.answer = X, make(X)
            self.answer.flags.writeable = False
        return self.answer


def _same(one: sp.csr_array | None, other: sp.csr_array) -> bool:
    """Whether two matrices hold the same; comparing costs a hundredth of computing."""
    if one is None or one.shape != other.shape or one.nnz != other.nnz:
        return False
    names = ("indptr", "indices", "data")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@dataclass(frozen=True)
class Latent:
    """The main directions of a corpus, strongest first."""

    directions: np.ndarray  # (n_terms, at most RANKS[-1])
    corpus: np.ndarray  # (at most STAND, ...) places of documents that stand for the corpus
    kept: Kept = field(default_factory=Kept, repr=False, compare=False)

    def places(self, X: sp.csr_array) -> np.ndarray:
        """Documents in rows; the broad and the fine place together have length one."""
        return self.kept.of(X, lambda X: places_along(X, self.directions))


def latent_of(X: sp.csr_array) -> Latent:
    """The directions of a matrix; the same matrix always gives the same."""
    rng = np.random.default_rng(0)
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    if rows.size > SAMPLE:
        rows = np.sort(rng.choice(rows, SAMPLE, replace=False))
    rank = min(RANKS[-1], rows.size, X.shape[1])
    if rank == 0:
        nowhere = np.zeros((X.shape[1], 1), X.dtype)
        return Latent(nowhere, places_along(X[:0], nowhere))
    units = sp.csr_matrix(unit_rows(X[rows]))
    _, _, directions = randomized_svd(units, rank, n_iter=2, random_state=0)
    turned = np.ascontiguousarray(directions.T.astype(X.dtype))
    standing = rng.permutation(rows)[:STAND]
    return Latent(turned, places_along(X[standing], turned))


def places_along(X: sp.csr_array, directions: np.ndarray) -> np.ndarray:
    along = np.asarray(X @ directions)
    blocks = [_unit(along[:, :rank]) for rank in RANKS]
    return np.hstack(blocks) / np.sqrt(along.dtype.type(len(RANKS)))


def lengths(X: sp.csr_array) -> np.ndarray:
    """Euclidean length of every document."""
    squares = np.empty(X.shape[0])
    row_squares(X.indptr, X.data, squares)
    return np.sqrt(squares).astype(X.dtype)


def unit_rows(X: sp.csr_array) -> sp.csr_array:
    """The documents at length one, in double precision."""
    scale = 1 / np.maximum(lengths(X), TINY)
    return sp.csr_array(sp.diags_array(scale.astype(np.float64)) @ X.astype(np.float64))


def _unit(rows: np.ndarray) -> np.ndarray:
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return rows / np.maximum(length, TINY)[:, None]
