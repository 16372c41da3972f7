"""What a child process can be asked to read: a name, an open file and options → plain values.

Only ``core.loading.isolation`` calls these, in a process with limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import ReportError, StoreError
from core.loading import backup_parts, collections, fetching
from core.loading.array_lines import array_lines
from core.loading.columns.name_lists import join_names
from core.loading.limits import FileLimits
from core.loading.model_parts import read_model_parts
from core.loading.pictures import read_picture
from core.loading.plain_values import corpus_lines, table_lines
from core.loading.project_parts import read_parts
from core.loading.reading import CorpusOptions, preview, read_corpus
from core.loading.sources import Source, read_table
from core.loading.strict_json import strict_value
from core.loading.vectors import read_rows

NO_JSON = "The file is no report: it is not JSON, or too large."

Reader = Callable[[BinaryIO, Mapping[str, Any]], Iterator[Any]]


def _source(file: BinaryIO, options: Mapping[str, Any]) -> tuple[Source, dict[str, Any]]:
    """The folder or the file that is meant, and the options as the readers take them."""
    rest = {**options, "limits": FileLimits(**options["limits"])}
    folder = rest.pop("folder", None)
    return (file if folder is None else Path(folder)), rest


def _preview(file: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    source, rest = _source(file, options)
    yield asdict(preview(source, **rest))


def _corpus(file: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    source, rest = _source(file, options)
    where = {name: rest.pop(name) for name in ("filename", "limits")}
    yield from corpus_lines(read_corpus(source, CorpusOptions(**rest), **where))


def _label_table(file: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    source, rest = _source(file, options)
    table, _ = read_table(source, encoding=None, delimiter=None, list_text=_names, **rest)
    yield from table_lines(table)


def _vectors(file: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    source, rest = _source(file, options)
    yield from array_lines(read_rows(source, **rest))


def _names(values: list[Any]) -> str:
    return join_names(map(str, values))


def _reuters(_: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    yield from corpus_lines(collections.parse_reuters(**options))


def _newsgroups(_: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    yield from corpus_lines(collections.parse_newsgroups(**options))


def _is_reuters(file: BinaryIO, _: Mapping[str, Any]) -> Iterator[bool]:
    yield fetching.holds_reuters(file)


def _project(file: BinaryIO, _: Mapping[str, Any]) -> Iterator[Any]:
    yield from read_parts(file)


def _backup_outline(_: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    yield from backup_parts.read_outline(**options)


def _backup_table(_: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    yield from backup_parts.read_table(**options)


def _array_file(file: BinaryIO, _: Mapping[str, Any]) -> Iterator[Any]:
    yield from backup_parts.read_array_file(file)


def _json_lines(file: BinaryIO, _: Mapping[str, Any]) -> Iterator[Any]:
    yield from backup_parts.read_json_lines(file)


def _report(file: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    """The description of a report; its texts and its log stay here."""
    data = file.read(options["most"])
    head, rows_follow, _ = data.partition(options["until"].encode("ascii"))
    try:
        found = strict_value(head + b"}" if rows_follow else data, options["most"])
    except (ValueError, RecursionError, StoreError):
        raise ReportError(NO_JSON) from None
    known = found if isinstance(found, dict) else {}
    yield {name: known.get(name) for name in ("format", "version", "report")}


def _picture(file: BinaryIO, options: Mapping[str, Any]) -> Iterator[Any]:
    yield read_picture(file, **options)


def _model(file: BinaryIO, _: Mapping[str, Any]) -> Iterator[Any]:
    yield from read_model_parts(file)


READERS: dict[str, Reader] = {
    "preview": _preview,
    "corpus": _corpus,
    "label_table": _label_table,
    "vectors": _vectors,
    "reuters": _reuters,
    "newsgroups": _newsgroups,
    "is_reuters": _is_reuters,
    "project": _project,
    "backup_outline": _backup_outline,
    "backup_table": _backup_table,
    "array_file": _array_file,
    "json_lines": _json_lines,
    "report": _report,
    "picture": _picture,
    "model": _model,
}
