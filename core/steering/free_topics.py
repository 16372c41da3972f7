"""A free topic joins one of the analyst's: what that puts on the log.

The free topic is adopted and at once merged, so the next fit starts from both and its documents go
along; and its first words are added to the named topic, which every later fit hears of, one that
starts afresh too. Labels are given only if the analyst asks for them. One undo takes back all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.errors import StoreError
from core.insight.summaries import top_documents
from core.insight.topic_titles import topic_titles
from core.steering.operations import Operation, also_permitting, titled_operation, unlocked_topic
from core.steering.starting_words import START_WORDS, heaviest_words
from core.store.events.new_events import CreateTopic, Label
from core.store.events.requirements import NEW_TOPIC
from core.store.events.topic_events import AddWord, MergeTopics
from core.store.state.replay import State
from core.topics import Topics

ADDED_WORDS = 5  # first words of the free topic that are added to the named one
ADOPTED_WORD_STRENGTH = 1.0  # brings a word among the first ones
MIN_CLEAR_SHARE = 0.5  # of a document that surely is about the free topic
MAX_NAME = 100  # characters of the name under which it is adopted for a moment


def merge_free_topic(
    state: State,
    into: int,
    *,
    topics: Topics,
    column: int,
    run: int,
    label: Sequence[int] = (),
    title: str | None = None,
) -> Operation:
    """The free topic in a column of a run becomes part of the named topic ``into``.

    ``label`` are documents that shall be labelled with it, too.
    """
    named, free = unlocked_topic(state, into), topic_titles(topics)[column]
    words = heaviest_words(topics.topic_term[column], topics.terms, START_WORDS)
    if not words:
        raise StoreError(f"“{free}” has no words yet that could be taken over.")
    adopt = CreateTopic(_unused_name(state, free), {"run": run, "topic": column}, words)
    adds = [
        AddWord(into, word, ADOPTED_WORD_STRENGTH)
        for word in _new_words(state, topics, column, into)
    ]
    labels = [_label(state, at, into) for at in dict.fromkeys(label)]
    merge = MergeTopics((NEW_TOPIC,), into)
    shown = title or f"Merge “{free}” into “{named.name}”"
    return titled_operation(shown, adopt, *adds, *labels, merge)


def clearest_documents(
    topics: Topics, column: int, n: int, skip: Collection[int] = ()
) -> list[int]:
    """Documents that a free topic holds most of, as far as there are any."""
    found = top_documents(topics, column, n + len(skip))
    return [at for at, share in found if share >= MIN_CLEAR_SHARE and at not in skip][:n]


def _new_words(state: State, topics: Topics, column: int, into: int) -> list[str]:
    """The free topic's first words, but for those that somebody has decided on already."""
    rules = state.word_rules.topics
    known = {*rules.removed.get(into, ()), *rules.added.get(into, {})}
    first = [word.term for word in topics.top_terms(column, ADDED_WORDS)]
    return [word for word in first if word not in known]


def _label(state: State, position: int, topic: int) -> Label:
    known = state.annotations.get(position)
    if known is not None and topic in known.permitted:
        return Label(position, known.permitted, known.forbidden, known.confidence, note=known.note)
    return also_permitting(known, position, topic)


def _unused_name(state: State, title: str) -> str:
    """A name that no topic has; nobody sees it for long."""
    taken = {topic.name.casefold() for topic in state.topics}
    name, again = title[:MAX_NAME], 1
    while name.casefold() in taken:
        again += 1
        name = f"{title[:MAX_NAME]} ({again})"
    return name
