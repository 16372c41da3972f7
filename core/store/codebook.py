"""The codebook: what each topic means, in the analysts' own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, Self

from core.errors import StoreError
from core.store.checks import checked_text, whole

LONGEST = 4_000  # characters of a definition
MOST_EXAMPLES = 50
KIND = "edit_codebook"


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

    kind: ClassVar[str] = KIND
    topic: int
    definition: str = ""
    include: str = ""
    exclude: str = ""
    examples: tuple[int, ...] = ()

    def checked(self) -> Self:
        examples = tuple(dict.fromkeys(whole(each, "A position") for each in self.examples))
        if len(examples) > MOST_EXAMPLES:
            raise StoreError(f"A topic has at most {MOST_EXAMPLES} examples.")
        return replace(
            self,
            topic=whole(self.topic, "A topic"),
            definition=checked_text(self.definition, "A definition", LONGEST),
            include=checked_text(self.include, "What belongs to a topic", LONGEST),
            exclude=checked_text(self.exclude, "What does not belong to a topic", LONGEST),
            examples=examples,
        )

    def payload(self) -> dict[str, Any]:
        texts = {"definition": self.definition, "include": self.include, "exclude": self.exclude}
        return {"topic": self.topic, **texts, "examples": list(self.examples)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        texts = (payload["definition"], payload["include"], payload["exclude"])
        return cls(payload["topic"], *texts, tuple(payload["examples"]))


class _Act(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


def codebook_of(acts: Iterable[_Act], alive: Collection[int]) -> dict[int, Codebook]:
    """The last entry in force of every topic there is."""
    book: dict[int, Codebook] = {}
    for act in acts:
        if act.kind == KIND and act.payload["topic"] in alive:
            said = EditCodebook.read(act.payload)
            texts = (said.definition, said.include, said.exclude)
            book[said.topic] = Codebook(*texts, said.examples)
    return book
