"""Read dates: the format of a column is the one that fits most of its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from datetime import date, datetime, timedelta

from core.loading.columns.month_names import read_month_name

DateReader = Callable[[str], date | None]

DATE_FORMATS = (  # names of the formats one can ask for
    "year-month-day",
    "day/month/year",
    "month/day/year",
    "year/month/day",
    "day month year",
    "year-month",
    "year",
)

ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?$")
COMPACT_DATE = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)$")
THREE_NUMBERS = re.compile(
    r"(?P<first>\d{1,2})(?P<sign>[./-])(?P<second>\d{1,2})[./-](?P<year>\d{4}|\d\d)(?:[ ,T].*)?$"
)
YEAR_FIRST_DATE = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})(?:[ T].*)?$")
DAY_NUMBER = re.compile(r"[2-6]\d{4}(?:\.\d+)?$")  # days since 1899, as spreadsheets keep them
FIRST_DAY = date(1899, 12, 30)
DAY_NUMBERS = range(25_569, 62_091)  # 1970 to 2069
MIN_DATES_BESIDE_NUMBERS = 0.5  # of a column; with fewer its numbers are numbers
YEAR_ONLY = re.compile(r"(1[5-9]|20)\d\d$")
YEAR_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})$")
WORD_FORMATS = (
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%B %d %Y",
    "%d. %B %Y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%B %Y",
    "%b %Y",
    "%a, %d %b %Y",
)


def date_readers(values: Sequence[str]) -> list[tuple[str, DateReader]]:
    """Formats to try, with a readable name, in order of preference for these values.

    Dots and slashes are often different people's habits: where a number above 12 tells which of the
    two is the day, it tells so for all values with that separator.
    """
    day_first, month_first = _known_orders(values)
    numeric = [
        ("day/month/year", _numeric("first", refused=month_first)),
        ("month/day/year", _numeric("second", refused=day_first)),
    ]
    if month_first:
        numeric.reverse()
    return [
        ("year-month-day", _iso),
        *numeric,
        ("year/month/day", _year_first),
        ("day month year", _in_words),
        ("year-month", _month),
        ("year", _year),
    ]


def read_dates(
    values: Sequence[str], asked: str | None = None
) -> tuple[str, dict[str, date | None], frozenset[str]]:
    """The format of most values, each value as a date, and the values of another format.

    Values that the format does not fit are read by the first other format that fits them, in the
    same order for all; ``asked`` comes first whatever the values say.
    """
    name, first, _ = best_reader(values[:: max(len(values) // 2_000, 1)])
    readers = dict(date_readers(values))
    if asked is not None:
        days = {"day/month/year": "first", "month/day/year": "second"}
        name, first = asked, _numeric(days[asked]) if asked in days else readers[asked]
    others = [*(read for other, read in readers.items() if other != name), _day_number]
    found: dict[str, date | None] = {}
    otherwise: set[str] = set()
    for value in dict.fromkeys(values):
        plain = value.strip()
        found[value] = first(plain)
        if found[value] is None and plain:
            found[value] = next((day for read in others if (day := read(plain)) is not None), None)
            otherwise |= {value} if found[value] is not None else set()
    return name, found, frozenset(otherwise)


def best_reader(values: Sequence[str]) -> tuple[str, DateReader, float]:
    """The format that fits most values, and the share it fits."""
    distinct = [value.strip() for value in dict.fromkeys(values) if value.strip()]
    if not distinct:
        return "", _year, 0.0
    scored = [
        (sum(read(value) is not None for value in distinct) / len(distinct), name, read)
        for name, read in date_readers(distinct)
    ]
    share, name, read = max(scored, key=lambda entry: entry[0])
    return name, read, share


def share_of_dates(values: Sequence[str]) -> float:
    """The share of different values that are dates: all of one format, or full ones of several.

    The numbers by which spreadsheets count days are dates where dates stand beside them.
    """
    distinct = [value.strip() for value in dict.fromkeys(values) if value.strip()]
    full = sum(map(looks_like_date, distinct)) / max(len(distinct), 1)
    if full >= MIN_DATES_BESIDE_NUMBERS:
        full += sum(_day_number(value) is not None for value in distinct) / len(distinct)
    return max(full, best_reader(distinct)[2])


def looks_like_date(value: str) -> bool:
    """Whether one value is a full date (a year alone is not)."""
    readers = (_iso, _numeric("first"), _numeric("second"), _year_first, _in_words)
    return any(read(value) is not None for read in readers)


def is_ambiguous(name: str, values: Sequence[str]) -> bool:
    """Whether day and month could be swapped in every value, or a year has two digits."""
    if name not in ("day/month/year", "month/day/year"):
        return False
    found = [match for match in map(THREE_NUMBERS.match, values) if match]
    return any(len(m["year"]) == 2 for m in found) or all(
        int(m["first"]) <= 12 and int(m["second"]) <= 12 for m in found
    )


def _known_orders(values: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Separators with which the day comes first for sure, and those with which the month does."""
    found = [match for match in map(THREE_NUMBERS.match, values) if match]
    day = {match["sign"] for match in found if int(match["first"]) > 12}
    month = {match["sign"] for match in found if int(match["second"]) > 12}
    return frozenset(day - month), frozenset(month - day)


def _numeric(day: str, refused: Container[str] = ()) -> DateReader:
    """``day`` is the part of the match that holds it; separators ``refused`` are for others."""

    def read(value: str) -> date | None:
        match = THREE_NUMBERS.match(value)
        if match is None or match["sign"] in refused:
            return None
        month = "second" if day == "first" else "first"
        return _date(_full_year(match["year"]), match[month], match[day])

    return read


def _full_year(year: str) -> str:
    """The year that two digits mean, as spreadsheets read them: 1970 to 2069."""
    return year if len(year) == 4 else f"{'19' if int(year) >= 70 else '20'}{year}"


def _iso(value: str) -> date | None:
    match = ISO_DATE.match(value) or COMPACT_DATE.match(value)
    return _date(match[1], match[2], match[3]) if match else None


def _year_first(value: str) -> date | None:
    match = YEAR_FIRST_DATE.match(value)
    return _date(match[1], match[2], match[3]) if match else None


def _month(value: str) -> date | None:
    match = YEAR_MONTH.match(value)
    return _date(match[1], match[2], "1") if match else None


def _year(value: str) -> date | None:
    return _date(value, "1", "1") if YEAR_ONLY.match(value) else None


def _day_number(value: str) -> date | None:
    """45309 is 18 January 2024: a date whose cell lost its format."""
    if not DAY_NUMBER.match(value) or int(float(value)) not in DAY_NUMBERS:
        return None
    return FIRST_DAY + timedelta(days=int(float(value)))


def _in_words(value: str) -> date | None:
    if not any(letter.isalpha() for letter in value) or len(value) > 40:
        return None
    value = re.sub(r"[ ,]*\d{1,2}:\d\d.*$", "", value)
    for format_ in WORD_FORMATS:
        try:
            return datetime.strptime(value, format_).date()
        except ValueError:
            continue
    return read_month_name(value)


def _date(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
