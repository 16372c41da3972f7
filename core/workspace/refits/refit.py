"""Refit a project: its labels as they are now, fitted afresh and kept as a run.

A full fit starts from nothing that was fitted before, so its topics follow from texts, labels,
steering, settings and seed alone. On a large corpus that takes a while. A preview is there sooner:
it continues from the last run that rests, and the full fit that follows takes its place.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.cluster import app_cluster
from core.engine.descent import Callback
from core.engine.gibbs.levels import with_levels
from core.evaluation.label_names import name_after_labels
from core.fitting import fit, free_names
from core.guide.classifier import Guide
from core.insight import summaries
from core.matrix import DocumentTermMatrix
from core.spec import ModelSpec, without_sizes
from core.steering import matching
from core.store import Project, RefitChange, Run, RunOutcome, Store, Topic
from core.supervision import Supervision, TopicKey
from core.topics import Topics
from core.workspace.caches import measures, models, queue_hints
from core.workspace.caches.matrices import matrix_of
from core.workspace.caches.store_cache import StoreCache
from core.workspace.refits.inputs import (
    groups_of,
    in_order_of_documents,
    spec_of,
    supervision_of,
)
from core.workspace.refits.refit_context import RefitContext
from core.workspace.refits.run_scores import scores_of
from core.workspace.refits.save_run import save_run
from core.workspace.refits.when_to_refit import needs_preview

NAMED_WORDS = 3  # words named as gained or lost in the line about a refit

_guides: StoreCache[tuple[str, Guide | None]]  # by project, with the matrix they were learnt on
_guides = StoreCache(max_entries=8)


@dataclass(frozen=True, kw_only=True)
class _Inputs:
    """What a fit of a project works on, as it was when the fit began."""

    project: Project
    revision: int
    matrix: DocumentTermMatrix
    supervision: Supervision
    spec: ModelSpec
    context: RefitContext

    @classmethod
    def of(cls, store: Store, project_id: int) -> _Inputs:
        project = store.project(project_id)
        matrix = matrix_of(store, project)
        named, annotations = store.topics(project_id), store.annotations(project_id)
        if store.texts_revision(project_id) != project.texts_revision:
            return cls.of(store, project_id)  # texts were added between two looks
        spec = spec_of(project, named)
        if spec.labels_own_topics:
            named = in_order_of_documents(named, annotations)
        return cls(
            project=project,
            revision=project.revision,
            matrix=matrix,
            supervision=supervision_of(
                len(matrix.doc_ids), named, annotations, store.codebook(project_id)
            ),
            spec=spec,
            context=RefitContext.of(store, project_id),
        )

    @property
    def comparable(self) -> bool:
        """Whether the last run differs in labels only, not in texts, model, seed or options."""
        last, spec = self.context.last, self.spec
        if last is None or last.revision < self.project.texts_revision:
            return False
        return without_sizes(replace(last.spec, n_topics=spec.n_topics)) == without_sizes(spec)

    @property
    def free_keys(self) -> tuple[str, ...]:
        """Keys of the free topics of a preview; none where labels own no topics."""
        if not self.spec.labels_own_topics:
            return ()
        n_topics = self.spec.estimator(self.supervision.n_labels).n_topics
        return self.context.free_keys(n_topics - self.supervision.n_labels)

    def start(self, store: Store) -> Topics | None:
        """What a preview starts from: the last topics, if they speak of these words and texts."""
        before = self.context.earlier if self.comparable else None
        if before is None or (before.terms, before.doc_ids) != _axes(self.matrix):
            return None
        start = self.context.start(before, self.supervision.counts())
        return _with_guide(store, start, self.matrix, self.project.id)


def _axes(matrix: DocumentTermMatrix) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return matrix.terms, matrix.doc_ids


def refit(
    store: Store, project_id: int, *, callback: Callback | None = None, preview: bool = False
) -> Run:
    """Fit a project as it is labelled now, and keep the run.

    With ``preview`` the run is one where a full fit would take long; otherwise it rests at once.
    """
    begun = time.perf_counter()
    inputs = _Inputs.of(store, project_id)
    start = inputs.start(store) if preview and needs_preview(inputs.context.last) else None
    topics = _fitted(store, inputs, start, callback)
    context = inputs.context
    in_order = in_order_of_project(topics, context.named)
    run = save_run(
        store,
        project_id,
        revision=inputs.revision,
        topics=in_order,
        outcome=RunOutcome(
            scores=scores_of(store, inputs.project, topics, inputs.supervision),
            change=change_of(
                context.earlier if inputs.comparable else None, topics, context.labelled_since
            ),
            verdicts=context.verdicts(topics),
            began_with=inputs.supervision.counts(),
            vectors=inputs.matrix.vectors_fingerprint,
        ),
        seconds=time.perf_counter() - begun,
        settings=inputs.project.settings.to_dict(),
        preview=start is not None,
    )
    models.hand_over(store, run, in_order, inputs.matrix)
    if inputs.spec.labels_own_topics:
        guide = topics.guide
        queue_hints.write_hints(store, run, inputs.matrix, inputs.supervision, guide)
    return run


def _fitted(
    store: Store, inputs: _Inputs, start: Topics | None, callback: Callback | None
) -> Topics:
    """The topics, in the order of the supervision; free ones in the places of earlier ones."""
    spec, supervision = inputs.spec, inputs.supervision
    steering = inputs.context.steering if spec.labels_own_topics else None
    groups = groups_of(store, inputs.project)
    with_groups = with_levels(supervision, groups, tuple(groups))
    free = inputs.free_keys if start is not None else ()
    begin = None if start is None else _as_a_fit_numbers(start, free)
    topics = fit(
        inputs.matrix,
        with_groups,
        spec,
        start=begin,
        callback=callback,
        steering=steering,
        cluster=app_cluster(spec) if start is None else None,  # a preview is quicker here
    )
    _guides.put(store, inputs.project.id, (_read_by_guide(inputs.matrix), topics.guide))
    if start is None:
        topics = inputs.context.keep_order(topics)
    elif free:
        topics = matching.with_free_keys(topics, free)
    return topics if spec.labels_own_topics else name_after_labels(topics, supervision)


def _as_a_fit_numbers(start: Topics, free: Sequence[str]) -> Topics:
    """What a preview starts from, its free topics numbered from 1 as a fit numbers them."""
    numbered = dict(zip(free, free_names(len(free)), strict=True))
    keys = (numbered.get(key, key) if isinstance(key, str) else key for key in start.keys)
    return replace(start, keys=tuple(keys))


def in_order_of_project(topics: Topics, named: Sequence[Topic]) -> Topics:
    """The analyst's topics as the project lists them, then the others."""
    place: dict[TopicKey, int] = {topic.id: at for at, topic in enumerate(named)}
    own = range(topics.n_supervised)
    order = sorted(own, key=lambda column: place.get(topics.keys[column], len(place)))
    return topics.picked([*order, *range(topics.n_supervised, len(topics))])


