"""Cells of a CSV file that a spreadsheet opens without harm.

A cell that begins with ``= + - @`` (also full-width), a tab or a line break could start a formula
in a spreadsheet. Such cells get an apostrophe in front, which spreadsheets show as text.
"""

from __future__ import annotations

STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BYTE_ORDER_MARK = "\ufeff"  # tells Excel that the file is UTF-8


def formula_safe(cell: str) -> str:
    """The cell, harmless in a spreadsheet."""
    return f"'{cell}" if cell.startswith(STARTS_A_FORMULA) else cell


def guarded(cell: str) -> str:
    """The cell, harmless in a spreadsheet; ``bared`` gives the original back."""
    return f"'{cell}" if cell.lstrip("'").startswith(STARTS_A_FORMULA) else cell


def bared(cell: str) -> str:
    """A cell without the apostrophe that kept it from being a formula."""
    dangerous = cell.startswith("'") and cell.lstrip("'").startswith(STARTS_A_FORMULA)
    return cell[1:] if dangerous else cell
