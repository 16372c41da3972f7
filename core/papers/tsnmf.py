"""MacMillan & Wilson (2017), figures 2 to 5: what labels bring TS-NMF on Reuters.

The paper prints no numbers, only curves and what it reads from them. Each statement below is
judged by means over label sets. A label set is a random order of the texts: the texts labelled at
one rate are labelled at every higher one, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.engine.estimator import TopicModel
from core.evaluation.metrics import Matching, match_topics
from core.evaluation.subsets import without_labels
from core.models import MODELS
from core.papers import sources
from core.papers.running import Experiment, Paper
from core.papers.sources import LabelledMatrix, ReutersTexts
from core.papers.trials import Settings, Trial
from core.papers.tsnmf_tables import (
    LABEL_SIZES,
    LABEL_START,
    PAPER_START,
    UNWEIGHTED,
    WEIGHTED,
    assignment_table,
    length_table,
    reuters_tables,
)
from core.supervision import Supervision

RATES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
QUICK_RATES = (0.05, 0.2, 0.7, 0.9)
PRINTED_RATES = (0.05, 0.2, 0.5, 0.8)  # of figure 3
ASSIGNMENT_RATES = (0.05, 0.2, 0.7, 0.95)
TEXT_LENGTHS = (150, 200, 250, 300)  # characters, around the paper's rule of 250
LENGTH_RATE = 0.2  # of the texts labelled, where the rule is tried
LDA_PASSES = 10  # scikit-learn's default


def reuters_trials(rates: Sequence[float], n_sets: int, n_slow: int) -> list[Trial]:
    """The curves by ``n_sets`` sets; the paper's own start, which takes long, by ``n_slow``."""
    curves = [
        _tsnmf_trial(rate, weight, LABEL_START, seed)
        for seed in range(n_sets)
        for weight in (WEIGHTED, UNWEIGHTED)
        for rate in rates
    ]
    printed = [rate for rate in PRINTED_RATES if rate in rates]
    slow = [_tsnmf_trial(r, WEIGHTED, PAPER_START, s) for s in range(n_slow) for r in printed]
    nmf = [Trial({"model": "nmf"}, seed) for seed in range(n_sets)]
    lda = [Trial({"model": "lda", "passes": LDA_PASSES}, seed) for seed in range(min(n_slow, 1))]
    return [*curves, *nmf, *slow, *lda]


def _tsnmf_trial(rate: float, weight: str, start: str, seed: int) -> Trial:
    return Trial({"model": "tsnmf", "rate": rate, "weight": weight, "start": start}, seed)


def run_reuters(data: LabelledMatrix, trial: Trial) -> Mapping[str, float]:
    """Fit, and score the topics on all texts, on unlabelled ones, and on other scales."""
    truth = data.truth
    labelled = _labelled(truth.n_docs, float(trial.settings.get("rate", 0)), trial.seed)
    rest = np.setdiff1d(np.arange(truth.n_docs), labelled)
    labels = without_labels(truth, rest)
    matrix = data.counts if trial.settings["model"] == "lda" else data.matrix
    model = _model(trial.settings, truth.n_labels, trial.seed).fit(matrix.X, labels)
    W = model.doc_topic_
    unlabelled = match_topics(W, truth.indicator(), label_names=truth.names, rows=rest)
    return _on_every_scale(W, truth) | {
        "jaccard_unlabelled": unlabelled.mean_jaccard,
        "resolved_unlabelled": unlabelled.n_resolved / max(unlabelled.n_labels, 1),
        "coverage": np.unique(labels.permitted.indices).size / truth.n_labels,
        "passes": model.n_iter_,
    }


def _labelled(n_docs: int, rate: float, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n_docs)[: round(rate * n_docs)]


def _model(settings: Settings, n_topics: int, seed: int) -> TopicModel:
    """The paper's model: no guide; its own start and steps, or ours, which come to the same."""
    name, options = str(settings["model"]), dict[str, object]()
    if name == "lda":
        options = {"max_iter": settings["passes"]}
    elif name == "nmf":
        options = {"init": "acol"}
    else:
        printed = settings["start"] == PAPER_START
        options = {
            "guidance": 0.0,
            "labelled_weight": "inverse_rate" if settings["weight"] == WEIGHTED else 1.0,
            "init": "acol" if printed else "labels",
            "solver": "mu" if printed else "cd",
        }
    return MODELS[name](n_topics, random_state=seed, **options)


