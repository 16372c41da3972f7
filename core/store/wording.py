"""What people said about words: the acts in force, folded into statements by topic number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from core.steering import Steering
from core.store.lineage import Lineage, TopicEvent

KINDS = (
    "create_topic",
    "split_topic",
    "lock_topic",
    "unlock_topic",
    "add_word",
    "remove_word",
    "release_word",
    "add_stop_word",
    "drop_stop_word",
)


@dataclass(frozen=True)
class Wording:
    """Statements about the words of topics, and words that are read by no topic."""

    topics: Steering[int] = field(default_factory=Steering)
    stop_words: tuple[str, ...] = ()


def wording_of(acts: Iterable[TopicEvent], lineage: Lineage) -> Wording:
    """Fold the acts in force, oldest first: the last word on a word counts."""
    fold = _Fold()
    for act in acts:
        fold.take(act)
    there = {topic: topic for topic in lineage.topics}
    said = Steering(fold.held, fold.left_out(), fold.given(), fold.begun)
    return Wording(said.renamed(there), tuple(fold.stop_words))


class _Fold:
    """The acts read one by one. A strength of zero is a removed word."""

    def __init__(self) -> None:
        self.held: dict[int, dict[str, float]] = {}
        self.begun: dict[int, dict[str, float]] = {}
        self.strength: defaultdict[int, dict[str, float]] = defaultdict(dict)
        self.stop_words: dict[str, None] = {}

    def take(self, act: TopicEvent) -> None:
        if act.kind in ("create_topic", "split_topic"):
            self._begin(act)
        elif act.kind in ("lock_topic", "unlock_topic"):
            self._lock(act)
        elif act.kind in ("add_word", "remove_word", "release_word"):
            self._weigh(act)
        elif act.kind == "add_stop_word":
            self.stop_words[act.payload["word"]] = None
        elif act.kind == "drop_stop_word":
            self.stop_words.pop(act.payload["word"], None)

    def _begin(self, act: TopicEvent) -> None:
        if act.payload.get("words"):
            self.begun[act.payload["topic"]] = dict(act.payload["words"])
        removed = {w: s for w, s in self.strength[act.payload["topic"]].items() if not s}
        for child in act.payload.get("children", ()):
            self.begun[child["topic"]] = dict(child["words"])
            self.strength[child["topic"]] = dict(removed)

    def _lock(self, act: TopicEvent) -> None:
        self.held.pop(act.payload["topic"], None)
        if act.kind == "lock_topic":
            self.held[act.payload["topic"]] = dict(act.payload["words"])

    def _weigh(self, act: TopicEvent) -> None:
        words, word = self.strength[act.payload["topic"]], act.payload["word"]
        words.pop(word, None)
        if act.kind != "release_word":
            words[word] = act.payload.get("strength", 0.0)

    def left_out(self) -> dict[int, tuple[str, ...]]:
        found = {t: tuple(w for w, s in words.items() if not s) for t, words in self.topics()}
        return {topic: words for topic, words in found.items() if words}

    def given(self) -> dict[int, dict[str, float]]:
        found = {t: {w: s for w, s in words.items() if s} for t, words in self.topics()}
        return {topic: words for topic, words in found.items() if words}

    def topics(self) -> list[tuple[int, dict[str, float]]]:
        return list(self.strength.items())
