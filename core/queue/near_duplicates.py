"""Near-duplicates, found once per corpus by min-hashing the documents' terms.

Documents whose sets of terms agree in a few hashes fall into one bucket. Inside a bucket they are
put in the order of a random projection, where copies lie side by side, and each is compared with
the one before it and with the first. The work is proportional to the number of words.

Where documents have vectors, those that point the same way meet in buckets too, and two documents
are copies if the mean of both cosines says so: a misspelt copy is found, and a text that differs
in a small word only, such as “not”, is a copy no longer.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

N_BANDS, HASHES_PER_BAND = 12, 4  # pairs that share 80 % of their terms meet with chance 99.8 %
COPY_COSINE = 0.9  # from which on two documents count as copies
PLANES_PER_BAND = 16  # vectors with cosine 0.97 meet in one of the bands with chance 97 %


def first_copies(
    X: sp.csr_array,
    units: sp.csr_array,
    rng: np.random.Generator,
    meaning: np.ndarray | None = None,
) -> np.ndarray:
    """For each document the position of the first one that is nearly the same; often itself.

    ``units`` are the rows of ``X`` at unit length, ``meaning`` the documents' vectors, also of
    length one or zero. Documents without terms are copies of none.
    """
    n_docs = X.shape[0]
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    pairs = [np.empty((0, 2), np.intp)]
    projection = np.asarray(units[rows] @ rng.standard_normal(X.shape[1]))
    for _ in range(N_BANDS if rows.size else 0):
        pairs.append(rows[_bucket_pairs(_min_hash(X, rows, rng), projection)])
    if meaning is not None:
        pairs += [rows[_bucket_pairs(codes, projection)] for codes in _signs(meaning[rows], rng)]
    found = np.unique(np.concatenate(pairs), axis=0)
    same = found[_cosines(units, meaning, found) >= COPY_COSINE]
    graph = sp.coo_array((np.ones(len(same)), (same[:, 0], same[:, 1])), shape=(n_docs, n_docs))
    _, group = connected_components(graph, directed=False)
    _, first = np.unique(group, return_index=True)
    return first[group].astype(np.int32)


def _min_hash(X: sp.csr_array, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A few min-hashes of each document's terms, combined into one number."""
    code = np.zeros(rows.size, dtype=np.uint64)
    for _ in range(HASHES_PER_BAND):
        order = rng.permutation(X.shape[1]).astype(np.uint32)
        least = np.minimum.reduceat(order[X.indices], X.indptr[rows])
        code = code * np.uint64(0x9E3779B97F4A7C15) + least  # wraps around: it is a hash
    return code


def _signs(vectors: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """On which side of a few random planes each vector lies, as one number, band by band."""
    powers = 1 << np.arange(PLANES_PER_BAND, dtype=np.int64)
    for _ in range(N_BANDS if len(vectors) else 0):
        planes = rng.standard_normal((vectors.shape[1], PLANES_PER_BAND)).astype(np.float32)
        yield (vectors @ planes > 0) @ powers


def _bucket_pairs(codes: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """Pairs of positions with equal codes: each with the one before it, and with the first."""
    order = np.lexsort((projection, codes))
    begins = np.concatenate([[True], np.diff(codes[order]) != 0])
    first = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    pairs = np.concatenate(
        [
            np.column_stack([order[:-1], order[1:]])[~begins[1:]],
            np.column_stack([first, order])[~begins],
        ]
    )
    return np.sort(pairs, axis=1)


def _cosines(
    units: sp.csr_array, meaning: np.ndarray | None, pairs: np.ndarray, piece: int = 1 << 16
) -> np.ndarray:
    """The mean of the cosines of words and vectors; of words alone where a vector is missing."""
    found = np.empty(len(pairs))
    for begin in range(0, len(pairs), piece):
        one, other = pairs[begin : begin + piece].T
        words = np.asarray(units[one].multiply(units[other]).sum(axis=1)).ravel()
        if meaning is None:
            found[begin : begin + piece] = words
            continue
        mine, theirs = meaning[one], meaning[other]
        known = mine.any(axis=1) & theirs.any(axis=1)
        both = (words + np.einsum("ij,ij->i", mine, theirs)) / 2
        found[begin : begin + piece] = np.where(known, both, words)
    return found
