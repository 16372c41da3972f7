"""Doing operations on topics from a page: on the log, then a refit, and what to say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from core.errors import StudioError
from core.steering.operations import Operation
from core.store import State
from core.workspace import topic_operations
from tsnmf_ui import jobs
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

ACTION_COUNT = "operating.turn"  # operations of this tab so far


def fresh_key(name: str) -> str:
    """The key of a popover or of a field in it; each operation of the visitor's makes a new one.

    So it is closed and empty again. A field could not be emptied otherwise: one that is not on
    screen does not hear of it, and would show what was chosen before.
    """
    turn = state.get_value(ACTION_COUNT, 0)
    return f"{name}.{turn}" if turn else name


def _count_action() -> None:
    state.set_value(ACTION_COUNT, state.get_value(ACTION_COUNT, 0) + 1)


def perform(
    project: int,
    make: Callable[[State], Operation],
    *,
    positions: Iterable[int] = (),
    message: str | None = None,
) -> bool:
    """Put an operation on the log and ask for a fit; on refusal say why."""
    author = state.author()
    try:
        operation = topic_operations.perform(
            state.store(), project, make, author=author, positions=positions
        )
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return False
    _count_action()
    done = message or f"{operation.title}: done. The model is being refitted."
    state.notify(texts.escape_markdown(f"{done} {operation.remark}".strip()))
    jobs.service().request(jobs.FIT, project)
    return True


def undo_or_redo(project: int, verb: Literal["undo", "redo"]) -> None:
    """Undo or redo the visitor's last event, whatever it was, and say which."""
    move = topic_operations.undo if verb == "undo" else topic_operations.redo
    try:
        title = move(state.store(), project, author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return
    if title is None:
        state.notify(f"You have nothing to {verb}.", "info")
        return
    _count_action()
    done = "Undone" if verb == "undo" else "Redone"
    state.notify(texts.escape_markdown(f"{done}: {title[0].lower()}{title[1:]}."))
    jobs.service().request(jobs.FIT, project)
