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
from core.text import Analyzer, DocumentVectors, Span, TextSettings, Vocabulary
from core.text.counting import count_terms
from core.text.vocabulary import (
    apply_weights,
    columns_to_keep,
    largest_counts,
    worth_of_terms,
)
from core.values import ArrayValue, html_table

TOP_TERMS = 40  # that a preview lists
SAMPLED_TEXTS = 2_000  # that a preview counts


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
    read_by: Vocabulary | None = None  # of another corpus; None: the documents' own

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

    @property
    def vocabulary(self) -> Vocabulary:
        """What reads further texts as these were read: terms, idf, settings."""
        return self.read_by or Vocabulary(
            terms=self.terms,
            document_frequency=self.document_frequency,
            n_docs=len(self.doc_ids),
            settings=self.settings,
        )

    @property
    def vectors_fingerprint(self) -> str:
        """Empty without vectors."""
        return "" if self.vectors is None else self.vectors.fingerprint

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
        return self.vocabulary.rows_of(texts)

    def save(self, path: str | Path) -> None:
        """One npz file: arrays and a JSON text, nothing pickled; vectors are saved apart."""
        words: dict[str, Any] = {
            "terms": self.terms,
            "doc_ids": self.doc_ids,
            "settings": self.settings.to_dict(),
            "fingerprint": self.fingerprint,
            "empty": self.empty,
            "notes": self.notes,
        }
        arrays = {name: getattr(self.X, name) for name in ("data", "indices", "indptr")}
        arrays["document_frequency"] = self.document_frequency
        if self.read_by is not None:
            words["counted_documents"] = self.read_by.n_docs
            arrays["counted_frequency"] = self.read_by.document_frequency
        arrays["words"] = np.frombuffer(json.dumps(words).encode("utf8"), dtype=np.uint8)
        with open(path, "wb") as file:
            np.savez(file, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: str | Path) -> DocumentTermMatrix:
        """What ``save`` wrote."""
        with np.load(path, allow_pickle=False) as file:
            words: dict[str, Any] = json.loads(file["words"].tobytes())
            shape = (len(words["doc_ids"]), len(words["terms"]))
            X = sp.csr_array((file["data"], file["indices"], file["indptr"]), shape=shape)
            frequency, counted = file["document_frequency"], file.get("counted_frequency")
        settings = TextSettings.from_dict(words.pop("settings"))
        matrix = cls(
            X=X,
            settings=settings,
            document_frequency=frequency,
            fingerprint=words["fingerprint"],
            terms=tuple(words["terms"]),
            doc_ids=tuple(words["doc_ids"]),
            empty=tuple(words["empty"]),
            notes=tuple(words["notes"]),
        )
        if counted is None:
            return matrix
        n_docs = int(words["counted_documents"])
        read_by = replace(matrix.vocabulary, document_frequency=counted, n_docs=n_docs)
        return replace(matrix, read_by=read_by)


def build_matrix(
    corpus: Corpus,
    settings: TextSettings | None = None,
    *,
    like: DocumentTermMatrix | Vocabulary | None = None,
) -> DocumentTermMatrix:
    """Count and weight the terms of a corpus; TextError if no term is left.

    With ``like`` the texts are read as an earlier corpus was: its terms, its idf, its settings.
    """
    if like is not None:
        if settings is not None:
            raise TextError("Give settings, or a matrix to read the texts like; not both.")
        return _matrix_like(corpus, like if isinstance(like, Vocabulary) else like.vocabulary)
    settings = settings or TextSettings()
    analyzer = Analyzer(settings)
    counts = count_terms(corpus.texts, analyzer)
    frequency, names = counts.document_frequency(), counts.names
    worth = worth_of_terms(counts, frequency, settings)
    keep = columns_to_keep(names, frequency, worth, len(corpus), settings)
    frequency, largest = frequency[keep], largest_counts(counts, settings)
    X = counts.renumbered(_new_columns(names, keep), len(keep), release=True)
    apply_weights(X, frequency, len(corpus), settings, largest)
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


