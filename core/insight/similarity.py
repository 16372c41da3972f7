"""Which topics have similar words, which share documents, and how to order them in a figure."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import squareform

from core.topics import Topics

MIN_TOPIC_SHARE = 0.2  # of a document, from which on it is about a topic
MAX_ORDERED_ROWS = 400  # more rows keep their order: ordering the tree would take too long


def word_similarity(topics: Topics) -> np.ndarray:
    """Cosines between the words of every two topics, from 0 (none in common) to 1 (the same)."""
    return np.clip(_row_similarity(topics.topic_term.astype(np.float64)), 0.0, 1.0)


def topic_similarity(topics: Topics) -> pd.DataFrame:
    """``word_similarity`` as a table with the topics' names on both sides, in their own order."""
    names = list(topics.names)
    return pd.DataFrame(word_similarity(topics), index=names, columns=names)


def count_shared_documents(topics: Topics, *, min_share: float = MIN_TOPIC_SHARE) -> np.ndarray:
    """How many documents are about both topics; on the diagonal, about one."""
    document, topic = np.nonzero(topics.shares() >= min_share)  # a handful per document
    size = (topics.doc_topic.shape[0], len(topics))
    has_topic = sp.csr_array((np.ones(topic.size, np.int64), (document, topic)), shape=size)
    return np.asarray((has_topic.T @ has_topic).toarray())


def co_occurring_topics(topics: Topics, topic: int, n: int = 5) -> pd.DataFrame:
    """Topics of the same documents, most frequent first.

    Of the ``of`` documents about the topic, ``documents`` are about the other too, which is
    ``share``; ``lift`` is that share divided by the share in the whole corpus.
    """
    shared_counts = count_shared_documents(topics)
    of, n_docs = int(shared_counts[topic, topic]), topics.doc_topic.shape[0]
    counts = shared_counts[topic]
    others = [k for k in np.argsort(-counts, kind="stable") if k != topic and counts[k] > 0][:n]
    share = counts / max(of, 1)
    corpus_share = np.diag(shared_counts) / max(n_docs, 1)
    return pd.DataFrame(
        {
            "topic": [int(k) for k in others],
            "name": [topics.names[k] for k in others],
            "documents": [int(counts[k]) for k in others],
            "of": of,
            "share": [float(share[k]) for k in others],
            "lift": [float(share[k] / corpus_share[k]) for k in others],
        }
    )


def reading_order(similarity: np.ndarray) -> list[int]:
    """An order in which similar rows are neighbours: the leaves of an average-linkage tree."""
    n = similarity.shape[0]
    if not 3 <= n <= MAX_ORDERED_ROWS:
        return list(range(n))
    distance = 1.0 - np.clip((similarity + similarity.T) / 2, 0.0, 1.0)
    np.fill_diagonal(distance, 0.0)
    flat = squareform(distance, checks=False)
    order = leaves_list(optimal_leaf_ordering(linkage(flat, "average"), flat))
    return [int(i) for i in (order if order[0] <= order[-1] else order[::-1])]


def diagonal_order(table: np.ndarray) -> tuple[list[int], list[int]]:
    """An order of rows and columns that puts the large cells on the diagonal.

    Rows and columns are paired one to one so that the paired cells have the largest sum; similar
    rows become neighbours, and every column follows its row. A column without a partner is put
    beside the row in which it is largest, and last if it is zero everywhere.
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
    """These columns by the row in which each is largest, the largest first."""
    found: dict[int, list[int]] = {}
    for j in sorted(columns, key=lambda j: -float(table[:, j].max())):
        if table[:, j].max() > 0:
            found.setdefault(int(table[:, j].argmax()), []).append(j)
    return found


def _row_similarity(table: np.ndarray) -> np.ndarray:
    """Cosines between every two rows; 0 for a row of zeros."""
    length = np.linalg.norm(table, axis=1, keepdims=True)
    unit = table / np.where(length > 0, length, 1.0)
    return np.asarray(unit @ unit.T)
