"""Scores of the current run, counted in the second process. Knows the engine and the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import combinations
from typing import Any

from core import progress, scoring
from core.descent import Progress
from core.errors import Cancelled
from core.fitting import fit
from core.forecast import Forecast, coverage, forecast, learning_curve
from core.held_out import held_out
from core.levels import with_levels
from core.matrix import DocumentTermMatrix
from core.metrics import compare_fits, topic_coherence
from core.metrics.matching import match_topics
from core.namesakes import with_namesakes
from core.progress import Judged, Point, Verdict
from core.scoring import Judgement, Score
from core.steering import Steering
from core.store import Project, ProjectSettings, Run, Store, evaluations, replay
from core.supervision import Supervision
from core.topics import Topics
from tsnmf_ui import worker
from tsnmf_ui.follow_up import Steps

Report = Callable[[float], bool]
STOPPED = "The scores were not counted to the end; the earlier ones are unchanged."
SEEDS = 5


def evaluate(store: Store, project_id: int, arguments: Mapping[str, Any], report: Report) -> Any:
    """Score the current run, keep what was found, and say which run it was."""
    run = store.current_run(project_id)
    if run is None:
        return None
    project, matrix, topics, said = _inputs(store, run)
    _go_on(report, 0.1)
    true = truth_of(store, project)
    judged = _judged(store, project, (matrix, topics, said), true, run, report)
    scores = {} if judged is None else scoring.score_judgement(judged)
    _go_on(report, 0.7)
    scores |= scoring.describe(topics, said, matrix if topics.terms == matrix.terms else None)
    _go_on(report, 0.8)
    foreseen = _foreseen(matrix, said)
    _go_on(report, 0.95)
    point = _point(run, "held_out" if true is None else "truth", scores, foreseen)
    hits = None if judged is None else Judged(judged.positions, scoring.right_first(judged))
    tables = {
        "labels": _label_table(judged),
        "coverage": _coverage_table(topics, said, run),
        "coherence": _coherence_table(topics, matrix),
        "verdict": _verdict(store, project_id, point, hits),
        "judged": 0 if judged is None else judged.n,
        "locked": _n_locked(store, run) if true is None else 0,
    }
    evaluations.keep(store.home, point, project_id, tables, hits)
    return run.id


def over_seeds(store: Store, project_id: int, arguments: Mapping[str, Any], report: Report) -> Any:
    """Fit the current run again from other random starts, and compare what comes out."""
    run = store.current_run(project_id)
    if run is None:
        return None
    project, matrix, _, said = _inputs(store, run)
    true, n = truth_of(store, project), int(arguments.get("seeds", SEEDS))
    groups = worker.groups_of(store, project)
    heard = with_levels(said, groups, tuple(groups))
    again = partial(_refitted, run, matrix, said, heard, _steering(store, run))
    fits = [again(seed + 1, _part(report, seed, n)) for seed in range(n)]
    pairs = [
        compare_fits((a.doc_topic, a.topic_term), (b.doc_topic, b.topic_term))
        for a, b in combinations(fits, 2)
    ]
    found = {
        "run": run.id,
        "labelled": int(said.labelled.sum()),
        "seeds": n,
        "finished": datetime.now(UTC).isoformat(),
        "words": [pair.word_overlap for pair in pairs],
        "documents": [pair.document_agreement for pair in pairs],
        "scores": _seed_scores(fits, said, true),
    }
    evaluations.keep_seeds(store.home, project_id, found)
    return run.id


def supervision_at(store: Store, run: Run, n_docs: int) -> Supervision:
    """What people had said when the run began, whatever they have said since."""
    if store.revision(run.project) == run.revision:
        named, annotations = store.topics(run.project), store.annotations(run.project)
    else:
        events = (e for e in store.events(run.project) if e.id <= run.revision)
        then = replay(events)
        named, annotations = list(then.topics), then.annotations
    return worker.supervision_of(n_docs, named, annotations)


def truth_of(store: Store, project: Project) -> Supervision | None:
    """The labels that came with the corpus, if they are declared to be the truth."""
    if not project.settings.truth:
        return None
    truth = worker.truth_of(store, project.id)
    return truth if truth.n_labels else None


def _inputs(store: Store, run: Run) -> tuple[Project, DocumentTermMatrix, Topics, Supervision]:
    """The project as it was set when the run began, and what went in and came out."""
    settings = ProjectSettings.from_dict(run.settings)
    project = replace(store.project(run.project), settings=settings)
    matrix, topics = worker.matrix_of(store, project), store.run_topics(run)
    return project, matrix, topics, supervision_at(store, run, len(matrix.doc_ids))


def _go_on(report: Report, share: float) -> None:
    if report(share):
        raise Cancelled(STOPPED)


def _part(report: Report, done: int, of: int) -> Report:
    return lambda share: report((done + share) / of)


def _steering(store: Store, run: Run) -> Steering[str] | None:
    """What people say about words, for models that hear it."""
    return Steps.of(store, run.project).steering if run.spec.obeys else None


def _n_locked(store: Store, run: Run) -> int:
    """Topics whose lock the fits that keep labels aside leave out."""
    said = _steering(store, run)
    return 0 if said is None else len(said.held)


def _judged(
    store: Store,
    project: Project,
    inputs: tuple[DocumentTermMatrix, Topics, Supervision],
    true: Supervision | None,
    run: Run,
    report: Report,
) -> Judgement | None:
    """Documents with a truth that nobody labelled; without truth, every label once kept aside."""
    matrix, topics, said = inputs
    if true is not None:
        judged = scoring.judge(topics, said, true)
        return judged if judged.n else None
    return held_out(
        matrix,
        said,
        run.spec,
        steering=_steering(store, run),
        groups=worker.groups_of(store, project),
        report=lambda share: report(0.1 + 0.6 * share),
    )


def _foreseen(matrix: DocumentTermMatrix, said: Supervision) -> Forecast | None:
    curve = learning_curve(matrix.X, said)
    return None if curve is None else forecast(curve)


def _point(run: Run, basis: str, scores: Mapping[str, Score], foreseen: Forecast | None) -> Point:
    change = run.scores.get("change") or {}
    all_scores = dict(scores)
    if change.get("stability") is not None:
        moved = f"{change['moved']:,} texts changed their main topic"
        all_scores["kept_words"] = Score(change["stability"], note=moved)
    return Point(
        run=run.id,
        revision=run.revision,
        labelled=int(run.scores.get("n_labelled", 0)),
        finished=run.finished,
        like=progress.likeness(run, basis),
        basis=basis,
        model=run.spec.model,
        scores={name: [s.value, s.low, s.high, s.note] for name, s in all_scores.items()},
        forecast=None if foreseen is None else _plain_forecast(foreseen),
    )


def _plain_forecast(foreseen: Forecast) -> dict[str, Any]:
    bands = {name: getattr(foreseen, name).tolist() for name in ("expected", "low", "high")}
    return {"now": foreseen.now, "more": list(foreseen.more), **bands}


def _verdict(
    store: Store, project: int, point: Point, hits: Judged | None
) -> dict[str, Any] | None:
    """How the run compares with earlier ones like it, as plain values."""
    if hits is None:
        return None
    earlier = progress.like_points(evaluations.history(store.home, project), point)
    found = ((p.run, evaluations.judged(store.home, project, p.run)) for p in earlier)
    kept = {run: judged for run, judged in found if judged is not None}
    starts = _over_starts(store, project, [*earlier, point])
    told = progress.verdict(point, hits, earlier, kept, starts)
    return None if told is None else _plain_verdict(told)


def _over_starts(store: Store, project: int, like: Sequence[Point]) -> Sequence[float]:
    """Shares right first from other random starts, if fits like these were tried so."""
    tried = evaluations.seeds(store.home, project)
    if tried is None or tried["run"] not in {each.run for each in like}:
        return ()
    return tuple(tried["scores"].get("first") or ())


def _plain_verdict(told: Verdict) -> dict[str, Any]:
    return {
        "kind": told.kind,
        "now": told.now,
        "before": told.before,
        "difference": list(told.difference),
        "luck": told.luck.spread,
        "luck_from": told.luck.source,
        "reference": told.reference.run,
        "since": told.since.run,
    }


def _label_table(judged: Judgement | None) -> list[Any]:
    """Label by label: the topic it found, and how well."""
    if judged is None:
        return []
    found = match_topics(
        judged.doc_topic, judged.truth, label_names=judged.names, topic_names=judged.topic_names
    ).table
    return list(found[found["documents"] > 0].to_dict("records"))


def _coverage_table(topics: Topics, said: Supervision, run: Run) -> list[Any]:
    """How labels are spread over the named topics; nothing if no topic bears a label's name."""
    owners = [said.names.index(n) for n in topics.names[: topics.n_supervised] if n in said.names]
    if not owners or len(owners) < topics.n_supervised:
        return []
    in_order = replace(said, names=tuple(said.names[i] for i in owners))
    in_order = replace(in_order, permitted=said.permitted[:, owners])
    table = coverage(topics, in_order)
    table["id"] = [run.topic_ids[topic] for topic in table["topic"]]
    return list(table.to_dict("records"))


def _coherence_table(topics: Topics, matrix: DocumentTermMatrix) -> list[Any]:
    if topics.terms != matrix.terms:
        return []
    values = topic_coherence(topics.topic_term, matrix.X)
    return [
        {"name": name, "coherence": float(value)}
        for name, value in zip(topics.names, values, strict=True)
    ]


def _refitted(
    run: Run,
    matrix: DocumentTermMatrix,
    said: Supervision,
    heard: Supervision,
    steering: Steering[str] | None,
    seed: int,
    report: Report,
) -> Topics:
    def callback(step: Progress) -> bool:
        return report(step.iteration / step.max_iter)

    spec = replace(run.spec, random_state=run.spec.random_state + seed)
    topics = fit(matrix, heard, spec, callback=callback, steering=steering)
    return topics if spec.obeys else with_namesakes(topics, said)[0]


def _seed_scores(
    fits: Sequence[Topics], said: Supervision, true: Supervision | None
) -> dict[str, list[float]]:
    """Scores against the truth, one per seed; empty without a truth."""
    if true is None:
        return {}
    rows = [scoring.score_run(topics, said, true) for topics in fits]
    wanted = ("first", "jaccard")
    return {name: [row[name].value for row in rows if name in row] for name in wanted}
