"""Labels of many documents, checked and grouped before a writing transaction begins.

Nobody else can write while many labels are written, so whatever can be done beforehand is done
here: every event is checked, and labels that say the same are checked and stored once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from core.store.events.checks import whole
from core.store.events.new_events import Label, NewEvent, checked
from core.store.events.requirements import with_new_topic
from core.store.garbage_collection import without_garbage_collection


@dataclass(frozen=True, slots=True)
class BulkLabels:
    """Labels of different documents: a position each, and the number of its content."""

    positions: tuple[int, ...]
    which: tuple[int, ...]  # for each position an index into ``contents``
    contents: tuple[Label, ...]  # different labels, each once; their own position means nothing

    def __len__(self) -> int:
        return len(self.positions)

    def with_new_topic(self, newest: int | None) -> BulkLabels:
        """With the topic that was created last in place of ``NEW_TOPIC``."""
        found = (with_new_topic(label, newest) for label in self.contents)
        return replace(self, contents=tuple(each for each in found if isinstance(each, Label)))


Recordable = NewEvent | BulkLabels


@without_garbage_collection()
def group_labels(several: Iterable[NewEvent]) -> list[Recordable]:
    """The events in order, checked; labels that follow one another become bulk labels."""
    grouped: list[Recordable] = []
    group = _LabelGroup()
    for event in several:
        if isinstance(event, Label) and group.add(event):
            continue
        grouped += group.result()
        group = _LabelGroup()
        if not (isinstance(event, Label) and group.add(event)):
            grouped.append(checked(event))
    return grouped + group.result()


def count_events(several: Iterable[Recordable]) -> int:
    """How many events these are."""
    return sum(len(each) if isinstance(each, BulkLabels) else 1 for each in several)


class _LabelGroup:
    """Labels added one by one, until a document comes again."""

    def __init__(self) -> None:
        self._which: dict[int, int] = {}  # by position
        self._known: dict[tuple[Any, ...], int] = {}
        self._contents: list[Label] = []

    def add(self, label: Label) -> bool:
        """False when the document is in the group already."""
        position = whole(label.position, "A position")
        if position in self._which:
            return False
        self._which[position] = self._index(label)
        return True

    def result(self) -> list[Recordable]:
        """One label alone is an event like any other."""
        if len(self._which) == 1:
            return [replace(self._contents[0], position=next(iter(self._which)))]
        if not self._which:
            return []
        which = tuple(self._which.values())
        return [BulkLabels(tuple(self._which), which, tuple(self._contents))]

    def _index(self, label: Label) -> int:
        """The number of a label's content; new content is checked."""
        permitted, forbidden = tuple(label.permitted), tuple(label.forbidden)
        options = (label.confidence, label.nothing_fits, label.note, label.blind)
        key = (permitted, forbidden, *options)
        try:
            known = self._known.get(key)
        except TypeError:  # a value of a wrong type, which the check below refuses
            known = None
        if known is None:
            content = checked(replace(label, position=0, permitted=permitted, forbidden=forbidden))
            assert isinstance(content, Label)
            known = self._known[key] = len(self._contents)
            self._contents.append(content)
        return known
