"""The labels in the cells of a column: several in one cell, and spellings of one label."""

from __future__ import annotations

from collections.abc import Sequence

from core.loading.columns.guessing import guess_separator, split_labels
from core.loading.columns.spellings import joined_note, usual_spellings

CellLabels = tuple[tuple[str, ...], ...]  # of every text


def read_label_cells(
    cells: Sequence[str], separator: str | None, column: str
) -> tuple[CellLabels, tuple[str, ...]]:
    """The labels of every text, spellings of one label joined, and what is to be said of that."""
    split = {cell: split_labels(cell, separator) for cell in set(cells)}
    usual = usual_spellings(label for cell in cells for label in split[cell])
    known = {
        cell: tuple(dict.fromkeys(usual[label] for label in labels))
        for cell, labels in split.items()
    }
    return tuple(known[cell] for cell in cells), joined_note(usual, column)


def guessed_labels(cells: Sequence[str], column: str) -> CellLabels:
    """The same where nobody has said what separates labels in a cell."""
    return read_label_cells(cells, guess_separator(cells), column)[0]
