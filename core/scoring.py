"""How good are the topics of a run? One table of scores, each with its interval.

With true labels, or with labels that were kept aside, a fit is judged on documents it was not told
about. Topics speak for the label of their name; a label without a namesake is spoken for by the
free topic that matches it best, as in the paper. ``core/metrics/docs/scores.md`` defines each name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment

from core import summaries
from core.errors import ModelError
from core.metrics.clustering import Kind, score_p
from core.metrics.coherence import topic_coherence
from core.metrics.diversity import topic_diversity
from core.metrics.matching import RESOLVED, UNMATCHED, Matching, match_topics
from core.metrics.prediction import f1_macro, f1_micro
from core.metrics.resampling import (
    Interval,
    mean_of_ratios,
    ratio_of_sums,
    ratios_interval,
    wilson,
)
from core.supervision import Supervision
from core.topics import Topics

if TYPE_CHECKING:
    from core.matrix import DocumentTermMatrix

ALSO = 0.3  # a label beyond the first one is given when its topic holds this share of a document
LEAST_SHARE = 1e-9  # below, a topic is not in a document


@dataclass(frozen=True, slots=True)
class Score:
    """A number, and where it would lie for further documents like those judged."""

    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What a score is called and what it says, in a line."""

    title: str
    sentence: str
    kind: Literal["share", "count", "number"] = "number"


ABOUT: Mapping[str, About] = {
    "first": About(
        "Right first", "How often the strongest topic of a text is one of its labels.", "share"
    ),
    "jaccard": About(
        "Weighted Jaccard", "How far labels and their topics hold the same texts; 1 is all."
    ),
    "resolved": About("Labels resolved", "Labels that share above 0.1 with their topic.", "count"),
    "accuracy": About("Whole set right", "How often all labels of a text are found, no other."),
    "f1_micro": About("F1, all together", "Labels found and not invented, every label alike."),
    "f1_macro": About("F1, mean of labels", "The same, but a rare label counts like a common one."),
    "hard": About("Clusters, hard", "How much of one label a topic gathers as main topic."),
    "soft": About("Clusters, soft", "The same with texts shared among their topics."),
    "coherence": About("Coherence", "Whether a topic's ten words occur together: −1 to 1 (NPMI)."),
    "diversity": About("Diversity", "Share of different words among all topics' words.", "share"),
    "adherence": About("Adherence", "Share of your labels that the model keeps.", "share"),
    "kept_words": About(
        "Words kept", "Share of top words that topics kept in the last refit.", "share"
    ),
    "seed_words": About(
        "Same words, other seed", "Top words in common when the fit starts elsewhere.", "share"
    ),
    "seed_documents": About(
        "Same main topic, other seed", "Texts with the same main topic then.", "share"
    ),
}


@dataclass(frozen=True)
class Judgement:
    """Documents a fit was not told about: what is true of them and what the fit says."""

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
    """Every score that can be told.

    ``supervision`` is what the fit was told; ``truth`` what it is judged by: the labels that came
    with the corpus, or labels that were kept aside. Judged are the documents with a true label that
    the fit was not told about, or ``rows``. ``matrix`` says which words occur together.
    """
    found: dict[str, Score] = {}
    if truth is not None:
        found |= score_judgement(judge(topics, supervision, truth, rows=rows), seed=seed)
    return found | describe(topics, supervision, matrix)


def judge(
    topics: Topics,
    supervision: Supervision,
    truth: Supervision,
    *,
    rows: Sequence[int] | np.ndarray | None = None,
) -> Judgement:
    """The documents with a true label that the fit was not told about."""
    if truth.n_docs != topics.doc_topic.shape[0]:
        raise ModelError("Topics and true labels must be about the same texts.")
    known = np.diff(truth.permitted.indptr) > 0
    positions = np.flatnonzero(known & ~supervision.labelled) if rows is None else np.asarray(rows)
    return Judgement(
        positions=positions,
        truth=sp.csr_array(truth.indicator()[positions]),
        names=truth.names,
        doc_topic=topics.doc_topic[positions],
        topic_names=topics.names,
    )


def score_judgement(judged: Judgement, *, seed: int = 0) -> dict[str, Score]:
    """Scores against what is true of the judged documents; none if there are none."""
    if not judged.n or not judged.truth.nnz:
        return {}
    note = f"on {judged.n:,} texts"
    found = match_topics(
        judged.doc_topic,
        judged.truth,
        label_names=judged.names,
        topic_names=judged.topic_names,
    )
    speaker = speakers(judged, found)
    return {
        **_first_and_set(judged, speaker, note),
        **_jaccard(judged, found, seed),
        **_f1(judged, speaker, seed, note),
        **_clusters(judged, seed, note),
    }


def describe(
    topics: Topics, supervision: Supervision, matrix: DocumentTermMatrix | None = None
) -> dict[str, Score]:
    """What can be said without any truth: how the topics read, and whether labels hold."""
    found: dict[str, Score] = {}
    if matrix is not None:
        coherence = topic_coherence(topics.topic_term, matrix.X)
        if np.isfinite(coherence).any():
            found["coherence"] = Score(float(np.nanmean(coherence)), note="mean over the topics")
    found["diversity"] = Score(topic_diversity(topics.topic_term), note="25 words a topic")
    if topics.spec.obeys and supervision.labelled.any():
        kept = summaries.adherence(topics, supervision)
        n = int(supervision.labelled.sum())
        found["adherence"] = Score(kept, note=f"on {n:,} labelled texts")
    return found


