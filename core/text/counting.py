"""Texts → counts: how often each text holds each term and phrase. Nothing dense is formed."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from core.errors import TextError
from core.text.analyzer import Analyzer

MAX_NONZEROS = np.iinfo(np.int32).max


def count_terms(texts: Sequence[str], analyzer: Analyzer) -> tuple[sp.csr_array, list[str]]:
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
    return _sum_counts(row[used], column[used], (len(texts), len(names))), names


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
