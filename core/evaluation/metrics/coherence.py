"""Do a topic's words occur together? NPMI and UMass over a corpus's documents.

Only the columns of the top words are looked at, as a sparse product of at most topics × n_words
squared cells. The conventions are gensim's (``c_npmi`` with whole documents as windows,
``u_mass``), so that numbers compare; its tiny constant keeps scores finite when
words never occur together.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from core.errors import ModelError

Measure = Literal["npmi", "umass"]
MIN_SHARE = 1e-300  # of two words that never occur together, when nothing is added
EPSILON = 1e-12  # added to the share of documents that two words have in common


def topic_coherence(
    topic_term: np.ndarray,
    X: Any,
    *,
    n_words: int = 10,
    measure: Measure = "npmi",
    pseudo_count: float | None = None,
) -> np.ndarray:
    """One number per topic; nan for a topic with fewer than two words.

    ``X`` (documents × terms, the same terms) says where words occur. ``pseudo_count`` documents are
    added to every co-occurrence: None for gensim's share of 1e-12; 1 for UMass as published.
    """
    if measure not in ("npmi", "umass"):
        raise ModelError(f"Coherence is npmi or umass, not {measure!r}.")
    words = [top_words(row, n_words) for row in np.asarray(topic_term)]
    chosen = np.unique(np.concatenate([np.empty(0, np.intp), *words]))
    co_counts = co_occurrence(X, chosen)
    smooth = EPSILON if pseudo_count is None else pseudo_count / max(X.shape[0], 1)
    score = _npmi if measure == "npmi" else _umass
    return np.array(
        [_mean(score(co_counts, np.searchsorted(chosen, w), X.shape[0], smooth)) for w in words]
    )


def top_words(weights: np.ndarray, n_words: int) -> np.ndarray:
    """Columns of the heaviest words, heaviest first; never a word without weight."""
    order = np.argsort(-weights, kind="stable")[:n_words]
    return order[weights[order] > 0]


def co_occurrence(X: Any, columns: np.ndarray) -> np.ndarray:
    """How many documents hold both words of each pair; on the diagonal, how many hold the word."""
    part = sp.csc_array(X)[:, columns]
    held = (part.data > 0).astype(np.int64)
    present = sp.csc_array((held, part.indices, part.indptr), shape=part.shape)
    return (present.T @ present).toarray()


def _npmi(co_counts: np.ndarray, words: np.ndarray, n_docs: int, smooth: float) -> np.ndarray:
    """log(p(a, b) / p(a) p(b)) / −log p(a, b) for every pair; 0 for words of every document."""
    first, second = np.triu_indices(words.size, 1)
    a, b = _present(co_counts, words[first], words[second])
    share = np.diag(co_counts) / n_docs
    both = np.maximum(co_counts[a, b] / n_docs + smooth, MIN_SHARE)
    gain = np.log(both / (share[a] * share[b]))
    everywhere = co_counts[a, b] == n_docs  # no information; gensim gives −1
    return np.divide(gain, -np.log(both), out=np.zeros_like(gain), where=~everywhere)


def _umass(co_counts: np.ndarray, words: np.ndarray, n_docs: int, smooth: float) -> np.ndarray:
    """log p(word | heavier word) for every pair."""
    heavier, lighter = np.triu_indices(words.size, 1)
    a, b = _present(co_counts, words[heavier], words[lighter])
    both = np.maximum(co_counts[a, b] / n_docs + smooth, MIN_SHARE)
    return np.log(both / (np.diag(co_counts)[a] / n_docs))


def _present(co_counts: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of words that both occur in the corpus; others are left out."""
    known = (co_counts[a, a] > 0) & (co_counts[b, b] > 0)
    return a[known], b[known]


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if values.size else float("nan")
