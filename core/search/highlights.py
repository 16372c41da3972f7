"""Where the words and patterns of a search stand in a text."""

from __future__ import annotations

import re

from core.errors import QueryError
from core.search.filters import ANY_COLUMN
from core.search.parts import Words
from core.search.patterns import places_of
from core.search.query import Query, parse

_EITHER_S = re.compile("ss|ß", re.IGNORECASE)  # words are found with the one for the other
_BEFORE, _AFTER = r"(?<![^\W_])", r"(?![^\W_])"


def find_matches(text: str, search: str) -> list[tuple[int, int]]:
    """Stretches in order, none over another; a search that makes no sense is nowhere."""
    query = _parsed_or_empty(search)
    words = _pattern_of_words(query)
    found = [] if words is None else [match.span() for match in words.finditer(text)]
    for pattern in query.patterns:
        found += [] if pattern.negated else places_of(pattern.text, text)
    return _apart(sorted(found))


def _apart(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches that overlap become one."""
    apart: list[tuple[int, int]] = []
    for start, end in stretches:
        if apart and start < apart[-1][1]:
            apart[-1] = apart[-1][0], max(end, apart[-1][1])
        else:
            apart.append((start, end))
    return apart


def _parsed_or_empty(search: str) -> Query:
    try:
        return parse(search, ANY_COLUMN)
    except QueryError:
        return Query()


def _pattern_of_words(query: Query) -> re.Pattern[str] | None:
    parts = [_words_pattern(words) for words in query.words if not words.negated]
    return re.compile("|".join(filter(None, parts)), re.IGNORECASE) if any(parts) else None


def _words_pattern(words: Words) -> str:
    found = [_EITHER_S.sub("(?:ss|ß)", word) for word in re.findall(r"[^\W_]+", words.text)]
    end = r"[^\W_]*" if words.open else ""
    return _BEFORE + r"[\W_]+".join(found) + end + _AFTER if found else ""
