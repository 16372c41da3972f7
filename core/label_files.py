"""Labels as files: CSV that a spreadsheet opens without harm, or JSON lines.

A cell that could start a formula gets an apostrophe in front, and reading takes it off again.
Topics share a cell, separated by semicolons; a name that holds one stands in quotation marks.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from core.errors import CorpusError, StoreError
from core.loading.encoding import decode
from core.loading.limits import Limits
from core.loading.sources import Source, read_table
from core.loading.table import Table
from core.report.documents import BOM, STARTS_A_FORMULA
from core.store import Annotation
from core.store.acts import CONFIDENCES, NOTE_LIMIT
from core.store.checks import checked_name, checked_text

COLUMNS = ("id", "labels", "forbidden", "confidence", "nothing fits", "note", "author", "time")
ALSO = {  # other names a column may have
    "document": "id",
    "label": "labels",
    "topic": "labels",
    "topics": "labels",
    "permitted": "labels",
    "not permitted": "forbidden",
    "nothing_fits": "nothing fits",
}
YES, NO = ("yes", "true", "1", "x"), ("", "no", "false", "0")
FORMATS = ("csv", "jsonl")
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
    def says(self) -> bool:
        """Whether the row says anything about its document."""
        return bool(self.permitted or self.forbidden or self.nothing_fits)


# Writing


def write_labels(
    annotations: Mapping[int, Annotation],
    names: Mapping[int, str],
    ids: Iterable[str],
    texts: Iterable[str] | None = None,
    *,
    format: Format = "csv",
) -> bytes:
    """All labels in force, in the order of the corpus; ``texts`` are written where given."""
    known = list(ids)
    said = None if texts is None else list(texts)
    rows = (
        _row(annotations[position], names, known[position], said[position] if said else None)
        for position in sorted(annotations)
    )
    return _csv(rows, said is not None) if format == "csv" else _jsonl(rows)


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


def _csv(rows: Iterator[dict[str, Any]], with_texts: bool) -> bytes:
    out = io.StringIO(newline="")
    header = [COLUMNS[0], *(["text"] if with_texts else []), *COLUMNS[1:]]
    writer = csv.DictWriter(out, header, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: guarded(_cell(value)) for name, value in row.items()})
    return (BOM + out.getvalue()).encode("utf-8", "replace")


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    return joined(value) if isinstance(value, list) else str(value)


def guarded(cell: str) -> str:
    """The cell, harmless in a spreadsheet; ``bared`` gives the original back."""
    return f"'{cell}" if cell.lstrip("'").startswith(STARTS_A_FORMULA) else cell


def bared(cell: str) -> str:
    """A cell without the apostrophe that kept it from being a formula."""
    dangerous = cell.startswith("'") and cell.lstrip("'").startswith(STARTS_A_FORMULA)
    return cell[1:] if dangerous else cell


def joined(names: Iterable[str]) -> str:
    """Names in one cell."""
    listed = list(names)
    if not listed:
        return ""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", lineterminator="").writerow(listed)
    return out.getvalue()


def parted(cell: str) -> tuple[str, ...]:
    """The names in a cell, blanks tidied."""
    if not cell.strip():
        return ()
    names = next(csv.reader(io.StringIO(cell, newline=""), delimiter=";", skipinitialspace=True))
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


# Reading


def read_labels(source: Source, *, filename: str | None = None) -> tuple[list[LabelRow], str]:
    """The rows of a file and its name; whatever is wrong is one sentence with row and column."""
    table, file = _table(source, filename)
    columns = _columns(table, file)
    cells = zip(*columns.values(), strict=True)
    return [
        _read_row(file, number, dict(zip(columns, row, strict=True)))
        for number, row in zip(table.rows, cells, strict=True)
    ], file


def _table(source: Source, filename: str | None) -> tuple[Table, str]:
    if isinstance(source, str | Path):
        return _table_of(source, filename)
    data = source if isinstance(source, bytes) else source.read(Limits().bytes + 1)
    return _table_of(data, filename or Path(str(getattr(source, "name", "the file"))).name)


def _table_of(source: str | Path | bytes, filename: str | None) -> tuple[Table, str]:
    table, file = read_table(
        source, filename=filename, encoding=None, delimiter=None, limits=Limits()
    )
    if table.kind not in ("json", "jsonl"):
        return table, file
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    text, _ = decode(data, file)
    whole = text.lstrip().startswith("[")
    records = json.loads(text) if whole else [json.loads(x) for x in text.split("\n") if x.strip()]
    return replace(table, columns=tuple(_listed(table, records))), file


def _listed(table: Table, records: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Columns of the table, with lists of names written so that they can be told apart."""
    for name, cells in zip(table.header, table.columns, strict=True):
        given = (record.get(name) for record in records)
        yield tuple(
            joined(map(str, value)) if isinstance(value, list) else cell
            for value, cell in zip(given, cells, strict=True)
        )


def _columns(table: Table, file: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, cells in zip(table.header, table.columns, strict=True):
        plain = " ".join(name.casefold().split())
        found.setdefault(ALSO.get(plain, plain), cells)
    for needed in ("id", "labels"):
        if needed not in found:
            raise CorpusError(
                f"there is no column called “{needed}”; a file of labels needs “id” and “labels”.",
                file=file,
            )
    return {name: cells for name, cells in found.items() if name in COLUMNS}


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
    if nothing not in (*YES, *NO):
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
    if nothing in YES and permitted:
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
        nothing_fits=nothing in YES,
        note=note,
        author=cells.get("author", "").strip(),
    )


def _names(cell: str) -> tuple[str, ...]:
    return tuple(checked_name(name) for name in parted(cell))


def _sentence(error: Exception) -> str:
    """The error in the middle of a sentence."""
    told = str(error) if isinstance(error, StoreError) else "this cell cannot be read."
    return told[0].lower() + told[1:]
