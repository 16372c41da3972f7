"""Fit every candidate with every seed, score it, and hold the results side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from core.comparison.candidates import Candidate, Judge, Material, refusals, split
from core.comparison.clock import Clock, Report
from core.comparison.contrasts import Contrast, contrast
from core.comparison.values import SECONDS, Comparison, Entry, Pair, TopicWords
from core.errors import ModelError
from core.fitting import fit
from core.namesakes import with_namesakes
from core.scoring import Score, score_run
from core.steering import Steering
from core.supervision import Supervision
from core.topics import Topics

WORDS = 12  # of a topic
OVERALL, PER_PAIR = 200, 50  # documents that are listed


@dataclass(frozen=True)
class Task:
    """The labels of one seed, and the documents that judge it."""

    seed: int
    told: Supervision
    labels: Supervision | None  # what the judged documents truly carry
    rows: np.ndarray


def compare_models(
    candidates: Sequence[Candidate],
    material: Material,
    *,
    seeds: Sequence[int] = (0,),
    judge: Judge = "nothing",
    report: Report | None = None,
) -> tuple[Comparison, list[Topics]]:
    """Scores, words, agreement; and the topics of each candidate with the first seed.

    The judge ``truth`` asks about the documents nobody labelled, ``held_out`` about a fifth of the
    labelled ones that the models are not told (another fifth for each seed; the words shown come
    from a fit to all labels). ``report`` hears how far it is, and cancels by returning True.
    """
    said = refusals(
        candidates,
        material.supervision,
        seeds=seeds,
        judge=judge,
        truth=material.truth is not None,
        levels=material.levels,
        least=1,
    )
    if said:
        raise ModelError(said[0])
    tasks = [_task(material, judge, seed) for seed in seeds]
    clock = Clock(_plan(candidates, len(tasks), judge), report)
    scores: list[list[dict[str, Score]]] = [[] for _ in candidates]
    shown: list[Topics] = []
    itself: list[list[float]] = [[] for _ in candidates]
    for task in tasks:
        for place, candidate in enumerate(candidates):
            if candidate.run is not None and task is not tasks[0]:
                continue
            topics, seconds = _fitted(candidate, material, task, clock)
            found = _scores(topics, material, task)
            took = {} if seconds is None else {SECONDS: Score(seconds)}
            scores[place].append({**found, **took})
            if task is tasks[0]:
                shown.append(_on_all_labels(topics, candidate, material, task, clock))
            elif judge != "held_out":
                itself[place].append(contrast(shown[place], topics).agreement)
    return _together(candidates, material, tasks, judge, scores, shown, itself), shown


def _task(material: Material, judge: Judge, seed: int) -> Task:
    supervision = material.supervision
    nobody = np.arange(0)
    if judge == "held_out":
        told, rows = split(supervision, seed)
        return Task(seed, told, supervision, rows)
    if judge == "truth" and material.truth is not None:
        known = material.truth.labelled
        rows = np.flatnonzero(known & ~supervision.labelled)
        rows = rows if rows.size else np.flatnonzero(known)
        return Task(seed, supervision, material.truth, rows)
    return Task(seed, supervision, None, nobody)


def _plan(candidates: Sequence[Candidate], n_tasks: int, judge: Judge) -> list[tuple[int, str]]:
    """Which fits will be made, in order."""
    plan: list[tuple[int, str]] = []
    for round_ in range(n_tasks):
        for place, candidate in enumerate(candidates):
            if candidate.run is None:
                again = 2 if judge == "held_out" and round_ == 0 else 1
                plan += [(place, candidate.spec.model)] * again
    return plan


def _fitted(
    candidate: Candidate, material: Material, task: Task, clock: Clock
) -> tuple[Topics, float | None]:
    """The topics with those that stand for a label first, and the seconds it took."""
    if candidate.run is not None:
        return material.fitted[candidate.run], None
    spec = replace(candidate.spec, random_state=candidate.spec.random_state + task.seed)
    clock.begin(candidate.title)
    topics = fit(
        material.matrix_for(spec),
        material.heard(spec, task.told),
        spec,
        callback=clock.callback,
        steering=_steering(material, task) if spec.obeys else None,
    )
    seconds = clock.end()
    return (topics if spec.obeys else with_namesakes(topics, task.told)[0]), seconds


def _steering(material: Material, task: Task) -> Steering[str] | None:
    """What people said about words; no locks where labels are kept aside, which shaped them."""
    said = material.steering
    return said if said is None or task.told is material.supervision else said.unlocked()


def _on_all_labels(
    topics: Topics, candidate: Candidate, material: Material, task: Task, clock: Clock
) -> Topics:
    """What is shown and may become current has heard every label."""
    if candidate.run is not None or task.told is material.supervision:
        return topics
    whole = replace(task, told=material.supervision)
    return _fitted(candidate, material, whole, clock)[0]


def _scores(topics: Topics, material: Material, task: Task) -> dict[str, Score]:
    """An earlier run may have heard other labels and read other words; that much is not judged."""
    matrix = material.matrix_for(topics.spec)
    told = task.told
    if topics.spec.obeys and topics.names[: topics.n_supervised] != told.names:
        told = Supervision.none(told.n_docs)
    same_words = topics.terms == matrix.terms
    used = _used(topics)
    return score_run(used, told, task.labels, matrix if same_words else None, rows=task.rows)


def _used(topics: Topics) -> Topics:
    """Without free topics that no document uses: they have no words to judge."""
    used = np.asarray(topics.doc_topic.any(axis=0))
    used[: topics.n_supervised] = True
    if used.all() or not used.any():
        return topics
    return replace(
        topics,
        doc_topic=topics.doc_topic[:, used],
        topic_term=topics.topic_term[used],
        names=tuple(name for name, kept in zip(topics.names, used, strict=True) if kept),
        groups=None,
    )


def _together(
    candidates: Sequence[Candidate],
    material: Material,
    tasks: Sequence[Task],
    judge: Judge,
    scores: list[list[dict[str, Score]]],
    shown: list[Topics],
    itself: list[list[float]],
) -> Comparison:
    entries = tuple(
        Entry(
            title=candidate.title,
            spec=candidate.spec,
            run=candidate.run,
            scores=_by_name(scores[place]),
            topics=_words(shown[place], material.supervision),
            intervals=_intervals(scores[place][0]),
            agreement=float(np.mean(itself[place])) if itself[place] else None,
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


def _n_judged_labels(task: Task) -> int:
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
    label = {name: place for place, name in enumerate(supervision.names)}
    return tuple(
        TopicWords(
            name=name,
            label=label.get(name) if topic < topics.n_supervised else None,
            share=float(share[topic]),
            words=tuple((term, float(w)) for term, w in topics.top_terms(topic, WORDS)),
        )
        for topic, name in enumerate(topics.names)
    )


def _differences(
    shown: Sequence[Topics],
) -> tuple[tuple[Pair, ...], tuple[tuple[int, float], ...]]:
    """Every pair, and the documents on which they differ most on average."""
    pairs, total = [], np.zeros(shown[0].doc_topic.shape[0])
    for first, second in combinations(range(len(shown)), 2):
        found = contrast(shown[first], shown[second])
        total += found.distance
        pairs.append(_pair(first, second, found))
    mean = total / max(len(pairs), 1)
    order = np.argsort(-mean, kind="stable")[:OVERALL]
    return tuple(pairs), tuple((int(i), float(mean[i])) for i in order if mean[i] > 0)


def _pair(first: int, second: int, found: Contrast) -> Pair:
    documents = tuple(found.furthest(PER_PAIR))
    return Pair(first, second, found.agreement, found.pairs, documents)


def _main(topics: Topics, position: int) -> tuple[int, float]:
    """The strongest topic of a document and its share."""
    shares = topics.shares()[position]
    best = int(shares.argmax())
    return best, float(shares[best])
