"""Guess which column is the text, the id, the date, the labels; the rest is side information.

A guess depends on the cells first and on the name of the column second. Every guess is shown to
the user and can be changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.corpus import ColumnRoles
from core.loading.columns.dates import best_reader, share_of_dates
from core.loading.columns.names import suggests_role, suggests_truth
from core.loading.columns.numbers import has_decimal_commas
from core.loading.formats.table import Table

SAMPLED_CELLS = 2_000
NUMBER_CELL = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?%?")
MIN_DATE_SHARE = 0.9
LABEL_SEPARATORS = (";", "|", " / ", ",")  # a slash without spaces stands in “Input/Output”
IN_LABELS_TOO = frozenset({" / ", ","})
MAX_LABEL_LENGTH = 60
MAX_SIDE_COLUMNS = 12
MAX_LABELS = 300
MIN_ID_VARIETY = 0.5  # of a sample; whole rows that stand twice have their id twice
MIN_FILLED_IDS = 0.5  # share of the rows that have one: a mostly empty column names no text
MIN_UNIQUE = 0.98  # of ids: a typing mistake makes no other column of it
MIN_ROWS_TO_REPEAT = 30  # with fewer rows labels need not repeat: a suggestive name is enough


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What a sample of a column's cells looks like."""

    name: str
    filled: int
    distinct: int
    length: float  # mean characters of the cells that hold something
    words: float
    numbers: float  # share
    dates: float  # share

    @property
    def variety(self) -> float:
        return self.distinct / self.filled if self.filled else 0.0


def profile_column(name: str, cells: Iterable[str]) -> ColumnProfile:
    filled = [cell.strip() for cell in cells if cell.strip()]
    n = len(filled) or 1
    return ColumnProfile(
        name=name,
        filled=len(filled),
        distinct=len(set(filled)),
        length=sum(map(len, filled)) / n,
        words=sum(len(cell.split()) for cell in filled) / n,
        numbers=sum(NUMBER_CELL.fullmatch(cell) is not None for cell in filled) / n,
        dates=share_of_dates(filled[:200]) if filled and len(filled[0]) <= 40 else 0.0,
    )


