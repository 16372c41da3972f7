"""What the labelling pane is told about a project: its topics, its progress, its last fit."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.store import Project, Run, Store
from core.workspace.caches.store_cache import StoreCache
from core.workspace.scores.left_out_trend import LeftOutTrend
from tsnmf_ui.label import topic_keys
from tsnmf_ui.label.snapshot import Fitted, Snapshot
from tsnmf_ui.theme import style

KEYWORDS_SHOWN = 8  # keywords shown for a topic
MAX_CACHED_RUNS = 32  # whose words are kept in memory

Answer = dict[str, Any]
Keywords = list[list[str]]  # of every topic of a run

_run_keywords: StoreCache[Keywords] = StoreCache(MAX_CACHED_RUNS)


def project_status(store: Store, fitted: Fitted, author: str) -> Answer:
    """Everything but the list and the card, as a person may see it."""
    snapshot, run, words = fitted.snapshot, fitted.run, _keywords(store, fitted)
    return {
        "project": _project(fitted.project, snapshot, author),
        "revision": snapshot.revision,
        "topics": _named_topics(fitted, words),
        "free_topics": _free_topics(fitted, words),
        "people": sorted(snapshot.assignments.by_person),
        "obeys": fitted.project.settings.spec.labels_own_topics,
        "refit": _last_fit(run, fitted.left_out),
        "saved": [saved.name for saved in snapshot.saved],
    }


def _project(project: Project, snapshot: Snapshot, author: str) -> Answer:
    return {
        "id": project.id,
        "name": project.name,
        "documents": project.n_docs,
        "labelled": len(snapshot.labelled),
        "skipped": len(snapshot.skipped),
        "waiting_for_second": len(snapshot.spoken_by(author)),
        "assigned": snapshot.assigned_left(author),
    }


def _named_topics(fitted: Fitted, words: Keywords) -> list[Answer]:
    """The analyst's topics, with the words the model has for them."""
    snapshot = fitted.snapshot
    codes, book = topic_keys.codes(len(snapshot.topics)), snapshot.codebook
    columns = {} if fitted.topics is None else fitted.topics.columns
    return [
        {
            "id": topic.id,
            "name": topic.name,
            "colour": style.topic_colour(topic.colour),
            "key": codes[i],
            "labelled": snapshot.counts.get(topic.id, 0),
            "words": words[columns[topic.id]] if topic.id in columns else [],
            "meaning": book[topic.id].definition if topic.id in book else "",
        }
        for i, topic in enumerate(snapshot.topics)
    ]


def _free_topics(fitted: Fitted, keywords: Keywords) -> list[Answer]:
    """Free topics of the current run; those adopted since then are named ones by now."""
    run, topics = fitted.run, fitted.topics
    if run is None or topics is None:
        return []
    free = list(enumerate(keywords))[topics.n_supervised :]
    return [
        {
            "run": run.id,
            "topic": column,
            "key": topics.keys[column],
            "name": topics.names[column],
            "words": words,
        }
        for column, words in free
        if words
    ]


def _keywords(store: Store, fitted: Fitted) -> Keywords:
    """The words of every topic of the current run, found once per run: runs never change."""
    run, topics = fitted.run, fitted.topics
    if run is None or topics is None:
        return []
    return _run_keywords.get(
        store,
        (run.project, run.id),
        lambda: [
            [term for term, _ in topics.top_terms(i, KEYWORDS_SHOWN)] for i in range(len(topics))
        ],
    )


def _last_fit(run: Run | None, trend: LeftOutTrend | None) -> Answer | None:
    """What the last fit did, for the quiet line."""
    if run is None:
        return None
    scores, change = run.outcome.scores, run.outcome.change
    return {
        "run": run.id,
        "preview": run.preview,
        "seconds": run.seconds,
        "finished": run.finished.isoformat(),
        "adherence": scores.adherence,
        "labelled": scores.n_labelled,
        "change": None if change is None else change.to_dict(),
        "left_out": None if trend is None else _left_out(trend),
    }


def _left_out(trend: LeftOutTrend) -> Answer:
    """What the guide gets right on labelled texts left out, and got right on an earlier run."""
    return {
        **asdict(trend.now),
        "missing": trend.now.missing,
        "second": trend.now.second_labels_missing,
        "direction": trend.direction,
        "before": None if trend.before is None else trend.before.share,
        "labelled_before": trend.labelled_before,
    }
