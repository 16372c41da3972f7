"""How similar the texts of a project are to one of them, or to a sentence.

The mean of two cosines: of words, and of what texts are about where they have vectors.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.errors import QueryError
from core.matrix import DocumentTermMatrix
from core.search import Similarity
from core.store import Project, Store
from core.text.encoders import encoder_of
from core.workspace.caches.matrices import is_counted, matrix_of

BY_BOTH = "By words and meaning"
BY_WORDS = "By shared words alone: meaning is off, see Corpus."
NOT_READ = "By shared words alone: your own vectors cannot read a new sentence."
NOT_COUNTED = "The words of this corpus are not counted yet; try again after the next fit."
COUNTED_AT_ONCE = 20_000  # texts whose words are counted for a search, if nobody has before
OWN_SIMILARITY = -1.0  # the similarity of a text to itself, so that it is not in its own list


def similar_to_text(store: Store, project: Project, text: str) -> Similarity:
    """The similarity of every text to a sentence."""
    matrix = _matrix(store, project)
    words = _cosines(matrix, matrix.rows_of([text]))
    if matrix.vectors is None:
        return Similarity(words, BY_WORDS)
    encoder = encoder_of(matrix.vectors)
    if encoder is None:
        return Similarity(words, NOT_READ)
    return _with_meaning(matrix, words, encoder.encode([text])[0])


def similar_to_document(store: Store, project: Project, position: int) -> Similarity:
    """The similarity of every other text to one of them."""
    matrix = _matrix(store, project)
    words = _cosines(matrix, matrix.X[[position]])
    if matrix.vectors is None:
        found = Similarity(words, BY_WORDS)
    else:
        found = _with_meaning(matrix, words, matrix.vectors.values[position])
    found.values[position] = OWN_SIMILARITY
    return found


def _matrix(store: Store, project: Project) -> DocumentTermMatrix:
    """Counting words takes long in a large corpus; whoever searches does not wait for it."""
    if project.n_docs > COUNTED_AT_ONCE and not is_counted(store, project):
        raise QueryError(NOT_COUNTED)
    return matrix_of(store, project)


def _cosines(matrix: DocumentTermMatrix, row: sp.csr_array) -> np.ndarray:
    product = np.asarray(matrix.X @ row.toarray()[0])
    if matrix.settings.l2:  # every row has length 1
        return product
    lengths = np.sqrt(np.asarray(matrix.X.multiply(matrix.X).sum(axis=1))).ravel()
    length = float(np.sqrt(row.multiply(row).sum()))
    return (product / np.maximum(lengths * length, 1e-30)).astype(np.float32)


def _with_meaning(matrix: DocumentTermMatrix, words: np.ndarray, vector: np.ndarray) -> Similarity:
    """The mean of both cosines; of words alone for a text without a vector."""
    assert matrix.vectors is not None
    if not vector.any():
        return Similarity(words, BY_WORDS)
    along = matrix.vectors.values @ vector
    known = matrix.vectors.values.any(axis=1)
    return Similarity(
        np.where(known, (words + along) / 2, words), f"{BY_BOTH} ({matrix.vectors.source})."
    )
