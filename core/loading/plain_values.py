"""Corpora, previews and tables as plain values that JSON can hold, and back.

The way back checks every type: the values come from a process that has read a stranger's file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import date
from itertools import chain
from typing import Any

from core.corpus import ColumnRoles, Corpus, DroppedRow, Reading
from core.loading.formats.table import Table
from core.loading.reading import Preview

DOCUMENTS_PER_LINE = 2_000
CHARACTERS_PER_LINE = 4_000_000


def strings(values: Any) -> tuple[str, ...]:
    """Texts and nothing else."""
    if not isinstance(values, list) or not all(type(value) is str for value in values):
        raise TypeError("This is no list of texts.")
    return tuple(values)


def whole_numbers(values: Any) -> tuple[int, ...]:
    """Whole numbers and nothing else."""
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise TypeError("This is no list of whole numbers.")
    return tuple(values)


def optional(value: Any) -> str | None:
    if value is not None and type(value) is not str:
        raise TypeError("This is no text.")
    return value


# Corpora


def corpus_lines(corpus: Corpus) -> Iterator[dict[str, Any]]:
    """How the corpus was read, then its documents, some at a time."""
    yield {"reading": asdict(corpus.reading), "side": list(corpus.side)}
    start = 0
    while start < len(corpus):
        stop = _stop(corpus, start)
        yield {
            "ids": corpus.ids[start:stop],
            "texts": corpus.texts[start:stop],
            "labels": corpus.labels[start:stop],
            "dates": [day and day.isoformat() for day in corpus.dates[start:stop]],
            "side": [cells[start:stop] for cells in corpus.side.values()],
        }
        start = stop


def _stop(corpus: Corpus, start: int) -> int:
    """Where a line ends: after so many documents, or so many characters."""
    last, characters = min(start + DOCUMENTS_PER_LINE, len(corpus)), 0
    for position in range(start, last):
        characters += len(corpus.texts[position])
        if characters > CHARACTERS_PER_LINE:
            return position + 1
    return last


def corpus_of_lines(lines: Iterable[Mapping[str, Any]]) -> Corpus:
    """The corpus that ``corpus_lines`` took apart."""
    several = iter(lines)
    about = next(several)
    names = strings(about["side"])
    ids: list[tuple[str, ...]] = []
    texts: list[tuple[str, ...]] = []
    labels: list[tuple[str, ...]] = []
    dates: list[date | None] = []
    side: list[list[tuple[str, ...]]] = [[] for _ in names]
    for line in several:
        ids.append(strings(line["ids"]))
        texts.append(strings(line["texts"]))
        labels += map(strings, line["labels"])
        dates += [date.fromisoformat(day) if day else None for day in line["dates"]]
        for place, cells in enumerate(line["side"]):
            side[place].append(strings(cells))
    return Corpus(
        ids=tuple(chain.from_iterable(ids)),
        texts=tuple(chain.from_iterable(texts)),
        labels=tuple(labels),
        dates=tuple(dates),
        side={
            name: tuple(chain.from_iterable(cells)) for name, cells in zip(names, side, strict=True)
        },
        reading=reading_of(about["reading"]),
    )


def reading_of(values: Mapping[str, Any]) -> Reading:
    """How a corpus was read."""
    return Reading(
        source=str(values["source"]),
        kind=str(values["kind"]),
        encoding=optional(values["encoding"]),
        delimiter=optional(values["delimiter"]),
        columns=roles_of(values["columns"]),
        rows_read=int(values["rows_read"]),
        dropped=tuple(DroppedRow(int(e["row"]), str(e["reason"])) for e in values["dropped"]),
        duplicates=tuple((int(copy), int(first)) for copy, first in values["duplicates"]),
        notes=strings(values["notes"]),
        html_removed=bool(values["html_removed"]),
    )


def roles_of(values: Mapping[str, Any]) -> ColumnRoles:
    names = ("text", "id", "date", "labels", "label_separator")
    return ColumnRoles(
        **{name: optional(values[name]) for name in names},
        side=strings(values["side"]),
        more_text=strings(values["more_text"]),
    )


# Previews and tables


def preview_of(values: Mapping[str, Any]) -> Preview:
    """The preview that ``asdict`` took apart."""
    n_rows = values["n_rows"]
    return Preview(
        columns=roles_of(values["columns"]),
        rows=tuple({str(name): str(cell) for name, cell in row.items()} for row in values["rows"]),
        header=strings(values["header"]),
        kind=str(values["kind"]),
        encoding=optional(values["encoding"]),
        delimiter=optional(values["delimiter"]),
        n_rows=None if n_rows is None else int(n_rows),
        notes=strings(values["notes"]),
        vector_columns=strings(values["vector_columns"]),
        html_columns=strings(values["html_columns"]),
    )


def table_lines(table: Table) -> Iterator[Any]:
    """Header and kind, the numbers of the rows, then column by column."""
    yield {"header": table.header, "kind": table.kind}
    yield list(table.rows)
    yield from table.columns


def table_of_lines(lines: Iterable[Any]) -> Table:
    """Header, rows and cells of the table that ``table_lines`` took apart."""
    several = iter(lines)
    about = next(several)
    rows, columns = whole_numbers(next(several)), tuple(map(strings, several))
    header = strings(about["header"])
    if len(columns) != len(header) or {len(cells) for cells in columns} > {len(rows)}:
        raise ValueError("This is no table.")
    return Table(header=header, columns=columns, rows=rows, kind=str(about["kind"]))