def _matrix_like(corpus: Corpus, vocabulary: Vocabulary) -> DocumentTermMatrix:
    X = vocabulary.rows_of(corpus.texts)
    n_terms, used = len(vocabulary.terms), vocabulary.document_frequency.tolist()
    identity = json.dumps([_fingerprint(corpus, vocabulary.settings), vocabulary.terms, used])
    return DocumentTermMatrix(
        X=X,
        terms=vocabulary.terms,
        doc_ids=corpus.ids,
        settings=vocabulary.settings,
        document_frequency=np.bincount(X.indices, minlength=n_terms).astype(np.int64),
        fingerprint=hashlib.blake2b(identity.encode("utf8"), digest_size=16).hexdigest(),
        empty=tuple(np.flatnonzero(np.diff(X.indptr) == 0).tolist()),
        read_by=vocabulary,
    )


def _fingerprint(corpus: Corpus, settings: TextSettings) -> str:
    text = json.dumps([corpus.fingerprint, settings.to_dict()], sort_keys=True)
    return hashlib.blake2b(text.encode("utf8"), digest_size=16).hexdigest()


def _new_columns(names: list[str], keep: np.ndarray) -> np.ndarray:
    """For each counted term its place among those to keep, −1 for the others."""
    new = np.full(len(names), -1, dtype=np.int32)
    new[keep] = np.arange(len(keep), dtype=np.int32)
    return new


@dataclass(frozen=True, slots=True)
class TextPreview:
    """What settings do to a corpus, for a page that shows it while they are being changed."""

    n_terms: int
    n_documents: int  # documents that were read for it
    n_empty: int  # of these, documents without any term
    gained: tuple[str, ...]  # terms that other settings did not give, most frequent first
    lost: tuple[str, ...]  # terms that only the other settings gave
    spans: tuple[Span, ...]  # the chosen document as the model sees it
    top: tuple[str, ...] = ()  # terms that weigh most in all documents, the heaviest first


def preview_text(
    corpus: Corpus,
    settings: TextSettings,
    *,
    against: TextSettings | None = None,
    document: int = 0,
    sample: int = SAMPLED_TEXTS,
) -> TextPreview:
    """The vocabulary of the settings, against others, on at most ``sample`` documents."""
    text = corpus.texts[document]
    return preview_sample(sample_corpus(corpus, sample), text, settings, against=against)


def preview_sample(
    part: Corpus, text: str, settings: TextSettings, *, against: TextSettings | None = None
) -> TextPreview:
    """The same for who has drawn a sample already, and one text that need not be in it."""
    now = build_matrix(part, settings)
    before = now if against is None or against == settings else _try_build_matrix(part, against)
    vocabulary = frozenset(now.terms)
    spans = Analyzer(settings).spans(text)
    return TextPreview(
        n_terms=len(now.terms),
        n_documents=len(part),
        n_empty=len(now.empty),
        gained=_difference(now, before),
        lost=_difference(before, now),
        spans=tuple(span for span in spans if span.term in vocabulary),
        top=_heaviest_terms(now),
    )


def _heaviest_terms(matrix: DocumentTermMatrix) -> tuple[str, ...]:
    weight = np.asarray(matrix.X.sum(axis=0)).ravel()
    return tuple(matrix.terms[j] for j in np.argsort(-weight, kind="stable")[:TOP_TERMS])


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
    chosen = sampled_positions(len(corpus), limit)
    return Corpus(
        ids=tuple(corpus.ids[i] for i in chosen), texts=tuple(corpus.texts[i] for i in chosen)
    )


def sampled_positions(n_docs: int, limit: int = SAMPLED_TEXTS) -> list[int]:
    """At most ``limit`` positions, evenly spaced, in order."""
    if n_docs <= limit:
        return list(range(n_docs))
    return [int(position) for position in np.linspace(0, n_docs - 1, limit)]


def _difference(
    one: DocumentTermMatrix | None, other: DocumentTermMatrix | None
) -> tuple[str, ...]:
    """Terms of one that the other lacks, most frequent first, ties alphabetical."""
    if one is None:
        return ()
    known = frozenset(other.terms if other else ())
    order = np.argsort(-one.document_frequency, kind="stable")
    return tuple(one.terms[i] for i in order if one.terms[i] not in known)
