"""Who takes part in a comparison, on what, and why it may be refused before anything starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from core.errors import ModelError
from core.fitting import COUNTING, ModelSpec
from core.held_out import LEAST, enough, without
from core.levels import GROUPED, with_levels
from core.matrix import DocumentTermMatrix
from core.steering import Steering
from core.supervision import Supervision
from core.topics import Topics

Judge = Literal["truth", "held_out", "nothing"]

SUPERVISED = frozenset({"tsnmf", "ssnmf", "cnmf", "nmf_alpha", "supervised_vbnmf"})
HELD_OUT = 0.2  # share of the labelled documents that the models are not told
MOST_SEEDS = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model with its settings, or an earlier run taken as it was fitted."""

    title: str
    spec: ModelSpec
    run: int | None = None


@dataclass(frozen=True, kw_only=True)
class Material:
    """What every candidate is given: the same documents, the same labels, the same judge.

    ``counts`` is the matrix of plain counts that models of counts read; ``truth`` names the true
    labels of every document; ``fitted`` holds the topics of candidates that are earlier runs;
    ``steering`` is what people said about words, for models whose labels own topics; ``levels``
    are columns of ``side`` from which ``pfa_ssi`` hangs documents, lowest first.
    """

    supervision: Supervision
    matrix: DocumentTermMatrix
    counts: DocumentTermMatrix | None = None
    truth: Supervision | None = None
    fitted: Mapping[int, Topics] = field(default_factory=dict)
    steering: Steering[str] | None = None
    side: Mapping[str, Sequence[str]] = field(default_factory=dict)
    levels: Sequence[str] = ()

    def matrix_for(self, spec: ModelSpec) -> DocumentTermMatrix:
        """The matrix as this model reads it."""
        if spec.model in COUNTING and self.counts is not None:
            return self.counts
        return self.matrix

    def heard(self, spec: ModelSpec, told: Supervision) -> Supervision:
        """What a model is told: the labels, and groups of documents where it can use them."""
        return with_levels(told, self.side, self.levels) if spec.model == GROUPED else told


def refusals(
    candidates: Sequence[Candidate],
    supervision: Supervision,
    *,
    seeds: Sequence[int] = (0,),
    judge: Judge = "nothing",
    truth: bool = False,
    counts: bool = True,
    levels: Sequence[str] = (),
    least: int = 2,
) -> list[str]:
    """Sentences that say what cannot work, all of them; nothing is fitted to find out.

    ``truth``, ``counts`` and ``levels`` say whether true labels, plain counts and groups of
    documents are at hand.
    """
    said = _number(candidates, seeds, least) + _judged(judge, supervision, truth)
    if judge == "held_out" and any(candidate.run is not None for candidate in candidates):
        said.append("An earlier run has heard every label, so labels kept aside cannot judge it.")
    for candidate in candidates:
        if candidate.run is None:
            said += _candidate(candidate, supervision, counts)
            said += _without_labels(candidate, supervision, levels)
    return said + _twins(candidates)


def _number(candidates: Sequence[Candidate], seeds: Sequence[int], least: int) -> list[str]:
    said = []
    if len(candidates) < least:
        said.append(f"A comparison needs at least {least} models or runs; choose more.")
    if not 1 <= len(set(seeds)) <= MOST_SEEDS or len(set(seeds)) < len(seeds):
        said.append(f"Seeds are 1 to {MOST_SEEDS} different whole numbers.")
    return said


def _judged(judge: Judge, supervision: Supervision, truth: bool) -> list[str]:
    told = int((np.diff(supervision.permitted.indptr) > 0).sum())
    if judge == "truth" and not truth:
        return ["There are no true labels to judge by: the corpus came without a label column."]
    if judge == "held_out" and not enough(supervision):
        return [
            f"To judge by labels kept aside, at least {LEAST} texts must be labelled, with two "
            f"labels or more; there are {told}. Label more, or compare without a judge."
        ]
    return []


def _candidate(candidate: Candidate, supervision: Supervision, counts: bool) -> list[str]:
    spec, title = candidate.spec, candidate.title
    try:
        estimator = spec.estimator(supervision.n_labels)
        estimator._check_options()
    except ModelError as error:
        return [f"{title}: {error}"]
    n_topics, n_docs = estimator.n_topics, supervision.n_docs
    said = []
    if spec.obeys and n_topics < supervision.n_labels:
        said.append(
            f"{title} gives every label a topic: {supervision.n_labels} labels need at least as "
            f"many topics, not {n_topics}."
        )
    if n_topics > n_docs:
        said.append(f"{title}: {n_topics} topics are more than the {n_docs} texts.")
    if spec.model in COUNTING and not counts:
        said.append(f"{title} is a model of counts and cannot read weighted words.")
    return said


def _without_labels(
    candidate: Candidate, supervision: Supervision, levels: Sequence[str]
) -> list[str]:
    model, title = candidate.spec.model, candidate.title
    carried = np.unique(supervision.permitted.indices).size
    if model == GROUPED and not carried and not levels:
        return [f"{title} hangs texts from labels or groups, and there are neither yet."]
    if model in SUPERVISED and not carried:
        return [f"{title} learns from labels, and no text is labelled yet."]
    if model == "nmf_alpha" and carried < 2:
        return [f"{title} tells labels apart, so it needs texts with two different ones."]
    return []


def _twins(candidates: Sequence[Candidate]) -> list[str]:
    """The same settings twice would only cost time; seeds are what repeats are for."""
    seen: dict[Any, str] = {}
    said = []
    for candidate in candidates:
        options = tuple(sorted((name, str(v)) for name, v in candidate.spec.options.items()))
        key = (candidate.spec.model, candidate.spec.n_topics, candidate.run, options)
        if key in seen:
            said.append(f"{candidate.title} has the same settings as {seen[key]}.")
        seen.setdefault(key, candidate.title)
    return said


def split(supervision: Supervision, seed: int) -> tuple[Supervision, np.ndarray]:
    """The labels without a fifth of the labelled documents, and which documents these are."""
    told = np.flatnonzero(np.diff(supervision.permitted.indptr) > 0)
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.choice(told, max(1, round(HELD_OUT * told.size)), replace=False))
    return without(supervision, rows), rows
