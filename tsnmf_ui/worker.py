"""What runs in the other process. Knows the engine and the store, no screen."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from threadpoolctl import threadpool_limits

from core import kernels, summaries
from core.corpus import Corpus
from core.descent import Callback, Progress
from core.errors import StudioError
from core.fitting import ModelSpec, fit
from core.groups import but_for_parts, with_names
from core.guide import Guide
from core.levels import GROUPED, columns_of, with_levels
from core.matrix import DocumentTermMatrix, build_matrix
from core.metrics.matching import match_topics
from core.namesakes import with_namesakes, without_namesakes
from core.silencing import without_words
from core.store import Annotation, Project, Run, Store, Topic
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics
from tsnmf_ui import follow_up, measures, prospects

WATCH = 1.0  # seconds between looks at the parent
GIVE_WAY = 10  # how much nicer than the server: a key press comes before a fit
REPORT = 0.1  # seconds between progress reports
MATRICES = 3  # kept in memory
WORDS = 3  # words named as gained or lost in the line about a refit


@dataclass(frozen=True, slots=True)
class Job:
    """A fit to do."""

    number: int
    project: int


class _Process:
    """What this process keeps between jobs."""

    store: Store | None = None
    reports: Any = None
    cancelled: Any = None
    silenced: ClassVar[dict[int, tuple[str, tuple[str, ...], DocumentTermMatrix]]] = {}
    guides: ClassVar[dict[int, tuple[str, Guide | None]]] = {}  # by project, with their matrix


def prepare(parent: int, home: str, reports: Any, cancelled: Any) -> None:
    """Make the process ready before the first job: threads capped, kernels compiled."""
    threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(GIVE_WAY)
    threadpool_limits(1, user_api="blas")  # BLAS and the kernels must not fight over the cores
    _Process.store = Store.open(home=home)  # a database address is inherited with the environment
    _Process.reports, _Process.cancelled = reports, cancelled
    kernels.warm()


def ready() -> int:
    """The process's id, once it is prepared."""
    return os.getpid()


def work(job: Job) -> int:
    """Do a job; the id of the run it made."""
    assert _Process.store is not None
    run = refit(_Process.store, job.project, callback=_reporter(job))
    outline(_Process.store, job.project)
    measure(_Process.store, run)
    return run.id


def outline(store: Store, project_id: int) -> threading.Thread:
    """Make the outline of a project's matrix unless there is one; nobody waits for it."""
    project = store.project(project_id)
    what = (store, matrix_key_of(project), matrix_of(store, project))
    thread = threading.Thread(target=prospects.write_outline, args=what, daemon=True)
    thread.start()
    return thread


def measure(store: Store, run: Run) -> threading.Thread:
    """Measure what the Topics page asks for; nobody waits for it."""
    project = store.project(run.project)
    matrix = matrix_of(store, project)

    def write() -> None:
        measures.write_coherence(store, run, store.run_topics(run), matrix)
        measures.facts_of(store, project)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def refit(store: Store, project_id: int, *, callback: Callback | None = None) -> Run:
    """Fit a project as it is labelled now, from where the last fit ended, and keep the run."""
    begun = time.perf_counter()
    project, revision = store.project(project_id), store.revision(project_id)
    matrix = matrix_of(store, project)
    named, annotations = store.topics(project_id), store.annotations(project_id)
    supervision = supervision_of(len(matrix.doc_ids), named, annotations)
    spec = spec_of(project, named)
    steps = follow_up.Steps.of(store, project_id)
    before = _before(store, project_id, spec)
    start, labels_at = steps.renewed(_usable(before, matrix, steps), supervision.counts())
    start = _with_guide(start, matrix, project_id)
    steering = steps.steering if spec.obeys else None
    groups = groups_of(store, project)
    heard = with_levels(supervision, groups, tuple(groups))
    topics = fit(matrix, heard, spec, start=start, callback=callback, steering=steering)
    topics = steps.in_order(topics) if start is None else topics
    _Process.guides[project_id] = (matrix.fingerprint, topics.guide)
    topics, owners = _owned(topics, supervision)
    owned = [named[label].id for label in owners]
    scores = scores_of(store, project, topics, supervision)
    run = store.add_run(
        project_id,
        revision=revision,
        spec=spec,
        topic_ids=owned,
        topics=topics,
        scores={
            **scores,
            "change": change_of(before, topics, _touched(store, project_id, named)),
            "honoured": steps.honoured(topics, owned),
            "begun": labels_at,
        },
        seconds=time.perf_counter() - begun,
        settings=project.settings.to_dict(),
    )
    if spec.obeys:
        prospects.write_hints(store, run, matrix, supervision, topics.guide)
    return run


