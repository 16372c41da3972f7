"""The filters of a search, such as ``is:unlabelled``, and those of the project's own columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from core.errors import QueryError
from core.search.parts import ColumnFilter, LikeFilter, NameFilter, Part, RangeFilter
from core.search.ranges import read_days, read_share

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
    "date": "a day, month, year or span, as date:2026-03, date:>2026-03-14 or date:none",
    "is": "a state, as is:unlabelled",
    "author": "who labelled it, as author:ann",
    "id": "the id of a text, as id:1042",
    "like": 'similar texts, as like:"lost my card" or, for those like a text, like:#1042',
}
ANY_COLUMN = None  # in place of the names of columns: every unknown filter is one
_RANGES: dict[str, Callable[[str], tuple[float, float]]] = {
    "score": read_share,
    "date": read_days,
}
MIN_COLUMN_LETTERS = 3  # of a column's name that is not written out
_VALUES = re.compile(r'"([^"]*)"?|([^,"]+)')

Columns = Collection[str] | None


def read_filter(
    name: str, given: str, negated: bool, columns: Columns, *, unfinished: bool
) -> list[Part] | None:
    """The part that a filter asks for; None where it is no filter but a word before a colon."""
    name = _completed(name.casefold(), columns)
    known = name in FILTER_NAMES or columns is ANY_COLUMN or name in columns
    values = tuple(each.strip() for pair in _VALUES.findall(given) for each in pair if each.strip())
    if not values and unfinished:
        return []
    if not known and not given:
        return None
    if not known:
        raise QueryError(_unknown(name, given, columns or ()))
    if not values:
        raise QueryError(f"Something is missing after “{name}:”. It filters by {_about(name)}.")
    return [_part(name, given, values, negated)]


def _completed(name: str, columns: Columns) -> str:
    """The beginning of a column's name is enough where only one begins so: “satisfaction:” for
    “satisfaction_1_5:”."""
    if columns is ANY_COLUMN or name in FILTER_NAMES or len(name) < MIN_COLUMN_LETTERS:
        return name
    begun = [column for column in columns if column.startswith(name)]
    return begun[0] if len(begun) == 1 and name not in columns else name


def _part(name: str, given: str, values: tuple[str, ...], negated: bool) -> Part:
    if name not in FILTER_NAMES:
        return ColumnFilter(name, values, negated)
    if name == "like":
        return _like(given, negated)
    if name in _RANGES:
        return RangeFilter(name, *_RANGES[name](given), negated)
    return NameFilter(name, _states(values) if name == "is" else values, negated)


def _about(name: str) -> str:
    return FILTER_NAMES.get(name, f"a column of the file, as {name}:value")


def _unknown(name: str, given: str, columns: Collection[str]) -> str:
    own = f", and of the file {_listed(columns)}" if columns else ""
    return (
        f"There is no filter “{name}:”. There are {_listed(FILTER_NAMES)}{own}; put "
        f"“{name}:{given}” in quotation marks to search for it as it stands."
    )


def _listed(names: Collection[str]) -> str:
    return ", ".join(f"{each}:" for each in names)


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
