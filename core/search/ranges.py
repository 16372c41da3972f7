"""Spans after a filter: shares of a topic, days, and the numbers of a kept column."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, timedelta

from core.errors import QueryError
from core.search.names import NO_VALUE

NO_DAY = 0  # ordinal of a text without a date
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_SHARE = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)")

Span = tuple[float, float]  # both ends included
Reader = Callable[[str], Span | None]


def read_share(given: str) -> Span:
    """Shares as 0.6, 60 or 60 %; a bare number is the least that will do."""
    low, high = _ends(given, _share, f"“{given}” is not a share. Write score:>60 or score:40..60.")
    return (0.0 if low is None else low[0], 1.0 if high is None else high[1])


def read_days(given: str) -> Span:
    """Days, months and years; a bare one is the whole of it.

    ``>2026-03`` begins after March, ``>=2026-03`` with it; ``none`` is where there is no date.
    """
    if given.casefold() == NO_VALUE:
        return NO_DAY, NO_DAY
    sentence = (
        f"“{given}” is not a date. Write 2026, 2026-03, 2026-03-14, 2026-01..2026-03 or none."
    )
    if not given.startswith((">", "<")) and ".." not in given:
        given = f"{given}..{given}"
    low, high = _ends(given, _days, sentence)
    first = 0 if low is None else low[1] + 1 if _is_open(given, ">") else low[0]
    last = (
        date.max.toordinal() if high is None else high[0] - 1 if _is_open(given, "<") else high[1]
    )
    return first, last


def read_numbers(given: str) -> Span | None:
    """``>3``, ``<=10`` or ``3..10``; None where something else is meant.

    ``>3`` leaves 3 itself out.
    """
    if not given.startswith((">", "<")) and ".." not in given:
        return None
    left, right = _sides(given)
    low = _number(left) if left else -math.inf
    high = _number(right) if right else math.inf
    if low is None or high is None or not (left or right):
        return None
    return _without_open_end(given, low, high)


def _without_open_end(given: str, low: float, high: float) -> Span:
    """The next number up or down where an end does not belong to the span."""
    if _is_open(given, ">"):
        low = math.nextafter(low, math.inf)
    if _is_open(given, "<"):
        high = math.nextafter(high, -math.inf)
    return low, high


def _is_open(given: str, sign: str) -> bool:
    """Whether what was written after the sign does not belong to the span itself."""
    return given.startswith(sign) and not given.startswith(f"{sign}=")


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _share(text: str) -> Span | None:
    match = _SHARE.fullmatch(text)
    if match is None:
        return None
    value = float(match[1])
    share = value / 100 if match[2] or value > 1 else value
    return (share, share) if share <= 1 else None


def _days(text: str) -> Span | None:
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    try:
        first = date(year, month, day)
        after = date(year + 1, 1, 1) if not match[2] else _next_month(first)
        last = first if match[3] else after - timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    return first.toordinal(), last.toordinal()


def _next_month(day: date) -> date:
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def _sides(given: str) -> tuple[str, str]:
    """The two ends as they were written: of ``a..b``, ``>a``, ``<b``, or from ``a`` on."""
    given = given.strip('"').replace(" ", "")
    if ".." in given:
        left, _, right = given.partition("..")
        return left, right
    return ("", given.lstrip("<=")) if given.startswith("<") else (given.lstrip(">="), "")


def _ends(given: str, read: Reader, sentence: str) -> tuple[Span | None, Span | None]:
    left, right = _sides(given)
    ends = tuple(read(end) if end else None for end in (left, right))
    if (left and ends[0] is None) or (right and ends[1] is None) or not (left or right):
        raise QueryError(sentence)
    return ends[0], ends[1]
