"""Doing operations on topics from a page: on the log, then a refit, and what to say about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from core.act_words import sentence
from core.errors import StudioError
from core.operations import Operation
from core.store import State, standing_acts
from core.text import Analyzer
from tsnmf_ui import jobs, state, texts, worker

TURN = "operating.turn"  # acts of this tab so far
RUNS = 6  # newest runs among which the last verdicts are looked for


class Verdict(NamedTuple):
    """What became of one operation: fully, partly or not, and the sentence that says why."""

    degree: str
    sentence: str


def new_key(name: str) -> str:
    """The key of a popover or of a field in it; each act of the visitor's makes a new one.

    So it is closed and empty again. A field could not be emptied otherwise: one that is not on
    screen does not hear of it, and would show what was chosen before.
    """
    turn = state.recall(TURN, 0)
    return f"{name}.{turn}" if turn else name


def _turn() -> None:
    state.remember(TURN, state.recall(TURN, 0) + 1)


def perform(
    project: int,
    make: Callable[[State], Operation],
    *,
    positions: Iterable[int] = (),
    said: str | None = None,
    refit: bool = True,
) -> bool:
    """Put an operation on the log and ask for a fit; on refusal say why."""
    store = state.store()
    try:
        operation = make(store.state(project, tuple(positions)))
        if len(operation.acts) == 1:
            store.record(project, operation.acts[0], author=state.author())
        else:
            store.record_batch(project, operation.title, operation.acts, author=state.author())
    except StudioError as error:
        state.tell(texts.literal(str(error)), "error")
        return False
    _turn()
    state.tell(texts.literal(said or f"{operation.title}: done. The model follows in a moment."))
    if refit:
        jobs.request_fit(project)
    return True


def together(made: Sequence[Operation], title: str) -> Operation:
    """Several operations as one."""
    if len(made) == 1:
        return made[0]
    acts = tuple(act for each in made for act in each.acts)
    return Operation(f"{title} ({len(made)})", acts)


def read_words(project: int, typed: str) -> list[str]:
    """What a visitor typed, commas between words, as the project's texts are read."""
    analyzer = Analyzer(state.store().project(project).settings.text)
    parts = (part.strip() for part in re.split(r"[,;\n]+", typed))
    read = (term for part in parts if part for term in _terms(analyzer, part))
    return list(dict.fromkeys(read))


def _terms(analyzer: Analyzer, part: str) -> list[str]:
    """A phrase where the project reads phrases of that length, otherwise its words."""
    terms = analyzer.terms(part)
    longest = max(terms, key=lambda term: term.count(" "), default=part)
    singles = [term for term in terms if " " not in term]
    return [longest] if longest.count(" ") + 1 >= len(singles) else singles


def vocabulary(project: int) -> frozenset[str]:
    """The words that the project's model reads."""
    store = state.store()
    return frozenset(worker.matrix_of(store, store.project(project)).terms)


def take_back(project: int) -> None:
    """Undo the visitor's last act, whatever it was, and say which."""
    store = state.store()
    try:
        event = store.undo(project, author=state.author())
    except StudioError as error:
        state.tell(texts.literal(str(error)), "error")
        return
    if event is None or event.undoes is None:
        state.tell("There is nothing of yours to undo.", "info")
        return
    _turn()
    (act,) = store.events(project, after=event.undoes - 1, limit=1)
    told = sentence(act, store.topic_names(project))
    state.tell(texts.literal(f"Taken back: {told[0].lower()}{told[1:]}."))
    jobs.request_fit(project)


def last_verdicts(project: int) -> list[Verdict]:
    """What the last operations came to, those that still stand, newest first."""
    store = state.store()
    for run in store.runs(project, RUNS):
        told = run.scores.get("honoured") or []
        if not told:
            continue
        first = min(each["event"] for each in told)
        log = store.events(project, after=first - 2)  # the head of a batch stands before
        standing = {act.id for act in standing_acts(log)}
        kept = [each for each in told if each["event"] in standing]
        return [Verdict(each["degree"], each["sentence"]) for each in kept]
    return []
