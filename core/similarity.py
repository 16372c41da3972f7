"""Which topics are alike, which appear together, and in which order that is easiest to see."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform

from core.topics import Topics

SPEAKS = 0.2  # a document speaks of a topic that holds at least this share of it
ORDERED = 400  # rows beyond which the best order of a tree would take too long


def word_similarity(topics: Topics) -> np.ndarray:
    """Cosines between the words of every two topics, from 0 (none in common) to 1 (the same)."""
    words = topics.topic_term.astype(np.float64)
    length = np.linalg.norm(words, axis=1, keepdims=True)
    unit = words / np.where(length > 0, length, 1.0)
    return np.clip(unit @ unit.T, 0.0, 1.0)


def topic_similarity(topics: Topics) -> pd.DataFrame:
    """``word_similarity`` as a table with the topics' names on both sides, in their own order."""
    names = list(topics.names)
    return pd.DataFrame(word_similarity(topics), index=names, columns=names)


def spoken_together(topics: Topics, *, least: float = SPEAKS) -> np.ndarray:
    """How many documents speak of both topics; on the diagonal, how many speak of one."""
    document, topic = np.nonzero(topics.shares() >= least)  # a handful per document
    size = (topics.doc_topic.shape[0], len(topics))
    spoken = sp.csr_array((np.ones(topic.size, np.int64), (document, topic)), shape=size)
    return np.asarray((spoken.T @ spoken).toarray())


def co_occurring(topics: Topics, topic: int, n: int = 5) -> pd.DataFrame:
    """Topics that appear in the same documents, most often first.

    Of the ``of`` documents that speak of the topic, ``documents`` speak of the other too, which is
    ``share``; ``lift`` says how many times as often as in the whole corpus.
    """
    together = spoken_together(topics)
    of, n_docs = int(together[topic, topic]), topics.doc_topic.shape[0]
    counts = together[topic]
    others = [k for k in np.argsort(-counts, kind="stable") if k != topic and counts[k] > 0][:n]
    share = counts / max(of, 1)
    usual = np.diag(together) / max(n_docs, 1)
    return pd.DataFrame(
        {
            "topic": [int(k) for k in others],
            "name": [topics.names[k] for k in others],
            "documents": [int(counts[k]) for k in others],
            "of": of,
            "share": [float(share[k]) for k in others],
            "lift": [float(share[k] / usual[k]) for k in others],
        }
    )


def reading_order(similarity: np.ndarray) -> list[int]:
    """An order in which neighbours are alike: the leaves of an average-linkage tree."""
    n = similarity.shape[0]
    if not 3 <= n <= ORDERED:
        return list(range(n))
    apart = 1.0 - np.clip((similarity + similarity.T) / 2, 0.0, 1.0)
    np.fill_diagonal(apart, 0.0)
    flat = squareform(apart, checks=False)
    order = leaves_list(optimal_leaf_ordering(linkage(flat, "average"), flat))
    return [int(i) for i in (order if order[0] <= order[-1] else order[::-1])]


def diagonal_order(table: np.ndarray) -> tuple[list[int], list[int]]:
    """Rows and columns of a table so that its structure shows.

    Rows and columns are paired one to one so that the paired cells sum to most; alike rows become
    neighbours, and every column stands under its partner. A column that found none stands beside
    the partner of the row in which it is strongest, and last where it is nothing anywhere.
    """
    n_rows, n_columns = table.shape
    if not n_rows or not n_columns:
        return list(range(n_rows)), list(range(n_columns))
    paired, partner = linear_sum_assignment(table, maximize=True)
    column_of = dict(zip(paired.tolist(), partner.tolist(), strict=True))
    order = reading_order(_row_similarity(table))
    rows = [i for i in order if i in column_of] + [i for i in order if i not in column_of]
    beside = _strongest(table, set(range(n_columns)) - set(column_of.values()))
    columns = [j for i in rows for j in (*_partner(column_of, i), *beside.get(i, ()))]
    taken = set(columns)
    return rows, columns + [j for j in range(n_columns) if j not in taken]


def _partner(column_of: dict[int, int], row: int) -> tuple[int, ...]:
    return (column_of[row],) if row in column_of else ()


def _strongest(table: np.ndarray, columns: set[int]) -> dict[int, list[int]]:
    """These columns by the row in which each is strongest, the strongest first."""
    found: dict[int, list[int]] = {}
    for j in sorted(columns, key=lambda j: -float(table[:, j].max())):
        if table[:, j].max() > 0:
            found.setdefault(int(table[:, j].argmax()), []).append(j)
    return found


def _row_similarity(table: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(table, axis=1, keepdims=True)
    unit = table / np.where(length > 0, length, 1.0)
    return np.asarray(unit @ unit.T)