def groups_of(store: Store, project: Project) -> dict[str, Sequence[str]]:
    """Columns that are groups of texts, lowest first; none where the model hears of no groups."""
    levels = project.settings.levels
    if project.settings.spec.model != GROUPED or not levels:
        return {}
    return columns_of(store.corpus(project.id, texts=False).side, levels)


def _owned(topics: Topics, supervision: Supervision) -> tuple[Topics, Sequence[int]]:
    """The topics, those that stand for a label first, and which labels these are."""
    if topics.spec.obeys:
        return topics, range(supervision.n_labels)
    return with_namesakes(topics, supervision)


def supervision_of(
    n_docs: int, named: Sequence[Topic], annotations: Mapping[int, Annotation]
) -> Supervision:
    """The labels in force, topic ids turned into names; deleted topics are already left out."""
    name = {topic.id: topic.name for topic in named}

    def names(topics: Sequence[int]) -> tuple[str, ...]:
        return tuple(name[topic] for topic in topics if topic in name)

    return Supervision.of_some(
        n_docs,
        [topic.name for topic in named],
        {at: names(said.permitted) for at, said in annotations.items()},
        confidence={at: said.confidence for at, said in annotations.items()},
        forbidden={at: names(said.forbidden) for at, said in annotations.items()},
        nothing_fits=[at for at, said in annotations.items() if said.nothing_fits],
    )


def spec_of(project: Project, named: Sequence[Topic]) -> ModelSpec:
    """The project's model with today's topics and their names."""
    spec = replace(project.settings.spec, n_topics=_n_topics(project, named))
    return with_names(spec, {topic.id: topic.name for topic in named})


def _n_topics(project: Project, named: Sequence[Topic]) -> int:
    """The analyst's topics and the free ones, or the number chosen; at least one to fit."""
    chosen = None if project.settings.spec.obeys else project.settings.spec.n_topics
    return chosen or max(1, len(named) + project.settings.n_free)


def _before(store: Store, project: int, spec: ModelSpec) -> Topics | None:
    """The topics to start from; another model, seed or option starts afresh, but not sizes."""
    run = store.current_run(project)
    if run is None:
        return None
    if but_for_parts(replace(run.spec, n_topics=spec.n_topics)) != but_for_parts(spec):
        return None
    return _warm_start(store, run)


def _warm_start(store: Store, run: Run) -> Topics:
    """The last topics under today's names; a found topic that was adopted keeps its words."""
    topics = store.run_topics(run)
    if not run.spec.obeys:
        return topics
    names = list(topics.names)
    for event in store.events(run.project, after=run.revision):
        found = event.payload.get("found") if event.kind == "create_topic" else None
        if found and found["run"] == run.id and found["topic"] < len(names):
            names[found["topic"]] = event.payload["name"]
    return topics.renamed(tuple(names))


def _usable(
    before: Topics | None, matrix: DocumentTermMatrix, steps: follow_up.Steps
) -> Topics | None:
    """Factors start a fit only if they speak of the same words and documents."""
    if before is None or before.terms != matrix.terms or before.doc_ids != matrix.doc_ids:
        return None
    return steps.carried(before) if before.spec.obeys else without_namesakes(before)


def _with_guide(start: Topics | None, matrix: DocumentTermMatrix, project: int) -> Topics | None:
    """The guide of the last fit in this process: it follows one more label instead of starting."""
    fingerprint, guide = _Process.guides.get(project, ("", None))
    if start is None or guide is None or matrix.fingerprint != fingerprint:
        return start
    return replace(start, guide=guide)


def scores_of(
    store: Store, project: Project, topics: Topics, supervision: Supervision
) -> dict[str, Any]:
    """What a run scored.

    Always ``n_labelled``, and ``adherence`` where labels are rules. With true labels also
    ``mean_jaccard``, ``n_resolved``, ``n_labels`` and ``n_documents`` on the documents the analyst
    has not labelled, and the same names ending in ``_all`` on every document. A document that
    came without a label is unknown, not unlabelled: it counts for neither.
    """
    labelled = supervision.labelled
    scores: dict[str, Any] = {"n_labelled": int(labelled.sum())}
    if topics.spec.obeys:
        scores["adherence"] = summaries.adherence(topics, supervision)
    if not project.settings.truth:
        return scores
    truth = truth_of(store, project.id)
    true = truth.indicator()
    known = truth.labelled
    rows = {"": (known & ~labelled).nonzero()[0], "_all": known.nonzero()[0]}
    for ending, chosen in rows.items():
        found = match_topics(topics.doc_topic, true, label_names=truth.names, rows=chosen)
        for name in ("mean_jaccard", "n_resolved", "n_labels", "n_documents"):
            scores[name + ending] = getattr(found, name)
    return scores


