"""What the results pages read: the current topics with their colours, labels and documents.

Caches are keyed by project, run and revision, never by content; a refit or a label makes a new key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import streamlit as st

from core import summaries
from core.corpus import Corpus, Document
from core.errors import NotFound
from core.metrics.matching import Matching, match_topics
from core.store import Annotation, Project, Run, Topic
from core.supervision import Supervision
from core.text import Analyzer, TextSettings
from core.topics import Topics
from tsnmf_ui import measures, state, theme, worker

Version = tuple[int, int, int, tuple[str, ...]]  # project, run, revision, names
CANDIDATES = 12  # documents looked at for three quotes
MARKED = 25  # words of a topic that are marked in its quotes


class Size(NamedTuple):
    """How many documents have the topic as their main one, of how many."""

    share: float
    documents: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Results:
    """The topics of a run and everything that names, colours and explains them."""

    project: Project
    run: Run
    topics: Topics
    ids: tuple[int | None, ...]  # topic id of each column; None where the model found it
    colours: tuple[str, ...]  # by column
    labelled: tuple[int, ...]  # documents people gave the topic to, by column
    sizes: tuple[Size, ...]  # by column
    supervision: Supervision  # labels in force; on this run's topics, where labels own them
    annotations: dict[int, Annotation]
    behind: int  # acts since the run began

    @property
    def version(self) -> Version:
        """Another fit, act or name makes another version: what caches are keyed by."""
        return self.project.id, self.run.id, self.project.revision, self.topics.names

    def reference(self, topic: int) -> int | str:
        """A topic by what it is: its column may change from fit to fit."""
        number = self.ids[topic]
        return self.topics.names[topic] if number is None else number

    @property
    def fresh(self) -> bool:
        """No act since the run."""
        return self.behind == 0


@dataclass(frozen=True, slots=True)
class Labels:
    """One set of labels to hold the topics against."""

    names: tuple[str, ...]
    indicator: Any  # documents × labels, sparse
    true: bool  # they came with the corpus


def of(project: Project) -> Results | None:
    """The present results, or None before the first fit."""
    run = state.current_run(project)
    if run is None:
        return None
    topics = state.topics_of(run)
    return _results(project.id, run.id, project.revision, topics.names, project, run, topics)


@st.cache_resource(max_entries=4, show_spinner=False)
def _results(
    project_id: int,
    run_id: int,
    revision: int,
    names: tuple[str, ...],
    _project: Project,
    _run: Run,
    _topics: Topics,
) -> Results:
    named = {topic.id: topic for topic in state.store().topics(project_id)}
    ids = (*_run.topic_ids, *(None for _ in range(len(_topics) - len(_run.topic_ids))))
    annotations = state.store().annotations(project_id)
    counts = state.store().label_counts(project_id)
    return Results(
        project=_project,
        run=_run,
        topics=_topics,
        ids=tuple(i if i in named else None for i in ids),
        colours=tuple(theme.topic_colour(named[i].colour if i in named else -1) for i in ids),
        labelled=tuple(0 if i is None else counts.get(i, 0) for i in ids),
        sizes=_sizes(_topics),
        supervision=_supervision(_run, named, annotations, _topics),
        annotations=annotations,
        behind=revision - _run.revision,
    )


def _sizes(topics: Topics) -> tuple[Size, ...]:
    table = summaries.topic_sizes(topics)
    columns = zip(table["share"], table["documents"], table["of"], strict=True)
    return tuple(Size(float(share), int(documents), int(of)) for share, documents, of in columns)


def _supervision(
    run: Run, named: dict[int, Topic], annotations: dict[int, Annotation], topics: Topics
) -> Supervision:
    """Labels in the order of the run's columns; a topic deleted since then has none.

    Where topics do not belong to labels, the labels stand in their own order.
    """
    n_docs = len(topics.doc_ids)
    ids = run.topic_ids if run.spec.obeys else tuple(named)
    kept = [named[i] for i in ids if i in named]
    if len(kept) == len(ids):
        return worker.supervision_of(n_docs, kept, annotations)
    names = topics.names[: len(ids)]
    column = dict(zip(ids, names, strict=True))
    labels: list[tuple[str, ...]] = [()] * n_docs
    for position, said in annotations.items():
        labels[position] = tuple(column[i] for i in said.permitted if i in column)
    return Supervision.of(labels, names)


@st.cache_resource(max_entries=3, show_spinner=False)
def corpus(project_id: int) -> Corpus:
    """All documents; a corpus never changes, so its project names it."""
    return state.store().corpus(project_id)


def truth(project: Project) -> Labels | None:
    """The labels that came with the corpus, if they are declared to be the truth."""
    return _truth(project.id, project) if project.settings.truth else None


@st.cache_resource(max_entries=3, show_spinner=False)
def _truth(project_id: int, _project: Project) -> Labels | None:
    given = measures.facts_of(state.store(), _project)
    return None if given.labels is None else Labels(given.label_names, given.labels, true=True)


def people(results: Results) -> Labels:
    """The labels people gave."""
    return Labels(results.supervision.names, results.supervision.indicator(), true=False)


def unlabelled(results: Results) -> list[int]:
    """Documents nobody has labelled: where the model had to find out by itself."""
    return [i for i, told in enumerate(results.supervision.labelled.tolist()) if not told]


def matching(results: Results, *, everything: bool = False) -> Matching | None:
    """Topics against the true labels, on the documents nobody labelled or on all of them."""
    return _kept_matching(results.version, everything, results.run.id, results, results.topics)


def matching_before(results: Results, *, everything: bool = False) -> Matching | None:
    """The same question put to the run before, on the same documents; None without one."""
    earlier = [run for run in state.store().runs(results.project.id) if run.id < results.run.id]
    if not earlier:
        return None
    try:
        topics = state.topics_of(earlier[0])
    except NotFound:
        return None
    if topics.doc_ids != results.topics.doc_ids:
        return None
    return _kept_matching(results.version, everything, earlier[0].id, results, topics)


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept_matching(
    version: Version, everything: bool, run_id: int, _results: Results, _topics: Topics
) -> Matching | None:
    rows = None if everything else unlabelled(_results)
    return _matching(_results.project, _topics, rows)


def _matching(project: Project, topics: Topics, rows: list[int] | None) -> Matching | None:
    labels = truth(project)
    if labels is None or rows == []:
        return None
    return match_topics(
        topics.doc_topic,
        labels.indicator,
        label_names=labels.names,
        topic_names=topics.names,
        rows=rows,
    )


def quotes(results: Results, topic: int) -> list[tuple[summaries.Quote, Document]]:
    """Three passages that speak for a topic, word for word, with their documents."""
    return _quotes(results.project.id, results.run.id, topic, results)


@st.cache_resource(max_entries=400, show_spinner=False)
def _quotes(
    project_id: int, run_id: int, topic: int, _results: Results
) -> list[tuple[summaries.Quote, Document]]:
    top = summaries.top_documents(_results.topics, topic, CANDIDATES)
    documents = documents_at(project_id, [position for position, _ in top])
    texts = {position: document.text for position, document in documents.items()}
    spans = _analyzer(_results.project.settings.text).spans
    found = summaries.quotes(_results.topics, topic, texts, spans, candidates=top)
    return [(quote, documents[quote.position]) for quote in found]


def topic_spans(results: Results, topic: int, text: str) -> list[summaries.Span]:
    """Where a topic's heaviest words stand in a text."""
    terms = {term for term, _ in results.topics.top_terms(topic, MARKED)}
    spans = _analyzer(results.project.settings.text).spans(text)
    return [span for span in spans if span.term in terms]


@lru_cache(maxsize=8)
def _analyzer(settings: TextSettings) -> Analyzer:
    return Analyzer(settings)


def documents_at(project_id: int, positions: Sequence[int]) -> dict[int, Document]:
    """Documents by position."""
    found = state.store().documents(project_id, list(positions))
    return dict(zip(positions, found, strict=True))
