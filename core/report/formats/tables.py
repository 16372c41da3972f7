"""Every text with its topics and labels as a table: CSV, JSON lines and Parquet, wide and long.

Wide has a column for every topic; long has a row for every text and topic with a share above zero.

CSV is safe to open in a spreadsheet: cells that could start a formula get an apostrophe in front;
remove it to get the original back. Every cell is quoted: where a spreadsheet separates cells by
semicolons, one in a text would begin a new cell, and that cell could be a formula.
Numbers that we computed are written as they are.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from core.errors import Cancelled, ReportError
from core.report.description import Report
from core.report.rows import ROWS_PER_PROGRESS, DocumentRow, DocumentRows, Tell, nobody
from core.store.files.spreadsheet_cells import BYTE_ORDER_MARK, formula_safe

SEPARATOR = "; "
SHARE_DIGITS = 4
RANKED_TOPICS = 3  # topics of a text that have columns of their own in a workbook
ROWS_AT_ONCE = 10_000  # rows of a Parquet row group


def documents_of(report: Report) -> DocumentRows:
    """The texts of a report; one that was read from a file has none."""
    if report.rows.documents is None:
        raise ReportError("This report holds no texts to write.")
    return report.rows.documents


def rows_with_progress(
    documents: DocumentRows, tell: Tell, until: float = 1.0
) -> Iterator[DocumentRow]:
    """The rows, with word of how far it is; stops when it is asked to."""
    for row in documents:
        if row.row % ROWS_PER_PROGRESS == 0 and tell(until * row.row / len(documents)):
            raise Cancelled("The file was not written.")
        yield row


def about_columns(documents: DocumentRows) -> list[str]:
    """The names of the columns that say what a text is; those that are hidden are not there."""
    privacy = documents.privacy
    return [
        "number",
        *(["id"] if privacy.shows_ids else []),
        *(["text"] if privacy.shows_texts else []),
        "date",
        "given labels",
        "labels",
        "main topic",
        "main topic share",
        *documents.side_names,
    ]


def about_cells(documents: DocumentRows, row: DocumentRow) -> list[Any]:
    """The values of these columns."""
    best, names = row.main_topic, documents.topic_names
    return [
        row.row,
        *([row.id] if documents.privacy.shows_ids else []),
        *([row.text] if documents.privacy.shows_texts else []),
        row.date,
        SEPARATOR.join(row.given_labels),
        SEPARATOR.join(row.labels),
        names[best] if best >= 0 else "",
        round(float(row.shares[best]), SHARE_DIGITS) if best >= 0 else None,
        *row.side,
    ]


def ranked_columns(documents: DocumentRows) -> list[str]:
    """The columns of a sheet in which every text has its first topics."""
    privacy = documents.privacy
    ranked = [("Main topic", "Share"), ("Second topic", "Share 2"), ("Third topic", "Share 3")]
    return [
        "Number",
        *(["Id"] if privacy.shows_ids else []),
        *("Date", "Labels", "Given labels"),
        *(name for pair in ranked for name in pair),
        *documents.side_names,
        *(["Text"] if privacy.shows_texts else []),
    ]


def ranked_cells(documents: DocumentRows, row: DocumentRow) -> list[Any]:
    """The values of these columns."""
    privacy, names = documents.privacy, documents.topic_names
    order = np.argsort(-row.shares, kind="stable")[:RANKED_TOPICS]
    ranked: list[Any] = [
        cell
        for k in order.tolist()
        for cell in ((names[k], float(row.shares[k])) if row.shares[k] > 0 else ("", None))
    ]
    ranked += ["", None] * (RANKED_TOPICS - len(order))
    return [
        row.row,
        *([row.id] if privacy.shows_ids else []),
        row.date,
        SEPARATOR.join(row.labels),
        SEPARATOR.join(row.given_labels),
        *ranked,
        *row.side,
        *([row.text] if privacy.shows_texts else []),
    ]


def topic_columns(documents: DocumentRows) -> list[str]:
    """A column for each topic; two of one name are told apart."""
    taken, names = set(about_columns(documents)), []
    for name in documents.topic_names:
        column, number = f"share of {name}", 2
        while column in taken:
            column, number = f"share of {name} ({number})", number + 1
        taken.add(column)
        names.append(column)
    return names


LONG_COLUMNS = ("topic", "share")

ColumnTypes = Mapping[str, str]  # "string", "int64" or "float32" by the name of a column


def _wide_table(report: Report, tell: Tell) -> tuple[ColumnTypes, Iterator[list[Any]]]:
    """One row per text, in the order of the corpus."""
    documents = documents_of(report)
    numbers = {"number": "int64", "main topic share": "float32"}
    about = {name: numbers.get(name, "string") for name in about_columns(documents)}
    shares = dict.fromkeys(topic_columns(documents), "float32")
    return about | shares, _wide(documents, rows_with_progress(documents, tell))


def _wide(documents: DocumentRows, rows: Iterable[DocumentRow]) -> Iterator[list[Any]]:
    for row in rows:
        yield about_cells(documents, row) + np.round(row.shares, SHARE_DIGITS).tolist()


def _long_table(report: Report, tell: Tell) -> tuple[ColumnTypes, Iterator[list[Any]]]:
    documents = documents_of(report)
    names = ["number", *(["id"] if documents.privacy.shows_ids else []), *LONG_COLUMNS]
    types = dict.fromkeys(names, "string") | {"number": "int64", "share": "float32"}
    return types, _long(documents, rows_with_progress(documents, tell))


def _long(documents: DocumentRows, rows: Iterable[DocumentRow]) -> Iterator[list[Any]]:
    names = documents.topic_names
    for row in rows:
        who = [row.row, *([row.id] if documents.privacy.shows_ids else [])]
        for k in np.flatnonzero(row.shares > 0).tolist():
            yield [*who, names[k], round(float(row.shares[k]), SHARE_DIGITS)]


def write_csv(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    """UTF-8 with a byte order mark."""
    _write_csv(file, *_wide_table(report, tell))


def write_long_csv(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    _write_csv(file, *_long_table(report, tell))


def _write_csv(file: BinaryIO, types: ColumnTypes, rows: Iterable[list[Any]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow([formula_safe(name) for name in types])
    writer.writerows([_csv_cell(cell) for cell in row] for row in rows)
    text.flush()
    text.detach()  # the file is not ours to close


def _csv_cell(cell: Any) -> str:
    if isinstance(cell, float):
        return f"{cell:.{SHARE_DIGITS}f}"
    return formula_safe(cell) if isinstance(cell, str) else "" if cell is None else str(cell)


def write_jsonl(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    _write_jsonl(file, *_wide_table(report, tell))


def write_long_jsonl(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    _write_jsonl(file, *_long_table(report, tell))


def _write_jsonl(file: BinaryIO, types: ColumnTypes, rows: Iterable[list[Any]]) -> None:
    for row in rows:
        file.write(json_bytes(dict(zip(types, row, strict=True))) + b"\n")


def json_bytes(value: Any) -> bytes:
    """JSON in UTF-8, also of text that holds half a character."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def write_parquet(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    _write_parquet(file, *_wide_table(report, tell))


def write_long_parquet(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    _write_parquet(file, *_long_table(report, tell))


def _write_parquet(file: BinaryIO, types: ColumnTypes, rows: Iterator[list[Any]]) -> None:
    """Row groups of a fixed size, so that the whole table is never in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = {"string": pa.string(), "int64": pa.int64(), "float32": pa.float32()}
    schema = pa.schema([(name, arrow[kind]) for name, kind in types.items()])
    with pq.ParquetWriter(file, schema) as writer:
        for batch in _batches(rows):
            columns = zip(*batch, strict=True)
            arrays = [
                pa.array([_arrow_cell(v) for v in column], type=each.type)
                for column, each in zip(columns, schema, strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _arrow_cell(value: Any) -> Any:
    """Text that holds half a character cannot be UTF-8."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _batches(rows: Iterator[list[Any]]) -> Iterator[list[list[Any]]]:
    batch: list[list[Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
