"""Regular expressions of a search: read with care, and stopped when they take too long.

The time is limited because some patterns take longer than anybody waits, on one text even.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex

from core.errors import QueryError

PATTERN_LIMIT = 200  # characters
SECONDS_PER_SEARCH = 3.0  # for all texts
SECONDS_PER_TEXT = 0.2  # to show where the matches stand in one text
TOO_LONG = (
    "The pattern was stopped after {:.0f} s. Put words or filters before it, so that fewer texts "
    "are read, or write a simpler one."
)


@lru_cache(maxsize=64)
def compiled(text: str) -> regex.Pattern[str]:
    """The pattern; upper and lower case are the same to it."""
    if len(text) > PATTERN_LIMIT:
        raise QueryError(f"A pattern has at most {PATTERN_LIMIT} characters.")
    try:
        return regex.compile(text, regex.IGNORECASE | regex.MULTILINE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise QueryError(f"The pattern “~{text}” cannot be read: {error}.") from None


def matches_of(text: str, documents: Iterable[str], deadline: float) -> Iterator[bool]:
    """Whether each document holds a match; QueryError when the time is up.

    The lock of the interpreter is free meanwhile, so that nobody else waits.
    """
    pattern = compiled(text)
    for document in documents:
        left = deadline - time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            found = pattern.search(document, timeout=left, concurrent=True)
        except TimeoutError:
            raise QueryError(TOO_LONG.format(SECONDS_PER_SEARCH)) from None
        yield found is not None


def places_of(text: str, document: str) -> list[tuple[int, int]]:
    """Where the matches stand in one document; those found until the time is up."""
    places: list[tuple[int, int]] = []
    try:
        found = compiled(text).finditer(document, timeout=SECONDS_PER_TEXT, concurrent=True)
        places += (match.span() for match in found if match.end() > match.start())
    except TimeoutError:
        pass
    return places
