"""Corpus + TextSettings → DocumentTermMatrix: count, prune, weigh.

Everything is sparse from the first token on; a documents × terms array is never formed. Terms are
in alphabetical order, so the same corpus and settings give the same matrix on every machine.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.corpus import Corpus
from core.errors import TextError
from core.text import Analyzer, Span, TextSettings

MAX_NONZEROS = np.iinfo(np.int32).max


@dataclass(frozen=True, kw_only=True, eq=False)
class DocumentTermMatrix:
    """Documents in rows, terms in columns, and what they were made from."""

    X: sp.csr_array  # (n_docs, n_terms) float32, int32 indices
    terms: tuple[str, ...]
    doc_ids: tuple[str, ...]
    settings: TextSettings
    document_frequency: np.ndarray  # (n_terms,) documents that hold each term
    fingerprint: str
    empty: tuple[int, ...] = ()  # positions of documents without any term
    notes: tuple[str, ...] = ()  # stand-ins that were used

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.doc_ids), len(self.terms)

    def save(self, path: str | Path) -> None:
        """One npz file: arrays and a JSON text, nothing pickled."""
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
        parts = {key: tuple(value) for key, value in words.items() if isinstance(value, list)}
        return cls(
            X=X,
            settings=settings,
            document_frequency=frequency,
            fingerprint=words["fingerprint"],
            **parts,
        )


def build_matrix(corpus: Corpus, settings: TextSettings | None = None) -> DocumentTermMatrix:
    """Read every text under the settings; a corpus with no word left is a TextError."""
    settings = settings or TextSettings()
    analyzer = Analyzer(settings)
    counts, names = _count(corpus.texts, analyzer)
    keep = _kept(counts, names, settings)
    X = _columns(counts, keep)
    frequency = np.bincount(X.indices, minlength=len(keep)).astype(np.int64)
    _weigh(X, frequency, settings)
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


def _count(texts: Sequence[str], analyzer: Analyzer) -> tuple[sp.csr_array, list[str]]:
    """Counts of every term and phrase, and their names."""
    tokens, starts, distinct = _tokens(texts, analyzer)
    term_of, names = _terms(distinct, analyzer)
    singles = term_of[tokens] if len(distinct) else np.empty(0, np.int64)  # −1: left out
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), np.diff(starts))
    columns, at = [singles], [rows]
    longer = singles
    for length in range(2, analyzer.settings.ngrams + 1):
        longer, phrases = _phrases(longer, singles, rows, length, names, singles_end=len(term_of))
        columns.append(longer)
        at.append(rows[: len(longer)])
        names += phrases
    column, row = np.concatenate(columns), np.concatenate(at)
    used = column >= 0
    return _sum(row[used], column[used], (len(texts), len(names))), names


def _tokens(
    texts: Sequence[str], analyzer: Analyzer
) -> tuple[np.ndarray, np.ndarray, dict[str, int]]:
    """Every occurrence as the number of its token, where each text starts, and the tokens."""
    numbers: dict[str, int] = {}
    ids, starts = array("i"), array("q", [0])
    for text in texts:
        found = analyzer.tokens(text)
        for token in found:
            if token not in numbers:
                numbers[token] = len(numbers)
        ids.extend([numbers[token] for token in found])
        starts.append(len(ids))
    return np.asarray(ids, dtype=np.int32), np.asarray(starts, dtype=np.int64), numbers


def _terms(distinct: dict[str, int], analyzer: Analyzer) -> tuple[np.ndarray, list[str]]:
    """For each distinct token the column of its term (−1: left out), and the terms."""
    columns: dict[str, int] = {}
    term_of = np.full(len(distinct), -1, dtype=np.int64)
    for token, number in distinct.items():
        term = analyzer.term(token)
        if term is not None:
            term_of[number] = columns.setdefault(term, len(columns))
    return term_of, list(columns)


def _phrases(
    shorter: np.ndarray,
    singles: np.ndarray,
    rows: np.ndarray,
    length: int,
    names: list[str],
    *,
    singles_end: int,
) -> tuple[np.ndarray, list[str]]:
    """Phrases one word longer: at each place the column of the phrase that starts there, or −1."""
    n = max(len(singles) - length + 1, 0)
    head, tail = shorter[:n], singles[length - 1 : length - 1 + n]
    whole = (head >= 0) & (tail >= 0) & (rows[:n] == rows[length - 1 : length - 1 + n])
    codes, inverse = np.unique(head[whole] * singles_end + tail[whole], return_inverse=True)
    column = np.full(n, -1, dtype=np.int64)
    column[whole] = inverse + len(names)
    heads, tails = np.divmod(codes, singles_end) if len(codes) else (codes, codes)
    phrases = [f"{names[a]} {names[b]}" for a, b in zip(heads, tails, strict=True)]
    return column, phrases


def _sum(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sp.csr_array:
    """Occurrences → counts, columns ascending within a row."""
    if len(columns) > MAX_NONZEROS:
        raise TextError("This corpus has more than two billion words; read it in parts.")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    if (np.diff(rows) < 0).any():  # phrases come after the words: bring rows together again
        order = np.argsort(rows, kind="stable")
        columns = columns[order]
    ones = np.ones(len(columns), dtype=np.float32)
    X = sp.csr_array((ones, columns.astype(np.int32), starts.astype(np.int32)), shape=shape)
    X.sum_duplicates()
    return X


def _kept(counts: sp.csr_array, names: list[str], settings: TextSettings) -> np.ndarray:
    """Columns to keep, in alphabetical order of their terms."""
    n_docs = counts.shape[0]
    if not names:
        raise TextError(
            "No word is left in any document: allow shorter words or numbers, "
            "or check that the right column holds the text."
        )
    frequency = np.bincount(counts.indices, minlength=len(names))
    least = settings.min_documents
    least = least if least >= 1 else least * n_docs
    keep = np.flatnonzero((frequency >= least) & (frequency <= settings.max_share * n_docs))
    if not len(keep):
        raise TextError(
            f"None of the {len(names):,} words is in at least {_amount(settings.min_documents)} "
            f"and at most {settings.max_share:.0%} of the {n_docs:,} documents: "
            "widen one of the two limits."
        )
    keep = np.array(sorted(keep, key=names.__getitem__))
    if len(keep) > settings.max_terms:
        total = np.bincount(counts.indices, counts.data, minlength=len(names))[keep]
        most = np.argsort(-total, kind="stable")[: settings.max_terms]  # ties: alphabetical
        keep = keep[np.sort(most)]
    return keep


def _amount(min_documents: float) -> str:
    return f"{min_documents:.0f}" if min_documents >= 1 else f"{min_documents:.1%}"


def _columns(X: sp.csr_array, keep: np.ndarray) -> sp.csr_array:
    """X[:, keep] in one sweep over the non-zeros."""
    new = np.full(X.shape[1], -1, dtype=np.int32)
    new[keep] = np.arange(len(keep), dtype=np.int32)
    indices = new[X.indices]
    used = indices >= 0
    starts = np.concatenate([[0], np.cumsum(used, dtype=np.int64)])[X.indptr].astype(np.int32)
    shape = (X.shape[0], len(keep))
    out = sp.csr_array((X.data[used], indices[used], starts), shape=shape)
    out.sort_indices()
    return out


def _weigh(X: sp.csr_array, frequency: np.ndarray, settings: TextSettings) -> None:
    """Counts → TF-IDF with smooth idf, then unit rows, both in place and as the settings say."""
    if settings.weighting == "tfidf":
        idf = np.log((1 + X.shape[0]) / (1 + frequency)) + 1
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
    part = sampled(corpus, sample)
    now = build_matrix(part, settings)
    before = now if against is None or against == settings else _built(part, against)
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


def _built(corpus: Corpus, settings: TextSettings) -> DocumentTermMatrix | None:
    """None when the settings leave nothing: then every word is gained."""
    try:
        return build_matrix(corpus, settings)
    except TextError:
        return None


def sampled(corpus: Corpus, limit: int) -> Corpus:
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
