"""JSON lines, JSON arrays and Parquet: records with named fields."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.errors import CorpusError
from core.loading.limits import Limits
from core.loading.table import Table, check_size, no_rows, tidy_header
from core.loading.workbook import cell_text

LONE_SURROGATES = re.compile("[\ud800-\udfff]")
LIST_MARK = "; "


def looks_like_json(text: str) -> bool:
    """Whether the text opens with a JSON object, or with an array of them."""
    start = text[:4000].lstrip()
    return start.startswith("{") or re.match(r"\[\s*[{\]]", start) is not None


def read_json(
    text: str, file: str, *, encoding: str, limits: Limits, enough: int | None = None
) -> Table:
    """One object per line, or one array of objects."""
    if text.lstrip().startswith("["):
        return _table(_array(text, file), file, "json", limits, encoding=encoding, enough=enough)
    return _table(_lines(text, file), file, "jsonl", limits, encoding=encoding, enough=enough)


def _array(text: str, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        row = getattr(error, "lineno", None)
        raise CorpusError("this is not valid JSON.", file=file, row=row) from None
    for number, value in enumerate(values, start=1):
        yield number, _object(value, number, file)


def _lines(text: str, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise CorpusError("this line is not valid JSON.", file=file, row=number) from None
        yield number, _object(value, number, file)


def _object(value: object, number: int, file: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        sentence = "this is not a JSON object with named fields, such as {“text”: “…”}."
        raise CorpusError(sentence, file=file, row=number)
    return value


def _table(
    records: Iterable[tuple[int, Mapping[str, Any]]],
    file: str,
    kind: str,
    limits: Limits,
    *,
    encoding: str | None = None,
    enough: int | None = None,
) -> Table:
    kept: list[tuple[int, Mapping[str, Any]]] = []
    names: dict[str, None] = {}
    complete = True
    for record in records:
        if enough is not None and len(kept) >= enough:
            complete = False
            break
        kept.append(record)
        names.update(dict.fromkeys(record[1]))
        check_size(limits, file, rows=len(kept), columns=len(names))
    if not kept:
        raise no_rows(file)
    columns = [tuple(field_text(record.get(name)) for _, record in kept) for name in names]
    header, notes = tidy_header(list(names))
    return Table(
        header=header,
        columns=tuple(columns),
        rows=[number for number, _ in kept],
        kind=kind,
        encoding=encoding,
        notes=notes,
        complete=complete,
    )


def field_text(value: object) -> str:
    """A field as text; a list of plain values becomes one cell with separators."""
    if isinstance(value, str):
        return LONE_SURROGATES.sub("\ufffd", value) if not value.isprintable() else value
    if isinstance(value, list | tuple) and all(not isinstance(v, list | dict) for v in value):
        return LIST_MARK.join(field_text(part) for part in value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return cell_text(value)


def read_parquet(data: bytes, file: str, *, limits: Limits) -> Table:
    """A Parquet file, after its own word on how large it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(io.BytesIO(data))
        meta = source.metadata
        check_size(limits, file, rows=meta.num_rows, columns=meta.num_columns)
        size = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        if size > limits.unpacked_bytes:
            raise CorpusError(f"it would unpack to {size / 1e6:,.0f} MB.", file=file)
        table = source.read()
        columns = tuple(tuple(map(field_text, column.to_pylist())) for column in table.columns)
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError):
        raise CorpusError("the Parquet file is damaged or incomplete.", file=file) from None
    if not table.num_rows:
        raise no_rows(file)
    header, notes = tidy_header(list(map(str, table.column_names)))
    return Table(
        header=header,
        columns=columns,
        rows=range(1, table.num_rows + 1),
        kind="parquet",
        notes=notes,
    )
