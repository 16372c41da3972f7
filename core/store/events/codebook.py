"""The codebook: what each topic means, in the analysts' own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

from core.errors import StoreError
from core.store.events.checks import checked_text, whole

DEFINITION_LIMIT = 4_000  # characters of a definition
EXAMPLES_LIMIT = 50
EDIT_CODEBOOK = "edit_codebook"


@dataclass(frozen=True, slots=True)
class Codebook:
    """One topic's entry."""

    definition: str = ""
    include: str = ""
    exclude: str = ""
    examples: tuple[int, ...] = ()  # positions of documents


@dataclass(frozen=True, slots=True)
class EditCodebook:
    """Say what a topic means: a definition, what belongs to it, what does not, and examples."""

    kind: ClassVar[str] = EDIT_CODEBOOK
    topic: int
    definition: str = ""
    include: str = ""
    exclude: str = ""
    examples: tuple[int, ...] = ()

    def checked(self) -> Self:
        examples = tuple(dict.fromkeys(whole(each, "A position") for each in self.examples))
        if len(examples) > EXAMPLES_LIMIT:
            raise StoreError(f"A topic has at most {EXAMPLES_LIMIT} examples.")
        return replace(
            self,
            topic=whole(self.topic, "A topic"),
            definition=checked_text(self.definition, "A definition", DEFINITION_LIMIT),
            include=checked_text(self.include, "What belongs to a topic", DEFINITION_LIMIT),
            exclude=checked_text(self.exclude, "What does not belong to a topic", DEFINITION_LIMIT),
            examples=examples,
        )

    def payload(self) -> dict[str, Any]:
        texts = {"definition": self.definition, "include": self.include, "exclude": self.exclude}
        return {"topic": self.topic, **texts, "examples": list(self.examples)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        texts = (payload["definition"], payload["include"], payload["exclude"])
        return cls(payload["topic"], *texts, tuple(payload["examples"]))


class _CodebookEvent(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


def codebook_of(events: Iterable[_CodebookEvent], alive: Collection[int]) -> dict[int, Codebook]:
    """The last entry of every topic in force."""
    book: dict[int, Codebook] = {}
    for event in events:
        if event.kind == EDIT_CODEBOOK and event.payload["topic"] in alive:
            entry = EditCodebook.read(event.payload)
            texts = (entry.definition, entry.include, entry.exclude)
            book[entry.topic] = Codebook(*texts, entry.examples)
    return book
