"""Operations on topics: put on the log, undone, and what became of them in the last fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from core.evaluation.progress import comparison_key
from core.steering.operations import Operation
from core.store import Event, OperationVerdict, State, Store, events_in_force
from core.store.history.sentences import event_sentence
from core.text import Analyzer
from core.workspace.caches.matrices import matrix_of

RUNS_SEARCHED = 6  # newest runs among which the last verdicts are looked for


def perform(
    store: Store,
    project: int,
    make: Callable[[State], Operation],
    *,
    author: str,
    positions: Iterable[int] = (),
) -> Operation:
    """Make an operation from the state of the project and put it on the log."""
    operation = make(store.state(project, tuple(positions)))
    if len(operation.events) == 1:
        store.record(project, operation.events[0], author=author)
    else:
        store.record_batch(project, operation.title, operation.events, author=author)
    return operation


def combine(made: Sequence[Operation], title: str) -> Operation:
    """Several operations as one."""
    if len(made) == 1:
        return made[0]
    events = tuple(event for each in made for event in each.events)
    return Operation(f"{title} ({len(made)})", events)


def undo(store: Store, project: int, *, author: str) -> str | None:
    """Undo the author's last event, whatever it was; the sentence that tells which, or None."""
    return _sentence_about(store, project, store.undo(project, author=author))


def redo(store: Store, project: int, *, author: str) -> str | None:
    """Redo what the author undid last; the sentence that tells what, or None."""
    return _sentence_about(store, project, store.redo(project, author=author))


def _sentence_about(store: Store, project: int, event: Event | None) -> str | None:
    """What was undone or redone."""
    if event is None or event.undoes is None:
        return None
    (undone,) = store.events(project, after=event.undoes - 1, limit=1)
    return event_sentence(undone, store.topic_names(project))


def read_words(store: Store, project: int, typed: str) -> list[str]:
    """Words as somebody types them, commas between them, read as the project reads its texts."""
    analyzer = Analyzer(store.project(project).settings.text)
    parts = (part.strip() for part in re.split(r"[,;\n]+", typed))
    read = (term for part in parts if part for term in _terms(analyzer, part))
    return list(dict.fromkeys(read))


def _terms(analyzer: Analyzer, part: str) -> list[str]:
    """A phrase where the project reads phrases of that length, otherwise its words."""
    terms = analyzer.terms(part)
    longest = max(terms, key=lambda term: term.count(" "), default=part)
    singles = [term for term in terms if " " not in term]
    return [longest] if longest.count(" ") + 1 >= len(singles) else singles


def vocabulary(store: Store, project: int) -> frozenset[str]:
    """The words that the project's model reads."""
    return frozenset(matrix_of(store, store.project(project)).terms)


def last_verdicts(store: Store, project: int) -> list[OperationVerdict]:
    """What the last operations came to, those that are still in force, newest first.

    Nothing of what was asked of another model, or of a run before another was made current; and
    nothing once a fit knows of more, such as further labels: its topics hold other texts.
    """
    shown = store.current_run(project)
    if shown is None:
        return []
    model = comparison_key(shown, "")
    previews = [shown] if shown.preview else []
    for run in (*previews, *store.runs(project, RUNS_SEARCHED)):
        if not run.automatic or comparison_key(run, "") != model or run.revision < shown.revision:
            return []
        verdicts = run.outcome.verdicts
        if not verdicts:
            continue
        first = min(verdict.event for verdict in verdicts)
        log = store.events(project, after=first - 2)  # the head of a batch stands before
        in_force = {event.id for event in events_in_force(log)}
        return [verdict for verdict in verdicts if verdict.event in in_force]
    return []
