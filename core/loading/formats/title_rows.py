"""Rows above the names of the columns: the title of a sheet, a date of export, an empty row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.loading.columns.dates import looks_like_date
from core.loading.columns.names import is_known, name_words

MAX_TITLE_ROWS = 20
MAX_TITLE_CELLS = 4  # filled cells of a row that is a title: “Exported”, a date, “confidential”
CELLS_PER_TITLE_CELL = 3  # a table this many times as wide has a title, a narrower one a header
LEAST_FILLED_HEADER = 0.6  # share of the columns that have a name
LEAST_DISTINCT_NAMES = 0.8  # of them: surveys repeat a name or two
TITLE_CHARACTERS = 60  # quoted in the note
NUMBER_CELL = re.compile(r"[-+]?\d[\d., ]*%?")


def header_place(rows: Sequence[Sequence[str]]) -> int:
    """The place of the row that names the columns: the first, or one below rows of a title."""
    wide = Counter(_width(row) for row in rows if any(row)).most_common(1)
    if not wide:
        return 0
    for place, row in enumerate(rows[: MAX_TITLE_ROWS + 1]):
        if not _is_title(row, wide[0][0]):
            return place if place and _names_columns(row, wide[0][0]) else 0
    return 0


def title_note(rows: Sequence[tuple[int, Sequence[str]]], header: int) -> tuple[str, ...]:
    """What was left out above the row of names, with the number of that row in the file."""
    titles = [" ".join(cell for cell in cells if cell) for _, cells in rows if any(cells)]
    if not titles:
        return ()
    shown = "; ".join(f"“{_shortened(title)}”" for title in titles[:2])
    more = ", …" if len(titles) > 2 else ""
    return (f"The names of the columns are in row {header}; left out above them: {shown}{more}.",)


def _shortened(title: str) -> str:
    return title if len(title) <= TITLE_CHARACTERS else f"{title[:TITLE_CHARACTERS].rstrip()}…"


def _width(row: Sequence[str]) -> int:
    """Cells up to the last one that is filled."""
    return max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)


def _filled(row: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in row if cell.strip()]


def _is_title(row: Sequence[str], width: int) -> bool:
    """Whether a row has hardly any cell filled; a lone word such as “text” names a column."""
    filled = _filled(row)
    if len(filled) == 1 and len(name_words(filled[0])) == 1 and is_known(filled[0]):
        return False
    return len(filled) <= MAX_TITLE_CELLS and CELLS_PER_TITLE_CELL * len(filled) <= width


def _names_columns(row: Sequence[str], width: int) -> bool:
    """Whether the cells of a row can be names: most columns have one, hardly any twice, none a
    number or a date."""
    names = _filled(row)
    return (
        len(names) >= LEAST_FILLED_HEADER * width
        and len(set(names)) > LEAST_DISTINCT_NAMES * len(names)
        and not any(NUMBER_CELL.fullmatch(name) or looks_like_date(name) for name in names)
    )
