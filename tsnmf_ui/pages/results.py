"""The results that pages draw: those of the open store, with the colours of the theme."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from core.corpus import Document
from core.store import Project
from core.workspace.results import Results, results_of
from core.workspace.topic_facts import shown_date
from tsnmf_ui.server import state
from tsnmf_ui.theme import style


def load(project: Project, *, resting: bool = False) -> Results | None:
    """The current results, or None before the first fit; ``resting``: those of no preview."""
    return results_of(state.store(), project, resting=resting)


def date_writer(project: Project) -> Callable[[Document], str]:
    """Writes the dates of its texts as precisely as they are known."""
    return partial(shown_date, state.store(), project)


def colours(found: Results) -> tuple[str, ...]:
    """The colour of every topic, by column."""
    return tuple(map(style.topic_colour, found.colour_numbers))


def colour(found: Results, topic: int) -> str:
    """The colour of one topic."""
    return style.topic_colour(found.colour_numbers[topic])