def _on_every_scale(W: np.ndarray, truth: Supervision) -> dict[str, float]:
    """Jaccard and share of topics resolved; print does not say on which scale W is compared.

    ``shares``: every text's weights, and labels, sum to 1 (ours everywhere). ``weights``: as they
    are, against labels of 0 and 1. ``peaks``: every topic's largest weight is 1, likewise.
    """
    peak = W.max(axis=0, keepdims=True)
    peaks = np.divide(W, peak, out=np.zeros_like(W), where=peak > 0)
    values: dict[str, float] = {}
    for scale, weights in (("shares", W), ("weights", W), ("peaks", peaks)):
        found = match_topics(
            weights, truth.indicator(), label_names=truth.names, as_given=scale != "shares"
        )
        values[f"jaccard_{scale}"] = found.mean_jaccard
        values[f"resolved_{scale}"] = found.n_resolved / max(found.n_labels, 1)
        if scale == "shares":
            values |= _resolved_by_size(found)
    return values


def _resolved_by_size(found: Matching) -> dict[str, float]:
    """Share of topics resolved among the labels that have enough texts."""
    parts = {size: found.table[found.table["documents"] >= size] for size in LABEL_SIZES}
    return {
        f"resolved_of_{size}": float(part["resolved"].mean())
        for size, part in parts.items()
        if len(part)
    }


def length_trials(lengths: Sequence[int], n_sets: int) -> list[Trial]:
    return [
        Trial({"min_characters": length, "rate": LENGTH_RATE}, seed)
        for length in lengths
        for seed in range(n_sets)
    ]


def run_length(data: ReutersTexts, trial: Trial) -> Mapping[str, float]:
    part = data.longer_than(int(trial.settings["min_characters"]))
    same = _tsnmf_trial(LENGTH_RATE, WEIGHTED, LABEL_START, trial.seed)
    return {**run_reuters(part, same), "texts": part.truth.n_docs}


def assignment_trials(rates: Sequence[float], n_sets: int) -> list[Trial]:
    return [Trial({"rate": rate}, seed) for seed in range(n_sets) for rate in rates]


def run_assignment(data: LabelledMatrix, trial: Trial) -> Mapping[str, float]:
    """The weighted fit again, every text given whole to its strongest topics, not in shares."""
    truth, same = (
        data.truth,
        _tsnmf_trial(float(trial.settings["rate"]), WEIGHTED, LABEL_START, trial.seed),
    )
    labelled = _labelled(truth.n_docs, float(same.settings["rate"]), trial.seed)
    rest = np.setdiff1d(np.arange(truth.n_docs), labelled)
    model = _model(same.settings, truth.n_labels, trial.seed)
    W = model.fit(data.matrix.X, without_labels(truth, rest)).doc_topic_
    carried = np.asarray(truth.indicator().sum(axis=1)).ravel()
    values: dict[str, float] = {}
    for name, n_topics in (("one", np.ones(truth.n_docs)), ("as_labels", carried)):
        found = match_topics(
            assigned(W, n_topics), truth.indicator(), label_names=truth.names, as_given=True
        )
        values[f"jaccard_{name}"] = found.mean_jaccard
        values[f"resolved_{name}"] = found.n_resolved / max(found.n_labels, 1)
    return values


def assigned(W: np.ndarray, n_topics: np.ndarray) -> np.ndarray:
    """1 at the strongest topics of each text, as many as it is given, where it has weight."""
    places = np.argsort(np.argsort(-W, axis=1, kind="stable"), axis=1, kind="stable")
    return ((places < n_topics[:, None]) & (W > 0)).astype(np.float64)


def experiments(quick: bool) -> list[Experiment]:
    trials = reuters_trials(QUICK_RATES, 2, 0) if quick else reuters_trials(RATES, 10, 3)
    found = [Experiment("Reuters", sources.reuters, trials, run_reuters, reuters_tables)]
    if not quick:
        lengths = length_trials(TEXT_LENGTHS, 3)
        found.append(
            Experiment("Length rule", sources.reuters_texts, lengths, run_length, length_table)
        )
        trials = assignment_trials(ASSIGNMENT_RATES, 3)
        found.append(
            Experiment("Whole texts", sources.reuters, trials, run_assignment, assignment_table)
        )
    return found


PAPER = Paper(
    "tsnmf",
    "MacMillan & Wilson (2017), Topic supervised non-negative matrix factorization",
    experiments,
    not_attempted=(
        "PubMed (15,320 abstracts, 265 MeSH labels): the selection is not published; no stand-in.",
        "Table 1 (keywords of three articles): examples, not figures.",
    ),
)
