"""What a text is about beyond its own words: where it lies along the corpus's main directions.

Two texts on one matter may share no word. Seen along the directions in which the corpus varies most
(its leading singular vectors, latent semantic analysis) they lie close together all the same, which
is what makes a handful of labels reach far. Few directions see broad matters, many see fine ones,
so a text is placed among both.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from sklearn.utils.extmath import randomized_svd

from core.engine.kernels.sums import row_squares
from core.engine.products import documents_times
from core.values import ArrayValue
from core.values.last_result import LastResult

LATENT_RANKS = (16, 64)  # directions: broad and fine
MAX_SVD_DOCUMENTS = 4000  # documents the directions are computed from; more give the same
MAX_SAMPLE_DOCUMENTS = 1000  # of them whose places are kept, as a sample of the corpus
MIN_LENGTH = 1e-30


@dataclass(frozen=True, eq=False, repr=False)
class Latent(ArrayValue):
    """The main directions of a corpus, strongest first."""

    directions: np.ndarray  # (n_terms, at most LATENT_RANKS[-1])
    corpus: np.ndarray  # places of a sample of the documents, a row each
    last: LastResult[np.ndarray] = field(default_factory=LastResult, repr=False, compare=False)

    def places(self, X: sp.csr_array) -> np.ndarray:
        """Documents in rows; the broad and the fine place together have length one."""
        return self.last.of(X, lambda X: places_along(X, self.directions))


_last: LastResult[Latent] = LastResult()  # every full fit of a project asks for the same


def latent_of(X: sp.csr_array) -> Latent:
    """The directions of a matrix; the same matrix always gives the same."""
    return _last.of(X, _latent_of)


def _latent_of(X: sp.csr_array) -> Latent:
    rng = np.random.default_rng(0)
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    if rows.size > MAX_SVD_DOCUMENTS:
        rows = np.sort(rng.choice(rows, MAX_SVD_DOCUMENTS, replace=False))
    rank = min(LATENT_RANKS[-1], rows.size, X.shape[1])
    if rank == 0:
        nowhere = np.zeros((X.shape[1], 1), X.dtype)
        return Latent(nowhere, places_along(X[:0], nowhere))
    units = sp.csr_matrix(unit_rows(X[rows]))
    _, _, directions = randomized_svd(units, rank, n_iter=2, random_state=0)
    turned = np.ascontiguousarray(directions.T.astype(X.dtype))
    standing = rng.permutation(rows)[:MAX_SAMPLE_DOCUMENTS]
    return Latent(turned, places_along(X[standing], turned))


def places_along(X: sp.csr_array, directions: np.ndarray) -> np.ndarray:
    along = documents_times(X, directions)
    blocks = [_unit(along[:, :rank]) for rank in LATENT_RANKS]
    return np.hstack(blocks) / np.sqrt(along.dtype.type(len(LATENT_RANKS)))


_last_lengths: LastResult[np.ndarray] = LastResult()  # a refit asks several times


def lengths(X: sp.csr_array) -> np.ndarray:
    """Euclidean length of every document."""
    return _last_lengths.of(X, _lengths)


def _lengths(X: sp.csr_array) -> np.ndarray:
    squares = np.empty(X.shape[0])
    row_squares(X.indptr, X.data, squares)
    return np.sqrt(squares).astype(X.dtype)


def unit_rows(X: sp.csr_array) -> sp.csr_array:
    """The documents at length one, in double precision."""
    scale = 1 / np.maximum(lengths(X), MIN_LENGTH)
    return sp.csr_array(sp.diags_array(scale.astype(np.float64)) @ X.astype(np.float64))


def _unit(rows: np.ndarray) -> np.ndarray:
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return rows / np.maximum(length, MIN_LENGTH)[:, None]
