"""Excel workbooks, read with calamine after checking the extent of their sheets."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from core.errors import CorpusError
from core.loading.formats.table import Table, check_size, no_rows, tidy_header
from core.loading.formats.title_rows import header_place, title_note
from core.loading.limits import FileLimits

ENCRYPTION_MARK = "EncryptedPackage".encode("utf-16-le")
# A cell's tag up to its reference. Both repetitions are short: a tag that never closes is passed
# over at once, and not searched again from each of its characters.
CELL_REFERENCE = re.compile(
    rb"""<(?:\w{1,20}:)?c\s[^<>]{0,200}?\br\s*=\s*["']([A-Za-z]{1,3})([0-9]{1,7})["']"""
)
SAMPLE_ROWS = 60  # looked at for the row that names the columns
TAG_BYTES = 300  # no tag that matters is longer
CHUNK_BYTES = 1 << 20
DAMAGED_WORKBOOK = "the workbook is damaged or incomplete."
CALAMINE_PANIC = "PanicException"  # of calamine: no Exception, and nothing that can be imported
PASSWORD_PROTECTED = "the workbook is protected by a password; save it without one."


def read_workbook(data: bytes, file: str, *, limits: FileLimits) -> Table:
    """The first visible sheet that has cells, past remarks in one column."""
    import python_calamine as calamine

    if ENCRYPTION_MARK in data:
        raise CorpusError(PASSWORD_PROTECTED, file=file)
    try:
        workbook = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        name, start, rows = _first_sheet(workbook)
    except calamine.PasswordError:
        raise CorpusError(PASSWORD_PROTECTED, file=file) from None
    except (calamine.CalamineError, OSError, ValueError):
        raise CorpusError(DAMAGED_WORKBOOK, file=file) from None
    except BaseException as error:
        if type(error).__name__ != CALAMINE_PANIC:
            raise
        raise CorpusError(DAMAGED_WORKBOOK, file=file) from None
    table = _table(rows, start, file, limits)
    if len(workbook.sheet_names) == 1:
        return table
    note = f"The workbook has several sheets; “{name}” was read."
    return replace(table, notes=(*table.notes, note))


def check_extent(archive: zipfile.ZipFile, file: str, limits: FileLimits) -> None:
    """Refuse sheets with cells so far apart that the empty cells between them fill the memory."""
    for name in archive.namelist():  # a sheet may lie anywhere
        with archive.open(name) as sheet:
            last_row, last_column = _extent(sheet)
        check_size(limits, file, rows=last_row - 1, columns=last_column)


def _extent(sheet: Any) -> tuple[int, int]:
    """The last row and column with a cell."""
    last_row = last_column = 0
    tail = b""
    while chunk := sheet.read(CHUNK_BYTES):
        for letters, digits in set(CELL_REFERENCE.findall(tail + chunk)):
            last_row = max(last_row, int(digits))
            last_column = max(last_column, _column_number(letters))
        tail = chunk[-TAG_BYTES:]
    return last_row, last_column


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


def _first_sheet(workbook: Any) -> tuple[str, int, list[list[Any]]]:
    """The first visible sheet that has cells; not one of remarks before the table."""
    from python_calamine import SheetVisibleEnum

    remarks: tuple[str, int, list[list[Any]]] = "", 1, []
    for meta in workbook.sheets_metadata:
        if meta.visible != SheetVisibleEnum.Visible:
            continue
        sheet = workbook.get_sheet_by_name(meta.name)
        rows = sheet.to_python(skip_empty_area=True)
        if not rows:
            continue
        found = meta.name, (sheet.start or (0, 0))[0] + 1, rows
        if len(rows[0]) > 1:
            return found if len(rows) > len(remarks[2]) else remarks
        remarks = remarks if remarks[2] else found  # one column: texts, or remarks on a table
    return remarks


def _table(rows: list[list[Any]], start: int, file: str, limits: FileLimits) -> Table:
    if not rows:
        raise CorpusError("the workbook is empty.", file=file)
    numbered = [
        (number, [cell_text(value) for value in row]) for number, row in enumerate(rows, start)
    ]
    place = header_place([cells for _, cells in numbered[:SAMPLE_ROWS]])
    header, notes = tidy_header(numbered[place][1])
    body = [(number, cells) for number, cells in numbered[place + 1 :] if any(cells)]
    if not body:
        raise no_rows(file)
    check_size(limits, file, rows=len(body), columns=len(header))
    return Table(
        header=header,
        columns=tuple(zip(*(cells for _, cells in body), strict=True)),
        rows=[number for number, _ in body],
        kind="xlsx",
        notes=title_note(numbered[:place], numbered[place][0]) + notes,
    )


def cell_text(value: object) -> str:
    """A cell as text: no .0 after whole numbers, no midnight after dates."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        midnight = (value.hour, value.minute, value.second) == (0, 0, 0)
        return value.date().isoformat() if midnight else value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
