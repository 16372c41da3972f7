"""Regular expressions of a search: read with care, and stopped when they take too long.

The time is limited because some patterns take longer than anybody waits, on one text even. Before
that, a pattern is written out by its compiler, which nothing can stop and which takes memory for
every repetition that is counted: these have limits, and a pattern may not call itself.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex

from core.errors import QueryError

PATTERN_LIMIT = 200  # characters
MAX_REPEAT = 1_000  # that a pattern may count
MAX_REPEATS_WRITTEN_OUT = 50_000  # of all counts in a pattern, as if each were inside the next
BRACES = re.compile(r"\{([^}]*)\}")
CALLS_ITSELF = re.compile(r"\(\?(?:R|[+-]?\d|&|P>)")
CACHED_PATTERNS = 8
SECONDS_PER_SEARCH = 3.0  # for all texts
SECONDS_PER_TEXT = 0.2  # to show where the matches stand in one text
TOO_LONG = (
    "The pattern was stopped after {:.0f} s. Put words or filters before it, so that fewer texts "
    "are read, or write a simpler one."
)


@lru_cache(maxsize=CACHED_PATTERNS)
def compiled(text: str) -> regex.Pattern[str]:
    """The pattern; upper and lower case are the same to it."""
    if len(text) > PATTERN_LIMIT:
        raise QueryError(f"A pattern has at most {PATTERN_LIMIT} characters.")
    _require_few_repeats(text)
    if CALLS_ITSELF.search(text):
        raise QueryError("A pattern cannot call itself or one of its groups.")
    try:
        return regex.compile(text, regex.IGNORECASE | regex.MULTILINE)
    except (regex.error, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise QueryError(f"The pattern “~{text}” cannot be read: {error}.") from None


def _require_few_repeats(text: str) -> None:
    """By what stands between braces, wherever that is: nothing can be hidden in a comment."""
    numbers = [re.findall(r"\d+", each) for each in BRACES.findall(text)]
    most = [max(map(int, found)) for found in numbers if found]
    if max(most, default=0) > MAX_REPEAT:
        raise QueryError(f"A pattern repeats something at most {MAX_REPEAT:,} times.")
    if math.prod(max(each, 1) for each in most) > MAX_REPEATS_WRITTEN_OUT:
        raise QueryError("The pattern repeats too much; use smaller numbers, or + and *.")


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
        except MemoryError:
            raise QueryError("The pattern needs too much memory; write a simpler one.") from None
        yield found is not None


def places_of(text: str, document: str) -> list[tuple[int, int]]:
    """Where the matches stand in one document; those found until the time is up."""
    places: list[tuple[int, int]] = []
    try:
        found = compiled(text).finditer(document, timeout=SECONDS_PER_TEXT, concurrent=True)
        places += (match.span() for match in found if match.end() > match.start())
    except (TimeoutError, MemoryError):
        pass
    return places
