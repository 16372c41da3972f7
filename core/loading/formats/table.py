"""Table: the cells of a file of any kind, before columns get roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.corpus import ColumnRoles, DroppedRow
from core.errors import CorpusError
from core.loading.limits import FileLimits


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text, column by column. ``rows`` are the numbers a person sees in the file."""

    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    rows: Sequence[int]
    kind: str
    encoding: str | None = None
    delimiter: str | None = None
    dropped: tuple[DroppedRow, ...] = ()
    notes: tuple[str, ...] = ()
    known: ColumnRoles | None = None  # roles, if the kind of file determines them
    complete: bool = True  # False: reading stopped early, for a preview
    number_lists: Mapping[str, Any] = field(default_factory=dict)  # Parquet: vectors, not texts

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> tuple[str, ...]:
        return self.columns[self.header.index(name)]


def tidy_header(cells: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Non-empty, unique column names, and a note for each that had to be changed."""
    names: list[str] = []
    notes = []
    for place, cell in enumerate(cells, start=1):
        given = " ".join(cell.replace("\ufeff", "").split()) or f"column {place}"
        name, copy = given, 1
        while name in names:
            copy += 1
            name = f"{given} ({copy})"
        if copy > 1:
            notes.append(
                f"Column {place} is called “{given}” like another; it is shown as “{name}”."
            )
        names.append(name)
    return tuple(names), tuple(notes)


def check_size(limits: FileLimits, file: str, *, rows: int, columns: int) -> None:
    """Refuse a table that is too long or too wide."""
    if rows > limits.rows:
        raise CorpusError(
            f"there are more than {limits.rows:,} rows, the most that is read from one file; "
            "split it, and add the further files to the project.",
            file=file,
        )
    if columns > limits.columns:
        raise CorpusError(
            f"there are {columns:,} columns and at most {limits.columns:,} can be read.", file=file
        )


def check_cells(table: Table, limits: FileLimits, file: str) -> None:
    """Refuse a cell that is too long."""
    for name, cells in zip(table.header, table.columns, strict=True):
        longest = max(map(len, cells), default=0)
        if longest > limits.cell_characters:
            place = next(i for i, cell in enumerate(cells) if len(cell) == longest)
            raise oversized_cell(limits, file, row=table.rows[place], column=name)


def oversized_cell(
    limits: FileLimits, file: str, *, row: int, column: str | None = None
) -> CorpusError:
    return CorpusError(
        f"a cell has more than {limits.cell_characters:,} characters; "
        "a closing quotation mark may be missing.",
        file=file,
        row=row,
        column=column,
    )


def no_rows(file: str) -> CorpusError:
    return CorpusError("there is a header but no row below it.", file=file)