@lru_cache(maxsize=2)
def truth_of(store: Store, project: int) -> Supervision:
    """The labels that came with a corpus; read once, because a corpus never changes."""
    corpus = store.corpus(project, texts=False)
    return Supervision.of(corpus.labels, corpus.label_names)


def _touched(store: Store, project: int, named: Sequence[Topic]) -> set[str]:
    """The topics that labels have spoken of since the last run."""
    run = store.current_run(project)
    events = store.events(project, after=0 if run is None else run.revision)
    said = (event.payload for event in events if event.kind == "label")
    numbers = {topic for each in said for topic in (*each["permitted"], *each["forbidden"])}
    return {topic.name for topic in named if topic.id in numbers}


def change_of(
    before: Topics | None, after: Topics, touched: Collection[str] = ()
) -> dict[str, Any] | None:
    """The line about a refit: the topic that changed most, how many documents moved, and how
    well the topics kept their words that nobody has spoken of."""
    if before is None or before.doc_topic.shape[0] != after.doc_topic.shape[0]:
        return None
    changes = summaries.compare(before, after)
    busiest = max(changes.topics, key=lambda c: len(c.gained) + len(c.lost), default=None)
    return {
        "topic": busiest.name if busiest else None,
        "gained": list(busiest.gained[:WORDS]) if busiest else [],
        "lost": list(busiest.lost[:WORDS]) if busiest else [],
        "moved": len(changes.moved),
        "stability": changes.stability,
        "untouched": _mean([c.stability for c in changes.topics if c.name not in touched]),
        "added": list(changes.added),
        "removed": list(changes.removed),
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


_matrices: OrderedDict[str, DocumentTermMatrix] = OrderedDict()


def matrix_of(store: Store, project: Project) -> DocumentTermMatrix:
    """The project's matrix as its model reads it: from memory, from disk, or counted anew.

    Words that became stop words since then are silent in it.
    """
    matrix = _kept_matrix(store, project)
    words = store.wording(project.id).stop_words
    if not words:
        return matrix
    known = _Process.silenced.get(project.id)
    if known is None or known[:2] != (matrix.fingerprint, words):
        known = (matrix.fingerprint, words, without_words(matrix, words))
        _Process.silenced[project.id] = known
    return known[2]


def _kept_matrix(store: Store, project: Project) -> DocumentTermMatrix:
    settings = project.settings.spec.reads(project.settings.text)
    key = matrix_key_of(project)
    if key not in _matrices:
        path = Path(store.home) / "cache" / f"{key}.npz"
        _matrices[key] = _read_or_build(store, project, settings, path)
    _matrices.move_to_end(key)
    while len(_matrices) > MATRICES:
        _matrices.popitem(last=False)
    return _matrices[key]


def matrix_key_of(project: Project) -> str:
    """Names the matrix that the project's model reads."""
    settings = project.settings.spec.reads(project.settings.text)
    return matrix_key(project.fingerprint, settings)


def matrix_key(fingerprint: str, settings: TextSettings) -> str:
    """Names a matrix by the corpus and the settings it is made from."""
    described = json.dumps(settings.to_dict(), sort_keys=True)
    return f"{fingerprint}-{hashlib.blake2b(described.encode(), digest_size=8).hexdigest()}"


def _read_or_build(
    store: Store, project: Project, settings: TextSettings, path: Path
) -> DocumentTermMatrix:
    if path.is_file():
        try:
            return DocumentTermMatrix.load(path)
        except (StudioError, OSError, ValueError, KeyError):
            path.unlink(missing_ok=True)  # half written or of another version: count again
    corpus: Corpus = store.corpus(project.id)
    matrix = build_matrix(corpus, settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    matrix.save(path)
    return matrix


def _reporter(job: Job) -> Callback:
    """Tells the server how far a fit is, now and then, and listens for a cancel."""
    begun = last = time.monotonic()

    def report(progress: Progress) -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT:
            last = now
            share = progress.iteration / progress.max_iter
            _Process.reports.put((job.number, share, (now - begun) / share * (1 - share)))
        return bool(_Process.cancelled.value in (job.number, -1))

    return report


def _watch_parent(parent: int) -> None:
    """Leave when the server is gone: a killed server must not leave an orphan behind."""
    never = threading.Event()
    while os.getppid() == parent:
        never.wait(WATCH)
    os._exit(1)
