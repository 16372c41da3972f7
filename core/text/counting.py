"""Texts → counts: how often each text holds each term and phrase. Nothing dense is formed.

Texts are read a piece at a time, and of a piece only its counts stay: a number for each of the
words of a large corpus would take several times the memory of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from core.errors import TextError
from core.text.analyzer import Analyzer
from core.text.normalise import normalise

MAX_NONZEROS = np.iinfo(np.int32).max
MIN_CHARACTERS_TO_SCAN = 3_000_000  # fewer are read before compiled code would be loaded
TEXTS_AT_ONCE = 2_000  # of a piece that is read without compiled code
LEFT_OUT = -1  # in place of the column of a token that is no term
COLUMN_BITS = 32  # of a column in a pair of them


class ReadPiece(NamedTuple):
    """Neighbouring texts as the columns of their tokens in order, and how many each text has."""

    columns: np.ndarray
    per_text: np.ndarray


@dataclass(frozen=True)
class CountedPiece:
    """The counts of neighbouring texts, in rows as CSR has them."""

    starts: np.ndarray  # (n_texts + 1,)
    columns: np.ndarray  # ascending within a text
    counts: np.ndarray  # whole numbers, as small as hold them

    def __len__(self) -> int:
        return len(self.starts) - 1

    def matrix(self, n_columns: int) -> sp.csr_array:
        data = self.counts.astype(np.float32)
        cells = (data, self.columns.copy(), self.starts.copy())
        return sp.csr_array(cells, shape=(len(self), n_columns))

    def largest_of_rows(self) -> np.ndarray:
        largest = np.zeros(len(self), np.float32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.starts))
        np.maximum.at(largest, rows, self.counts.astype(np.float32))
        return largest


class TermCounts:
    """How often each text holds each term and phrase; ``names`` are those of the columns."""

    def __init__(self, pieces: list[CountedPiece], names: list[str]) -> None:
        self.pieces, self.names = pieces, names

    @property
    def n_docs(self) -> int:
        return sum(map(len, self.pieces))

    def document_frequency(self) -> np.ndarray:
        """(n_columns,) texts that hold each term"""
        frequency = np.zeros(len(self.names), np.int64)
        for piece in self.pieces:
            np.add.at(frequency, piece.columns, 1)  # of few columns among very many
        return frequency

    def occurrences(self) -> np.ndarray:
        """(n_columns,) how often each term occurs"""
        total = np.zeros(len(self.names))
        for piece in self.pieces:
            np.add.at(total, piece.columns, piece.counts.astype(np.float64))
        return total

    def largest_of_rows(self) -> np.ndarray:
        """(n_docs,) how often the most frequent term of each text occurs in it"""
        return np.concatenate([piece.largest_of_rows() for piece in self.pieces])

    def renumbered(self, new: np.ndarray, n_columns: int, *, release: bool = False) -> sp.csr_array:
        """Column j becomes column ``new[j]``, or goes where that is −1.

        ``release``: each piece goes as soon as its part of the matrix is there.
        """
        n_cells = sum(int(np.count_nonzero(new[piece.columns] >= 0)) for piece in self.pieces)
        if n_cells > MAX_NONZEROS:
            raise TextError("This corpus has more than two billion words; read it in parts.")
        columns, data = np.empty(n_cells, np.int32), np.empty(n_cells, np.float32)
        lengths, at, waiting = [], 0, self.pieces[::-1]
        if release:
            self.pieces = []
        while waiting:
            piece = waiting.pop()
            theirs = new[piece.columns]
            used = theirs >= 0
            end = at + int(np.count_nonzero(used))
            columns[at:end], data[at:end], at = theirs[used], piece.counts[used], end
            lengths.append(np.diff(np.concatenate([[0], np.cumsum(used)])[piece.starts]))
        starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int32)
        X = sp.csr_array((data, columns, starts), shape=(len(starts) - 1, n_columns))
        X.sort_indices()
        return X


def count_terms(texts: Sequence[str], analyzer: Analyzer) -> TermCounts:
    """Counts of every term and phrase."""
    terms = _Terms(analyzer)
    pieces = [_counted(piece, terms) for piece in _read_pieces(texts, terms)]
    return TermCounts(pieces or [_counted(_piece_of([]), terms)], terms.names)


class _Terms:
    """The columns of the terms and phrases met so far; each token is looked at once."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self.names: list[str] = []
        self._of_term: dict[str, int] = {}
        self._of_token: dict[str, int] = {}
        self._of_phrase: dict[int, int] = {}  # by the columns of its parts

    def of_tokens(self, tokens: Iterable[str]) -> list[int]:
        known = self._of_token
        return [known[token] if token in known else self._of_new(token) for token in tokens]

    def of_phrases(self, pairs: Iterable[int]) -> list[int]:
        """``pairs`` are the columns of a phrase without its last word, and of that word."""
        known = self._of_phrase
        return [known[pair] if pair in known else self._of_new_phrase(pair) for pair in pairs]

    def _of_new(self, token: str) -> int:
        term = self.analyzer.make_term(token)
        column = LEFT_OUT
        if term is not None:
            column = self._of_term.setdefault(term, len(self.names))
            if column == len(self.names):
                self.names.append(term)
        return self._of_token.setdefault(token, column)

    def _of_new_phrase(self, pair: int) -> int:
        head, tail = self.names[pair >> COLUMN_BITS], self.names[pair & (1 << COLUMN_BITS) - 1]
        self.names.append(f"{head} {tail}")
        return self._of_phrase.setdefault(pair, len(self.names) - 1)


