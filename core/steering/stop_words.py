"""Stop words after the fact: a matrix in which some words are not read.

The words keep their columns, empty, so that an earlier fit still fits; every model leaves a word
that no document holds without weight. Phrases that hold a stop word fall silent with it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from core.matrix import DocumentTermMatrix


def without_words(matrix: DocumentTermMatrix, words: Collection[str]) -> DocumentTermMatrix:
    """The matrix as if the words were in no document; rows of unit length stay so."""
    silent = set(words)
    dropped = np.array([bool(silent & {term, *term.split(" ")}) for term in matrix.terms], bool)
    if not dropped.any():
        return matrix
    X = matrix.X.copy()
    X.data[dropped[X.indices]] = 0
    X.eliminate_zeros()
    if matrix.settings.l2:
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        length = np.sqrt(np.bincount(rows, X.data.astype(np.float64) ** 2, minlength=X.shape[0]))
        X.data /= np.maximum(length, 1e-30).astype(X.dtype)[rows]
    identity = "\n".join([matrix.fingerprint, *sorted(silent)])
    read_by = matrix.read_by
    if read_by is not None:
        counted = np.where(dropped, 0, read_by.document_frequency)
        read_by = replace(read_by, document_frequency=counted)
    return replace(
        matrix,
        X=X,
        read_by=read_by,
        document_frequency=np.where(dropped, 0, matrix.document_frequency),
        fingerprint=hashlib.blake2b(identity.encode(), digest_size=16).hexdigest(),
        empty=tuple(np.flatnonzero(np.diff(X.indptr) == 0).tolist()),
    )
