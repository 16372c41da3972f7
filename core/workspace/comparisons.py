"""Compare models on a project's documents and labels, and make one of them the project's model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.evaluation.comparison import (
    Candidate,
    ComparisonInput,
    Judge,
    Variant,
    compare_models,
    comparison_problems,
    rate_study_problems,
    study_rates,
)
from core.evaluation.comparison.fit_timer import Report
from core.evaluation.comparison.rates import sample_documents
from core.matrix import DocumentTermMatrix
from core.spec import COUNT_MODELS, ModelSpec
from core.store import Project, ProjectSettings, Run, RunOutcome, Store, Topic
from core.store.runs import comparisons
from core.supervision import Supervision
from core.topics import Topics
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.matrices import matrix_of
from core.workspace.refits.inputs import in_order_of_documents, supervision_of, truth_of
from core.workspace.refits.refit import in_order_of_project
from core.workspace.refits.run_scores import scores_of
from core.workspace.refits.save_run import save_run

RATE_SAMPLE = 10_000  # documents that supervision-rate curves are drawn from
MAX_TITLE = 100  # letters of a run's title on the log


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest:
    """A comparison to make, as plain values that can be sent to another process."""

    project: int
    kind: str  # models, rates
    title: str
    author: str
    candidates: tuple[dict[str, Any], ...] = ()  # title, spec, run
    seeds: tuple[int, ...] = (0,)
    judge: Judge = "nothing"
    variants: tuple[dict[str, Any], ...] = ()  # title, spec, supervised
    rates: tuple[float, ...] = ()
    n_sets: int = 5

    @property
    def chosen(self) -> list[Candidate]:
        return [
            Candidate(each["title"], ModelSpec.from_dict(each["spec"]), each["run"])
            for each in self.candidates
        ]

    @property
    def curves(self) -> list[Variant]:
        return [
            Variant(each["title"], ModelSpec.from_dict(each["spec"]), each["supervised"])
            for each in self.variants
        ]


def compare(store: Store, request: ComparisonRequest, report: Report | None = None) -> int:
    """Fit and compare what is asked for, and keep the result; its number."""
    begun = time.perf_counter()
    project, revision = store.project(request.project), store.revision(request.project)
    named = store.topics(project.id)
    material = _material(store, project, named, request)
    about: dict[str, Any] = {
        "kind": request.kind,
        "title": request.title,
        "revision": revision,
        "author": request.author,
    }
    found, topics = _results(request, material, report)
    if request.kind == "models":
        about["topic_ids"] = [each.label_keys for each in topics]
    about["seconds"] = time.perf_counter() - begun
    return comparisons.save(store.home, project.id, about, found, topics)


def refusals_of(store: Store, request: ComparisonRequest) -> list[str]:
    """Sentences that say why a comparison cannot work; none if it can."""
    project = store.project(request.project)
    truth = project.settings.has_truth
    if request.kind == "rates":  # how many true labels there are is known once the corpus is read
        most = project.n_docs if truth else None
        return rate_study_problems(request.curves, request.rates, request.n_sets, most)
    gone = [
        f"{each.title} is no longer kept; fit it again."
        for each in request.chosen
        if each.run is not None and not store.run(project.id, each.run).factors.exists()
    ]
    refused = comparison_problems(
        request.chosen,
        _supervision(store, project, store.topics(project.id)),
        seeds=request.seeds,
        judge=request.judge,
        truth=truth,
        levels=project.settings.levels,
    )
    return refused + gone


def use_candidate(
    store: Store, project: Project, number: int, place: int, *, author: str, title: str
) -> Run:
    """Make a candidate of a comparison the project's model, and its topics the current run."""
    kept = comparisons.summary(store.home, project.id, number)
    topics = comparisons.load_topics(store.home, project.id, number, place)
    topics = topics.of_documents(corpus_of(store, project.id, texts=False).ids)
    supervision = _supervision(store, project, store.topics(project.id))
    settings = _settings_with(project, topics)
    run = save_run(
        store,
        project.id,
        revision=_noted(store, project.id, kept.revision, author, title),
        topics=in_order_of_project(topics, store.topics(project.id)),
        outcome=RunOutcome(
            scores=scores_of(store, project, topics, supervision),
            vectors=matrix_of(store, project).vectors_fingerprint,
        ),
        seconds=topics.trace.seconds,
        settings=settings,
        automatic=False,
    )
    store.update_settings(project.id, settings)
    return run


