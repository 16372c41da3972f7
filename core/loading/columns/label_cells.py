"""The labels in the cells of a column: several in one cell, and spellings of one label."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import filterfalse

from core.loading.columns.guessing import LABEL_SEPARATORS, guess_separator, split_labels
from core.loading.columns.spellings import folded, joined_note, usual_spellings

DIVIDERS = (*LABEL_SEPARATORS, "/", "+", "\n")  # between labels that stand alone elsewhere
NO_LABEL = frozenset({"-", "--", "–", "—", "n/a", "#n/a", "nan", "null"})  # as people write it
CellLabels = tuple[tuple[str, ...], ...]  # of every text


def read_label_cells(
    cells: Sequence[str], separator: str | None, column: str, *, join: bool = True
) -> tuple[CellLabels, tuple[str, ...]]:
    """The labels of every text, spellings of one label joined, and what is to be said of that.

    Without ``join`` they stay as they are spelled.
    """
    pieces = _pieces(cells, separator)
    split = {cell: tuple(filter(_is_label, labels)) for cell, labels in pieces.items()}
    usual = usual_spellings(label for cell in cells for label in split[cell]) if join else {}
    known = {
        cell: tuple(dict.fromkeys(usual.get(label, label) for label in labels))
        for cell, labels in split.items()
    }
    empty = dict.fromkeys(piece for each in pieces.values() for piece in each)
    notes = (*joined_note(usual, column), *_no_label_note(filterfalse(_is_label, empty), column))
    return tuple(known[cell] for cell in cells), notes


def _pieces(cells: Iterable[str], separator: str | None) -> dict[str, tuple[str, ...]]:
    """The parts of each different cell.

    People mix separators: “Light|Roads” in one cell, “Light, Roads” in the next. A part that
    another separator divides into labels that stand alone elsewhere is several labels as well.
    """
    pieces = {cell: split_labels(cell, separator) for cell in dict.fromkeys(cells)}
    if separator is None:
        return pieces
    alone = {folded(piece) for each in pieces.values() for piece in each}
    return {
        cell: tuple(dict.fromkeys(part for piece in each for part in _known_parts(piece, alone)))
        for cell, each in pieces.items()
    }


def _known_parts(piece: str, alone: Container[str]) -> tuple[str, ...]:
    for separator in DIVIDERS:
        parts = split_labels(piece, separator)
        if len(parts) > 1 and all(folded(part) in alone for part in parts):
            return parts
    return (piece,)


def _is_label(piece: str) -> bool:
    return piece.casefold() not in NO_LABEL


def _no_label_note(found: Iterable[str], column: str) -> tuple[str, ...]:
    listed = ", ".join(f"“{each}”" for each in found)
    return (f"In “{column}”, no label: {listed}.",) if listed else ()


def guessed_pieces(cells: Sequence[str]) -> CellLabels:
    """The values in each cell of any column, as they are spelled."""
    pieces = _pieces(cells, guess_separator(cells))
    return tuple(pieces[cell] for cell in cells)


def guessed_labels(cells: Sequence[str], column: str) -> CellLabels:
    """The same where nobody has said what separates labels in a cell."""
    return read_label_cells(cells, guess_separator(cells), column)[0]
