"""Tables about topics for people: words, documents, shares, labels against topics.

Every share comes with its denominator. A document counts for the topic that holds most of it
(its *main topic*); documents without any topic count for none, and are left out of
the denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
import scipy.sparse as sp

from core.errors import ModelError
from core.insight.changes import Changes, TopicChange, compare
from core.insight.quotes import Quote, Span, quotes
from core.insight.shares import NO_TOPIC, main_topics
from core.insight.trends import by_class, class_names, over_time
from core.supervision import Supervision
from core.topics import Topics

__all__ = [
    "Changes",
    "Quote",
    "Span",
    "TopicChange",
    "adherence",
    "association",
    "by_class",
    "cell_documents",
    "class_names",
    "compare",
    "document_shares",
    "highlights",
    "keywords",
    "main_topics",
    "over_time",
    "quotes",
    "top_documents",
    "topic_sizes",
    "typical_documents",
]

MIN_HIGHLIGHT = 0.05  # of the document's strongest word; weaker words are not highlighted

Indicator = np.ndarray | sp.csr_array


def keywords(topics: Topics, n: int = 10) -> pd.DataFrame:
    """The n heaviest terms of every topic, heaviest first."""
    rows = [
        (topic, topics.names[topic], rank, term, weight)
        for topic in range(len(topics))
        for rank, (term, weight) in enumerate(topics.top_terms(topic, n), start=1)
    ]
    return pd.DataFrame(rows, columns=["topic", "name", "rank", "term", "weight"])


def topic_sizes(topics: Topics) -> pd.DataFrame:
    """How much of the corpus each topic holds.

    ``documents`` of ``of`` have the topic as their main topic, which is ``share``;
    ``volume`` is the mean share over all documents, so that second topics count too.
    """
    main = main_topics(topics)
    counts = np.bincount(main[main != NO_TOPIC], minlength=len(topics))
    n_read = int(counts.sum())
    return pd.DataFrame(
        {
            "topic": range(len(topics)),
            "name": list(topics.names),
            "share": counts / max(n_read, 1),
            "documents": counts,
            "of": n_read,
            "volume": topics.shares().sum(axis=0) / max(n_read, 1),
        }
    )


def document_shares(topics: Topics, position: int) -> list[tuple[int, float]]:
    """The topics of one document, largest share first; topics without any are left out."""
    shares = topics.shares()[position]
    order = np.argsort(-shares, kind="stable")
    return [(int(topic), float(shares[topic])) for topic in order if shares[topic] > 0]


def top_documents(topics: Topics, topic: int, n: int = 3) -> list[tuple[int, float]]:
    """The most typical documents of a topic, as (position, share).

    Share alone would put a two-word text first, because one topic holds all of it; weight alone a
    text that is about everything. So documents are ranked by the product of both.
    """
    shares = topics.shares()[:, topic]
    relevance = shares * topics.doc_topic[:, topic]
    return _best(relevance, shares, n)


def typical_documents(topics: Topics, n: int = 3) -> pd.DataFrame:
    """The most typical documents of every topic, as ``top_documents`` finds them."""
    rows = [
        (topic, topics.names[topic], rank, position, topics.doc_ids[position], share)
        for topic in range(len(topics))
        for rank, (position, share) in enumerate(top_documents(topics, topic, n), start=1)
    ]
    return pd.DataFrame(rows, columns=["topic", "name", "rank", "position", "id", "share"])


def association(
    topics: Topics,
    indicator: Indicator,
    label_names: Sequence[str],
    rows: Sequence[int] | np.ndarray | None = None,
) -> pd.DataFrame:
    """Labels × topics: of a topic's weight in labelled documents, the part under each label.

    Columns sum to 1 (the heat map of Haddock et al., figure 2); a topic that no labelled document
    uses has a column of zeros. A document with several labels is divided between them.
    """
    labels, shares = _labels(topics, indicator, label_names), topics.shares()
    if rows is not None:
        labels, shares = sp.csr_array(labels[np.asarray(rows)]), shares[np.asarray(rows)]
    carried = np.asarray(labels.sum(axis=1)).ravel()
    split = sp.diags_array(1.0 / np.where(carried > 0, carried, 1.0)) @ labels
    weight = np.asarray(split.T @ shares, dtype=np.float64)
    total = weight.sum(axis=0, keepdims=True)
    normed = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    return pd.DataFrame(normed, index=list(label_names), columns=list(topics.names))


def cell_documents(
    topics: Topics, indicator: Indicator, label: int, topic: int, n: int = 20
) -> list[tuple[int, float]]:
    """The documents behind one cell: they carry the label, largest share of the topic first."""
    labels = indicator if isinstance(indicator, np.ndarray) else indicator[:, [label]].toarray()
    carried = labels[:, label if isinstance(indicator, np.ndarray) else 0] > 0
    shares = np.where(carried, topics.shares()[:, topic], 0.0)
    return _best(shares, shares, n)


def highlights(
    spans: Iterable[Span], topics: Topics, position: int
) -> list[tuple[int, int, int, float]]:
    """The words that gave a document its topics, as (start, end, topic, strength in 0…1).

    A word belongs to the topic for which share × weight of the word is largest.
    """
    column, shares = _columns(topics.terms), topics.shares()[position]
    found = [(start, end, column[term]) for start, end, term in spans if term in column]
    if not found or not shares.any():
        return []
    weight = shares[:, None] * topics.topic_term[:, [term for _, _, term in found]]
    owner, strength = weight.argmax(axis=0), weight.max(axis=0)
    strength = strength / max(float(strength.max()), np.finfo(float).tiny)
    return [
        (start, end, int(owner[i]), float(strength[i]))
        for i, (start, end, _) in enumerate(found)
        if strength[i] >= MIN_HIGHLIGHT
    ]


def adherence(topics: Topics, supervision: Supervision) -> float:
    """The share of annotated documents that have only permitted topics.

    Not permitted are the topics that a document's labels, its forbidden topics or *nothing fits*
    rule out. 1.0 if there are no annotations.
    """
    mask = supervision.topic_mask(len(topics))
    constrained = ~mask.all(axis=1)
    if not constrained.any():
        return 1.0
    broken = ((topics.doc_topic > 0) & ~mask).any(axis=1)
    return float(1.0 - broken[constrained].mean())


def _best(relevance: np.ndarray, shares: np.ndarray, n: int) -> list[tuple[int, float]]:
    """The n positions of largest positive relevance, ties in document order, with their shares."""
    candidates = np.arange(relevance.size)
    if 0 < n < relevance.size:  # sorting a whole large corpus for a few documents is slow
        bound = np.partition(relevance, relevance.size - n)[relevance.size - n]
        candidates = np.flatnonzero(relevance >= bound)
    order = candidates[np.argsort(-relevance[candidates], kind="stable")][:n]
    return [(int(i), float(shares[i])) for i in order if relevance[i] > 0]


def _labels(topics: Topics, indicator: Indicator, label_names: Sequence[str]) -> sp.csr_array:
    labels = sp.csr_array(indicator).astype(np.float64)
    if labels.shape != (topics.doc_topic.shape[0], len(label_names)):
        raise ModelError(
            f"Labels of shape {labels.shape} do not fit {topics.doc_topic.shape[0]} documents "
            f"and {len(label_names)} label names."
        )
    return labels


@lru_cache(maxsize=4)
def _columns(terms: tuple[str, ...]) -> dict[str, int]:
    """Term to column; cached, because a page asks for many documents of the same topics."""
    return {term: column for column, term in enumerate(terms)}