def outline(store: Store, project_id: int) -> threading.Thread:
    """Make the outline of a project's matrix unless there is one; nobody waits for it."""
    project = store.project(project_id)
    matrix = matrix_of(store, project)
    has_vectors = matrix.vectors is not None
    key = queue_hints.neighbour_index_key(store, project, with_vectors=has_vectors)
    what = (store, key, matrix)
    thread = threading.Thread(target=queue_hints.write_neighbour_index, args=what, daemon=True)
    thread.start()
    return thread


def measure(store: Store, run: Run) -> threading.Thread:
    """Measure what the Topics page asks for; nobody waits for it."""
    project = store.project(run.project)
    matrix = matrix_of(store, project)

    def write() -> None:
        models.write_model(store, run.project)
        measures.write_coherence(store, run, store.run_topics(run), matrix)
        measures.facts_of(store, project)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def _with_guide(store: Store, start: Topics, matrix: DocumentTermMatrix, project: int) -> Topics:
    """The guide of the last fit in this process: it follows one more label instead of starting."""
    fingerprint, guide = _guides.find(store, project) or ("", None)
    if guide is None or _read_by_guide(matrix) != fingerprint:
        return start
    return replace(start, guide=guide)


def _read_by_guide(matrix: DocumentTermMatrix) -> str:
    """Names the words and vectors that a guide was learnt on."""
    return f"{matrix.fingerprint} {matrix.vectors_fingerprint}"


def change_of(
    before: Topics | None, after: Topics, touched: Collection[TopicKey] = ()
) -> RefitChange | None:
    """The line about a refit: the topic that changed most, how many documents moved, and how
    well the topics kept their words that nobody has spoken of."""
    if before is None or before.doc_topic.shape[0] != after.doc_topic.shape[0]:
        return None
    changes = summaries.compare(before, after)
    busiest = max(changes.topics, key=lambda c: len(c.gained) + len(c.lost), default=None)
    return RefitChange(
        topic=busiest.name if busiest else None,
        gained=busiest.gained[:NAMED_WORDS] if busiest else (),
        lost=busiest.lost[:NAMED_WORDS] if busiest else (),
        moved=len(changes.moved),
        stability=changes.stability,
        untouched=_mean([c.stability for c in changes.topics if c.key not in touched]),
        added=changes.added,
        removed=changes.removed,
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
