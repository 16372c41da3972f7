"""How good are the topics of a run? One table of scores, each with its interval.

With true labels, or with held-out labels, a fit is judged on documents whose labels it did not
know. A topic predicts the label of its name; a label that no topic is named after is predicted by
the free topic that matches it best, as in the paper. ``evaluation/metrics/docs/scores.md`` defines
each score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from core.errors import ModelError
from core.evaluation.metrics import inter_label_sparsity
from core.evaluation.metrics.clustering import ClusterKind, score_p
from core.evaluation.metrics.coherence import topic_coherence
from core.evaluation.metrics.diversity import topic_diversity
from core.evaluation.metrics.matching import RESOLVED_THRESHOLD, UNMATCHED, Matching, match_topics
from core.evaluation.metrics.prediction import f1_macro, f1_micro
from core.evaluation.metrics.resampling import (
    Interval,
    mean_of_ratios,
    ratio_of_sums,
    ratios_interval,
    wilson,
)
from core.insight import summaries
from core.supervision import Supervision
from core.topics import Topics

if TYPE_CHECKING:
    from core.matrix import DocumentTermMatrix

SPARSE_LABELS_MODEL = "supervised_vbnmf"  # whose prior says how sparse labels are in topics
SECOND_LABEL_SHARE = 0.3  # of a document, from which its second and third topics predict labels


@dataclass(frozen=True, slots=True)
class Score:
    """A number with its 95 % interval, if it has one, and a note on what it was measured on."""

    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScoreInfo:
    """The title of a score on screen and its meaning in one sentence."""

    title: str
    sentence: str
    kind: Literal["share", "count", "number"] = "number"


SCORE_INFO: Mapping[str, ScoreInfo] = {
    "first": ScoreInfo(
        "Main topic correct", "How often the main topic of a text is one of its labels.", "share"
    ),
    "jaccard": ScoreInfo(
        "Weighted Jaccard", "Overlap of a label's texts with its topic's; 1 means the same texts."
    ),
    "resolved": ScoreInfo(
        "Labels resolved", "Labels with an overlap above 0.1 with their topic.", "count"
    ),
    "accuracy": ScoreInfo(
        "All labels correct", "How often exactly the labels of a text are predicted.", "share"
    ),
    "f1_micro": ScoreInfo(
        "F1 micro", "Precision and recall of all predicted labels taken together."
    ),
    "f1_macro": ScoreInfo(
        "F1 macro", "The mean over labels: a rare label counts as much as a common one."
    ),
    "hard": ScoreInfo(
        "Cluster match, hard", "Share of one label's texts that have the topic as main topic."
    ),
    "soft": ScoreInfo("Cluster match, soft", "The same, with each text divided among its topics."),
    "coherence": ScoreInfo(
        "Coherence", "How often a topic's ten top words occur together: −1 to 1 (NPMI)."
    ),
    "diversity": ScoreInfo(
        "Diversity", "Share of different words among all topics' top words.", "share"
    ),
    "label_sparsity": ScoreInfo(
        "Sparsity between labels",
        "How few topics each label's texts share: 0 all alike, 1 one topic of one label.",
    ),
    "adherence": ScoreInfo(
        "Adherence",
        "Labelled texts that use permitted topics only; not a measure of quality.",
        "share",
    ),
    "kept_words": ScoreInfo(
        "Words kept", "Share of top words that topics kept in the last refit.", "share"
    ),
    "seed_words": ScoreInfo(
        "Same words, other seed", "Top words in common with a fit from another seed.", "share"
    ),
    "seed_documents": ScoreInfo(
        "Same main topic, other seed",
        "Texts with the same main topic in a fit from another seed.",
        "share",
    ),
}


@dataclass(frozen=True)
class HeldOutDocuments:
    """Documents whose labels a fit did not know: their true labels and the fit's topic weights."""

    positions: np.ndarray  # (n,)
    truth: sp.csr_array  # (n, n_labels) 0 or 1
    names: tuple[str, ...]  # of the labels
    doc_topic: np.ndarray  # (n, n_topics)
    topic_names: tuple[str, ...]

    @property
    def n(self) -> int:
        return self.positions.size


def score_run(
    topics: Topics,
    supervision: Supervision,
    truth: Supervision | None = None,
    matrix: DocumentTermMatrix | None = None,
    *,
    rows: Sequence[int] | np.ndarray | None = None,
    seed: int = 0,
) -> dict[str, Score]:
    """Every score that can be computed.

    ``supervision`` is what the fit was trained on; ``truth`` what it is judged by: the labels that
    came with the corpus, or held-out labels. Judged are the documents with a true label that were
    not labelled in training, or ``rows``. ``matrix`` is needed for coherence.
    """
    found: dict[str, Score] = {}
    if truth is not None:
        found |= score_held_out(
            held_out_documents(topics, supervision, truth, rows=rows), seed=seed
        )
    return found | describe_topics(topics, supervision, matrix)


