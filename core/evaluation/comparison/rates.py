"""Supervision-rate curves: scores against the share of documents that are labelled.

MacMillan & Wilson, figures 2 to 5. For every rate and every random set of labelled documents,
TS-NMF is fitted with the labelled documents weighted by the inverse of the rate (E) and
unweighted, and scored against the true labels; models without labels are drawn beside it.
``coverage`` is the share of the labels that the labelled documents carry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.errors import ModelError
from core.evaluation.comparison.candidates import ComparisonInput
from core.evaluation.comparison.fit_timer import FitTimer, Report
from core.evaluation.metrics import match_topics
from core.evaluation.subsets import matrix_rows, supervision_rows, without_labels
from core.fitting import fit
from core.spec import ModelSpec
from core.supervision import Supervision
from core.values import percent

LABELLING_RATES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
MAX_SETS = 50
MIN_DOCUMENTS = 20  # with a true label; fewer give no curve


@dataclass(frozen=True, slots=True)
class Variant:
    """A model on the curves; one that does not use labels is fitted once per set."""

    title: str
    spec: ModelSpec
    supervised: bool = True


TSNMF_WEIGHTED = Variant(
    "TS-NMF, weighted",
    ModelSpec("tsnmf", options={"guidance": 0.0, "labelled_weight": "inverse_rate"}),
)
TSNMF_UNWEIGHTED = Variant(
    "TS-NMF, unweighted", ModelSpec("tsnmf", options={"guidance": 0.0, "labelled_weight": 1.0})
)
TSNMF_GUIDED = Variant("TS-NMF, guided", ModelSpec("tsnmf"))
NMF_BASELINE = Variant("NMF", ModelSpec("nmf"), supervised=False)
LDA_BASELINE = Variant("LDA", ModelSpec("lda"), supervised=False)


@dataclass(frozen=True, slots=True)
class RatePoint:
    """One fit of a study; ``_rest`` is on the documents that were not labelled."""

    variant: str
    rate: float
    set: int
    jaccard: float
    resolved: float
    jaccard_rest: float | None
    resolved_rest: float | None
    coverage: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class RateStudy:
    """All points, and the documents and labels they were measured on."""

    points: tuple[RatePoint, ...]
    rates: tuple[float, ...]
    n_sets: int
    n_docs: int  # documents with a true label, of which the labelled ones are drawn
    n_labels: int

    def table(self) -> pd.DataFrame:
        """One row per fit."""
        return pd.DataFrame([asdict(point) for point in self.points])

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RateStudy:
        return cls(
            points=tuple(RatePoint(**point) for point in values["points"]),
            rates=tuple(float(rate) for rate in values["rates"]),
            **{name: int(values[name]) for name in ("n_sets", "n_docs", "n_labels")},
        )


def rate_study_problems(
    variants: Sequence[Variant],
    rates: Sequence[float],
    n_sets: int,
    n_known: int | None,
) -> list[str]:
    """Why a study cannot be made; nothing is fitted to find out.

    ``n_known`` documents have a true label; None where true labels are unknown.
    """
    if not n_known:
        return ["These curves need true labels, and the corpus has no label column."]
    problems = []
    if n_known < MIN_DOCUMENTS:
        problems.append(
            f"A curve needs {MIN_DOCUMENTS} texts with a true label; there are {n_known}."
        )
    if not variants:
        problems.append("Choose at least one model for the curves.")
    if not rates or not all(0 < rate < 1 for rate in rates):
        problems.append("Supervision rates must be above 0 % and below 100 %.")
    if not 1 <= n_sets <= MAX_SETS:
        problems.append(f"Choose 1 to {MAX_SETS} sets of labels.")
    return problems


def study_rates(
    material: ComparisonInput,
    *,
    variants: Sequence[Variant] = (TSNMF_WEIGHTED, TSNMF_UNWEIGHTED, NMF_BASELINE),
    rates: Sequence[float] = LABELLING_RATES,
    n_sets: int = 5,
    seed: int = 0,
    report: Report | None = None,
) -> RateStudy:
    """Fit every variant at every rate to ``n_sets`` random sets of labelled documents.

    As many topics as there are labels; sets grow with the rate, so curves of one set compare.
    """
    truth = material.truth
    n_known = None if truth is None else int(truth.labelled.sum())
    problems = rate_study_problems(variants, rates, n_sets, n_known)
    if problems or truth is None:
        raise ModelError(problems[0])
    judged = np.flatnonzero(truth.labelled)
    rng = np.random.default_rng(seed)
    fits = _planned_fits(variants, sorted(rates), n_sets)
    fit_timer = FitTimer([((v.title, rate), v.spec.model) for _, v, rate in fits], report)
    study = _Study(
        material, truth, judged, [rng.permutation(judged) for _ in range(n_sets)], fit_timer
    )
    return RateStudy(
        points=tuple(_fit_point(study, *each) for each in fits),
        rates=tuple(sorted(rates)),
        n_sets=n_sets,
        n_docs=int(judged.size),
        n_labels=truth.n_labels,
    )


@dataclass(frozen=True)
class _Study:
    """The input that all fits of a study share."""

    material: ComparisonInput
    truth: Supervision
    judged: np.ndarray  # documents with a true label
    orders: list[np.ndarray]  # in which they are labelled, one for each set
    fit_timer: FitTimer


def _planned_fits(
    variants: Sequence[Variant], rates: Sequence[float], n_sets: int
) -> list[tuple[int, Variant, float]]:
    return [
        (number, variant, rate)
        for number in range(n_sets)
        for variant in variants
        for rate in (rates if variant.supervised else (0.0,))
    ]


def _fit_point(study: _Study, number: int, variant: Variant, rate: float) -> RatePoint:
    truth, judged = study.truth, study.judged
    labelled = study.orders[number][: max(1, round(rate * judged.size)) if rate else 0]
    supervision = without_labels(truth, np.setdiff1d(np.arange(truth.n_docs), labelled))
    spec = ModelSpec(variant.spec.model, truth.n_labels, number, variant.spec.options)
    matrix = study.material.matrix_for(spec)
    study.fit_timer.begin(f"{variant.title} at {percent(rate)}" if rate else variant.title)
    topics = fit(matrix, supervision, spec, callback=study.fit_timer.callback)
    seconds = study.fit_timer.end()
    on_all, on_rest = (
        match_topics(topics.doc_topic, truth.indicator(), label_names=truth.names, rows=rows)
        for rows in (judged, np.setdiff1d(judged, labelled))
    )
    has_rest = on_rest.n_labels > 0
    return RatePoint(
        variant=variant.title,
        rate=rate,
        set=number,
        jaccard=on_all.mean_jaccard,
        resolved=on_all.n_resolved / max(on_all.n_labels, 1),
        jaccard_rest=on_rest.mean_jaccard if has_rest else None,
        resolved_rest=on_rest.n_resolved / on_rest.n_labels if has_rest else None,
        coverage=float((np.bincount(supervision.permitted.indices) > 0).sum() / truth.n_labels),
        seconds=seconds,
    )


def sample_documents(
    material: ComparisonInput, max_documents: int, seed: int = 0
) -> ComparisonInput:
    """The input of at most ``max_documents`` documents, drawn at random."""
    n_docs = material.supervision.n_docs
    if n_docs <= max_documents:
        return material
    rows = np.sort(np.random.default_rng(seed).choice(n_docs, max_documents, replace=False))
    return ComparisonInput(
        supervision=supervision_rows(material.supervision, rows),
        matrix=matrix_rows(material.matrix, rows),
        counts=None if material.counts is None else matrix_rows(material.counts, rows),
        truth=None if material.truth is None else supervision_rows(material.truth, rows),
    )
