"""Highlights: words of a text that say why it belongs to a topic.

A highlight keeps its place in the text and the words themselves: should the text be another one by
now, they are looked for, and told even where they are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from core.errors import StoreError
from core.store.events.checks import checked_text, whole
from core.store.state.lineage import Lineage
from core.store.values import Event

HIGHLIGHT, DROP_HIGHLIGHT = "highlight", "drop_highlight"
QUOTE_LIMIT = 1_000  # characters


@dataclass(frozen=True, slots=True)
class Highlight:
    """Words of a text that say why it belongs to topic ``why``; characters, not bytes."""

    kind: ClassVar[str] = HIGHLIGHT
    position: int
    why: int
    start: int
    end: int
    quote: str

    def checked(self) -> Self:
        start, end = whole(self.start, "A place in a text"), whole(self.end, "A place in a text")
        quote = checked_text(self.quote, "A highlight", QUOTE_LIMIT)
        if not quote or quote != self.quote or end - start != len(quote):
            raise StoreError("A highlight holds some words of its text.")
        position, why = whole(self.position, "A position"), whole(self.why, "A topic")
        return replace(self, position=position, why=why, start=start, end=end)

    def payload(self) -> dict[str, Any]:
        return {"why": self.why, "start": self.start, "end": self.end, "quote": self.quote}

    @classmethod
    def read(cls, position: int, payload: Mapping[str, Any]) -> Self:
        place = (payload["start"], payload["end"], payload["quote"])
        return cls(position, payload["why"], *place)


@dataclass(frozen=True, slots=True)
class DropHighlight:
    """Remove a highlight of a text; ``highlight`` is the number of its event."""

    kind: ClassVar[str] = DROP_HIGHLIGHT
    position: int
    highlight: int

    def checked(self) -> Self:
        position = whole(self.position, "A position")
        return replace(self, position=position, highlight=whole(self.highlight, "A highlight"))

    def payload(self) -> dict[str, Any]:
        return {"highlight": self.highlight}

    @classmethod
    def read(cls, position: int, payload: Mapping[str, Any]) -> Self:
        return cls(position, payload["highlight"])


@dataclass(frozen=True, slots=True)
class HighlightInForce:
    """A highlight with the topics that its topic is now."""

    event: int
    author: str
    topics: tuple[int, ...]
    start: int
    end: int
    quote: str

    def place_in(self, text: str) -> tuple[int, int] | None:
        """Where its words stand; elsewhere if the text has changed; None if that is not clear."""
        if text[self.start : self.end] == self.quote:
            return self.start, self.end
        if text.count(self.quote) != 1:
            return None
        start = text.index(self.quote)
        return start, start + len(self.quote)


def highlights_of(
    events: Iterable[Event], lineage: Lineage
) -> dict[int, tuple[HighlightInForce, ...]]:
    """By position, from the events in force, oldest first; without topics that are gone."""
    kept: dict[int, tuple[int, HighlightInForce]] = {}
    for event in events:
        position = event.position
        if event.kind == DROP_HIGHLIGHT:
            number = event.payload["highlight"]
            if number in kept and kept[number][0] == position:
                del kept[number]
        elif event.kind == HIGHLIGHT and position is not None:
            new = Highlight.read(position, event.payload)
            topics = lineage.heirs(new.why)
            if topics:
                shown = (event.id, event.author, topics, new.start, new.end, new.quote)
                kept[event.id] = position, HighlightInForce(*shown)
    found: dict[int, tuple[HighlightInForce, ...]] = {}
    for position, each in kept.values():
        found[position] = (*found.get(position, ()), each)
    return found
