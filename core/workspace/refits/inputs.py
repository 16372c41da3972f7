"""What goes into a fit of a project: labels, groups, model and true labels as engine values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.engine.gibbs.levels import GROUPED_MODEL, columns_of
from core.spec import ModelSpec
from core.store import Annotation, Codebook, Project, Store, Topic
from core.supervision import Supervision
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.store_cache import StoreCache
from core.workspace.column_roles import with_roles

NO_CODEBOOK: Mapping[int, Codebook] = {}

_given_labels: StoreCache[Supervision] = StoreCache(max_entries=2)


def groups_of(store: Store, project: Project) -> dict[str, Sequence[str]]:
    """Columns that are groups of texts, lowest first; none where the model hears of no groups."""
    levels = project.settings.levels
    if project.settings.spec.model != GROUPED_MODEL or not levels:
        return {}
    return columns_of(corpus_of(store, project.id, texts=False).side, levels)


def supervision_of(
    n_docs: int,
    named: Sequence[Topic],
    annotations: Mapping[int, Annotation],
    codebook: Mapping[int, Codebook] = NO_CODEBOOK,
) -> Supervision:
    """The labels in force, the topics' ids as keys; deleted topics are already left out.

    A topic's name and its codebook entry describe its label.
    """
    name = {topic.id: topic.name for topic in named}

    def names(topics: Sequence[int]) -> tuple[str, ...]:
        return tuple(name[topic] for topic in topics if topic in name)

    supervision = Supervision.of_some(
        n_docs,
        [topic.name for topic in named],
        {at: names(each.permitted) for at, each in annotations.items()},
        confidence={at: each.confidence for at, each in annotations.items()},
        forbidden={at: names(each.forbidden) for at, each in annotations.items()},
        nothing_fits=[at for at, each in annotations.items() if each.nothing_fits],
    )
    described = tuple(_description(topic.name, codebook.get(topic.id)) for topic in named)
    return replace(supervision, keys=tuple(name), descriptions=described)


def _description(name: str, entry: Codebook | None) -> str:
    """What the codebook leaves out of a topic is not about it, so it is not read."""
    return name if entry is None else f"{name}. {entry.definition} {entry.include}".strip()


def in_order_of_documents(
    named: Sequence[Topic], annotations: Mapping[int, Annotation]
) -> list[Topic]:
    """Topics in an order that does not tell which of them was created first.

    A fit passes over its topics one after another, so their order shows in the last digits. The
    documents that a topic was given to give it its place; topics without any come last.
    """
    documents: dict[int, list[int]] = {topic.id: [] for topic in named}
    for position in sorted(annotations):
        for topic in annotations[position].permitted:
            documents.setdefault(topic, []).append(position)
    return sorted(named, key=lambda topic: (not documents[topic.id], documents[topic.id], topic.id))


def spec_of(project: Project, named: Sequence[Topic]) -> ModelSpec:
    """The project's model with as many topics as it has today."""
    return replace(project.settings.spec, n_topics=_n_topics(project, named))


def _n_topics(project: Project, named: Sequence[Topic]) -> int:
    """The analyst's topics and the free ones, or the number chosen; at least one to fit."""
    chosen = None if project.settings.spec.labels_own_topics else project.settings.spec.n_topics
    return chosen or max(1, len(named) + project.settings.n_free)


def given_labels(store: Store, project: Project) -> Supervision:
    """The labels that came with a corpus, or those of the column that is the truth."""
    key = (project.id, project.texts_revision, project.settings.column_in("truth"))
    return _given_labels.get(store, key, lambda: _read_given_labels(store, project))


def truth_of(store: Store, project: Project) -> Supervision | None:
    """The labels that came with a corpus, if they are declared to be the truth."""
    if not project.settings.has_truth:
        return None
    truth = given_labels(store, project)
    return truth if truth.n_labels else None


def _read_given_labels(store: Store, project: Project) -> Supervision:
    corpus = with_roles(corpus_of(store, project.id, texts=False), project.settings)
    return Supervision.of(corpus.labels, corpus.label_names)
