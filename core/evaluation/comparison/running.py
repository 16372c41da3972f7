"""Fit every candidate with every seed, score it, and compare the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from core.engine.limits import Steering
from core.errors import ModelError
from core.evaluation.comparison.candidates import (
    Candidate,
    ComparisonInput,
    Judge,
    comparison_problems,
    hold_out_labels,
)
from core.evaluation.comparison.differences import DocumentDifferences, document_differences
from core.evaluation.comparison.fit_timer import FitTimer, Report
from core.evaluation.comparison.values import (
    SECONDS_SCORE,
    CandidatePair,
    Comparison,
    ComparisonEntry,
    TopicWords,
)
from core.evaluation.label_names import name_after_labels
from core.evaluation.scoring import Score, score_run
from core.fitting import fit
from core.insight.topic_titles import topic_titles
from core.supervision import Supervision
from core.topics import Topics

WORDS_PER_TOPIC = 12  # of a topic
MAX_LISTED_OVERALL, MAX_LISTED_PER_PAIR = 200, 50  # documents that differ most


@dataclass(frozen=True)
class SeedTask:
    """The training labels of one seed, and the documents that judge it."""

    seed: int
    training: Supervision
    labels: Supervision | None  # what the judged documents truly carry
    rows: np.ndarray


def compare_models(
    candidates: Sequence[Candidate],
    material: ComparisonInput,
    *,
    seeds: Sequence[int] = (0,),
    judge: Judge = "nothing",
    report: Report | None = None,
) -> tuple[Comparison, list[Topics]]:
    """Scores, words, agreement; and the topics of each candidate with the first seed.

    The judge ``truth`` uses the true labels of unlabelled documents, ``held_out`` a fifth of the
    labelled documents, held out from training (another fifth for each seed; the words shown come
    from a fit to all labels). ``report`` is called with the progress, and cancels by returning
    True.
    """
    problems = comparison_problems(
        candidates,
        material.supervision,
        seeds=seeds,
        judge=judge,
        truth=material.truth is not None,
        levels=material.levels,
        min_candidates=1,
    )
    if problems:
        raise ModelError(problems[0])
    tasks = [_task(material, judge, seed) for seed in seeds]
    fit_timer = FitTimer(_planned_fits(candidates, len(tasks), judge), report)
    scores: list[list[dict[str, Score]]] = [[] for _ in candidates]
    shown: list[Topics] = []
    self_agreement: list[list[float]] = [[] for _ in candidates]
    for task in tasks:
        for place, candidate in enumerate(candidates):
            if candidate.run is not None and task is not tasks[0]:
                continue
            topics, seconds = _fit_candidate(candidate, material, task, fit_timer)
            found = _scores(topics, material, task)
            took = {} if seconds is None else {SECONDS_SCORE: Score(seconds)}
            scores[place].append({**found, **took})
            if task is tasks[0]:
                shown.append(_fit_all_labels(topics, candidate, material, task, fit_timer))
            elif judge != "held_out":
                self_agreement[place].append(document_differences(shown[place], topics).agreement)
    return _make_comparison(
        candidates, material, tasks, judge, scores, shown, self_agreement
    ), shown


def _task(material: ComparisonInput, judge: Judge, seed: int) -> SeedTask:
    supervision = material.supervision
    no_rows = np.arange(0)
    if judge == "held_out":
        training, rows = hold_out_labels(supervision, seed)
        return SeedTask(seed, training, supervision, rows)
    if judge == "truth" and material.truth is not None:
        known = material.truth.labelled
        rows = np.flatnonzero(known & ~supervision.labelled)
        rows = rows if rows.size else np.flatnonzero(known)
        return SeedTask(seed, supervision, material.truth, rows)
    return SeedTask(seed, supervision, None, no_rows)


def _planned_fits(
    candidates: Sequence[Candidate], n_tasks: int, judge: Judge
) -> list[tuple[int, str]]:
    """Which fits will be made, in order."""
    fits: list[tuple[int, str]] = []
    for number in range(n_tasks):
        for place, candidate in enumerate(candidates):
            if candidate.run is None:
                again = 2 if judge == "held_out" and number == 0 else 1
                fits += [(place, candidate.spec.model)] * again
    return fits


def _fit_candidate(
    candidate: Candidate, material: ComparisonInput, task: SeedTask, fit_timer: FitTimer
) -> tuple[Topics, float | None]:
    """The topics, those matched with a label first, and the seconds it took."""
    if candidate.run is not None:
        return material.fitted[candidate.run], None
    spec = replace(candidate.spec, random_state=candidate.spec.random_state + task.seed)
    fit_timer.begin(candidate.title)
    topics = fit(
        material.matrix_for(spec),
        material.supervision_for(spec, task.training),
        spec,
        callback=fit_timer.callback,
        steering=_steering(material, task) if spec.labels_own_topics else None,
    )
    seconds = fit_timer.end()
    return (topics if spec.labels_own_topics else name_after_labels(topics, task.training)), seconds


def _steering(material: ComparisonInput, task: SeedTask) -> Steering[Any] | None:
    """What people said about words; no locks where labels are held out, which shaped them."""
    steering = material.steering
    if steering is None or task.training is material.supervision:
        return steering
    return steering.unlocked()


def _fit_all_labels(
    topics: Topics,
    candidate: Candidate,
    material: ComparisonInput,
    task: SeedTask,
    fit_timer: FitTimer,
) -> Topics:
    """The topics that are shown, and may become current, are fitted to every label."""
    if candidate.run is not None or task.training is material.supervision:
        return topics
    whole = replace(task, training=material.supervision)
    return _fit_candidate(candidate, material, whole, fit_timer)[0]


def _scores(topics: Topics, material: ComparisonInput, task: SeedTask) -> dict[str, Score]:
    """An earlier run may have had other labels and other words; then those are not judged."""
    matrix = material.matrix_for(topics.spec)
    training = task.training
    if topics.spec.labels_own_topics and topics.label_keys != training.keys:
        if set(topics.label_keys) == set(training.keys):
            topics = _in_order_of(topics, training)
        else:
            training = Supervision.none(training.n_docs)
    same_words = topics.terms == matrix.terms
    used = _without_unused_topics(topics)
    return score_run(used, training, task.labels, matrix if same_words else None, rows=task.rows)


def _in_order_of(topics: Topics, labels: Supervision) -> Topics:
    """The same topics, those of the labels in the labels' order."""
    own = [topics.columns[key] for key in labels.keys]
    return topics.picked([*own, *range(topics.n_supervised, len(topics))])


