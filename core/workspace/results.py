"""The current topics of a project with their labels, sizes and quotes.

Values are cached by project, run and revision, never by content; a refit or an event makes a new
key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.corpus import Document
from core.errors import NotFound
from core.insight import summaries
from core.insight.topic_titles import with_titles
from core.store import Annotation, Project, Run, Store, Topic
from core.supervision import Supervision, TopicKey
from core.text import analyzer_of
from core.topics import Topics
from core.workspace.caches.measures import facts_of
from core.workspace.caches.store_cache import StoreCache
from core.workspace.refits.inputs import supervision_of

Version = tuple[int, int, int, tuple[str, ...]]  # project, run, revision, names
QUOTE_CANDIDATES = 12  # documents looked at for three quotes
MARKED_WORDS = 25  # words of a topic that are marked in its quotes
NO_COLOUR = -1  # of a free topic


class TopicSize(NamedTuple):
    """How many documents have the topic as their main one, of how many."""

    share: float
    documents: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Results:
    """The topics of a run and everything that names and explains them."""

    project: Project
    run: Run
    topics: Topics
    ids: tuple[int | None, ...]  # label of each column; None for a free topic
    colour_numbers: tuple[int, ...]  # place in the palette, by column; NO_COLOUR where it is free
    labelled: tuple[int, ...]  # documents people gave the topic to, by column
    sizes: tuple[TopicSize, ...]  # by column
    supervision: Supervision  # labels in force; on this run's topics, where labels own them
    annotations: dict[int, Annotation]
    behind: int  # events since the run that a fit hears of
    unread: int = 0  # last texts, which were added since the run

    @property
    def version(self) -> Version:
        """Another fit, event or name makes another version: what caches are keyed by."""
        return self.project.id, self.run.id, self.project.revision, self.topics.names

    @property
    def run_key(self) -> tuple[int, int, int, tuple[str, ...]]:
        """The run, the texts and the topics' names: the key of what no label changes."""
        return self.project.id, self.run.id, self.project.texts_revision, self.topics.names

    @property
    def fresh(self) -> bool:
        """No event since the run."""
        return self.behind == 0

    @property
    def people_labels(self) -> LabelSet:
        """The labels people gave."""
        return LabelSet(self.supervision.names, self.supervision.indicator(), true=False)


@dataclass(frozen=True, slots=True)
class LabelSet:
    """One set of labels to compare the topics with."""

    names: tuple[str, ...]
    indicator: Any  # documents × labels, sparse
    true: bool  # they came with the corpus


_topics: StoreCache[Topics] = StoreCache(max_entries=8)
_results: StoreCache[Results] = StoreCache(max_entries=4)
_quotes: StoreCache[list[tuple[summaries.Quote, Document]]] = StoreCache(max_entries=400)
_true_labels: StoreCache[LabelSet | None] = StoreCache(max_entries=3)


def topics_of_run(store: Store, run: Run, names: tuple[str, ...] | None = None) -> Topics:
    """The topics of a run as they are called now, free ones by their words."""
    if names is None:
        names = tuple(topic.name for topic in store.topics(run.project))
    key = (run.project, run.id, store.texts_revision(run.project), names)
    return _topics.get(store, key, lambda: with_titles(store.run_topics(run)))


def newest_fit(store: Store, project: int) -> tuple[Run, Topics] | None:
    """The current run with its topics; None before the first fit.

    A preview may be replaced between the look at its run and the look at its topics; then the run
    that took its place is there.
    """
    run = store.current_run(project)
    while run is not None:
        try:
            return run, topics_of_run(store, run)
        except NotFound:
            gone, run = run, store.current_run(project)
            if run == gone:
                raise
    return None


def topics_of(store: Store, project: int) -> Topics | None:
    """The topics of the current run as they are called now; None before the first fit."""
    found = newest_fit(store, project)
    return None if found is None else found[1]


def results_of(store: Store, project: Project, *, resting: bool = False) -> Results | None:
    """The current results, or None before the first fit; ``resting``: those of no preview."""
    if resting:
        run = store.resting_run(project.id)
        found = None if run is None else (run, topics_of_run(store, run))
    else:
        found = newest_fit(store, project.id)
    if found is None:
        return None
    run, topics = found
    key = (project.id, run.id, project.revision, topics.names)
    return _results.get(store, key, lambda: _make_results(store, project, run, topics))


