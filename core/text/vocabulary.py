"""A vocabulary: the words that a corpus is read by and what each weighs, without the corpus.

It reads any text as a row over the same terms, so next month's texts mean what this month's did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core.errors import TextError
from core.text.analyzer import Analyzer
from core.text.counting import TermCounts, count_terms
from core.text.settings import TextSettings
from core.values import ArrayValue, percent

ROWS_AT_ONCE = 8_192  # whose cells are weighed at a time


@dataclass(frozen=True, kw_only=True, eq=False)
class Vocabulary(ArrayValue):
    """Terms in the order of the columns, and how many documents of the corpus held each."""

    terms: tuple[str, ...]
    document_frequency: np.ndarray  # (n_terms,); 0: the term is no longer read
    n_docs: int  # documents that were counted
    settings: TextSettings

    def __repr__(self) -> str:
        return f"Vocabulary({len(self.terms)} terms of {self.n_docs} documents)"

    def rows_of(self, texts: Sequence[str]) -> sp.csr_array:
        """Texts as rows over these terms: their idf, their lengths; unknown words are left out."""
        counts = count_terms(texts, Analyzer(self.settings))
        return self.rows_of_counts(counts, release=True)

    def rows_of_counts(self, counts: TermCounts, *, release: bool = False) -> sp.csr_array:
        """The same for texts whose terms are counted already, and may be used up."""
        in_use = np.flatnonzero(self.document_frequency)
        column_of = {self.terms[column]: column for column in in_use.tolist()}
        new = np.array([column_of.get(name, -1) for name in counts.names], dtype=np.int32)
        largest = largest_counts(counts, self.settings)
        X = counts.renumbered(new, len(self.terms), release=release)
        apply_weights(X, self.document_frequency, self.n_docs, self.settings, largest)
        return X


def worth_of_terms(counts: TermCounts, frequency: np.ndarray, settings: TextSettings) -> np.ndarray:
    """By what terms are chosen: how often each occurs, or its largest weight in a text."""
    if settings.weighting != "max_tfidf":
        return counts.occurrences()
    worth, n_docs = np.zeros(frequency.size, np.float32), counts.n_docs
    for piece in counts.pieces:
        weights = piece.matrix(frequency.size)
        apply_weights(weights, frequency, n_docs, settings, piece.largest_of_rows())
        np.maximum.at(worth, weights.indices, weights.data)
    return worth


def columns_to_keep(
    names: Sequence[str],
    frequency: np.ndarray,
    worth: np.ndarray,
    n_docs: int,
    settings: TextSettings,
) -> np.ndarray:
    """Columns to keep, in alphabetical order of their terms; TextError if there is none.

    ``frequency`` are the documents that hold each term; where there are too many terms, those with
    the largest ``worth`` stay.
    """
    if not len(names):
        raise TextError(
            "No word is left in any text: allow shorter words or numbers, "
            "or check that the right column holds the text."
        )
    min_documents = settings.min_documents
    min_documents = min_documents if min_documents >= 1 else min_documents * n_docs
    keep = np.flatnonzero((frequency >= min_documents) & (frequency <= settings.max_share * n_docs))
    if not len(keep):
        raise TextError(
            f"None of the {len(names):,} words is in at least {_amount(settings.min_documents)} "
            f"and at most {percent(settings.max_share)} of the {n_docs:,} texts: "
            "widen one of the two limits."
        )
    keep = np.array(sorted(keep.tolist(), key=names.__getitem__))
    if len(keep) > settings.max_terms:  # ties: alphabetical
        by_worth = np.argsort(-worth[keep], kind="stable")[: settings.max_terms]
        keep = keep[np.sort(by_worth)]
    return keep


def _amount(min_documents: float) -> str:
    return f"{min_documents:.0f}" if min_documents >= 1 else percent(min_documents, 1)


def apply_weights(
    X: sp.csr_array,
    frequency: np.ndarray,
    n_docs: int,
    settings: TextSettings,
    largest: np.ndarray | None,
) -> None:
    """Counts → weights, then unit rows, both in place and as the settings say.

    Frequencies and ``n_docs`` are those of the corpus that was counted, also for texts beyond it;
    ``largest`` are the texts' ``largest_counts``.
    """
    if settings.weighting == "tfidf":
        idf = np.log((1 + n_docs) / (1 + frequency)) + 1
        _multiply_columns(X, idf.astype(np.float32))
    if settings.weighting == "max_tfidf":
        assert largest is not None
        _multiply_columns(X, np.log(n_docs / np.maximum(frequency, 1)).astype(np.float32))
        for cells, rows in _row_blocks(X):
            X.data[cells] /= largest[rows]
        X.eliminate_zeros()  # a word of every text
    if settings.l2:
        for cells, rows in _row_blocks(X):
            own = rows - rows[0]
            length = np.sqrt(np.bincount(own, X.data[cells].astype(np.float64) ** 2))
            X.data[cells] /= length.astype(np.float32)[own]


def largest_counts(counts: TermCounts, settings: TextSettings) -> np.ndarray | None:
    """The largest count of each text, over all its terms, kept or not; None: not needed."""
    return counts.largest_of_rows() if settings.weighting == "max_tfidf" else None


def _multiply_columns(X: sp.csr_array, by: np.ndarray) -> None:
    for cells, _ in _row_blocks(X):
        X.data[cells] *= by[X.indices[cells]]


def _row_blocks(X: sp.csr_array) -> Iterator[tuple[slice, np.ndarray]]:
    """Cells of some rows at a time and the row of each: of all cells they would take much room."""
    for first in range(0, X.shape[0], ROWS_AT_ONCE):
        starts = X.indptr[first : first + ROWS_AT_ONCE + 1]
        if starts[0] < starts[-1]:
            rows = np.repeat(np.arange(first, first + len(starts) - 1), np.diff(starts))
            yield slice(starts[0], starts[-1]), rows
