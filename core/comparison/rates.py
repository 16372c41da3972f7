"""What labels bring: scores against the share of documents that are labelled.

MacMillan & Wilson, figures 2 to 5. For every rate and every random set of labelled documents,
TS-NMF is fitted with the labelled documents weighted by the inverse of the rate (E) and
unweighted, and scored against the true labels; models that hear no labels stand beside it.
``coverage`` is the share of the labels that the labelled documents carry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from core.comparison.candidates import Material
from core.comparison.clock import Clock, Report
from core.errors import ModelError
from core.fitting import ModelSpec, fit
from core.held_out import without
from core.matrix import DocumentTermMatrix
from core.metrics import match_topics
from core.supervision import Supervision

RATES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
MOST_SETS = 50
LEAST_DOCUMENTS = 20  # with a true label: fewer make no curve
SCORES = ("jaccard", "resolved", "jaccard_rest", "resolved_rest", "coverage")


@dataclass(frozen=True, slots=True)
class Variant:
    """A model on the curves; one that hears no labels is fitted once per set."""

    title: str
    spec: ModelSpec
    supervised: bool = True


WEIGHTED = Variant(
    "TS-NMF, weighted",
    ModelSpec("tsnmf", options={"guidance": 0.0, "labelled_weight": "inverse_rate"}),
)
UNWEIGHTED = Variant(
    "TS-NMF, unweighted", ModelSpec("tsnmf", options={"guidance": 0.0, "labelled_weight": 1.0})
)
GUIDED = Variant("TS-NMF, guided", ModelSpec("tsnmf"))
PLAIN = Variant("NMF", ModelSpec("nmf"), supervised=False)
DIRICHLET = Variant("LDA", ModelSpec("lda"), supervised=False)


@dataclass(frozen=True, slots=True)
class Point:
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
    """All points, and what they rest on."""

    points: tuple[Point, ...]
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
            points=tuple(Point(**point) for point in values["points"]),
            rates=tuple(float(rate) for rate in values["rates"]),
            **{name: int(values[name]) for name in ("n_sets", "n_docs", "n_labels")},
        )


def rate_refusals(
    variants: Sequence[Variant],
    rates: Sequence[float],
    n_sets: int,
    n_known: int | None,
) -> list[str]:
    """Why a study cannot be made, before anything starts.

    ``n_known`` documents have a true label; None where nobody knows the truth.
    """
    if not n_known:
        return ["These curves need true labels, and the corpus came without a label column."]
    said = []
    if n_known < LEAST_DOCUMENTS:
        said.append(
            f"A curve needs {LEAST_DOCUMENTS} texts with a true label; there are {n_known}."
        )
    if not variants:
        said.append("Choose at least one model for the curves.")
    if not rates or not all(0 < rate < 1 for rate in rates):
        said.append("Supervision rates lie between 0 and 100 %, both left out.")
    if not 1 <= n_sets <= MOST_SETS:
        said.append(f"Choose 1 to {MOST_SETS} sets of labels.")
    return said


def study_rates(
    material: Material,
    *,
    variants: Sequence[Variant] = (WEIGHTED, UNWEIGHTED, PLAIN),
    rates: Sequence[float] = RATES,
    n_sets: int = 5,
    seed: int = 0,
    report: Report | None = None,
) -> RateStudy:
    """Fit every variant at every rate to ``n_sets`` random sets of labelled documents.

    As many topics as there are labels; sets grow with the rate, so curves of one set compare.
    """
    truth = material.truth
    n_known = None if truth is None else int(truth.labelled.sum())
    said = rate_refusals(variants, rates, n_sets, n_known)
    if said or truth is None:
        raise ModelError(said[0])
    judged = np.flatnonzero(truth.labelled)
    rng = np.random.default_rng(seed)
    plan = _plan(variants, sorted(rates), n_sets)
    clock = Clock([((v.title, rate), v.spec.model) for _, v, rate in plan], report)
    bench = _Bench(material, truth, judged, [rng.permutation(judged) for _ in range(n_sets)], clock)
    return RateStudy(
        points=tuple(_point(bench, *each) for each in plan),
        rates=tuple(sorted(rates)),
        n_sets=n_sets,
        n_docs=int(judged.size),
        n_labels=truth.n_labels,
    )


@dataclass(frozen=True)
class _Bench:
    """What all fits of a study share."""

    material: Material
    truth: Supervision
    judged: np.ndarray  # documents with a true label
    orders: list[np.ndarray]  # in which they are labelled, one for each set
    clock: Clock


def _plan(
    variants: Sequence[Variant], rates: Sequence[float], n_sets: int
) -> list[tuple[int, Variant, float]]:
    return [
        (number, variant, rate)
        for number in range(n_sets)
        for variant in variants
        for rate in (rates if variant.supervised else (0.0,))
    ]


def _point(bench: _Bench, number: int, variant: Variant, rate: float) -> Point:
    truth, judged = bench.truth, bench.judged
    told = bench.orders[number][: max(1, round(rate * judged.size)) if rate else 0]
    supervision = without(truth, np.setdiff1d(np.arange(truth.n_docs), told))
    spec = ModelSpec(variant.spec.model, truth.n_labels, number, variant.spec.options)
    matrix = bench.material.matrix_for(spec)
    bench.clock.begin(f"{variant.title} at {100 * rate:.0f} %" if rate else variant.title)
    topics = fit(matrix, supervision, spec, callback=bench.clock.callback)
    seconds = bench.clock.end()
    everywhere, elsewhere = (
        match_topics(topics.doc_topic, truth.indicator(), label_names=truth.names, rows=rows)
        for rows in (judged, np.setdiff1d(judged, told))
    )
    some = elsewhere.n_labels > 0
    return Point(
        variant=variant.title,
        rate=rate,
        set=number,
        jaccard=everywhere.mean_jaccard,
        resolved=everywhere.n_resolved / max(everywhere.n_labels, 1),
        jaccard_rest=elsewhere.mean_jaccard if some else None,
        resolved_rest=elsewhere.n_resolved / elsewhere.n_labels if some else None,
        coverage=float((np.bincount(supervision.permitted.indices) > 0).sum() / truth.n_labels),
        seconds=seconds,
    )


def sampled(material: Material, most: int, seed: int = 0) -> Material:
    """The same with at most so many documents, drawn at random: curves need no more."""
    n_docs = material.supervision.n_docs
    if n_docs <= most:
        return material
    rows = np.sort(np.random.default_rng(seed).choice(n_docs, most, replace=False))
    return Material(
        supervision=_some_labels(material.supervision, rows),
        matrix=_some_documents(material.matrix, rows),
        counts=None if material.counts is None else _some_documents(material.counts, rows),
        truth=None if material.truth is None else _some_labels(material.truth, rows),
    )


def _some_documents(matrix: DocumentTermMatrix, rows: np.ndarray) -> DocumentTermMatrix:
    X = matrix.X[rows]
    ids = tuple(matrix.doc_ids[i] for i in rows)
    return replace(
        matrix,
        X=X,
        doc_ids=ids,
        document_frequency=np.bincount(X.indices, minlength=X.shape[1]),
        fingerprint=f"{matrix.fingerprint}-{rows.size}",
        empty=tuple(int(i) for i in np.flatnonzero(np.diff(X.indptr) == 0)),
    )


def _some_labels(supervision: Supervision, rows: np.ndarray) -> Supervision:
    return Supervision(
        names=supervision.names,
        permitted=supervision.permitted[rows],
        forbidden=supervision.forbidden[rows],
        nothing_fits=supervision.nothing_fits[rows],
        confidence=supervision.confidence[rows],
        hierarchy=supervision.hierarchy,
    )
