"""Words that new topics start from: parts of a topic, words beside given ones, heaviest words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import scipy.sparse as sp

from core.engine.starts.topics import divided_topics
from core.errors import StoreError
from core.matrix import DocumentTermMatrix
from core.topics import Topics

START_WORDS = 60  # words that a new topic starts from
MIN_SPLIT_SHARE = 0.2  # share of a topic in a document that takes part in a split
FIRST_WORDS = 20  # words of a free topic among which the words of a new one are looked for


def divide_topic(
    topics: Topics, column: int, X: sp.csr_array, n: int, *, seed: int = 0
) -> np.ndarray:
    """Words of ``n`` parts of a topic: its documents, weighted by its share in them, divided."""
    share = topics.shares()[:, column]
    chosen = np.flatnonzero(share >= MIN_SPLIT_SHARE)
    if chosen.size < n:
        chosen = np.flatnonzero(share > 0)
    if chosen.size < n:
        raise StoreError(f"The topic has {chosen.size} texts; that is too few to split it.")
    about = X[chosen].multiply(topics.topic_term[column] > 0)
    weighted = sp.csr_array(sp.diags_array(share[chosen]) @ about).astype(X.dtype)
    weighted.eliminate_zeros()
    filled = np.flatnonzero(np.diff(weighted.indptr) > 0)
    if filled.size < n:
        raise StoreError("The topic's texts share too few words to split it.")
    return divided_topics(weighted[filled], n, np.random.default_rng(seed))


def related_words(matrix: DocumentTermMatrix, words: Collection[str]) -> dict[str, float]:
    """The words that stand in the same texts as these, the heaviest, with their weights."""
    asked = np.array([term in words for term in matrix.terms], matrix.X.dtype)
    holding = np.asarray(matrix.X @ asked)
    row = np.asarray(matrix.X.T @ holding)
    row[asked > 0] = np.maximum(row[asked > 0], row.max(initial=0) or 1)
    return heaviest_words(row / row.max(), matrix.terms, START_WORDS)


def find_free_topic(topics: Topics, words: Collection[str], *, first: int) -> int | None:
    """The free topic (from column ``first`` on) that has most of the words among its first ones."""
    shared = {
        k: len({term for term, _ in topics.top_terms(k, FIRST_WORDS)} & set(words))
        for k in range(first, len(topics))
    }
    best = max(shared, key=lambda k: shared[k], default=None)
    return best if best is not None and 2 * shared[best] > len(words) else None


def heaviest_words(row: np.ndarray, terms: Sequence[str], n: int) -> dict[str, float]:
    """The n heaviest words of a row, rounded as the log keeps them."""
    order = np.argsort(-row, kind="stable")[:n]
    rounded = {terms[t]: float(f"{row[t]:.6g}") for t in order if row[t] > 0}
    return {word: weight for word, weight in rounded.items() if weight > 0}
