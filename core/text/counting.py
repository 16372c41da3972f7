"""Texts → counts: how often each text holds each term and phrase. Nothing dense is formed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import scipy.sparse as sp

from core.errors import TextError
from core.text.analyzer import Analyzer
from core.text.normalise import normalise

MAX_NONZEROS = np.iinfo(np.int32).max
MIN_CHARACTERS_TO_SCAN = 3_000_000  # fewer are read before compiled code would be loaded

Tokens = tuple[np.ndarray, np.ndarray, dict[str, int]]


def count_terms(texts: Sequence[str], analyzer: Analyzer) -> tuple[sp.csr_array, list[str]]:
    """Counts of every term and phrase, and their names."""
    tokens, starts, distinct = _tokens(texts, analyzer)
    term_of, names = _terms(distinct, analyzer)
    singles = term_of[tokens] if len(distinct) else np.empty(0, np.int32)  # −1: left out
    del tokens
    rows = np.repeat(np.arange(len(texts), dtype=np.int32), np.diff(starts))
    columns, at = [singles], [rows]
    longer = singles
    for length in range(2, analyzer.settings.ngrams + 1):
        longer, phrases = _phrases(longer, singles, rows, length, names, singles_end=len(term_of))
        columns.append(longer)
        at.append(rows[: len(longer)])
        names += phrases
    used = [column >= 0 for column in columns]
    row = np.concatenate([each[here] for each, here in zip(at, used, strict=True)])
    column = np.concatenate([each[here] for each, here in zip(columns, used, strict=True)])
    del columns, at, singles, longer, rows
    return _sum_counts(row, column, (len(texts), len(names))), names


def _tokens(texts: Sequence[str], analyzer: Analyzer) -> Tokens:
    """Every occurrence as the number of its token, where each text starts, and the tokens."""
    options = analyzer.scan_options
    if options is None or sum(map(len, texts)) < MIN_CHARACTERS_TO_SCAN:
        return _tokens_one_by_one(texts, analyzer)
    return _tokens_in_threads(texts, analyzer, options)


def _tokens_one_by_one(texts: Sequence[str], analyzer: Analyzer) -> Tokens:
    numbers: dict[str, int] = {}
    ids, starts = array("i"), array("q", [0])
    for text in texts:
        ids.extend(_numbered(analyzer.tokens(text), numbers))
        starts.append(len(ids))
    return np.asarray(ids, dtype=np.int32), np.asarray(starts, dtype=np.int64), numbers


def _numbered(tokens: list[str], numbers: dict[str, int]) -> list[int]:
    return [numbers.setdefault(token, len(numbers)) for token in tokens]


def _tokens_in_threads(
    texts: Sequence[str], analyzer: Analyzer, options: dict[str, bool]
) -> Tokens:
    """The same for many texts: compiled, but for texts with addresses."""
    from core.text.scanner import scan_in_threads  # compiled code, which few texts do not need

    numbers: dict[str, int] = {}
    others: dict[int, list[str]] = {}  # texts with addresses

    def plain_texts() -> Iterator[str]:
        for position, text in enumerate(texts):
            plain = normalise(text)
            if analyzer.may_hold_address(plain):
                others[position] = analyzer.tokens(text)
                plain = ""
            yield plain

    scanned, per_text = [], []
    for words in scan_in_threads(plain_texts(), **options):
        scanned.append(np.array(_numbered(words.spellings, numbers), np.int32)[words.numbers])
        per_text.append(words.per_text)
    found = {position: _numbered(tokens, numbers) for position, tokens in others.items()}
    return *_in_order(np.concatenate(scanned), np.concatenate(per_text), found), numbers


def _in_order(
    scanned: np.ndarray, per_text: np.ndarray, others: dict[int, list[int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Tokens of all texts and where each text starts; ``others`` have none among the scanned."""
    per_text[list(others)] = list(map(len, others.values()))
    starts = np.concatenate([[0], np.cumsum(per_text)])
    if not others:
        return scanned, starts
    is_other = np.zeros(len(per_text), dtype=bool)
    is_other[list(others)] = True
    is_other_token = np.repeat(is_other, per_text)
    ids = np.empty(starts[-1], dtype=np.int32)
    ids[~is_other_token] = scanned
    ids[is_other_token] = np.fromiter(chain.from_iterable(others.values()), dtype=np.int32)
    return ids, starts


def _terms(distinct: dict[str, int], analyzer: Analyzer) -> tuple[np.ndarray, list[str]]:
    """For each distinct token the column of its term (−1: left out), and the terms."""
    columns: dict[str, int] = {}
    term_of = np.full(len(distinct), -1, dtype=np.int32)
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
    pairs = head[whole].astype(np.int64) * singles_end + tail[whole]
    codes, inverse = np.unique(pairs, return_inverse=True)
    column = np.full(n, -1, dtype=np.int32)
    column[whole] = inverse + len(names)
    heads, tails = np.divmod(codes, singles_end) if len(codes) else (codes, codes)
    phrases = [f"{names[a]} {names[b]}" for a, b in zip(heads, tails, strict=True)]
    return column, phrases


def _sum_counts(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sp.csr_array:
    """Occurrences → counts, columns ascending within a row."""
    if len(columns) > MAX_NONZEROS:
        raise TextError("This corpus has more than two billion words; read it in parts.")
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    if (np.diff(rows) < 0).any():  # phrases follow the words: sort by row
        order = np.argsort(rows, kind="stable")
        columns = columns[order]
    ones = np.ones(len(columns), dtype=np.float32)
    X = sp.csr_array((ones, columns.astype(np.int32), starts.astype(np.int32)), shape=shape)
    X.sum_duplicates()
    return X
