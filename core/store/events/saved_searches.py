"""Searches that were saved under a name, to be worked through like a queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Self

from core.store.events.checks import checked_name, checked_text
from core.store.events.in_force import EventInForce

SAVE_SEARCH = "save_search"
SEARCH_LIMIT = 500  # characters


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search under its name, and who saved it when."""

    name: str
    search: str
    author: str
    time: datetime
    event: int


@dataclass(frozen=True, slots=True)
class SaveSearch:
    """Save a search under a name, in place of what had the name; an empty search removes it."""

    kind: ClassVar[str] = SAVE_SEARCH
    name: str
    search: str

    def checked(self) -> Self:
        return replace(
            self,
            name=checked_name(self.name, "A saved search"),
            search=checked_text(self.search, "A search", SEARCH_LIMIT),
        )

    def payload(self) -> dict[str, Any]:
        return {"name": self.name, "search": self.search}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["name"], payload["search"])


def saved_searches_of(events: Iterable[EventInForce]) -> tuple[SavedSearch, ...]:
    """The searches in force, in the order of their names; case makes no other name."""
    found: dict[str, SavedSearch] = {}
    for event in events:
        if event.kind == SAVE_SEARCH:
            name, search = event.payload["name"], event.payload["search"]
            saved = SavedSearch(name, search, event.author, event.time, event.id)
            found[name.casefold()] = saved
    return tuple(found[name] for name in sorted(found) if found[name].search)