def _without_unused_topics(topics: Topics) -> Topics:
    """Leave out free topics that no document uses: they have no words to judge."""
    used = np.asarray(topics.doc_topic.any(axis=0))
    used[: topics.n_supervised] = True
    if used.all() or not used.any():
        return topics
    return replace(topics.picked(np.flatnonzero(used).tolist()), groups=None)


def _make_comparison(
    candidates: Sequence[Candidate],
    material: ComparisonInput,
    tasks: Sequence[SeedTask],
    judge: Judge,
    scores: list[list[dict[str, Score]]],
    shown: list[Topics],
    self_agreement: list[list[float]],
) -> Comparison:
    entries = tuple(
        ComparisonEntry(
            title=candidate.title,
            spec=candidate.spec,
            run=candidate.run,
            scores=_by_name(scores[place]),
            topics=_words(shown[place], material.supervision),
            intervals=_intervals(scores[place][0]),
            agreement=float(np.mean(self_agreement[place])) if self_agreement[place] else None,
        )
        for place, candidate in enumerate(candidates)
    )
    pairs, documents = _differences(shown)
    listed = {at for at, _ in documents} | {at for pair in pairs for at, _ in pair.documents}
    return Comparison(
        entries=entries,
        pairs=pairs,
        seeds=tuple(int(task.seed) for task in tasks),
        judge=judge,
        n_judged=int(tasks[0].rows.size),
        n_judged_labels=_n_judged_labels(tasks[0]),
        n_labelled=int(material.supervision.labelled.sum()),
        n_docs=material.supervision.n_docs,
        documents=documents,
        mains={at: tuple(_main(topics, at) for topics in shown) for at in sorted(listed)},
    )


def _n_judged_labels(task: SeedTask) -> int:
    if task.labels is None:
        return 0
    return int(np.unique(task.labels.permitted[task.rows].indices).size)


def _by_name(rows: list[dict[str, Score]]) -> dict[str, tuple[float | None, ...]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {n: tuple(row[n].value if n in row else None for row in rows) for n in names}


def _intervals(scores: dict[str, Score]) -> dict[str, tuple[float, float]]:
    return {
        name: (score.low, score.high)
        for name, score in scores.items()
        if score.low is not None and score.high is not None
    }


def _words(topics: Topics, supervision: Supervision) -> tuple[TopicWords, ...]:
    weight = topics.shares().sum(axis=0)
    share = weight / max(float(weight.sum()), 1e-12)
    label = {key: place for place, key in enumerate(supervision.keys)}
    return tuple(
        TopicWords(
            name=name,
            label=label.get(topics.keys[topic]) if topic < topics.n_supervised else None,
            share=float(share[topic]),
            words=tuple((term, float(w)) for term, w in topics.top_terms(topic, WORDS_PER_TOPIC)),
        )
        for topic, name in enumerate(topic_titles(topics))
    )


def _differences(
    shown: Sequence[Topics],
) -> tuple[tuple[CandidatePair, ...], tuple[tuple[int, float], ...]]:
    """Every pair, and the documents on which they differ most on average."""
    pairs, total = [], np.zeros(shown[0].doc_topic.shape[0])
    for first, second in combinations(range(len(shown)), 2):
        found = document_differences(shown[first], shown[second])
        total += found.distance
        pairs.append(_pair(first, second, found))
    mean = total / max(len(pairs), 1)
    order = np.argsort(-mean, kind="stable")[:MAX_LISTED_OVERALL]
    return tuple(pairs), tuple((int(i), float(mean[i])) for i in order if mean[i] > 0)


def _pair(first: int, second: int, found: DocumentDifferences) -> CandidatePair:
    documents = tuple(found.furthest(MAX_LISTED_PER_PAIR))
    return CandidatePair(first, second, found.agreement, found.pairs, documents)


def _main(topics: Topics, position: int) -> tuple[int, float]:
    """The strongest topic of a document and its share."""
    shares = topics.shares()[position]
    best = int(shares.argmax())
    return best, float(shares[best])
