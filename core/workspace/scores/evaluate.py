"""Scores of the last run that rests, counted in the second process; previews are not scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from typing import Any

from core.engine.descent import Progress
from core.engine.gibbs.levels import with_levels
from core.engine.limits import Steering
from core.errors import Cancelled
from core.evaluation import progress, scoring
from core.evaluation.forecast import Forecast, forecast, learning_curve
from core.evaluation.held_out import cross_validate
from core.evaluation.label_names import name_after_labels
from core.evaluation.metrics import compare_fits
from core.evaluation.progress import DocumentHits, EvaluatedRun
from core.evaluation.scoring import HeldOutDocuments, Score
from core.fitting import fit
from core.guide.descriptions import describe_labels
from core.matrix import DocumentTermMatrix
from core.store import Project, ProjectSettings, Run, Store, replay
from core.store.runs import evaluations
from core.supervision import Supervision
from core.topics import Topics
from core.workspace.caches.matrices import matrix_of
from core.workspace.refits.inputs import groups_of, supervision_of, truth_of
from core.workspace.scores.tables import coherence_table, coverage_table, label_table

Report = Callable[[float], bool]
SCORES_STOPPED = "Scoring was stopped; the earlier scores are unchanged."
DEFAULT_SEEDS = 5


def evaluate(store: Store, project_id: int, arguments: Mapping[str, Any], report: Report) -> Any:
    """Score the last run that rests, keep what was found, and say which run it was."""
    run = _run_of_these_texts(store, project_id)
    if run is None:
        return None
    project, matrix, topics, supervision = _inputs(store, run)
    _go_on(report, 0.1)
    true = truth_of(store, project)
    judged = _judged(store, project, (matrix, topics, supervision), true, run, report)
    scores = {} if judged is None else scoring.score_held_out(judged)
    _go_on(report, 0.7)
    scores |= scoring.describe_topics(
        topics, supervision, matrix if topics.terms == matrix.terms else None
    )
    _go_on(report, 0.8)
    expected = _forecast_of(matrix, supervision, _steering(store, run))
    _go_on(report, 0.95)
    point = _point(run, "held_out" if true is None else "truth", scores, expected)
    hits = (
        None
        if judged is None
        else DocumentHits(judged.positions, scoring.main_topic_is_right(judged))
    )
    tables = {
        "labels": label_table(judged, topics if true is not None else None),
        "coverage": coverage_table(topics, supervision),
        "coherence": coherence_table(topics, matrix),
        "judged": 0 if judged is None else judged.n,
        "locked": _n_locked(store, run) if true is None else 0,
    }
    evaluations.save(store.home, point, project_id, tables, hits)
    return run.id


def over_seeds(store: Store, project_id: int, arguments: Mapping[str, Any], report: Report) -> Any:
    """Fit the current run again from other random starts, and compare what comes out."""
    run = _run_of_these_texts(store, project_id)
    if run is None:
        return None
    project, matrix, _, supervision = _inputs(store, run)
    true, n = truth_of(store, project), int(arguments.get("seeds", DEFAULT_SEEDS))
    groups = groups_of(store, project)
    with_groups = with_levels(supervision, groups, tuple(groups))
    again = partial(_refitted, run, matrix, supervision, with_groups, _steering(store, run))
    fits = [again(seed + 1, _part(report, seed, n)) for seed in range(n)]
    pairs = [
        compare_fits((a.doc_topic, a.topic_term), (b.doc_topic, b.topic_term))
        for a, b in combinations(fits, 2)
    ]
    found = {
        "run": run.id,
        "labelled": int(supervision.labelled.sum()),
        "seeds": n,
        "finished": datetime.now(UTC).isoformat(),
        "words": [pair.word_overlap for pair in pairs],
        "documents": [pair.document_agreement for pair in pairs],
        "scores": _seed_scores(fits, supervision, true),
    }
    evaluations.save_seeds(store.home, project_id, found)
    return run.id


def _run_of_these_texts(store: Store, project: int) -> Run | None:
    """The last run that rests; None if texts came after it, for the next fit reads them, too."""
    run = store.resting_run(project)
    return None if run is None or run.revision < store.texts_revision(project) else run


def supervision_at(store: Store, run: Run, n_docs: int) -> Supervision:
    """The annotations in force when the run began, whatever people did since."""
    if store.revision(run.project) == run.revision:
        named, annotations = store.topics(run.project), store.annotations(run.project)
        book = store.codebook(run.project)
    else:
        events = (e for e in store.events(run.project) if e.id <= run.revision)
        then = replay(events)
        named, annotations, book = list(then.topics), then.annotations, then.codebook
    return supervision_of(n_docs, named, annotations, book)


def _inputs(store: Store, run: Run) -> tuple[Project, DocumentTermMatrix, Topics, Supervision]:
    """The project as it was set when the run began, and what went in and came out."""
    settings = ProjectSettings.from_dict(run.settings)
    project = replace(store.project(run.project), settings=settings)
    matrix, topics = matrix_of(store, project), store.run_topics(run)
    return project, matrix, topics, supervision_at(store, run, len(matrix.doc_ids))


def _go_on(report: Report, share: float) -> None:
    if report(share):
        raise Cancelled(SCORES_STOPPED)


def _part(report: Report, done: int, of: int) -> Report:
    return lambda share: report((done + share) / of)


def _steering(store: Store, run: Run) -> Steering[int] | None:
    """What people say about words, for models that hear it."""
    return store.word_rules(run.project).topics if run.spec.labels_own_topics else None


def _n_locked(store: Store, run: Run) -> int:
    """Topics whose lock the fits that keep labels aside leave out."""
    steering = _steering(store, run)
    return 0 if steering is None else len(steering.held)


def _judged(
    store: Store,
    project: Project,
    inputs: tuple[DocumentTermMatrix, Topics, Supervision],
    true: Supervision | None,
    run: Run,
    report: Report,
) -> HeldOutDocuments | None:
    """Documents with a truth that nobody labelled; without truth, every label once kept aside."""
    matrix, topics, supervision = inputs
    if true is not None:
        judged = scoring.held_out_documents(topics, supervision, true)
        return judged if judged.n else None
    return cross_validate(
        matrix,
        supervision,
        run.spec,
        steering=_steering(store, run),
        groups=groups_of(store, project),
        report=lambda share: report(0.1 + 0.6 * share),
    )


def _forecast_of(
    matrix: DocumentTermMatrix, supervision: Supervision, steering: Steering[int] | None
) -> Forecast | None:
    """What more labels would bring to the guide, which reads vectors, names and codebook, too."""
    rules: Steering[Any] = steering or Steering()
    limits = rules.limits(supervision.keys, matrix.terms)
    curve = learning_curve(
        matrix.X,
        supervision,
        vectors=None if matrix.vectors is None else matrix.vectors.values,
        descriptions=describe_labels(matrix, supervision.descriptions, limits),
    )
    return None if curve is None else forecast(curve)


def _point(
    run: Run, basis: str, scores: Mapping[str, Score], expected: Forecast | None
) -> EvaluatedRun:
    change, all_scores = run.outcome.change, dict(scores)
    if change is not None and change.stability is not None:
        moved = f"{change.moved:,} texts changed their main topic"
        all_scores["kept_words"] = Score(change.stability, note=moved)
    return EvaluatedRun(
        run=run.id,
        revision=run.revision,
        labelled=run.outcome.scores.n_labelled or 0,
        finished=run.finished,
        comparison_key=progress.comparison_key(run, basis),
        basis=basis,
        model=run.spec.model,
        scores={name: [s.value, s.low, s.high, s.note] for name, s in all_scores.items()},
        forecast=None if expected is None else _plain_forecast(expected),
    )


def _plain_forecast(expected: Forecast) -> dict[str, Any]:
    bands = {name: getattr(expected, name).tolist() for name in ("expected", "low", "high")}
    return {"now": expected.now, "more": list(expected.more), **bands}


def _refitted(
    run: Run,
    matrix: DocumentTermMatrix,
    supervision: Supervision,
    with_groups: Supervision,
    steering: Steering[int] | None,
    seed: int,
    report: Report,
) -> Topics:
    def callback(step: Progress) -> bool:
        return report(step.iteration / step.max_iter)

    spec = replace(run.spec, random_state=run.spec.random_state + seed)
    topics = fit(matrix, with_groups, spec, callback=callback, steering=steering)
    return topics if spec.labels_own_topics else name_after_labels(topics, supervision)


def _seed_scores(
    fits: Sequence[Topics], supervision: Supervision, true: Supervision | None
) -> dict[str, list[float]]:
    """Scores against the truth, one per seed; empty without a truth."""
    if true is None:
        return {}
    rows = [scoring.score_run(topics, supervision, true) for topics in fits]
    wanted = ("first", "jaccard")
    return {name: [row[name].value for row in rows if name in row] for name in wanted}
