"""Runs of labels on different documents, made ready before a writing transaction begins.

Nobody else can write while many labels are written, so whatever can be done beforehand is done
here: every act is checked, and what many labels say alike is kept once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from core.store.acts import Act, Label, checked
from core.store.checks import whole
from core.store.collecting import uncollected
from core.store.requirements import about_newest


@dataclass(frozen=True, slots=True)
class LabelRun:
    """Labels of different documents: where each goes, and which of the sayings it is."""

    positions: tuple[int, ...]
    places: tuple[int, ...]
    sayings: tuple[Label, ...]  # each different one once, whatever their positions

    def __len__(self) -> int:
        return len(self.positions)

    def about(self, newest: int | None) -> LabelRun:
        """With the topic that was made last in place of ``NEW``."""
        found = (about_newest(saying, newest) for saying in self.sayings)
        return replace(self, sayings=tuple(each for each in found if isinstance(each, Label)))


Step = Act | LabelRun


@uncollected()
def steps_of(given: Iterable[Act]) -> list[Step]:
    """The acts in order, checked; labels that follow one another are gathered."""
    steps: list[Step] = []
    gathering = _Gathering()
    for act in given:
        if isinstance(act, Label) and gathering.take(act):
            continue
        steps += gathering.done()
        gathering = _Gathering()
        if not (isinstance(act, Label) and gathering.take(act)):
            steps.append(checked(act))
    return steps + gathering.done()


def count(steps: Iterable[Step]) -> int:
    """How many acts these are."""
    return sum(len(step) if isinstance(step, LabelRun) else 1 for step in steps)


class _Gathering:
    """Labels read one by one, until a document comes again."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}  # by position
        self._known: dict[tuple[Any, ...], int] = {}
        self._sayings: list[Label] = []

    def take(self, label: Label) -> bool:
        """False when the document is in the run already."""
        position = whole(label.position, "A position")
        if position in self._places:
            return False
        self._places[position] = self._saying(label)
        return True

    def done(self) -> list[Step]:
        """One label alone is an act like any other."""
        if len(self._places) == 1:
            return [replace(self._sayings[0], position=next(iter(self._places)))]
        if not self._places:
            return []
        places = tuple(self._places.values())
        return [LabelRun(tuple(self._places), places, tuple(self._sayings))]

    def _saying(self, label: Label) -> int:
        """The number of what the label says; said for the first time, it is checked."""
        permitted, forbidden = tuple(label.permitted), tuple(label.forbidden)
        key = (permitted, forbidden, label.confidence, label.nothing_fits, label.note)
        try:
            known = self._known.get(key)
        except TypeError:  # something that cannot be said, as the check will tell
            known = None
        if known is None:
            said = checked(replace(label, position=0, permitted=permitted, forbidden=forbidden))
            assert isinstance(said, Label)
            known = self._known[key] = len(self._sayings)
            self._sayings.append(said)
        return known
