"""New events about topics and their words; each has its checks and its payload."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from core.errors import StoreError
from core.store.events.checks import (
    checked_name,
    checked_weight,
    checked_word,
    checked_words,
    whole,
)
from core.store.events.codebook import EditCodebook
from core.store.events.memos import WriteMemo
from core.store.events.report_fields import EditReport
from core.store.events.saved_searches import SaveSearch

CHILDREN_LIMIT = 20


@dataclass(frozen=True, slots=True)
class MergeTopics:
    """Merge topics into one of them; labels that permit any of them permit that one."""

    kind: ClassVar[str] = "merge_topics"
    topics: tuple[int, ...]
    into: int

    def checked(self) -> Self:
        into = whole(self.into, "A topic")
        numbers = (whole(topic, "A topic") for topic in self.topics)
        others = tuple(topic for topic in dict.fromkeys(numbers) if topic != into)
        if not others:
            raise StoreError("A merge takes at least two topics.")
        return replace(self, topics=others, into=into)

    def payload(self) -> dict[str, Any]:
        return {"topic": self.into, "topics": list(self.topics)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(tuple(payload["topics"]), payload["topic"])


@dataclass(frozen=True, slots=True)
class Child:
    """A topic that comes out of a split, and the words it starts from."""

    name: str
    words: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SplitTopic:
    """Split a topic into several; labels that permit it permit all of them."""

    kind: ClassVar[str] = "split_topic"
    topic: int
    children: tuple[Child, ...]

    def checked(self) -> Self:
        if not 2 <= len(self.children) <= CHILDREN_LIMIT:
            raise StoreError(f"A topic is split into 2 to {CHILDREN_LIMIT} topics.")
        children = tuple(
            Child(checked_name(child.name), checked_words(child.words)) for child in self.children
        )
        if len({child.name.casefold() for child in children}) < len(children):
            raise StoreError("The topics of a split need different names.")
        return replace(self, topic=whole(self.topic, "A topic"), children=children)

    def payload(self) -> dict[str, Any]:
        children = [{"name": child.name, "words": dict(child.words)} for child in self.children]
        return {"topic": self.topic, "children": children}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        children = tuple(Child(child["name"], child["words"]) for child in payload["children"])
        return cls(payload["topic"], children)


@dataclass(frozen=True, slots=True)
class LockTopic:
    """Lock a topic to these words; they are on the log, so no refit and no copy loses them."""

    kind: ClassVar[str] = "lock_topic"
    topic: int
    words: Mapping[str, float]

    def checked(self) -> Self:
        return replace(self, topic=whole(self.topic, "A topic"), words=checked_words(self.words))

    def payload(self) -> dict[str, Any]:
        return {"topic": self.topic, "words": dict(self.words)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["topic"], payload["words"])


@dataclass(frozen=True, slots=True)
class UnlockTopic:
    """Let a refit change a topic's words again."""

    kind: ClassVar[str] = "unlock_topic"
    topic: int

    def checked(self) -> Self:
        return replace(self, topic=whole(self.topic, "A topic"))

    def payload(self) -> dict[str, Any]:
        return {"topic": self.topic}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["topic"])


@dataclass(frozen=True, slots=True)
class AddWord:
    """Add a word to a topic; strength 1 brings it among the topic's first words."""

    kind: ClassVar[str] = "add_word"
    topic: int
    word: str
    strength: float = 1.0

    def checked(self) -> Self:
        strength = checked_weight(self.strength, "A word's strength")
        topic = whole(self.topic, "A topic")
        return replace(self, topic=topic, word=checked_word(self.word), strength=strength)

    def payload(self) -> dict[str, Any]:
        return {"topic": self.topic, "word": self.word, "strength": self.strength}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["topic"], payload["word"], payload["strength"])


@dataclass(frozen=True, slots=True)
class RemoveWord:
    """Remove a word from a topic."""

    kind: ClassVar[str] = "remove_word"
    topic: int
    word: str

    def checked(self) -> Self:
        return replace(self, topic=whole(self.topic, "A topic"), word=checked_word(self.word))

    def payload(self) -> dict[str, Any]:
        return {"topic": self.topic, "word": self.word}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["topic"], payload["word"])


@dataclass(frozen=True, slots=True)
class ReleaseWord(RemoveWord):
    """Drop the rule about a word, whether it was added or removed."""

    kind: ClassVar[str] = "release_word"


@dataclass(frozen=True, slots=True)
class AddStopWord:
    """Leave a word out of the vocabulary, for every topic and every model."""

    kind: ClassVar[str] = "add_stop_word"
    word: str

    def checked(self) -> Self:
        return replace(self, word=checked_word(self.word))

    def payload(self) -> dict[str, Any]:
        return {"word": self.word}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["word"])


@dataclass(frozen=True, slots=True)
class DropStopWord(AddStopWord):
    """Bring a stop word back into the vocabulary."""

    kind: ClassVar[str] = "drop_stop_word"


NewTopicEvent = (
    MergeTopics
    | SplitTopic
    | LockTopic
    | UnlockTopic
    | AddWord
    | RemoveWord
    | ReleaseWord
    | AddStopWord
    | DropStopWord
    | EditCodebook
    | EditReport
    | WriteMemo
    | SaveSearch
)
TOPIC_EVENT_TYPES: tuple[type[NewTopicEvent], ...] = (
    MergeTopics,
    SplitTopic,
    LockTopic,
    UnlockTopic,
    AddWord,
    RemoveWord,
    ReleaseWord,
    AddStopWord,
    DropStopWord,
    EditCodebook,
    EditReport,
    WriteMemo,
    SaveSearch,
)
