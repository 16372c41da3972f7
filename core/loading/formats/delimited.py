"""CSV and TSV: find the delimiter, keep the row numbers, refuse broken quoting."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from core.corpus import DroppedRow
from core.errors import CorpusError
from core.loading.columns.dates import looks_like_date
from core.loading.columns.names import is_known
from core.loading.formats.table import Table, check_size, no_rows, oversized_cell, tidy_header
from core.loading.formats.title_rows import NUMBER_CELL, header_place, title_note
from core.loading.limits import FileLimits

DETECTED_DELIMITERS = (",", ";", "\t", "|")
ONE_COLUMN = "\x1f"  # no delimiter at all: every line is a cell
SAMPLE_ROWS = 60
SAMPLE_CHARACTERS = 400_000
MAX_RAGGED_SHARE = 0.01  # more rows of another width mean a wrong delimiter

Row = tuple[int, list[str]]


def read_delimited(
    text: str,
    file: str,
    *,
    encoding: str | None,
    delimiter: str | None = None,
    limits: FileLimits,
    max_rows: int | None = None,
) -> Table:
    """The table in a text; a preview stops after ``max_rows``."""
    csv.field_size_limit(limits.cell_characters)  # for the guess, too
    chosen = _check_delimiter(delimiter, file) if delimiter else guess_delimiter(text)
    rows = _rows(text, chosen, file, limits)
    head = list(islice(rows, SAMPLE_ROWS))
    if not head:
        raise CorpusError("the file is empty.", file=file)
    head, header, notes = _header(head, file, limits)
    body = [*head, *islice(rows, None if max_rows is None else max_rows)]
    if not body:
        raise no_rows(file)
    body, dropped = _equal_width(body, len(header), file)
    check_size(limits, file, rows=len(body), columns=len(header))
    return Table(
        header=header,
        columns=tuple(zip(*(cells for _, cells in body), strict=True)),
        rows=[number for number, _ in body],
        kind="tsv" if chosen == "\t" else "csv",
        encoding=encoding,
        delimiter=None if chosen == ONE_COLUMN else chosen,
        dropped=dropped,
        notes=notes,
        complete=next(rows, None) is None,
    )


def _header(
    head: list[Row], file: str, limits: FileLimits
) -> tuple[list[Row], tuple[str, ...], tuple[str, ...]]:
    """The first rows below the names of the columns, these names, and what is to be said."""
    place = header_place([cells for _, cells in head])
    notes = title_note(head[:place], head[place][0])
    head = head[place:]
    check_size(limits, file, rows=0, columns=len(head[0][1]))
    named = _has_header(head)
    header, changed = tidy_header(head[0][1] if named else [""] * len(head[0][1]))
    if not named:
        notes += ("The first row looks like a text, so the columns were given numbers.",)
    return head[named:], header, notes + changed


def guess_delimiter(text: str) -> str:
    """The delimiter under which most rows have as many cells as the header.

    If few have, and no name in the header is known, the text has no delimiter.
    """
    sample = text[:SAMPLE_CHARACTERS]
    scores = {mark: _agreement(sample, mark) for mark in DETECTED_DELIMITERS}
    best = max(DETECTED_DELIMITERS, key=lambda mark: scores[mark])
    share, has_known_name, _ = scores[best]
    return best if share > 0.5 or has_known_name else ONE_COLUMN


def _agreement(sample: str, delimiter: str) -> tuple[float, bool, int]:
    """(share of rows as wide as the header, whether it names a role, width); 0 for one cell."""
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    try:
        rows = [row for row in islice(reader, SAMPLE_ROWS) if row]
    except csv.Error:
        return 0.0, False, 0
    place = header_place(rows)
    if not rows or len(rows[place]) < 2:
        return 0.0, False, 0
    widths, width = Counter(map(len, rows)), len(rows[place])
    known = place == 0 and any(map(is_known, rows[0]))  # below a title only widths are trusted
    return widths[width] / len(rows), known, width


def _check_delimiter(delimiter: str, file: str) -> str:
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise CorpusError("the delimiter must be one character, such as , or ;.", file=file)
    return delimiter


def _rows(text: str, delimiter: str, file: str, limits: FileLimits) -> Iterator[Row]:
    """(number in the file, cells) of every row that is not blank."""
    strict = delimiter != ONE_COLUMN  # lines of prose may contain any quotation mark
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    number = 0
    while True:
        number += 1
        if number > limits.rows + 1:
            check_size(limits, file, rows=number, columns=0)
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise _csv_error(str(error), number, file, limits) from None
        if cells:
            yield number, cells


def _csv_error(what: str, row: int, file: str, limits: FileLimits) -> CorpusError:
    if "field limit" in what:
        return oversized_cell(limits, file, row=row)
    sentence = (
        "a quotation mark is opened and never closed."
        if "end of data" in what
        else "a quotation mark stands inside a quoted text; it must be written twice there."
    )
    return CorpusError(sentence, file=file, row=row)


def _has_header(head: list[Row]) -> bool:
    """No cell of a header is a number or a date, and a single cell is no sentence."""
    cells = [cell.strip() for cell in head[0][1]]
    if any(NUMBER_CELL.fullmatch(cell) or looks_like_date(cell) for cell in cells):
        return False
    if len(cells) > 1:
        return True
    return is_known(cells[0]) or (len(cells[0]) <= 30 and not cells[0].endswith((".", "!", "?")))


def _equal_width(
    body: list[Row], width: int, file: str
) -> tuple[list[Row], tuple[DroppedRow, ...]]:
    """Rows of equal width: short ones are filled, long ones left out and reported."""
    good: list[Row] = []
    dropped = []
    for number, cells in body:
        if len(cells) < width:
            cells = cells + [""] * (width - len(cells))
        if len(cells) == width or not any(cells[width:]):
            good.append((number, cells[:width]))
        else:
            reason = f"it has {len(cells)} cells where the header names {width}"
            dropped.append(DroppedRow(number, reason))
    if dropped and (len(dropped) > MAX_RAGGED_SHARE * len(body) + 1 or not good):
        raise CorpusError(
            f"{dropped[0].reason}; a text that holds the delimiter needs quotation marks, "
            "or the delimiter is another one.",
            file=file,
            row=dropped[0].row,
        )
    return good, tuple(dropped)