def sample_cells(cells: tuple[str, ...]) -> tuple[str, ...]:
    step = max(len(cells) // SAMPLED_CELLS, 1)
    return cells[::step][:SAMPLED_CELLS]


def guess_columns(table: Table, text: str | None = None) -> ColumnRoles:
    """The most likely role of every column; ``text`` when that one is known already."""
    if table.known is not None:
        return table.known
    profiles = {
        name: profile_column(name, sample_cells(cells))
        for name, cells in zip(table.header, table.columns, strict=True)
    }
    text = text or _guess_text(profiles.values())
    left = {name: p for name, p in profiles.items() if name != text and p.filled}
    id_ = _guess_id(left.values(), table)
    left.pop(id_ or "", None)
    date = _guess_date(left.values())
    left.pop(date or "", None)
    labels = _guess_labels(left.values(), table)
    left.pop(labels or "", None)
    return ColumnRoles(
        text=text,
        id=id_,
        date=date,
        labels=labels,
        side=_guess_side(left.values()),
        label_separator=guess_separator(table.column(labels)) if labels else None,
    )


def _guess_text(profiles: Iterable[ColumnProfile]) -> str | None:
    """The longest varied text; a suggestive name helps, numbers and dates never qualify."""
    scores = {
        p.name: p.length * p.variety * (3 if suggests_role(p.name, "text") else 1)
        for p in profiles
        if p.filled and p.numbers < 0.5 and p.dates < 0.5
    }
    return max(scores, key=lambda name: scores[name]) if scores else None


def _guess_id(profiles: Iterable[ColumnProfile], table: Table) -> str | None:
    candidates = [
        p.name
        for p in profiles
        if p.variety > MIN_ID_VARIETY
        and p.filled >= MIN_FILLED_IDS * len(sample_cells(table.column(p.name)))
        and p.length <= 60
        and p.words <= 2
        and not _fraction(p, table)
    ]
    named = [name for name in candidates if suggests_role(name, "id") and _names_rows(name, table)]
    if named:
        return named[0]
    coded = [
        p
        for p in candidates
        if not suggests_role(p, "date")
        and any(any(map(str.isdigit, cell)) for cell in table.column(p)[:20])
        and best_reader(table.column(p)[:50])[2] < MIN_DATE_SHARE
        and len(table) > 3
        and _names_rows(p, table)
    ]
    return coded[0] if coded else None


def _fraction(p: ColumnProfile, table: Table) -> bool:
    cells = table.column(p.name)[:200]
    return has_decimal_commas(cells) or (p.numbers > 0.5 and any("." in cell for cell in cells))


def _names_rows(column: str, table: Table) -> bool:
    """Whether hardly two rows share a value, but for those that are copies of one another."""
    cells = table.column(column)
    filled = [cell for cell in cells if cell.strip()]
    distinct = len(set(filled))
    if distinct >= MIN_UNIQUE * len(filled) or distinct < MIN_ID_VARIETY * len(filled):
        return distinct >= MIN_UNIQUE * len(filled)
    at = table.header.index(column)
    rows = {cells for cells in zip(*table.columns, strict=True) if cells[at].strip()}
    return distinct >= MIN_UNIQUE * len(rows)


def _guess_date(profiles: Iterable[ColumnProfile]) -> str | None:
    """Cells that read as dates; plain numbers such as years need a suggestive name."""
    scores = {
        p.name: p.dates + (1 if suggests_role(p.name, "date") else 0)
        for p in profiles
        if p.dates >= MIN_DATE_SHARE and (p.numbers < 0.5 or suggests_role(p.name, "date"))
    }
    return max(scores, key=lambda name: scores[name]) if scores else None


def _guess_labels(profiles: Iterable[ColumnProfile], table: Table) -> str | None:
    """A suggestive name first, best one for the truth; then cells with lists; then few values."""
    possible = [p for p in profiles if p.length <= 200 and not _fraction(p, table)]
    spread = {p.name: _pieces_repeat(p, table) for p in possible}
    named = [
        p.name
        for p in possible
        if suggests_role(p.name, "labels") and (spread[p.name] or p.filled < MIN_ROWS_TO_REPEAT)
    ]
    if named:
        return next(filter(suggests_truth, named), named[0])
    lists = [p.name for p in possible if guess_separator(table.column(p.name)) and spread[p.name]]
    if lists:
        return lists[0]
    few = [p.name for p in possible if _few_values(p) and p.numbers < 0.5]
    return few[0] if len(few) == 1 else None


def _pieces_repeat(p: ColumnProfile, table: Table) -> bool:
    """Whether labels repeat: far fewer different labels than labels."""
    cells = sample_cells(table.column(p.name))
    separator = guess_separator(cells)
    pieces = Counter(piece for cell in cells for piece in split_labels(cell, separator))
    short = all(len(piece) <= MAX_LABEL_LENGTH for piece in pieces)
    few = len(pieces) <= MAX_LABELS and len(pieces) <= max(0.6 * pieces.total(), 3)
    return bool(pieces) and short and few


def _few_values(p: ColumnProfile) -> bool:
    return 2 <= p.distinct <= max(40, 0.05 * p.filled) and p.variety <= 0.6 and p.length <= 60


def _guess_side(profiles: Iterable[ColumnProfile]) -> tuple[str, ...]:
    return tuple(p.name for p in profiles if _few_values(p))[:MAX_SIDE_COLUMNS]


def guess_separator(cells: Iterable[str]) -> str | None:
    """The separator of several labels in one cell; None if each cell is one label.

    A comma or a slash also occurs inside a label (“Roads, paths and parks”), so it counts only if
    most of the pieces occur in other cells too; a comma also inside a number (“3,2”).
    """
    distinct = {cell.strip() for cell in cells if cell.strip()}
    if has_decimal_commas(distinct):
        return None
    for separator in LABEL_SEPARATORS:
        several = [cell for cell in distinct if len(split_labels(cell, separator)) > 1]
        sure = separator not in IN_LABELS_TOO
        if several and (sure or _recombine(several, distinct, separator)):
            return separator
    return None


def _recombine(several: list[str], distinct: set[str], separator: str) -> bool:
    seen = Counter(piece for cell in distinct for piece in set(split_labels(cell, separator)))
    pieces = {piece for cell in several for piece in split_labels(cell, separator)}
    short = sum(map(len, pieces)) / len(pieces) <= 30
    return short and sum(seen[piece] > 1 for piece in pieces) >= 0.5 * len(pieces)


def split_labels(cell: str, separator: str | None) -> tuple[str, ...]:
    """The labels of one cell, each once; a printed list loses its brackets and quotes."""
    cell = cell.strip()
    if separator == "," and cell.startswith("[") and cell.endswith("]"):
        parts = [part.strip().strip("'\"") for part in cell[1:-1].split(",")]
    else:
        parts = cell.split(separator) if separator else [cell]
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