def score_table(scores: Mapping[str, Score | Sequence[Any]]) -> pd.DataFrame:
    """Scores as a frame, a row each: value, low, high, note, title and what it says."""
    rows = []
    for name, score in scores.items():
        given = astuple(score) if isinstance(score, Score) else tuple(score)
        about = SCORE_INFO.get(name) or ScoreInfo(name, "")
        rows.append((name, *given, about.title, about.sentence))
    columns = ["score", "value", "low", "high", "note", "title", "sentence"]
    return pd.DataFrame(rows, columns=columns).set_index("score")


def held_out_documents(
    topics: Topics,
    supervision: Supervision,
    truth: Supervision,
    *,
    rows: Sequence[int] | np.ndarray | None = None,
) -> HeldOutDocuments:
    """The documents with a true label that were not labelled in training."""
    if truth.n_docs != topics.doc_topic.shape[0]:
        raise ModelError("Topics and true labels must be about the same texts.")
    known = np.diff(truth.permitted.indptr) > 0
    positions = np.flatnonzero(known & ~supervision.labelled) if rows is None else np.asarray(rows)
    return HeldOutDocuments(
        positions=positions,
        truth=sp.csr_array(truth.indicator()[positions]),
        names=truth.names,
        doc_topic=topics.doc_topic[positions],
        topic_names=topics.names,
    )


def score_held_out(held_out: HeldOutDocuments, *, seed: int = 0) -> dict[str, Score]:
    """Scores against the true labels; none if there are no documents."""
    if not held_out.n or not held_out.truth.nnz:
        return {}
    note = f"on {held_out.n:,} texts"
    found = match_topics(
        held_out.doc_topic,
        held_out.truth,
        label_names=held_out.names,
        topic_names=held_out.topic_names,
    )
    label_of_topic = labels_of_topics(held_out, found)
    return {
        **_main_topic_and_set(held_out, label_of_topic, note),
        **_jaccard(held_out, found, seed),
        **_f1(held_out, label_of_topic, seed, note),
        **_clusters(held_out, seed, note),
    }


def describe_topics(
    topics: Topics, supervision: Supervision, matrix: DocumentTermMatrix | None = None
) -> dict[str, Score]:
    """Scores that need no true labels: coherence, diversity, and whether labels are honoured."""
    found: dict[str, Score] = {}
    if matrix is not None:
        coherence = topic_coherence(topics.topic_term, matrix.X)
        if np.isfinite(coherence).any():
            found["coherence"] = Score(float(np.nanmean(coherence)), note="mean over the topics")
    found["diversity"] = Score(topic_diversity(topics.topic_term), note="25 words a topic")
    if topics.spec.model == SPARSE_LABELS_MODEL and supervision.permitted.nnz:
        sparsity = inter_label_sparsity(topics.doc_topic, supervision.permitted)
        n = int((np.diff(supervision.permitted.indptr) > 0).sum())
        found["label_sparsity"] = Score(sparsity, note=f"on {n:,} labelled texts")
    if topics.spec.labels_own_topics and supervision.labelled.any():
        kept = summaries.adherence(topics, supervision)
        n = int(supervision.labelled.sum())
        found["adherence"] = Score(kept, note=f"on {n:,} labelled texts")
    return found


def labels_of_topics(held_out: HeldOutDocuments, found: Matching) -> np.ndarray:
    """The label that each topic predicts, −1 for none: by name, else by the best match left."""
    label_of = {name.casefold(): label for label, name in enumerate(held_out.names)}
    label_of_topic = np.array([label_of.get(n.casefold(), UNMATCHED) for n in held_out.topic_names])
    labels = np.setdiff1d(np.arange(len(held_out.names)), label_of_topic)
    topics = np.flatnonzero(label_of_topic == UNMATCHED)
    left = found.similarity[np.ix_(labels, topics)]
    for label, topic in zip(*linear_sum_assignment(left, maximize=True), strict=True):
        if left[label, topic] > RESOLVED_THRESHOLD:
            label_of_topic[topics[topic]] = labels[label]
    return label_of_topic


def main_topic_is_right(
    held_out: HeldOutDocuments, label_of_topic: np.ndarray | None = None
) -> np.ndarray:
    """Whether the main topic of each document predicts one of its labels."""
    if label_of_topic is None:
        found = match_topics(held_out.doc_topic, held_out.truth, label_names=held_out.names)
        label_of_topic = labels_of_topics(held_out, found)
    label = label_of_topic[held_out.doc_topic.argmax(axis=1)]
    sure = (held_out.doc_topic.max(axis=1, initial=0) > 0) & (label != UNMATCHED)
    hit = np.zeros(held_out.n, dtype=bool)
    rows = np.flatnonzero(sure)
    hit[rows] = np.asarray(held_out.truth[rows, label[rows]]).ravel() > 0
    return hit


