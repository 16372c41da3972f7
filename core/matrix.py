"""Corpus + TextSettings → DocumentTermMatrix: count, prune, weight.

Everything is sparse from the first token on; a documents × terms array is never formed. Terms are
in alphabetical order, so the same corpus and settings give the same matrix on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.corpus import Corpus
from core.errors import TextError
from core.text import Analyzer, DocumentVectors, Span, TextSettings
from core.text.counting import count_terms
from core.values import ArrayValue, html_table, percent


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentTermMatrix(ArrayValue):
    """Documents in rows, terms in columns, and what they were made from."""

    X: sp.csr_array  # (n_docs, n_terms) float32, int32 indices
    terms: tuple[str, ...]
    doc_ids: tuple[str, ...]
    settings: TextSettings
    document_frequency: np.ndarray  # (n_terms,) documents that hold each term
    fingerprint: str
    empty: tuple[int, ...] = ()  # positions of documents without any term
    notes: tuple[str, ...] = ()  # fallbacks that were used
    vectors: DocumentVectors | None = None  # what the documents are about; kept in their own file

    def __repr__(self) -> str:
        n_docs, n_terms = self.shape
        return (
            f"DocumentTermMatrix({n_docs} documents, {n_terms} terms, {self.X.nnz} non-zero cells)"
        )

    def _repr_html_(self) -> str:
        n_docs, n_terms = self.shape
        sizes = [("documents", n_docs), ("terms", n_terms), ("non-zero cells", self.X.nnz)]
        return html_table("Document-term matrix", [*sizes, ("weighting", self.settings.weighting)])

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.doc_ids), len(self.terms)

    def with_vectors(self, vectors: DocumentVectors | None) -> DocumentTermMatrix:
        """The same words, and what the documents are about; the fingerprint is that of the words.

        TextError if there is not one vector for each document.
        """
        if vectors is not None and len(vectors) != len(self.doc_ids):
            raise TextError(f"{len(vectors):,} vectors for {len(self.doc_ids):,} texts.")
        return self if vectors is self.vectors else replace(self, vectors=vectors)

    def rows_of(self, texts: Sequence[str]) -> sp.csr_array:
        """Texts beyond the corpus as rows of this matrix: its terms, its idf, its lengths.

        Words the corpus does not hold, or no longer reads, are left out.
        """
        counts, names = count_terms(texts, Analyzer(self.settings))
        in_use = np.flatnonzero(self.document_frequency)
        column_of = {self.terms[column]: column for column in in_use.tolist()}
        new = np.array([column_of.get(name, -1) for name in names], dtype=np.int32)
        X = _renumber_columns(counts, new, len(self.terms))
        _apply_weights(X, self.document_frequency, len(self.doc_ids), self.settings)
        return X

    def save(self, path: str | Path) -> None:
        """One npz file: arrays and a JSON text, nothing pickled; vectors are saved apart."""
        words = {
            "terms": self.terms,
            "doc_ids": self.doc_ids,
            "settings": self.settings.to_dict(),
            "fingerprint": self.fingerprint,
            "empty": self.empty,
            "notes": self.notes,
        }
        with open(path, "wb") as file:
            np.savez(
                file,
                data=self.X.data,
                indices=self.X.indices,
                indptr=self.X.indptr,
                document_frequency=self.document_frequency,
                words=np.frombuffer(json.dumps(words).encode("utf8"), dtype=np.uint8),
            )

    @classmethod
    def load(cls, path: str | Path) -> DocumentTermMatrix:
        """What ``save`` wrote."""
        with np.load(path, allow_pickle=False) as file:
            words: dict[str, Any] = json.loads(file["words"].tobytes())
            shape = (len(words["doc_ids"]), len(words["terms"]))
            X = sp.csr_array((file["data"], file["indices"], file["indptr"]), shape=shape)
            frequency = file["document_frequency"]
        settings = TextSettings.from_dict(words.pop("settings"))
        return cls(
            X=X,
            settings=settings,
            document_frequency=frequency,
            fingerprint=words["fingerprint"],
            terms=tuple(words["terms"]),
            doc_ids=tuple(words["doc_ids"]),
            empty=tuple(words["empty"]),
            notes=tuple(words["notes"]),
        )


def build_matrix(corpus: Corpus, settings: TextSettings | None = None) -> DocumentTermMatrix:
    """Count and weight the terms of a corpus; TextError if no term is left."""
    settings = settings or TextSettings()
    analyzer = Analyzer(settings)
    counts, names = count_terms(corpus.texts, analyzer)
    keep = _columns_to_keep(counts, names, settings)
    X = _renumber_columns(counts, _new_columns(names, keep), len(keep))
    frequency = np.bincount(X.indices, minlength=len(keep)).astype(np.int64)
    _apply_weights(X, frequency, len(corpus), settings)
    return DocumentTermMatrix(
        X=X,
        terms=tuple(names[column] for column in keep),
        doc_ids=corpus.ids,
        settings=settings,
        document_frequency=frequency,
        fingerprint=_fingerprint(corpus, settings),
        empty=tuple(np.flatnonzero(np.diff(X.indptr) == 0).tolist()),
        notes=analyzer.notes,
    )


def _fingerprint(corpus: Corpus, settings: TextSettings) -> str:
    text = json.dumps([corpus.fingerprint, settings.to_dict()], sort_keys=True)
    return hashlib.blake2b(text.encode("utf8"), digest_size=16).hexdigest()


def _columns_to_keep(counts: sp.csr_array, names: list[str], settings: TextSettings) -> np.ndarray:
    """Columns to keep, in alphabetical order of their terms."""
    n_docs = counts.shape[0]
    if not names:
        raise TextError(
            "No word is left in any text: allow shorter words or numbers, "
            "or check that the right column holds the text."
        )
    frequency = np.bincount(counts.indices, minlength=len(names))
    min_documents = settings.min_documents
    min_documents = min_documents if min_documents >= 1 else min_documents * n_docs
    keep = np.flatnonzero((frequency >= min_documents) & (frequency <= settings.max_share * n_docs))
    if not len(keep):
        raise TextError(
            f"None of the {len(names):,} words is in at least {_amount(settings.min_documents)} "
            f"and at most {percent(settings.max_share)} of the {n_docs:,} texts: "
            "widen one of the two limits."
        )
    keep = np.array(sorted(keep, key=names.__getitem__))
    if len(keep) > settings.max_terms:
        total = np.bincount(counts.indices, counts.data, minlength=len(names))[keep]
        by_frequency = np.argsort(-total, kind="stable")[: settings.max_terms]  # ties: alphabetical
        keep = keep[np.sort(by_frequency)]
    return keep


def _amount(min_documents: float) -> str:
    return f"{min_documents:.0f}" if min_documents >= 1 else percent(min_documents, 1)


def _new_columns(names: list[str], keep: np.ndarray) -> np.ndarray:
    """For each counted term its place among those to keep, −1 for the others."""
    new = np.full(len(names), -1, dtype=np.int32)
    new[keep] = np.arange(len(keep), dtype=np.int32)
    return new


def _renumber_columns(X: sp.csr_array, new: np.ndarray, n_columns: int) -> sp.csr_array:
    """Column j becomes column ``new[j]``, or goes where that is −1; one sweep over the cells."""
    indices = new[X.indices]
    used = indices >= 0
    starts = np.concatenate([[0], np.cumsum(used, dtype=np.int64)])[X.indptr].astype(np.int32)
    out = sp.csr_array((X.data[used], indices[used], starts), shape=(X.shape[0], n_columns))
    out.sort_indices()
    return out


def _apply_weights(
    X: sp.csr_array, frequency: np.ndarray, n_docs: int, settings: TextSettings
) -> None:
    """Counts → TF-IDF with smooth idf, then unit rows, both in place and as the settings say.

    Frequencies and ``n_docs`` are those of the corpus that was counted, also for texts beyond it.
    """
    if settings.weighting == "tfidf":
        idf = np.log((1 + n_docs) / (1 + frequency)) + 1
        X.data *= idf.astype(np.float32)[X.indices]
    if settings.l2:
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        length = np.sqrt(np.bincount(rows, X.data.astype(np.float64) ** 2, minlength=X.shape[0]))
        X.data /= length.astype(np.float32)[rows]


@dataclass(frozen=True, slots=True)
class TextPreview:
    """What settings do to a corpus, for a page that shows it while they are being changed."""

    n_terms: int
    n_documents: int  # documents that were read for it
    n_empty: int  # of these, documents without any term
    gained: tuple[str, ...]  # terms that other settings did not give, most frequent first
    lost: tuple[str, ...]  # terms that only the other settings gave
    spans: tuple[Span, ...]  # the chosen document as the model sees it


def preview_text(
    corpus: Corpus,
    settings: TextSettings,
    *,
    against: TextSettings | None = None,
    document: int = 0,
    sample: int = 2_000,
) -> TextPreview:
    """The vocabulary of the settings, against others, on at most ``sample`` documents."""
    part = sample_corpus(corpus, sample)
    now = build_matrix(part, settings)
    before = now if against is None or against == settings else _try_build_matrix(part, against)
    vocabulary = frozenset(now.terms)
    spans = Analyzer(settings).spans(corpus.texts[document])
    return TextPreview(
        n_terms=len(now.terms),
        n_documents=len(part),
        n_empty=len(now.empty),
        gained=_difference(now, before),
        lost=_difference(before, now),
        spans=tuple(span for span in spans if span.term in vocabulary),
    )


def _try_build_matrix(corpus: Corpus, settings: TextSettings) -> DocumentTermMatrix | None:
    """None if no word is left under the settings: then every word is gained."""
    try:
        return build_matrix(corpus, settings)
    except TextError:
        return None


def sample_corpus(corpus: Corpus, limit: int) -> Corpus:
    """At most ``limit`` documents, evenly spaced, in order."""
    if len(corpus) <= limit:
        return corpus
    chosen = np.linspace(0, len(corpus) - 1, limit).astype(int)
    return Corpus(
        ids=tuple(corpus.ids[i] for i in chosen), texts=tuple(corpus.texts[i] for i in chosen)
    )


def _difference(
    one: DocumentTermMatrix | None, other: DocumentTermMatrix | None
) -> tuple[str, ...]:
    """Terms of one that the other lacks, most frequent first, ties alphabetical."""
    if one is None:
        return ()
    known = frozenset(other.terms if other else ())
    order = np.argsort(-one.document_frequency, kind="stable")
    return tuple(one.terms[i] for i in order if one.terms[i] not in known)
