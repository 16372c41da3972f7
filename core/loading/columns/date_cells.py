"""The dates in the cells of a column, and how many of them could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.loading.columns.dates import is_ambiguous, read_dates
from core.values import count

UNREAD_SHOWN = 3  # values that are no dates
UNREAD_CHARACTERS = 30  # of each


def read_date_cells(
    cells: Sequence[str], rows: Sequence[int], column: str, asked: str | None
) -> tuple[tuple[date | None, ...], tuple[str, ...]]:
    """The date of every text, and what is to be said of how they were read."""
    name, known, otherwise = read_dates(cells, asked)
    n_others = sum(cell in otherwise for cell in cells)
    dates = tuple(known[cell] for cell in cells)
    unread = [
        (row, cell.strip())
        for row, cell in zip(rows, cells, strict=True)
        if cell.strip() and not known[cell]
    ]
    notes = _unread_dates(unread, dates, column)
    if n_others:
        n_read = sum(day is not None for day in dates)
        notes.append(
            f"The dates in “{column}” are written in several ways: {n_read - n_others:,} as "
            f"{name}, {n_others:,} in other formats."
        )
    elif is_ambiguous(name, list(known)):
        notes.append(f"The dates in “{column}” were read as {name}.")
    return dates, tuple(notes)


def _unread_dates(
    unread: Sequence[tuple[int, str]], dates: Sequence[date | None], column: str
) -> list[str]:
    """How many rows have a date, and what could not be read; nothing if all have one."""
    n_read = sum(day is not None for day in dates)
    if n_read == len(dates):
        return []
    n_empty = len(dates) - n_read - len(unread)
    notes = [f"{n_read:,} of {count(len(dates), 'row')} have a date in “{column}”"]
    if n_empty:
        notes.append(count(n_empty, "cell is empty", "cells are empty"))
    if unread:
        notes.append(f"{len(unread):,} could not be read: {_examples(unread)}")
    return ["; ".join(notes) + "."]


def _examples(unread: Sequence[tuple[int, str]]) -> str:
    """The first different values, each with its first row."""
    first = {cell: row for row, cell in reversed(unread)}
    shown = sorted(first.items(), key=lambda each: each[1])[:UNREAD_SHOWN]
    more = ", …" if len(first) > len(shown) else ""
    cells = (f"“{cell[:UNREAD_CHARACTERS]}” (row {row:,})" for cell, row in shown)
    return ", ".join(cells) + more
