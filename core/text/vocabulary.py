"""A vocabulary: the words that a corpus is read by and what each weighs, without the corpus.

It reads any text as a row over the same terms, so next month's texts mean what this month's did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core.errors import TextError
from core.text.analyzer import Analyzer
from core.text.counting import count_terms
from core.text.settings import TextSettings
from core.values import ArrayValue, percent


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
        return self.rows_of_counts(*count_terms(texts, Analyzer(self.settings)))

    def rows_of_counts(self, counts: sp.csr_array, names: Sequence[str]) -> sp.csr_array:
        """The same for texts whose terms are counted already; ``names`` are those of columns."""
        in_use = np.flatnonzero(self.document_frequency)
        column_of = {self.terms[column]: column for column in in_use.tolist()}
        new = np.array([column_of.get(name, -1) for name in names], dtype=np.int32)
        X = renumber_columns(counts, new, len(self.terms))
        apply_weights(X, self.document_frequency, self.n_docs, self.settings, counts)
        return X


def worth_of_terms(
    counts: sp.csr_array, frequency: np.ndarray, settings: TextSettings
) -> np.ndarray:
    """By what terms are chosen: how often each occurs, or its largest weight in a text."""
    if settings.weighting != "max_tfidf":
        return np.bincount(counts.indices, counts.data, minlength=counts.shape[1])
    weights = counts.astype(np.float32)
    apply_weights(weights, frequency, counts.shape[0], settings, counts)
    return np.asarray(weights.max(axis=0).toarray()).ravel()


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


def renumber_columns(X: sp.csr_array, new: np.ndarray, n_columns: int) -> sp.csr_array:
    """Column j becomes column ``new[j]``, or goes where that is −1; one sweep over the cells."""
    indices = new[X.indices]
    used = indices >= 0
    starts = np.concatenate([[0], np.cumsum(used, dtype=np.int64)])[X.indptr].astype(np.int32)
    out = sp.csr_array((X.data[used], indices[used], starts), shape=(X.shape[0], n_columns))
    out.sort_indices()
    return out


def apply_weights(
    X: sp.csr_array,
    frequency: np.ndarray,
    n_docs: int,
    settings: TextSettings,
    counts: sp.csr_array,
) -> None:
    """Counts → weights, then unit rows, both in place and as the settings say.

    Frequencies and ``n_docs`` are those of the corpus that was counted, also for texts beyond it;
    ``counts`` hold all terms of the texts, kept or not.
    """
    if settings.weighting == "tfidf":
        idf = np.log((1 + n_docs) / (1 + frequency)) + 1
        X.data *= idf.astype(np.float32)[X.indices]
    if settings.weighting == "max_tfidf":
        idf = np.log(n_docs / np.maximum(frequency, 1))
        X.data *= idf.astype(np.float32)[X.indices]
        X.data /= np.repeat(_largest_of_rows(counts), np.diff(X.indptr))
        X.eliminate_zeros()  # a word of every text
    if settings.l2:
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        length = np.sqrt(np.bincount(rows, X.data.astype(np.float64) ** 2, minlength=X.shape[0]))
        X.data /= length.astype(np.float32)[rows]


def _largest_of_rows(counts: sp.csr_array) -> np.ndarray:
    largest = np.zeros(counts.shape[0], np.float32)
    np.maximum.at(largest, np.repeat(np.arange(largest.size), np.diff(counts.indptr)), counts.data)
    return largest
