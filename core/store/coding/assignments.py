"""Who is to label which texts: one person at a time for each, the last event counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from core.errors import StoreError
from core.store.events.checks import checked_text, whole
from core.store.events.origin import AUTHOR_LIMIT
from core.store.values import Event

ASSIGN_TEXTS = "assign_texts"
MAX_ASSIGNED = 250_000  # texts of one event


@dataclass(frozen=True, slots=True)
class AssignTexts:
    """Give texts to a person to label; to nobody, if the name is empty."""

    kind: ClassVar[str] = ASSIGN_TEXTS
    person: str
    positions: tuple[int, ...]

    def checked(self) -> Self:
        person = checked_text(self.person, "A person's name", AUTHOR_LIMIT)
        positions = tuple(sorted({whole(each, "A position") for each in self.positions}))
        if not positions:
            raise StoreError("There is no text to assign.")
        if len(positions) > MAX_ASSIGNED:
            raise StoreError(f"At most {MAX_ASSIGNED:,} texts can be assigned at once.")
        return replace(self, person=" ".join(person.split()), positions=positions)

    def payload(self) -> dict[str, Any]:
        return {"person": self.person, "positions": list(self.positions)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["person"], tuple(payload["positions"]))


@dataclass(frozen=True, slots=True)
class Assignments:
    """The texts of each person, and all that are anybody's."""

    by_person: Mapping[str, frozenset[int]] = field(default_factory=dict)
    all: frozenset[int] = frozenset()

    def of(self, person: str) -> frozenset[int]:
        return self.by_person.get(person, frozenset())

    def __bool__(self) -> bool:
        return bool(self.all)


def assignments_of(events: Iterable[Event]) -> Assignments:
    """From the events in force, oldest first."""
    owner: dict[int, str] = {}
    for event in events:
        owner.update(dict.fromkeys(event.payload["positions"], event.payload["person"]))
    texts: dict[str, set[int]] = {}
    for position, person in owner.items():
        if person:
            texts.setdefault(person, set()).add(position)
    by_person = {person: frozenset(positions) for person, positions in texts.items()}
    return Assignments(by_person, frozenset[int]().union(*by_person.values()))
