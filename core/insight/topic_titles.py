"""What a topic is called on screen: its name, or its first words where nobody has named it.

A free topic's key (“Free 2”) says which topic it is from fit to fit, and tells a reader nothing.
Screens, reports and sentences call it by its words; identity and colour stay with the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from core.fitting import FREE_TOPIC_WORD, UNNAMED_TOPIC
from core.topics import Topics

NO_WORDS = "no words yet"  # in place of a topic's words, wherever words are listed
FEWEST_WORDS, MOST_WORDS = 2, 3  # in the title of a free topic
MAX_WORD_LENGTH = 24  # characters of one word
WORDS_READ = 12  # first words of a topic among which those of its title are found
_NUMBER = re.compile(rf"(?:{FREE_TOPIC_WORD}|{UNNAMED_TOPIC}) \d+")  # the name that a fit gives


def topic_titles(
    topics: Topics, may_show: Callable[[str], bool] = lambda _: True
) -> tuple[str, ...]:
    """A title for every topic, no two the same; a free topic without words keeps its number.

    Words that ``may_show`` refuses are in no title.
    """
    unnamed = [topic for topic in range(len(topics)) if is_unnamed(topics, topic)]
    titles = list(topics.names)
    taken = {name.casefold() for topic, name in enumerate(titles) if topic not in unnamed}
    for topic in unnamed:
        free = (
            title for title in _options(topics, topic, may_show) if title.casefold() not in taken
        )
        titles[topic] = next(free)
        taken.add(titles[topic].casefold())
    return tuple(titles)


def is_unnamed(topics: Topics, topic: int) -> bool:
    """Whether a topic has nothing but the number that the fit gave it."""
    return topic >= topics.n_supervised and _NUMBER.fullmatch(topics.names[topic]) is not None


def with_titles(topics: Topics) -> Topics:
    """The same topics, as screens and reports call them."""
    return topics.renamed(topic_titles(topics))


def titles_without(topics: Topics, may_show: Callable[[str], bool]) -> tuple[str, ...]:
    """The titles, with other words for free topics where ``may_show`` refuses one of theirs."""
    names = list(topics.names)
    for topic in range(topics.n_supervised, len(topics)):
        terms = [word.term for word in topics.top_terms(topic, WORDS_READ)]
        if any(_shortened(term) in names[topic] for term in terms if not may_show(term)):
            names[topic] = str(topics.keys[topic])
    found = topic_titles(topics.renamed(tuple(names)), may_show)
    return tuple(
        old if old == new else found[k]
        for k, (old, new) in enumerate(zip(topics.names, names, strict=True))
    )


def first_words(topics: Topics, topic: int, n: int, between: str = ", ") -> str:
    """A topic's first words in a line; says so where it has none."""
    return between.join(word.term for word in topics.top_terms(topic, n)) or NO_WORDS


def _options(topics: Topics, topic: int, may_show: Callable[[str], bool]) -> Iterator[str]:
    """Titles for a free topic, the best first; the last ones are surely its own."""
    number = str(topics.keys[topic])
    terms = [word.term for word in topics.top_terms(topic, WORDS_READ)]
    words = _distinct_words(list(filter(may_show, terms)))
    if words:
        yield from (", ".join(words[:n]) for n in range(FEWEST_WORDS, MOST_WORDS + 1))
        yield f"{', '.join(words[:FEWEST_WORDS])} ({number})"
    yield number
    yield from (f"{number} ({again})" for again in range(2, len(topics) + 3))


def _distinct_words(terms: list[str]) -> list[str]:
    """The first terms that say something new: not “card” after “credit card”."""
    chosen: list[str] = []
    for term in terms:
        used = {part for each in chosen for part in each.split()}
        if not set(term.split()) <= used:
            chosen.append(term)
        if len(chosen) == MOST_WORDS:
            break
    return [_shortened(term) for term in chosen]


def _shortened(term: str) -> str:
    return term if len(term) <= MAX_WORD_LENGTH else f"{term[: MAX_WORD_LENGTH - 1]}…"
