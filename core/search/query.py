"""The language of the search box: words, "phrases", and filters such as ``is:unlabelled``.

A minus in front negates a part. Several values after a filter, separated by commas, mean any of
them. All parts must hold. A filter that is still being typed is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from core.errors import QueryError

PARTS_LIMIT = 32
IS_FILTERS = {
    "unlabelled": "nobody has labelled it",
    "labelled": "somebody has labelled it",
    "skipped": "it was skipped",
    "half": "its label has half weight",
    "normal": "its label has normal weight",
    "double": "its label has double weight",
    "nothing": "nothing fits it",
    "noted": "its label has a note",
    "mine": "the label is yours",
}
EARLIER_STATES = {"unsure": "half", "sure": "normal", "expert": "double"}  # in kept addresses
FILTER_NAMES = {
    "topic": "the model's main topic, as topic:billing",
    "label": "an allowed topic, as label:billing or label:none",
    "not": "a forbidden topic, as not:billing",
    "score": "the share of the topic, as score:>60 or score:40..60",
    "date": "a day, month, year or span, as date:2026-03 or date:>2026-03-14",
    "is": "a state, as is:unlabelled",
    "author": "who labelled it, as author:ann",
    "id": "the id of a text, as id:1042",
    "like": 'similar texts, as like:"lost my card" or, for those like a text, like:#1042',
}
_PART = re.compile(r'(-?)(?:([^\W\d_]+):(?!//))?(?:"([^"]*)("?)|([^\s"]*))')
_QUOTED_VALUES = re.compile(r'"([^"]*)"?|([^,"]+)')
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_SHARE = re.compile(r"(\d*\.?\d+)\s*(%?)")


@dataclass(frozen=True, slots=True)
class Words:
    """Words that follow one another in a document; ``open`` if the last is still being typed."""

    text: str
    open: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class NameFilter:
    """One of the filters that compare names: topic, label, not, author, id, is."""

    kind: str
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class RangeFilter:
    """One of the filters that compare numbers: score (shares) or date (ordinals), ends included."""

    kind: str
    low: float
    high: float
    negated: bool = False


@dataclass(frozen=True, slots=True)
class LikeFilter:
    """Texts similar to a sentence, or to the text with an id; the most similar first."""

    sentence: str = ""
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed search."""

    words: tuple[Words, ...] = ()
    names: tuple[NameFilter, ...] = ()
    spans: tuple[RangeFilter, ...] = ()
    like: LikeFilter | None = None

    def __bool__(self) -> bool:
        return bool(self.words or self.names or self.spans or self.like)


Part = Words | NameFilter | RangeFilter | LikeFilter


def parse(text: str) -> Query:
    """Parse a search; a filter that cannot be understood is an error in one sentence."""
    words: list[Words] = []
    names: list[NameFilter] = []
    spans: list[RangeFilter] = []
    likes: list[LikeFilter] = []
    for part in _split(text)[:PARTS_LIMIT]:
        if isinstance(part, Words):
            words.append(part)
        elif isinstance(part, NameFilter):
            names.append(part)
        elif isinstance(part, RangeFilter):
            spans.append(part)
        else:
            likes.append(part)
    if len(likes) > 1:
        raise QueryError("Only one “like:” at a time.")
    return Query(tuple(words), tuple(names), tuple(spans), likes[0] if likes else None)


def _split(text: str) -> list[Part]:
    text = text.replace("\x00", " ")
    found: list[Part] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        start, match = at, _PART.match(text, at)
        assert match is not None  # an empty match at worst
        at = _end_of_value(text, match) if match[2] else max(match.end(), at + 1)
        found += _parts(match, text[start:at], unfinished=at >= len(text))
    return found


def _end_of_value(text: str, match: re.Match[str]) -> int:
    """A filter's values end at the first space outside quotation marks."""
    at, quoted = match.start(2), False
    while at < len(text) and (quoted or not text[at].isspace()):
        quoted ^= text[at] == '"'
        at += 1
    return at


def _parts(match: re.Match[str], whole: str, *, unfinished: bool) -> list[Part]:
    negated, name = bool(match[1]), (match[2] or "").lower()
    if name:
        given = whole[len(match[1]) + len(name) + 1 :]
        return _filter(name, given, negated, unfinished=unfinished)
    if match[3] is not None:
        return _words(match[3], negated, open_=not match[4])
    return _words(match[5], negated, open_=unfinished)


