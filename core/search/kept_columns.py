"""Columns that were kept with the texts, asked for as in ``customer_segment:Premium``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import QueryError
from core.insight.several_values import groups_of_values
from core.loading.columns.numbers import has_decimal_commas, number_in
from core.search.filters import FILTER_NAMES
from core.search.names import NO_VALUE, matching_names
from core.search.ranges import read_numbers

VALUES_NAMED = 6  # in a sentence that says which values there are
TAKEN_NAME = "column_{}"  # of a column called as a filter is
_BETWEEN_WORDS = re.compile(r"\W+")


@dataclass(frozen=True)
class SearchColumn:
    """One column: its values, each once, and which of them every document has."""

    title: str  # as the file calls it
    values: tuple[str, ...]
    codes: np.ndarray  # (n_docs,) places in values

    @classmethod
    def of(cls, title: str, cells: Sequence[str]) -> SearchColumn:
        places: dict[str, int] = {}
        codes = np.fromiter((places.setdefault(c, len(places)) for c in cells), np.int32)
        return cls(title, tuple(places), codes)

    def holding(self, value: str) -> np.ndarray:
        """Whether each document has the value: a name, the beginning of one, or a span.

        A cell that holds several values has each of them.
        """
        span = read_numbers(value.replace(",", ".") if self._decimal_comma else value)
        if span is not None and not np.isnan(self._numbers).all():
            return self._chosen((self._numbers >= span[0]) & (self._numbers <= span[1]))
        plain = {i: each for i, each in enumerate(self.values) if each.strip()}
        if value.casefold() == NO_VALUE and not matching_names(value, plain, whole=True):
            return self._chosen(np.array([not each.strip() for each in self.values]))
        fitting = np.zeros(len(self.values), bool)
        found = self._with_one_of(value) or matching_names(value, plain)
        fitting[found or self._refuse(value, list(plain.values()))] = True
        return self._chosen(fitting)

    def _with_one_of(self, value: str) -> list[int]:
        """Places of the cells that hold a value of this name, alone or among others."""
        names = dict(enumerate(dict.fromkeys(name for each in self._groups for name in each)))
        wanted = {names[at] for at in matching_names(value, names)}
        return [at for at, each in enumerate(self._groups) if wanted.intersection(each)]

    def _chosen(self, values: np.ndarray) -> np.ndarray:
        chosen: np.ndarray = values[self.codes]
        return chosen

    @cached_property
    def _numbers(self) -> np.ndarray:
        comma = self._decimal_comma
        return np.array([number_in(value, decimal_comma=comma) for value in self.values])

    @cached_property
    def _decimal_comma(self) -> bool:
        return has_decimal_commas(self.values)

    @cached_property
    def _groups(self) -> list[tuple[str, ...]]:
        return groups_of_values(self.values)

    def _refuse(self, value: str, known: list[str]) -> list[int]:
        more = len(known) - VALUES_NAMED
        named = ", ".join(sorted(known)[:VALUES_NAMED])
        named += f" and {more:,} more" if more > 0 else ""
        raise QueryError(f"No text has “{value}” in “{self.title}”. There are {named or 'none'}.")


def names_of_columns(titles: Sequence[str]) -> dict[str, str]:
    """How each column is called in a search: one word that no other column or filter has."""
    names: dict[str, str] = {}
    for title in titles:
        plain = _BETWEEN_WORDS.sub("_", title.casefold()).strip("_") or "column"
        if plain in FILTER_NAMES or plain[0].isdigit():
            plain = TAKEN_NAME.format(plain)
        wanted, number = plain, 2
        while wanted in names:
            wanted, number = f"{plain}_{number}", number + 1
        names[wanted] = title
    return names


def kept_columns(side: Mapping[str, Sequence[str]]) -> dict[str, SearchColumn]:
    """The columns of a corpus by their names in a search."""
    names = names_of_columns(list(side))
    return {name: SearchColumn.of(title, side[title]) for name, title in names.items()}