def _make_results(store: Store, project: Project, run: Run, topics: Topics) -> Results:
    named: dict[TopicKey, Topic] = {topic.id: topic for topic in store.topics(project.id)}
    annotations, counts = store.annotations(project.id), store.label_counts(project.id)
    return Results(
        project=project,
        run=run,
        topics=topics,
        ids=tuple(named[key].id if key in named else None for key in topics.keys),
        colour_numbers=tuple(_colour_number(named.get(key)) for key in topics.keys),
        labelled=tuple(counts.get(key, 0) if isinstance(key, int) else 0 for key in topics.keys),
        sizes=_sizes(topics),
        supervision=_supervision(run, named, annotations, topics),
        annotations=annotations,
        behind=store.count_changes(project.id, after=run.revision),
        unread=_n_added(store, project, after=run.revision),
    )


def _n_added(store: Store, project: Project, *, after: int) -> int:
    """Texts added after an event: a run of then has no topic for them, whatever they say."""
    later = (event for event in store.additions(project.id) if event.id > after)
    return sum(int(event.payload["added"]) for event in later)


def _colour_number(topic: Topic | None) -> int:
    return NO_COLOUR if topic is None else topic.colour


def _sizes(topics: Topics) -> tuple[TopicSize, ...]:
    table = summaries.topic_sizes(topics)
    columns = zip(table["share"], table["documents"], table["of"], strict=True)
    return tuple(TopicSize(float(share), int(n), int(of)) for share, n, of in columns)


def _supervision(
    run: Run, named: Mapping[TopicKey, Topic], annotations: dict[int, Annotation], topics: Topics
) -> Supervision:
    """Labels in the order of the run's columns; a topic deleted since then has none.

    Where topics do not belong to labels, the labels stand in their own order.
    """
    n_docs = len(topics.doc_ids)
    keys = topics.label_keys if run.spec.labels_own_topics else tuple(named)
    kept = [named[key] for key in keys if key in named]
    if len(kept) == len(keys):
        return supervision_of(n_docs, kept, annotations)
    name = dict(zip(keys, topics.names, strict=False))
    labels: list[tuple[str, ...]] = [()] * n_docs
    for position, annotation in annotations.items():
        labels[position] = tuple(name[key] for key in annotation.permitted if key in name)
    return replace(Supervision.of(labels, tuple(name.values())), keys=tuple(keys))


def previous_topics(store: Store, found: Results) -> Topics | None:
    """The topics of the run before, if it was of the same documents and model.

    A run that was made current again is no refit of the one before it.
    """
    if not found.run.automatic:
        return None
    runs = store.runs(found.project.id)
    earlier = next((run for run in runs if run.id < found.run.id), None)
    if earlier is None or earlier.spec.model != found.run.spec.model:
        return None
    try:
        topics = topics_of_run(store, earlier)
    except NotFound:
        return None
    return topics if topics.doc_ids == found.topics.doc_ids else None


def true_labels(store: Store, project: Project) -> LabelSet | None:
    """The labels that came with the corpus, if they are declared to be the truth."""
    if not project.settings.has_truth:
        return None
    key = (project.id, project.texts_revision, project.settings.column_in("truth"))
    return _true_labels.get(store, key, lambda: _read_true_labels(store, project))


def _read_true_labels(store: Store, project: Project) -> LabelSet | None:
    given = facts_of(store, project)
    return None if given.labels is None else LabelSet(given.label_names, given.labels, true=True)


def topic_quotes(
    store: Store, found: Results, topic: int
) -> list[tuple[summaries.Quote, Document]]:
    """Three passages that speak for a topic, word for word, with their documents."""
    key = (*found.run_key, topic)
    return _quotes.get(store, key, lambda: _find_quotes(store, found, topic))


def _find_quotes(
    store: Store, found: Results, topic: int
) -> list[tuple[summaries.Quote, Document]]:
    top = summaries.top_documents(found.topics, topic, QUOTE_CANDIDATES)
    documents = documents_at(store, found.project.id, [position for position, _ in top])
    texts = {position: document.text for position, document in documents.items()}
    spans = analyzer_of(found.project.settings.text).spans
    chosen = summaries.quotes(found.topics, topic, texts, spans, candidates=top)
    return [(quote, documents[quote.position]) for quote in chosen]


def topic_spans(found: Results, topic: int, text: str) -> list[summaries.Span]:
    """Where a topic's heaviest words stand in a text."""
    terms = {term for term, _ in found.topics.top_terms(topic, MARKED_WORDS)}
    spans = analyzer_of(found.project.settings.text).spans(text)
    return [span for span in spans if span.term in terms]


def documents_at(store: Store, project: int, positions: Sequence[int]) -> dict[int, Document]:
    """Documents by position."""
    return dict(zip(positions, store.documents(project, list(positions)), strict=True))
