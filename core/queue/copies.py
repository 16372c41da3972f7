"""Near-duplicates, found once per corpus by min-hashing the documents' terms.

Documents whose sets of terms agree in a few hashes fall into one bucket. Inside a bucket they are
put in the order of a random projection, where copies lie side by side, and each is compared with
the one before it and with the first. The work is proportional to the number of words.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

BANDS, ROWS = 12, 4  # pairs that share 80 % of their terms meet in a bucket 99.8 times in 100
ALIKE = 0.9  # cosine above which two documents are one to the model


def first_copies(X: sp.csr_array, units: sp.csr_array, rng: np.random.Generator) -> np.ndarray:
    """For each document the position of the first one that is nearly the same; often itself.

    ``units`` are the rows of ``X`` at unit length. Documents without terms are nobody's copies.
    """
    n_docs = X.shape[0]
    rows = np.flatnonzero(np.diff(X.indptr) > 0)
    pairs = [np.empty((0, 2), np.intp)]
    along = np.asarray(units[rows] @ rng.standard_normal(X.shape[1]))
    for _ in range(BANDS if rows.size else 0):
        pairs.append(rows[_meetings(_band(X, rows, rng), along)])
    found = np.unique(np.concatenate(pairs), axis=0)
    same = found[_cosines(units, found) >= ALIKE]
    graph = sp.coo_array((np.ones(len(same)), (same[:, 0], same[:, 1])), shape=(n_docs, n_docs))
    _, group = connected_components(graph, directed=False)
    _, first = np.unique(group, return_index=True)
    return first[group].astype(np.int32)


def _band(X: sp.csr_array, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A few min-hashes of each document's terms, put together into one number."""
    code = np.zeros(rows.size, dtype=np.uint64)
    for _ in range(ROWS):
        order = rng.permutation(X.shape[1]).astype(np.uint32)
        least = np.minimum.reduceat(order[X.indices], X.indptr[rows])
        code = code * np.uint64(0x9E3779B97F4A7C15) + least  # wraps around: it is a hash
    return code


def _meetings(codes: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Pairs of places with equal codes: each with the one before it, and with the first."""
    order = np.lexsort((along, codes))
    begins = np.concatenate([[True], np.diff(codes[order]) != 0])
    first = order[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
    met = np.concatenate(
        [
            np.column_stack([order[:-1], order[1:]])[~begins[1:]],
            np.column_stack([first, order])[~begins],
        ]
    )
    return np.sort(met, axis=1)


def _cosines(units: sp.csr_array, pairs: np.ndarray, piece: int = 1 << 16) -> np.ndarray:
    found = np.empty(len(pairs))
    for begin in range(0, len(pairs), piece):
        one, other = pairs[begin : begin + piece].T
        product = units[one].multiply(units[other]).sum(axis=1)
        found[begin : begin + piece] = np.asarray(product).ravel()
    return found