def use_run(store: Store, project: Project, number: int, *, author: str, title: str) -> Run:
    """Make an earlier run current again, with the settings it was made under."""
    earlier = store.run(project.id, number)
    topics = store.run_topics(earlier)
    settings = ProjectSettings.from_dict(earlier.settings)
    run = save_run(
        store,
        project.id,
        revision=_noted(store, project.id, earlier.revision, author, title),
        topics=topics,
        outcome=replace(earlier.outcome, change=None, verdicts=()),  # it was no refit
        seconds=earlier.seconds,
        settings=settings,
        automatic=False,
    )
    store.update_settings(project.id, settings)
    return run


def _results(
    request: ComparisonRequest, material: ComparisonInput, report: Report | None
) -> tuple[dict[str, Any], list[Topics]]:
    if request.kind == "rates":
        study = study_rates(
            sample_documents(material, RATE_SAMPLE),
            variants=request.curves,
            rates=request.rates,
            n_sets=request.n_sets,
            report=report,
        )
        return study.to_dict(), []
    comparison, topics = compare_models(
        request.chosen, material, seeds=request.seeds, judge=request.judge, report=report
    )
    return comparison.to_dict(), topics


def _material(
    store: Store, project: Project, named: Sequence[Topic], request: ComparisonRequest
) -> ComparisonInput:
    specs = [each.spec for each in request.chosen] + [each.spec for each in request.curves]
    counts = any(spec.model in COUNT_MODELS for spec in specs)
    runs = [each.run for each in request.chosen if each.run is not None]
    levels = project.settings.levels
    return ComparisonInput(
        supervision=_supervision(store, project, named),
        matrix=_matrix(store, project, ModelSpec("nmf")),
        counts=_matrix(store, project, ModelSpec("lda")) if counts else None,
        truth=truth_of(store, project),
        fitted={number: store.run_topics(store.run(project.id, number)) for number in runs},
        steering=store.word_rules(project.id).topics,
        side=corpus_of(store, project.id, texts=False).side if levels else {},
        levels=levels,
    )


def _supervision(store: Store, project: Project, named: Sequence[Topic]) -> Supervision:
    """The labels as a refit of the project reads them, so that the same seed gives the same fit."""
    annotations, codebook = store.annotations(project.id), store.codebook(project.id)
    if project.settings.spec.labels_own_topics:
        named = in_order_of_documents(named, annotations)
    return supervision_of(project.n_docs, named, annotations, codebook)


def _matrix(store: Store, project: Project, spec: ModelSpec) -> DocumentTermMatrix:
    """The project's matrix as a model of this kind reads it."""
    return matrix_of(store, replace(project, settings=replace(project.settings, spec=spec)))


def _noted(store: Store, project: int, revision: int, author: str, title: str) -> int:
    """Note it on the log; how far the run knows the log, which then goes on by that note."""
    note = store.note_run(project, title[:MAX_TITLE], author=author)
    return note.id if revision == note.id - 1 else revision


def _settings_with(project: Project, topics: Topics) -> ProjectSettings:
    """The project's settings with this model; where labels own topics, the rest are free."""
    spec = topics.spec
    if not spec.labels_own_topics:
        return replace(project.settings, spec=spec)
    n_free = max(0, (spec.n_topics or len(topics)) - topics.n_supervised)
    return replace(project.settings, spec=replace(spec, n_topics=None), n_free=n_free)
