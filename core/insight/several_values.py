"""Columns whose cells hold several values (“delay; refund”): a text is in the group of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.loading.columns.label_cells import guessed_pieces
from core.loading.columns.spellings import usual_spellings

MAX_VALUES = 1_000  # different ones; a column of more holds no groups
MIN_KNOWN_PIECES = 0.5  # of the pieces stand in other cells, too; else a value just has a semicolon


def groups_of_values(values: Sequence[str]) -> list[tuple[str, ...]]:
    """The groups of each different value of a column: its parts, or the value alone."""
    if len(values) > MAX_VALUES:
        return [(value,) for value in values]
    pieces = guessed_pieces(values)
    times = Counter(piece for each in pieces for piece in each)
    parts = {piece for each in pieces if len(each) > 1 for piece in each}
    known = sum(times[part] > 1 for part in parts)
    if not parts or known < MIN_KNOWN_PIECES * len(parts):
        return [(value,) for value in values]
    usual = usual_spellings(times.elements())
    joined = [tuple(dict.fromkeys(usual[piece] for piece in each)) for each in pieces]
    return [each or (value,) for value, each in zip(values, joined, strict=True)]