def _words(text: str, negated: bool, *, open_: bool) -> list[Part]:
    bare = _EDGES.sub("", text)
    return [Words(bare, open_ and not negated, negated)] if bare else []


def _filter(name: str, given: str, negated: bool, *, unfinished: bool) -> list[Part]:
    if name not in FILTER_NAMES and not given:
        return _words(name, negated, open_=False)  # “Re: …” is a word before a colon
    if name not in FILTER_NAMES:
        known = ", ".join(f"{each}:" for each in FILTER_NAMES)
        raise QueryError(
            f"There is no filter “{name}:”. There are {known}; put “{name}:{given}” in quotation "
            "marks to search for it as it stands."
        )
    values = tuple(
        each.strip() for pair in _QUOTED_VALUES.findall(given) for each in pair if each.strip()
    )
    if not values:
        if unfinished:
            return []
        raise QueryError(
            f"Something is missing after “{name}:”. It filters by {FILTER_NAMES[name]}."
        )
    if name == "like":
        return [_like(given, negated)]
    if name in _SPANS:
        return [RangeFilter(name, *_SPANS[name](given), negated)]
    return [NameFilter(name, _states(values) if name == "is" else values, negated)]


def _like(given: str, negated: bool) -> LikeFilter:
    if negated:
        raise QueryError("“like:” orders texts by similarity; it cannot be excluded.")
    asked = given.removeprefix('"').removesuffix('"').strip()
    if asked.startswith("#"):
        return LikeFilter(document_id=asked[1:].strip())
    return LikeFilter(sentence=" ".join(asked.split()))


def _states(values: tuple[str, ...]) -> tuple[str, ...]:
    """Beginnings are enough where they leave no doubt."""
    found = []
    for value in values:
        wanted = EARLIER_STATES.get(value.lower(), value.lower())
        fitting = (
            [wanted] if wanted in IS_FILTERS else [s for s in IS_FILTERS if s.startswith(wanted)]
        )
        if len(fitting) != 1:
            raise QueryError(f"“is:{value}” is not known. There are {', '.join(IS_FILTERS)}.")
        found += fitting
    return tuple(found)


def _score(given: str) -> tuple[float, float]:
    """Shares as 0.6, 60 or 60 %; a bare number is the least that will do."""
    low, high = _ends(given, _share, f"“{given}” is not a share. Write score:>60 or score:40..60.")
    return (0.0 if low is None else low[0], 1.0 if high is None else high[1])


def _share(text: str) -> tuple[float, float] | None:
    match = _SHARE.fullmatch(text)
    if match is None:
        return None
    value = float(match[1])
    share = value / 100 if match[2] or value > 1 else value
    return (share, share) if share <= 1 else None


def _date(given: str) -> tuple[float, float]:
    """Days, months and years; a bare one is the whole of it."""
    sentence = f"“{given}” is not a date. Write 2026, 2026-03, 2026-03-14 or 2026-01..2026-03."
    if not given.startswith((">", "<")) and ".." not in given:
        given = f"{given}..{given}"
    low, high = _ends(given, _days, sentence)
    return (0 if low is None else low[0], date.max.toordinal() if high is None else high[1])


def _days(text: str) -> tuple[float, float] | None:
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


Reader = Callable[[str], tuple[float, float] | None]
Ends = tuple[tuple[float, float] | None, tuple[float, float] | None]


def _ends(given: str, read: Reader, sentence: str) -> Ends:
    """What lies between: ``a..b``, ``>a``, ``<b``, or from ``a`` on."""
    given = given.strip('"').replace(" ", "")
    if ".." in given:
        left, _, right = given.partition("..")
    elif given.startswith("<"):
        left, right = "", given.lstrip("<=")
    else:
        left, right = given.lstrip(">="), ""
    ends = tuple(read(end) if end else None for end in (left, right))
    if (left and ends[0] is None) or (right and ends[1] is None) or not (left or right):
        raise QueryError(sentence)
    return ends[0], ends[1]


_SPANS: dict[str, Callable[[str], tuple[float, float]]] = {"score": _score, "date": _date}
