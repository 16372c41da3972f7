"""The candidates of a comparison, their input, and the problems found before anything is fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from core.engine.gibbs.levels import GROUPED_MODEL, with_levels
from core.engine.limits import Steering
from core.errors import ModelError
from core.evaluation.held_out import MIN_LABELS_FOR_SCORES, has_enough_labels
from core.evaluation.subsets import without_labels
from core.matrix import DocumentTermMatrix
from core.spec import COUNT_MODELS, ModelSpec
from core.supervision import Supervision
from core.topics import Topics

Judge = Literal["truth", "held_out", "nothing"]

SUPERVISED = frozenset({"tsnmf", "ssnmf", "cnmf", "nmf_alpha", "supervised_vbnmf"})
HELD_OUT_SHARE = 0.2  # of the labelled documents
MAX_SEEDS = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model with its settings, or an earlier run taken as it was fitted."""

    title: str
    spec: ModelSpec
    run: int | None = None


@dataclass(frozen=True, kw_only=True)
class ComparisonInput:
    """The input of every candidate: the same documents and labels, judged in the same way.

    ``counts`` is the matrix of plain counts that models of counts read; ``truth`` names the true
    labels of every document; ``fitted`` holds the topics of candidates that are earlier runs;
    ``steering`` is what people said about words, for models that give labels topics; ``levels`` are
    columns of ``side`` that divide documents into groups for ``pfa_ssi``, lowest level first.
    """

    supervision: Supervision
    matrix: DocumentTermMatrix
    counts: DocumentTermMatrix | None = None
    truth: Supervision | None = None
    fitted: Mapping[int, Topics] = field(default_factory=dict)
    steering: Steering[Any] | None = None
    side: Mapping[str, Sequence[str]] = field(default_factory=dict)
    levels: Sequence[str] = ()

    def matrix_for(self, spec: ModelSpec) -> DocumentTermMatrix:
        """The matrix as this model reads it."""
        if spec.model in COUNT_MODELS and self.counts is not None:
            return self.counts
        return self.matrix

    def supervision_for(self, spec: ModelSpec, labels: Supervision) -> Supervision:
        """The labels, with groups of documents for a model that uses them."""
        return (
            with_levels(labels, self.side, self.levels) if spec.model == GROUPED_MODEL else labels
        )


def comparison_problems(
    candidates: Sequence[Candidate],
    supervision: Supervision,
    *,
    seeds: Sequence[int] = (0,),
    judge: Judge = "nothing",
    truth: bool = False,
    counts: bool = True,
    levels: Sequence[str] = (),
    min_candidates: int = 2,
) -> list[str]:
    """One sentence for everything that cannot work; nothing is fitted to find out.

    ``truth``, ``counts`` and ``levels`` say whether true labels, plain counts and groups of
    documents are available.
    """
    problems = _number_problems(candidates, seeds, min_candidates) + _judge_problems(
        judge, supervision, truth
    )
    if judge == "held_out" and any(candidate.run is not None for candidate in candidates):
        problems.append(
            "An earlier run was fitted with every label, so held-out labels cannot judge it."
        )
    for candidate in candidates:
        if candidate.run is None:
            problems += _spec_problems(candidate, supervision, counts)
            problems += _label_problems(candidate, supervision, levels)
    return problems + _repeated_candidates(candidates)


def _number_problems(
    candidates: Sequence[Candidate], seeds: Sequence[int], min_candidates: int
) -> list[str]:
    problems = []
    if len(candidates) < min_candidates:
        problems.append(
            f"A comparison needs at least {min_candidates} models or runs; choose more."
        )
    if not 1 <= len(set(seeds)) <= MAX_SEEDS or len(set(seeds)) < len(seeds):
        problems.append(f"Seeds are 1 to {MAX_SEEDS} different whole numbers.")
    return problems


def _judge_problems(judge: Judge, supervision: Supervision, truth: bool) -> list[str]:
    labelled = int((np.diff(supervision.permitted.indptr) > 0).sum())
    if judge == "truth" and not truth:
        return ["There are no true labels to judge by: the corpus has no label column."]
    if judge == "held_out" and not has_enough_labels(supervision):
        return [
            f"To judge by held-out labels, at least {MIN_LABELS_FOR_SCORES} texts must be "
            f"labelled, with two labels or more; there are {labelled}. Label more, or compare "
            "without a judge."
        ]
    return []


def _spec_problems(candidate: Candidate, supervision: Supervision, counts: bool) -> list[str]:
    spec, title = candidate.spec, candidate.title
    try:
        estimator = spec.estimator(supervision.n_labels)
        estimator._check_options()
    except ModelError as error:
        return [f"{title}: {error}"]
    n_topics, n_docs = estimator.n_topics, supervision.n_docs
    problems = []
    if spec.labels_own_topics and n_topics < supervision.n_labels:
        problems.append(
            f"{title} gives every label a topic: {supervision.n_labels} labels need at least as "
            f"many topics, not {n_topics}."
        )
    if n_topics > n_docs:
        problems.append(f"{title}: {n_topics} topics are more than the {n_docs} texts.")
    if spec.model in COUNT_MODELS and not counts:
        problems.append(f"{title} needs plain counts and cannot read weighted words.")
    return problems


def _label_problems(
    candidate: Candidate, supervision: Supervision, levels: Sequence[str]
) -> list[str]:
    model, title = candidate.spec.model, candidate.title
    carried = np.unique(supervision.permitted.indices).size
    if model == GROUPED_MODEL and not carried and not levels:
        return [f"{title} needs labels or groups of texts, and there are none yet."]
    if model in SUPERVISED and not carried:
        return [f"{title} learns from labels, and no text is labelled yet."]
    if model == "nmf_alpha" and carried < 2:
        return [f"{title} separates labels, so it needs texts with two different ones."]
    return []


def _repeated_candidates(candidates: Sequence[Candidate]) -> list[str]:
    """The same settings twice would only cost time; use seeds to repeat a fit."""
    seen: dict[Any, str] = {}
    problems = []
    for candidate in candidates:
        options = tuple(sorted((name, str(v)) for name, v in candidate.spec.options.items()))
        key = (candidate.spec.model, candidate.spec.n_topics, candidate.run, options)
        if key in seen:
            problems.append(f"{candidate.title} has the same settings as {seen[key]}.")
        seen.setdefault(key, candidate.title)
    return problems


def hold_out_labels(supervision: Supervision, seed: int) -> tuple[Supervision, np.ndarray]:
    """The labels without a fifth of the labelled documents, and which documents these are."""
    labelled = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    rng = np.random.default_rng(seed)
    rows = np.sort(
        rng.choice(labelled, max(1, round(HELD_OUT_SHARE * labelled.size)), replace=False)
    )
    return without_labels(supervision, rows), rows
