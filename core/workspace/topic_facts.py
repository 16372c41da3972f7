"""What is known of the topics of a run: coherence, changes, trends, classes, similar topics.

Each is computed once per run or event, and cached by it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from core.corpus import Document
from core.insight import summaries
from core.insight.attention import Attention, needs_attention
from core.insight.document_facts import DocumentFacts
from core.insight.label_checks import MAX_READ, Doubts, LabelCheck, check_labels
from core.insight.similarity import co_occurring_topics, topic_similarity
from core.insight.trends import Period, best_period, by_class, class_names, over_time
from core.insight.trends import readable_periods as periods_worth_showing
from core.loading.columns.dates import read_dates
from core.store import Project, Store
from core.values import DatePrecision, date_precision, written_date
from core.workspace.caches import measures, queue_hints
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.document_terms import terms_of
from core.workspace.caches.matrices import matrix_of
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import Results, previous_topics

MAX_CLASSES = 40  # values of a side column that can still be compared


class RelatedTopic(NamedTuple):
    """Of ``of`` documents that speak of a topic, ``documents`` speak of this other too."""

    topic: int
    documents: int
    of: int
    share: float


_facts: StoreCache[DocumentFacts] = StoreCache(max_entries=4)
_dates: StoreCache[dict[str, date | None]] = StoreCache(max_entries=4)
_precisions: StoreCache[DatePrecision] = StoreCache(max_entries=8)
_coherence: StoreCache[tuple[float, ...]] = StoreCache(max_entries=16)
_changes: StoreCache[summaries.Changes | None] = StoreCache(max_entries=8)
_attention: StoreCache[dict[int, Attention]] = StoreCache(max_entries=8)
_tables: StoreCache[pd.DataFrame] = StoreCache(max_entries=16)
_related: StoreCache[list[RelatedTopic]] = StoreCache(max_entries=200)
_main: StoreCache[np.ndarray] = StoreCache(max_entries=4)


def document_facts(store: Store, project: Project) -> DocumentFacts:
    """Days, classes and given labels of the documents."""
    return _facts.get(store, _texts_key(project), lambda: measures.facts_of(store, project))


def shown_date(store: Store, project: Project, document: Document) -> str:
    """The date of a document, as precisely as the dates of all documents are known."""
    when = _date_of(store, project, document)
    if when is None or when.day != 1:  # no month or year; the others need not be read
        return written_date(when)
    precision = _precisions.get(
        store, _texts_key(project), lambda: date_precision(document_facts(store, project).days)
    )
    return written_date(when, precision)


def _date_of(store: Store, project: Project, document: Document) -> date | None:
    """Of the column that holds the dates, or of the file."""
    column = project.settings.column_in("date")
    if column is None:
        return document.date
    known = _dates.get(
        store,
        _texts_key(project),
        lambda: read_dates(corpus_of(store, project.id, texts=False).side.get(column, ()))[1],
    )
    return known.get(document.side.get(column, ""))


def _texts_key(project: Project) -> Hashable:
    return (project.id, project.texts_revision, *sorted(project.settings.column_roles.items()))


# What needs a look


def coherence(store: Store, found: Results) -> tuple[float, ...] | None:
    """NPMI by column; None while it is still being measured."""
    key = (found.project.id, found.run.id)
    if not _coherence.has(store, key):
        values = _measured_coherence(store, found)
        if values is None:
            return None
        _coherence.get(store, key, lambda: tuple(values.tolist()))
    return _coherence.get(store, key, lambda: ())


def _measured_coherence(store: Store, found: Results) -> np.ndarray | None:
    measured = measures.read_coherence(store, found.run, len(found.topics))
    if measured is not None or len(found.topics.doc_ids) > measures.MAX_DOCS_MEASURED_BY_PAGE:
        return measured
    matrix = matrix_of(store, found.project)
    if matrix.terms != found.topics.terms:
        return None
    return measures.coherence(found.topics, matrix)


def changes(store: Store, found: Results) -> summaries.Changes | None:
    """What the last refit changed; None where there is nothing to compare with."""
    return _changes.get(store, found.run_key, lambda: _compare_with_previous(store, found))


def _compare_with_previous(store: Store, found: Results) -> summaries.Changes | None:
    before = previous_topics(store, found)
    return None if before is None else summaries.compare(before, found.topics)


def attention(store: Store, found: Results) -> dict[int, Attention]:
    """Why a topic needs a look, those that need it most first."""
    measured = coherence(store, found)
    key = (found.version, measured is None)
    return _attention.get(store, key, lambda: _judge(store, found, measured))


def _judge(store: Store, found: Results, measured: Sequence[float] | None) -> dict[int, Attention]:
    judged = needs_attention(
        found.topics,
        labelled=found.labelled,
        coherence=measured,
        changes=changes(store, found),
        checks=label_checks(store, found),
    )
    return {each.topic: each for each in judged}


def label_checks(store: Store, found: Results) -> list[LabelCheck]:
    """The named topics beside their labelled documents; nothing where labels own no topics."""
    if not found.run.spec.labels_own_topics:
        return []
    labelled = [labelled_positions(found, topic) for topic in range(found.topics.n_supervised)]
    read = {at for positions in labelled for at in positions[:MAX_READ]}
    terms = terms_of(store, found.project, read)
    return check_labels(found.topics, labelled, lambda at: terms[at], _doubts(store, found))


def labelled_positions(found: Results, topic: int) -> list[int]:
    """Documents that carry a named topic's label, newest first."""
    key = found.topics.keys[topic]
    mine = [(label.event, at) for at, label in found.annotations.items() if key in label.permitted]
    return [at for _, at in sorted(mine, reverse=True)]