def _read_pieces(texts: Sequence[str], terms: _Terms) -> Iterator[ReadPiece]:
    options = terms.analyzer.scan_options
    if options is None or sum(map(len, texts)) < MIN_CHARACTERS_TO_SCAN:
        return _read_one_by_one(texts, terms)
    return _read_in_threads(texts, terms, options)


def _read_one_by_one(texts: Sequence[str], terms: _Terms) -> Iterator[ReadPiece]:
    tokens = terms.analyzer.tokens
    for first in range(0, len(texts), TEXTS_AT_ONCE):
        part = texts[first : first + TEXTS_AT_ONCE]
        yield _piece_of([terms.of_tokens(tokens(text)) for text in part])


def _piece_of(columns: list[list[int]]) -> ReadPiece:
    per_text = np.array(list(map(len, columns)), dtype=np.int64)
    return ReadPiece(np.fromiter(chain.from_iterable(columns), np.int32), per_text)


def _read_in_threads(
    texts: Sequence[str], terms: _Terms, options: dict[str, bool]
) -> Iterator[ReadPiece]:
    """The same for many texts: compiled, but for texts with addresses."""
    from core.text.scanner import scan_in_threads  # compiled code, which few texts do not need

    analyzer = terms.analyzer
    others: dict[int, list[str]] = {}  # tokens of texts with addresses

    def plain_texts() -> Iterator[str]:
        for position, text in enumerate(texts):
            plain = normalise(text)
            if analyzer.may_hold_address(plain):
                others[position] = analyzer.tokens(text)
                plain = ""
            yield plain

    first = 0
    for words in scan_in_threads(plain_texts(), **options):
        columns = np.array(terms.of_tokens(words.spellings), np.int32)[words.numbers]
        end = first + len(words.per_text)
        here = [position for position in range(first, end) if position in others]
        found = {at - first: terms.of_tokens(others.pop(at)) for at in here}
        yield _in_order(ReadPiece(columns, words.per_text), found)
        first = end


def _in_order(scanned: ReadPiece, others: dict[int, list[int]]) -> ReadPiece:
    """Tokens of all texts of a piece; ``others`` have none among the scanned."""
    if not others:
        return scanned
    per_text, is_other = scanned.per_text, np.zeros(len(scanned.per_text), dtype=bool)
    per_text[list(others)] = list(map(len, others.values()))
    is_other[list(others)] = True
    is_other_token = np.repeat(is_other, per_text)
    columns = np.empty(is_other_token.size, dtype=np.int32)
    columns[~is_other_token] = scanned.columns
    columns[is_other_token] = np.fromiter(chain.from_iterable(others.values()), dtype=np.int32)
    return ReadPiece(columns, per_text)


def _counted(piece: ReadPiece, terms: _Terms) -> CountedPiece:
    """Terms and phrases of a piece, counted."""
    singles, n_texts = piece.columns, len(piece.per_text)
    rows = np.repeat(np.arange(n_texts, dtype=np.int32), piece.per_text)
    columns, at, longer = [singles], [rows], singles
    for length in range(2, terms.analyzer.settings.ngrams + 1):
        longer = _phrases(longer, singles, rows, length, terms)
        columns.append(longer)
        at.append(rows[: len(longer)])
    row, column = np.concatenate(at), np.concatenate(columns)
    used = column != LEFT_OUT
    ones = np.ones(int(used.sum()), dtype=np.int32)
    shape = (n_texts, len(terms.names))
    X = sp.csr_array(sp.coo_array((ones, (row[used], column[used])), shape=shape))
    X.sort_indices()
    counts = X.data.astype(np.min_scalar_type(int(X.data.max(initial=0))))
    return CountedPiece(X.indptr.astype(np.int32), X.indices.astype(np.int32), counts)


def _phrases(
    shorter: np.ndarray, singles: np.ndarray, rows: np.ndarray, length: int, terms: _Terms
) -> np.ndarray:
    """Phrases one word longer: at each place the column of the phrase that starts there, or −1."""
    n = max(len(singles) - length + 1, 0)
    head, tail = shorter[:n], singles[length - 1 : length - 1 + n]
    whole = (head >= 0) & (tail >= 0) & (rows[:n] == rows[length - 1 : length - 1 + n])
    column = np.full(n, LEFT_OUT, dtype=np.int32)
    pairs = head[whole].astype(np.int64) << COLUMN_BITS | tail[whole]
    distinct, inverse = np.unique(pairs, return_inverse=True)
    column[whole] = np.array(terms.of_phrases(distinct.tolist()), np.int32)[inverse]
    return column