def speakers(judged: Judgement, found: Matching) -> np.ndarray:
    """The label each topic speaks for, −1 for none: by name, else by the best match left over."""
    label_of = {name.casefold(): label for label, name in enumerate(judged.names)}
    speaker = np.array([label_of.get(n.casefold(), UNMATCHED) for n in judged.topic_names])
    labels = np.setdiff1d(np.arange(len(judged.names)), speaker)
    topics = np.flatnonzero(speaker == UNMATCHED)
    left = found.similarity[np.ix_(labels, topics)]
    for label, topic in zip(*linear_sum_assignment(left, maximize=True), strict=True):
        if left[label, topic] > RESOLVED:
            speaker[topics[topic]] = labels[label]
    return speaker


def right_first(judged: Judgement, speaker: np.ndarray | None = None) -> np.ndarray:
    """Whether the strongest topic of each judged document speaks for one of its labels."""
    if speaker is None:
        found = match_topics(judged.doc_topic, judged.truth, label_names=judged.names)
        speaker = speakers(judged, found)
    told = speaker[judged.doc_topic.argmax(axis=1)]
    sure = (judged.doc_topic.max(axis=1, initial=0) > 0) & (told != UNMATCHED)
    hit = np.zeros(judged.n, dtype=bool)
    rows = np.flatnonzero(sure)
    hit[rows] = np.asarray(judged.truth[rows, told[rows]]).ravel() > 0
    return hit


def given_labels(judged: Judgement, speaker: np.ndarray) -> sp.csr_array:
    """The labels a fit gives: that of the strongest topic, and of every one with a large share."""
    total = judged.doc_topic.sum(axis=1, keepdims=True)
    shares = judged.doc_topic / np.where(total > 0, total, 1)
    large = shares >= ALSO
    large[np.arange(judged.n), shares.argmax(axis=1)] = total.ravel() > 0
    rows, topics = np.nonzero(large & (speaker != UNMATCHED))
    cells = (np.ones(rows.size), (rows, speaker[topics]))
    return sp.csr_array(cells, shape=judged.truth.shape)


def _first_and_set(judged: Judgement, speaker: np.ndarray, note: str) -> dict[str, Score]:
    first = right_first(judged, speaker)
    given = given_labels(judged, speaker)
    differ = abs(given - judged.truth)
    whole = np.asarray(differ.sum(axis=1)).ravel() == 0
    return {"first": _share(first, note), "accuracy": _share(whole, note)}


def _share(hits: np.ndarray, note: str) -> Score:
    interval = wilson(int(hits.sum()), hits.size)
    return Score(float(hits.mean()), interval.low, interval.high, note)


def _jaccard(judged: Judgement, found: Matching, seed: int) -> dict[str, Score]:
    """The matching stays as it is while documents are drawn anew."""
    judgeable = np.flatnonzero((found.table["documents"] > 0).to_numpy())
    partner = found.table["topic"].to_numpy()[judgeable]
    true = _unit_rows(judged.truth)[:, judgeable]
    total = judged.doc_topic.sum(axis=1, keepdims=True)
    shares = judged.doc_topic / np.where(total > 0, total, 1)
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
    return (numerator > RESOLVED * denominator).sum(axis=1).astype(float)


def _f1(judged: Judgement, speaker: np.ndarray, seed: int, note: str) -> dict[str, Score]:
    given = given_labels(judged, speaker)
    hits = sp.csr_array(given.multiply(judged.truth)) * 2
    total = given + judged.truth
    micro = ratios_interval(hits, total, ratio_of_sums, seed=seed)
    macro = ratios_interval(hits, total, mean_of_ratios, seed=seed)
    return {
        "f1_micro": _around(f1_micro(judged.truth, given), micro, note),
        "f1_macro": _around(f1_macro(judged.truth, given), macro, note),
    }


def _clusters(judged: Judgement, seed: int, note: str) -> dict[str, Score]:
    """Score P; each topic keeps the label it picked while documents are drawn anew."""
    total = judged.doc_topic.sum(axis=1, keepdims=True)
    soft = judged.doc_topic / np.where(total > 0, total, 1)
    hard = np.zeros_like(soft)
    hard[np.arange(judged.n), soft.argmax(axis=1)] = total.ravel() > 0
    column = {name: label for label, name in enumerate(judged.names)}
    found: dict[str, Score] = {}
    ways: tuple[tuple[Kind, np.ndarray], ...] = (("hard", hard), ("soft", soft))
    for kind, held in ways:
        score = score_p(judged.doc_topic, judged.truth, names=judged.names, kind=kind)
        picked = judged.truth[:, [column[name] for name in score.table["subgroup"]]]
        gathered = sp.csr_array(picked.multiply(held))
        interval = ratios_interval(gathered, picked, mean_of_ratios, seed=seed)
        found[kind] = _around(score.mean, interval, note)
    return found


def _around(value: float, interval: Interval, note: str) -> Score:
    """An interval holds its value, whatever the draws gave."""
    return Score(value, min(interval.low, value), max(interval.high, value), note)


def _unit_rows(truth: sp.csr_array) -> sp.csr_array:
    carried = np.maximum(np.diff(truth.indptr), 1)
    return sp.csr_array(sp.diags_array(1 / carried) @ truth)
