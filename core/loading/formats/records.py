"""JSON lines, JSON arrays and Parquet: records with named fields."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.errors import CorpusError
from core.loading.formats.table import Table, check_size, no_rows, tidy_header
from core.loading.formats.workbook import cell_text
from core.loading.limits import FileLimits

LONE_SURROGATES = re.compile("[\ud800-\udfff]")
LIST_SEPARATOR = "; "
NESTED_TOO_DEEPLY = "its values are nested too deeply."

ListText = Callable[[list[Any]], str]


def looks_like_json(text: str) -> bool:
    """Whether the text opens with a JSON object, or with an array of them."""
    start = text[:4000].lstrip()
    return start.startswith("{") or re.match(r"\[\s*[{\]]", start) is not None


def joined_text(values: list[Any]) -> str:
    """A list of plain values in one cell."""
    return LIST_SEPARATOR.join(map(field_text, values))


def read_json(
    text: str,
    file: str,
    *,
    encoding: str,
    limits: FileLimits,
    max_rows: int | None = None,
    list_text: ListText = joined_text,
) -> Table:
    """One object per line, or one array of objects."""
    whole = text.lstrip().startswith("[")
    records = _array(text, file) if whole else _lines(text, file)
    table = _table(records, file, "json" if whole else "jsonl", limits, max_rows, list_text)
    return replace(table, encoding=encoding)


def _array(text: str, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        values = json.loads(text)
    except RecursionError:
        raise CorpusError(NESTED_TOO_DEEPLY, file=file) from None
    except ValueError as error:
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
        except RecursionError:
            raise CorpusError(NESTED_TOO_DEEPLY, file=file, row=number) from None
        except ValueError:
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
    limits: FileLimits,
    max_rows: int | None,
    list_text: ListText,
) -> Table:
    kept: list[tuple[int, Mapping[str, Any]]] = []
    names: dict[str, None] = {}
    complete = True
    for record in records:
        if max_rows is not None and len(kept) >= max_rows:
            complete = False
            break
        kept.append(record)
        names.update(dict.fromkeys(record[1]))
        check_size(limits, file, rows=len(kept), columns=len(names))
    if not kept:
        raise no_rows(file)
    try:
        columns = [
            tuple(field_text(record.get(name), list_text) for _, record in kept) for name in names
        ]
    except RecursionError:
        raise CorpusError(NESTED_TOO_DEEPLY, file=file) from None
    header, notes = tidy_header([LONE_SURROGATES.sub("\ufffd", name) for name in names])
    return Table(
        header=header,
        columns=tuple(columns),
        rows=[number for number, _ in kept],
        kind=kind,
        notes=notes,
        complete=complete,
    )


def field_text(value: object, list_text: ListText = joined_text) -> str:
    """A field as text; a list of plain values becomes one cell with separators."""
    if isinstance(value, str):
        return LONE_SURROGATES.sub("\ufffd", value) if not value.isprintable() else value
    if isinstance(value, list | tuple) and all(not isinstance(v, list | dict) for v in value):
        return list_text(list(value))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return cell_text(value)


def read_parquet(data: bytes, file: str, *, limits: FileLimits) -> Table:
    """Read a Parquet file after checking the size in its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(io.BytesIO(data))
        meta = source.metadata
        check_size(limits, file, rows=meta.num_rows, columns=meta.num_columns)
        size = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        if size > limits.unpacked_bytes:
            raise CorpusError(f"it would unpack to {size / 1e6:,.0f} MB.", file=file)
        table = source.read(use_threads=False)
        vectors = [name for name in table.column_names if _holds_vectors(table.schema, name)]
        plain = table.drop_columns(vectors)
        columns = tuple(tuple(map(field_text, column.to_pylist())) for column in plain.columns)
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, NotImplementedError):
        raise CorpusError("the Parquet file is damaged or incomplete.", file=file) from None
    if not table.num_rows:
        raise no_rows(file)
    header, notes = tidy_header(list(map(str, plain.column_names)))
    return Table(
        header=header,
        columns=columns,
        rows=range(1, table.num_rows + 1),
        kind="parquet",
        notes=notes + tuple(map(_vector_note, vectors)),
        number_lists={name: table.column(name) for name in vectors},
    )


def _holds_vectors(schema: Any, name: str) -> bool:
    """Whether a column holds lists of real numbers; lists of whole ones may be labels."""
    import pyarrow as pa

    if schema.names.count(name) > 1:
        return False
    kind = schema.field(name).type
    if pa.types.is_fixed_size_list(kind):
        return bool(pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type))
    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    return bool(lists and pa.types.is_floating(kind.value_type))


def _vector_note(name: str) -> str:
    return f"Column “{name}” holds lists of numbers; it can tell what the texts mean."
