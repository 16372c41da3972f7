"""What the labelling pane is told about a project: its topics, its progress, its last fit."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from core.store import Event, Project, Run
from tsnmf_ui import keys, texts, theme
from tsnmf_ui.snapshot import Fitted, Snapshot

WORDS = 8  # keywords shown for a topic
RUNS = 32  # whose words are kept in memory

Answer = dict[str, Any]


def about(fitted: Fitted) -> Answer:
    """Everything but the list and the card."""
    snapshot, run = fitted.snapshot, fitted.run
    return {
        "project": _project(fitted.project, snapshot),
        "revision": snapshot.revision,
        "topics": _named(fitted),
        "found": _found(fitted),
        "obeys": fitted.project.settings.spec.obeys,
        "refit": _refit_line(run),
    }


def _project(project: Project, snapshot: Snapshot) -> Answer:
    return {
        "id": project.id,
        "name": project.name,
        "documents": project.n_docs,
        "labelled": len(snapshot.labelled),
        "skipped": len(snapshot.skipped),
    }


def _named(fitted: Fitted) -> list[Answer]:
    """The analyst's topics, with the words the model has for them."""
    snapshot, run = fitted.snapshot, fitted.run
    column = {} if run is None else {topic: i for i, topic in enumerate(run.topic_ids)}
    codes, book = keys.codes(len(snapshot.topics)), snapshot.codebook
    words = _words(fitted)
    return [
        {
            "id": topic.id,
            "name": topic.name,
            "colour": theme.topic_colour(topic.colour),
            "key": codes[i],
            "labelled": snapshot.counts.get(topic.id, 0),
            "words": words[column[topic.id]] if topic.id in column else [],
            "meaning": book[topic.id].definition if topic.id in book else "",
        }
        for i, topic in enumerate(snapshot.topics)
    ]


def _found(fitted: Fitted) -> list[Answer]:
    """Free topics of the current run; those adopted since then are named ones by now."""
    run, topics = fitted.run, fitted.topics
    if run is None or topics is None:
        return []
    free = list(enumerate(_words(fitted)))[len(run.topic_ids) :]
    return [
        {"run": run.id, "topic": column, "name": topics.names[column], "words": words}
        for column, words in free
        if words
    ]


_kept: OrderedDict[tuple[int, int], list[list[str]]] = OrderedDict()


def _words(fitted: Fitted) -> list[list[str]]:
    """The words of every topic of the current run, found once per run: runs never change."""
    if fitted.run is None or fitted.topics is None:
        return []
    key = fitted.run.project, fitted.run.id
    if key not in _kept:
        topics = fitted.topics
        _kept[key] = [[term for term, _ in topics.top_terms(i, WORDS)] for i in range(len(topics))]
        while len(_kept) > RUNS:
            _kept.popitem(last=False)
    return _kept[key]


def _refit_line(run: Run | None) -> Answer | None:
    """What the last fit did, for the quiet line."""
    if run is None:
        return None
    return {
        "run": run.id,
        "seconds": run.seconds,
        "finished": run.finished.isoformat(),
        "adherence": run.scores.get("adherence"),
        "labelled": run.scores.get("n_labelled"),
        "change": run.scores.get("change"),
    }


def labelled_many(count: int, newer: int) -> str:
    """The line after a bulk label."""
    others = f" {texts.count(newer, 'text')} labelled meanwhile by others stayed." if newer else ""
    return f"Labelled {texts.count(count, 'text')}. One undo takes it all back.{others}"


def turned(event: Event) -> str:
    """The line after an undo or redo; nothing where the screen shows it anyway."""
    about = event.payload.get("kind")
    verb = "taken back" if event.kind == "undo" else "brought back"
    what = {"batch": "The whole batch was", "restore": "The restore was"}.get(str(about))
    if what is None and event.position is None and about:
        what = f"“{str(about).replace('_', ' ').capitalize()}” was"
    return f"{what} {verb}." if what else ""
