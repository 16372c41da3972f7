"""Do the topics agree with the labels? Weighted Jaccard under the best one-to-one matching.

MacMillan & Wilson, section 4.1. For a label with document weights ``a`` and a topic with
document weights ``b`` the weighted Jaccard index is ``Σ min(a, b) / Σ max(a, b)``; labels and
topics are paired by Kuhn–Munkres so that the sum over pairs is largest; a label is *resolved*
when its pair scores above 0.1. The paper does not define the scale. Here topics have unit L2
length (the models scale them), then each document's row of topic weights, and of labels, sums to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from core.errors import ModelError
from core.values import ArrayValue

RESOLVED_THRESHOLD = 0.1  # the paper's threshold: a label scoring above it is resolved
UNMATCHED = -1  # the topic of a label that found no partner

Indicator = np.ndarray | sp.csr_array


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Matching(ArrayValue):
    """Which topic is matched with which label, and how well.

    ``table`` has one row per label: label, topic (index, -1 for none), topic_name, jaccard,
    resolved, documents (how many of the scored documents carry the label). A label that no scored
    document carries cannot be judged: it is left out of the matching, the mean and the count.
    """

    table: pd.DataFrame
    mean_jaccard: float
    n_resolved: int
    n_labels: int  # labels that could be judged: the denominator of both numbers above
    n_documents: int
    similarity: np.ndarray  # labels × topics


def match_topics(
    doc_topic: np.ndarray,
    indicator: Indicator,
    *,
    label_names: Sequence[str],
    topic_names: Sequence[str] | None = None,
    rows: Sequence[int] | np.ndarray | None = None,
    as_given: bool = False,
) -> Matching:
    """Pair labels with topics one to one; ``rows`` restricts the documents that count.

    ``as_given`` compares the numbers on the scale they have, without making rows sum to 1.
    """
    weights, labels = np.asarray(doc_topic), sp.csr_array(indicator)
    _check(weights, labels, label_names)
    if rows is not None:
        chosen = np.asarray(rows)
        chosen = chosen if chosen.dtype == bool else chosen.astype(np.intp)
        weights, labels = weights[chosen], sp.csr_array(labels[chosen])
    similarity = weighted_jaccard(weights, labels, as_given=as_given)
    documents = _present(labels)
    partner = _assign(similarity, documents > 0)
    table = _table(similarity, documents, partner, label_names, topic_names)
    judged = table[table["documents"] > 0]
    return Matching(
        table=table,
        mean_jaccard=float(judged["jaccard"].mean()) if len(judged) else 0.0,
        n_resolved=int(judged["resolved"].sum()),
        n_labels=len(judged),
        n_documents=weights.shape[0],
        similarity=similarity,
    )


def weighted_jaccard(
    doc_topic: np.ndarray, indicator: Indicator, *, as_given: bool = False
) -> np.ndarray:
    """Σ min / Σ max for every label and topic, both on the scale "rows sum to 1" or as given.

    min(a, b) is zero wherever the label is absent and Σ max = Σ a + Σ b − Σ min, so only the
    documents that carry a label are looked at: non-zeros of the labels × topics steps in all.
    """
    given = sp.csr_array(indicator)
    shares = np.asarray(doc_topic, np.float64) if as_given else _unit_rows(doc_topic)
    labels = sp.csc_array(given.astype(np.float64) if as_given else _unit_sparse_rows(given))
    common = np.zeros((labels.shape[1], shares.shape[1]))
    for label, (start, stop) in enumerate(zip(labels.indptr[:-1], labels.indptr[1:], strict=True)):
        carried = labels.data[start:stop, None]
        common[label] = np.minimum(shares[labels.indices[start:stop]], carried).sum(axis=0)
    total = labels.sum(axis=0)[:, None] + shares.sum(axis=0)[None, :] - common
    return np.divide(common, total, out=np.zeros_like(common), where=total > 0).clip(0.0, 1.0)


def _check(weights: np.ndarray, labels: sp.csr_array, label_names: Sequence[str]) -> None:
    if weights.ndim != 2 or weights.shape[0] != labels.shape[0]:
        raise ModelError(
            f"The topics describe {weights.shape[0]} documents, the labels {labels.shape[0]}."
        )
    if labels.shape[1] != len(label_names):
        raise ModelError(f"{labels.shape[1]} labels came with {len(label_names)} names.")


def _unit_rows(weights: np.ndarray) -> np.ndarray:
    """Rows that sum to 1, in double precision; an empty row stays zero."""
    weights = weights.astype(np.float64)
    total = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def _unit_sparse_rows(labels: sp.csr_array) -> sp.csr_array:
    labels = labels.astype(np.float64)
    labels.sum_duplicates()
    total = labels.sum(axis=1)
    per_cell = np.repeat(total, np.diff(labels.indptr))
    labels.data = np.divide(
        labels.data, per_cell, out=np.zeros_like(labels.data), where=per_cell > 0
    )
    return labels


def _present(labels: sp.csr_array) -> np.ndarray:
    """How many documents carry each label."""
    return np.bincount(labels.indices[labels.data > 0], minlength=labels.shape[1])


def _assign(similarity: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """The topic of each label; Kuhn–Munkres over the labels that can be judged.

    A pair with nothing in common is none: the assignment only had to put the label somewhere.
    """
    partner = np.full(similarity.shape[0], UNMATCHED)
    labels = np.flatnonzero(judged)
    chosen, topics = linear_sum_assignment(similarity[labels], maximize=True)
    alike = similarity[labels[chosen], topics] > 0
    partner[labels[chosen[alike]]] = topics[alike]
    return partner


def _table(
    similarity: np.ndarray,
    documents: np.ndarray,
    partner: np.ndarray,
    label_names: Sequence[str],
    topic_names: Sequence[str] | None,
) -> pd.DataFrame:
    matched = partner != UNMATCHED
    jaccard = np.zeros(len(partner))
    jaccard[matched] = similarity[np.flatnonzero(matched), partner[matched]]
    names = [f"Topic {k + 1}" for k in range(similarity.shape[1])]
    names = names if topic_names is None else list(topic_names)
    return pd.DataFrame(
        {
            "label": list(label_names),
            "topic": partner,
            "topic_name": ["" if k == UNMATCHED else names[k] for k in partner],
            "jaccard": jaccard,
            "resolved": jaccard > RESOLVED_THRESHOLD,
            "documents": documents,
        }
    )