def predicted_labels(held_out: HeldOutDocuments, label_of_topic: np.ndarray) -> sp.csr_array:
    """The labels of the main topic and of every topic with a large share."""
    total = held_out.doc_topic.sum(axis=1, keepdims=True)
    shares = held_out.doc_topic / np.where(total > 0, total, 1)
    large = shares >= SECOND_LABEL_SHARE
    large[np.arange(held_out.n), shares.argmax(axis=1)] = total.ravel() > 0
    rows, topics = np.nonzero(large & (label_of_topic != UNMATCHED))
    cells = (np.ones(rows.size), (rows, label_of_topic[topics]))
    return sp.csr_array(cells, shape=held_out.truth.shape)


def _main_topic_and_set(
    held_out: HeldOutDocuments, label_of_topic: np.ndarray, note: str
) -> dict[str, Score]:
    first = main_topic_is_right(held_out, label_of_topic)
    given = predicted_labels(held_out, label_of_topic)
    differ = abs(given - held_out.truth)
    whole = np.asarray(differ.sum(axis=1)).ravel() == 0
    return {"first": _share(first, note), "accuracy": _share(whole, note)}


def _share(hits: np.ndarray, note: str) -> Score:
    interval = wilson(int(hits.sum()), hits.size)
    return Score(float(hits.mean()), interval.low, interval.high, note)


def _jaccard(held_out: HeldOutDocuments, found: Matching, seed: int) -> dict[str, Score]:
    """The matching stays fixed while documents are resampled."""
    judgeable = np.flatnonzero((found.table["documents"] > 0).to_numpy())
    partner = found.table["topic"].to_numpy()[judgeable]
    true = _unit_rows(held_out.truth)[:, judgeable]
    total = held_out.doc_topic.sum(axis=1, keepdims=True)
    shares = held_out.doc_topic / np.where(total > 0, total, 1)
    held = np.where(partner == UNMATCHED, 0.0, shares[:, partner])
    common = sp.csr_array(true.minimum(sp.csr_array(held)))
    either = np.asarray(true + held - common)
    mean = ratios_interval(common, either, mean_of_ratios, seed=seed)
    above = ratios_interval(common, either, _count_resolved, seed=seed)
    note = f"over {found.n_labels:,} labels"
    return {
        "jaccard": _around(found.mean_jaccard, mean, note),
        "resolved": _around(float(found.n_resolved), above, f"of {found.n_labels:,} labels"),
    }


def _count_resolved(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    return (numerator > RESOLVED_THRESHOLD * denominator).sum(axis=1).astype(float)


def _f1(
    held_out: HeldOutDocuments, label_of_topic: np.ndarray, seed: int, note: str
) -> dict[str, Score]:
    given = predicted_labels(held_out, label_of_topic)
    hits = sp.csr_array(given.multiply(held_out.truth)) * 2
    total = given + held_out.truth
    micro = ratios_interval(hits, total, ratio_of_sums, seed=seed)
    macro = ratios_interval(hits, total, mean_of_ratios, seed=seed)
    return {
        "f1_micro": _around(f1_micro(held_out.truth, given), micro, note),
        "f1_macro": _around(f1_macro(held_out.truth, given), macro, note),
    }


def _clusters(held_out: HeldOutDocuments, seed: int, note: str) -> dict[str, Score]:
    """Score P; each topic keeps its label while documents are resampled."""
    total = held_out.doc_topic.sum(axis=1, keepdims=True)
    soft = held_out.doc_topic / np.where(total > 0, total, 1)
    hard = np.zeros_like(soft)
    hard[np.arange(held_out.n), soft.argmax(axis=1)] = total.ravel() > 0
    column = {name: label for label, name in enumerate(held_out.names)}
    found: dict[str, Score] = {}
    ways: tuple[tuple[ClusterKind, np.ndarray], ...] = (("hard", hard), ("soft", soft))
    for kind, held in ways:
        score = score_p(held_out.doc_topic, held_out.truth, names=held_out.names, kind=kind)
        picked = held_out.truth[:, [column[name] for name in score.table["subgroup"]]]
        gathered = sp.csr_array(picked.multiply(held))
        interval = ratios_interval(gathered, picked, mean_of_ratios, seed=seed)
        found[kind] = _around(score.mean, interval, note)
    return found


def _around(value: float, interval: Interval, note: str) -> Score:
    """Widen the interval so that it contains the value."""
    return Score(value, min(interval.low, value), max(interval.high, value), note)


def _unit_rows(truth: sp.csr_array) -> sp.csr_array:
    carried = np.maximum(np.diff(truth.indptr), 1)
    return sp.csr_array(sp.diags_array(1 / carried) @ truth)
