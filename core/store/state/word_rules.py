"""Rules about words, from the events in force: locked, added, removed and stop words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.engine.limits import Steering
from core.store.state.lineage import Lineage, LineageStep, TopicEvent

WORD_RULE_KINDS = (
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
class WordRules:
    """Rules for the words of topics, and stop words."""

    topics: Steering[int] = field(default_factory=Steering)
    stop_words: tuple[str, ...] = ()


def word_rules_of(events: Iterable[TopicEvent], lineage: Lineage) -> WordRules:
    """From the events in force, oldest first: the last event about a word counts."""
    reader = _WordRuleReader()
    for event in events:
        reader.read(event)
    reader.merge_begun(lineage.steps)
    in_force = {topic: topic for topic in lineage.topics}
    rules = Steering(reader.held, reader.left_out(), reader.given(), reader.begun)
    return WordRules(rules.renamed(in_force), tuple(reader.stop_words))


class _WordRuleReader:
    """Reads events one by one. A strength of zero is a removed word."""

    def __init__(self) -> None:
        self.held: dict[int, dict[str, float]] = {}
        self.begun: dict[int, dict[str, float]] = {}
        self.strength: defaultdict[int, dict[str, float]] = defaultdict(dict)
        self.stop_words: dict[str, None] = {}

    def read(self, event: TopicEvent) -> None:
        if event.kind in ("create_topic", "split_topic"):
            self._begin(event)
        elif event.kind in ("lock_topic", "unlock_topic"):
            self._lock(event)
        elif event.kind in ("add_word", "remove_word", "release_word"):
            self._weigh(event)
        elif event.kind == "add_stop_word":
            self.stop_words[event.payload["word"]] = None
        elif event.kind == "drop_stop_word":
            self.stop_words.pop(event.payload["word"], None)

    def _begin(self, event: TopicEvent) -> None:
        if event.payload.get("words"):
            self.begun[event.payload["topic"]] = dict(event.payload["words"])
        removed = {w: s for w, s in self.strength[event.payload["topic"]].items() if not s}
        for child in event.payload.get("children", ()):
            self.begun[child["topic"]] = dict(child["words"])
            self.strength[child["topic"]] = dict(removed)

    def merge_begun(self, steps: Iterable[LineageStep]) -> None:
        """A merged topic begins with the words of all that it was merged from."""
        for step in steps:
            begun = [self.begun[t] for t in (*step.after, *step.before) if t in self.begun]
            if step.merge and begun:
                self.begun[step.after[0]] = _sum_of_words(begun)

    def _lock(self, event: TopicEvent) -> None:
        self.held.pop(event.payload["topic"], None)
        if event.kind == "lock_topic":
            self.held[event.payload["topic"]] = dict(event.payload["words"])

    def _weigh(self, event: TopicEvent) -> None:
        words, word = self.strength[event.payload["topic"]], event.payload["word"]
        words.pop(word, None)
        if event.kind != "release_word":
            words[word] = event.payload.get("strength", 0.0)

    def left_out(self) -> dict[int, tuple[str, ...]]:
        found = {t: tuple(w for w, s in words.items() if not s) for t, words in self.topics()}
        return {topic: words for topic, words in found.items() if words}

    def given(self) -> dict[int, dict[str, float]]:
        found = {t: {w: s for w, s in words.items() if s} for t, words in self.topics()}
        return {topic: words for topic, words in found.items() if words}

    def topics(self) -> list[tuple[int, dict[str, float]]]:
        return list(self.strength.items())


def _sum_of_words(several: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Words with their weights summed, each set of words as heavy as any other."""
    total: defaultdict[str, float] = defaultdict(float)
    for words in several:
        length = math.sqrt(sum(weight**2 for weight in words.values()))
        for word, weight in words.items():
            total[word] += weight / length
    return dict(total)
