"""How similar are two fits? Their topics are paired by their words, then compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from core.errors import ModelError
from core.evaluation.metrics.coherence import top_words
from core.values import ArrayValue

Factors = tuple[np.ndarray, np.ndarray]  # doc_topic, topic_term


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stability(ArrayValue):
    """``table`` has one row per pair: first, second (topic indices), cosine, word_overlap."""

    table: pd.DataFrame
    word_overlap: float  # mean Jaccard index of the paired topics' heaviest words
    document_agreement: float  # share of documents whose strongest topics form a pair


def compare_fits(first: Factors, second: Factors, *, n_words: int = 10) -> Stability:
    """Compare two fits of the same documents and terms; topics beyond the fewer stay unpaired.

    Pairs maximise the summed cosine between topics. Documents without weight in a fit do not count.
    """
    (W, H), (other_W, other_H) = first, second
    if W.shape[0] != other_W.shape[0] or H.shape[1] != other_H.shape[1]:
        raise ModelError("Only fits of the same documents and terms can be compared.")
    cosine = _unit(H) @ _unit(other_H).T
    mine, theirs = linear_sum_assignment(cosine, maximize=True)
    overlap = np.array(
        [_jaccard(H[a], other_H[b], n_words) for a, b in zip(mine, theirs, strict=True)]
    )
    table = pd.DataFrame(
        {"first": mine, "second": theirs, "cosine": cosine[mine, theirs], "word_overlap": overlap}
    )
    partner = np.full(H.shape[0], -1)
    partner[mine] = theirs
    return Stability(table, float(overlap.mean()), _agreement(W, other_W, partner))


def _agreement(W: np.ndarray, other: np.ndarray, partner: np.ndarray) -> float:
    known = W.any(axis=1) & other.any(axis=1)
    if not known.any():
        return 0.0
    same = partner[W[known].argmax(axis=1)] == other[known].argmax(axis=1)
    return float(same.mean())


def _jaccard(first: np.ndarray, second: np.ndarray, n_words: int) -> float:
    a, b = set(top_words(first, n_words)), set(top_words(second, n_words))
    return len(a & b) / len(a | b) if a | b else 0.0


def _unit(H: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(H.astype(np.float64), axis=1, keepdims=True)
    return H / np.where(length > 0, length, 1.0)
