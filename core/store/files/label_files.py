"""Labels as files: CSV that a spreadsheet opens without harm, or JSON lines.

A cell that could start a formula gets an apostrophe in front, and reading takes it off again.
Topics share a cell, separated by semicolons; a name that holds one is quoted.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import CorpusError, StoreError
from core.loading.columns.name_lists import join_names, split_names
from core.loading.formats.table import Table
from core.loading.isolated import read_label_table
from core.loading.sources import Source
from core.store import Annotation
from core.store.bulk import chunks
from core.store.events.checks import checked_name, checked_text
from core.store.events.new_events import CONFIDENCES, NOTE_LIMIT
from core.store.files.label_columns import LABEL_FILE_COLUMNS, LabelColumns, cells_by_role
from core.store.files.spreadsheet_cells import BYTE_ORDER_MARK, bared, guarded

YES_WORDS, NO_WORDS = ("yes", "true", "1", "x"), ("", "no", "false", "0")
Format = Literal["csv", "jsonl"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """One row of a file of labels, topics by name. ``row`` is its number in the file."""

    row: int
    id: str
    permitted: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    confidence: str = "sure"
    nothing_fits: bool = False
    note: str = ""
    author: str = ""

    @property
    def has_label(self) -> bool:
        """Whether the row labels its document."""
        return bool(self.permitted or self.forbidden or self.nothing_fits)


# Writing


TextReader = Callable[[Sequence[int]], Iterable[str]]  # the texts at some positions


def write_labels(
    annotations: Mapping[int, Annotation],
    names: Mapping[int, str],
    ids: Sequence[str],
    read_texts: TextReader | None = None,
    *,
    format: Format = "csv",
) -> Iterator[bytes]:
    """All labels in force, in the order of the corpus, a piece of the file at a time.

    ``read_texts`` is asked for the texts of one piece; without it none are written.
    """
    if format == "csv":
        yield _csv_header(with_texts=read_texts is not None)
    write = _csv if format == "csv" else _jsonl
    for part in chunks(sorted(annotations)):
        texts = [None] * len(part) if read_texts is None else read_texts(part)
        yield write(
            _row(annotations[position], names, ids[position], text)
            for position, text in zip(part, texts, strict=True)
        )


def _row(note: Annotation, names: Mapping[int, str], id: str, text: str | None) -> dict[str, Any]:
    row: dict[str, Any] = {"id": id} | ({} if text is None else {"text": text})
    return row | {
        "labels": [names[topic] for topic in note.permitted],
        "forbidden": [names[topic] for topic in note.forbidden],
        "confidence": note.confidence,
        "nothing fits": note.nothing_fits,
        "note": note.note,
        "author": note.author,
        "time": note.time.isoformat(timespec="seconds"),
    }


def _jsonl(rows: Iterator[dict[str, Any]]) -> bytes:
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _csv_header(*, with_texts: bool) -> bytes:
    header = [LABEL_FILE_COLUMNS[0], *(["text"] if with_texts else []), *LABEL_FILE_COLUMNS[1:]]
    return BYTE_ORDER_MARK.encode("utf-8") + _csv_lines([header])


def _csv(rows: Iterator[dict[str, Any]]) -> bytes:
    return _csv_lines([guarded(_cell(value)) for value in row.values()] for row in rows)


def _csv_lines(rows: Iterable[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return join_names(value) if isinstance(value, list) else str(value)


# Reading


def read_labels(source: Source, *, filename: str | None = None) -> tuple[list[LabelRow], str]:
    """The rows of a file and its name; whatever is wrong is one sentence with row and column."""
    table, file = read_label_table(source, filename=filename)
    return label_rows(table, file), file


def label_rows(table: Table, file: str, columns: LabelColumns | None = None) -> list[LabelRow]:
    """The rows of a table; ``columns`` say where ids and labels are, if the names do not."""
    found = cells_by_role(table, file, columns)
    cells = zip(*found.values(), strict=True)
    return [
        _read_row(file, number, dict(zip(found, row, strict=True)))
        for number, row in zip(table.rows, cells, strict=True)
    ]


def _read_row(file: str, number: int, cells: Mapping[str, str]) -> LabelRow:
    def wrong(column: str, sentence: str) -> CorpusError:
        return CorpusError(sentence, file=file, row=number, column=column)

    cells = {name: bared(cell) for name, cell in cells.items()}
    if not cells["id"].strip():
        raise wrong("id", "the id of the text is missing.")
    confidence = cells.get("confidence", "").strip().casefold() or "sure"
    if confidence not in CONFIDENCES:
        raise wrong("confidence", f"“{confidence}” is not one of sure, unsure and expert.")
    nothing = cells.get("nothing fits", "").strip().casefold()
    if nothing not in (*YES_WORDS, *NO_WORDS):
        raise wrong("nothing fits", f"“{nothing}” is neither yes nor no.")
    try:
        column = "labels"
        permitted = _names(cells["labels"])
        column = "forbidden"
        forbidden = _names(cells.get("forbidden", ""))
        column = "note"
        note = checked_text(cells.get("note", ""), "A note", NOTE_LIMIT)
    except (StoreError, csv.Error) as error:
        raise wrong(column, _sentence(error)) from None
    if nothing in YES_WORDS and permitted:
        raise wrong("nothing fits", "nothing fits, and yet there are labels.")
    both = {name.casefold() for name in permitted} & {name.casefold() for name in forbidden}
    if both:
        raise wrong("forbidden", "a topic is a label and forbidden in the same text.")
    return LabelRow(
        row=number,
        id=cells["id"].strip(),
        permitted=permitted,
        forbidden=forbidden,
        confidence=confidence,
        nothing_fits=nothing in YES_WORDS,
        note=note,
        author=cells.get("author", "").strip(),
    )


def _names(cell: str) -> tuple[str, ...]:
    return tuple(checked_name(name) for name in split_names(cell))


def _sentence(error: Exception) -> str:
    """The error in the middle of a sentence."""
    message = str(error) if isinstance(error, StoreError) else "this cell cannot be read."
    return message[0].lower() + message[1:]