def _doubts(store: Store, found: Results) -> Doubts | None:
    """What the run's guide thought of the labels that it knew and that still stand."""
    hints = queue_hints.read_hints(store, found.run)
    if hints is None:
        return None
    known = {at for at, label in found.annotations.items() if label.event <= found.run.revision}
    kept = np.array([i for i, at in enumerate(hints.judged.tolist()) if at in known], np.intp)
    arrays = (hints.judged, hints.own, hints.rival, hints.rival_chance)
    return Doubts(*(array[kept] for array in arrays))


# Time and groups


def period(store: Store, found: Results) -> Period | None:
    """The period in which time is counted; None where documents have no dates."""
    return best_period(document_facts(store, found.project).days)


def not_counted_over_time(store: Store, found: Results) -> tuple[int, int, int]:
    """Documents that no chart over time counts: those without a date, of the others those in which
    the model found no topic, and those that were added since the fit."""
    dated = ~np.isnat(document_facts(store, found.project).days)
    counted = _main_topics(store, found) >= 0
    read = np.arange(dated.size) < dated.size - found.unread
    without_topic = dated & read & ~counted
    return int((~dated).sum()), int(without_topic.sum()), int((dated & ~read).sum())


def readable_periods(store: Store, found: Results) -> list[Period]:
    """The periods that make a chart one can read."""
    return periods_worth_showing(document_facts(store, found.project).days)


def trend(store: Store, found: Results, by: Period | None = None) -> pd.DataFrame:
    """Shares over time; empty without dates."""
    days, chosen = document_facts(store, found.project).days, by or period(store, found)
    key: Hashable = (found.run_key, "trend", chosen)
    return _tables.get(store, key, lambda: over_time(found.topics, days, chosen))


def class_columns(store: Store, found: Results, most: int = MAX_CLASSES) -> list[str]:
    """Side columns with few enough values to compare."""
    known = document_facts(store, found.project).classes
    return [name for name, each in known.items() if 2 <= len(class_names(each.names)) <= most]


def splits_values(store: Store, found: Results, column: str) -> bool:
    """Whether cells of a side column hold several values, each a group of its own."""
    names = document_facts(store, found.project).classes[column].names
    return set(class_names(names)) != set(names)


def classes(store: Store, found: Results, column: str) -> pd.DataFrame:
    """Shares by the values of a side column."""
    values = document_facts(store, found.project).classes[column]
    key: Hashable = (found.run_key, "classes", column)
    return _tables.get(store, key, lambda: by_class(found.topics, values))


# Similar and related topics


def similarities(found: Results, topic: int) -> list[float]:
    """How similar the words of each topic are to this one's, from 0 to 1, by column."""
    return [float(value) for value in topic_similarity(found.topics).to_numpy()[topic]]


def most_similar(found: Results) -> tuple[int, int]:
    """The two topics whose words are most similar."""
    values = np.triu(topic_similarity(found.topics).to_numpy(), 1)
    one, other = np.unravel_index(int(values.argmax()), values.shape)
    return int(one), int(other)


def related_topics(store: Store, found: Results, topic: int, n: int = 6) -> list[RelatedTopic]:
    """Topics that appear in the same documents, most often first."""
    key = (found.run_key, topic)
    return _related.get(store, key, lambda: _find_related(found, topic))[:n]


def _find_related(found: Results, topic: int) -> list[RelatedTopic]:
    table = co_occurring_topics(found.topics, topic, n=len(found.topics))
    columns: Any = (table[name].tolist() for name in RelatedTopic._fields)
    return [RelatedTopic(*row) for row in zip(*columns, strict=True)]


# Some documents


def main_topic_counts(
    store: Store, found: Results, positions: Sequence[int]
) -> list[tuple[int, int, float]]:
    """The main topics of some documents, as (topic, documents, share), most first."""
    main = _main_topics(store, found)[np.asarray(positions, dtype=np.intp)]
    counts = np.bincount(main[main >= 0], minlength=len(found.topics))
    order = [int(topic) for topic in np.argsort(-counts, kind="stable") if counts[topic]]
    return [(topic, int(counts[topic]), float(counts[topic] / main.size)) for topic in order]


def clearest(found: Results, positions: Sequence[int], n: int) -> list[tuple[int, float]]:
    """Of some documents those that one topic holds most of, as (position, share)."""
    rows = np.asarray(positions, dtype=np.intp)
    most = found.topics.shares()[rows].max(axis=1)
    order = np.argsort(-most, kind="stable")[:n]
    return [(int(rows[i]), float(most[i])) for i in order]


def _main_topics(store: Store, found: Results) -> np.ndarray:
    """By the texts of today: those that were added since the run have none."""
    return _main.get(store, found.run_key, lambda: summaries.main_topics(found.topics))
