"""The codebook as a file: CSV, XLSX, JSON and Markdown out; CSV, XLSX and JSON in, with a plan.

Examples are ids of texts, several in one cell as topics are in a file of labels. A column that a
file does not have leaves that part of every entry as it is. The plan changes nothing; what it says
is recorded as one batch, so that one undo takes everything back.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import xlsxwriter

from core.errors import CorpusError, StoreError
from core.loading.columns.name_lists import join_names, split_names
from core.loading.isolated import read_label_table
from core.loading.sources import Source
from core.store import Codebook, CreateTopic, EditCodebook, Event, NewEvent, Store
from core.store.events.checks import (
    NAME_LIMIT,
    checked_name,
    checked_text,
    require_few_topics,
)
from core.store.events.codebook import DEFINITION_LIMIT
from core.store.files.spreadsheet_cells import BYTE_ORDER_MARK, bared, guarded

CodebookFormat = Literal["csv", "xlsx", "json", "md"]
TEXT_FIELDS = ("definition", "include", "exclude")
FIELD_TITLES = {
    "definition": "Definition",
    "include": "Belongs here",
    "exclude": "Does not belong here",
    "examples": "Examples",
}
PART_NAMES = {  # in sentences about what is wrong
    "definition": "A definition",
    "include": "What belongs to a topic",
    "exclude": "What does not belong to a topic",
}
CODEBOOK_COLUMNS = ("topic", *FIELD_TITLES)
COLUMN_NAMES = {
    "name": "topic",
    "code": "topic",
    "label": "topic",
    "description": "definition",
    "meaning": "definition",
    "includes": "include",
    "inclusion": "include",
    "belongs_here": "include",
    "excludes": "exclude",
    "exclusion": "exclude",
    "does_not_belong_here": "exclude",
    "example": "examples",
}
WORKBOOK_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
COLUMN_WIDTH = 40
MAX_LISTED_ENTRIES = 20  # of each kind, in the preview of an import
NOTHING_CHANGES = "The codebook says all of this already."


# Out


def write_codebook(store: Store, project: int, *, format: CodebookFormat = "csv") -> bytes:
    """Every topic with its entry, in the order of the topics; a topic without one has no words."""
    book, ids = store.codebook(project), store.document_ids(project)
    rows = [
        _row(topic.name, book.get(topic.id, Codebook()), ids) for topic in store.topics(project)
    ]
    if format == "json":
        return json.dumps(rows, ensure_ascii=False, indent=2).encode("utf-8", "replace")
    if format == "md":
        return _markdown(store.project(project).name, rows).encode("utf-8", "replace")
    return _csv(rows) if format == "csv" else _workbook(rows)


def _row(topic: str, entry: Codebook, ids: Sequence[str]) -> dict[str, Any]:
    texts = {name: getattr(entry, name) for name in TEXT_FIELDS}
    return {"topic": topic, **texts, "examples": [ids[at] for at in entry.examples]}


def _cells(row: Mapping[str, Any]) -> list[str]:
    return [*(str(row[name]) for name in CODEBOOK_COLUMNS[:-1]), join_names(row["examples"])]


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow(CODEBOOK_COLUMNS)
    writer.writerows([guarded(cell) for cell in _cells(row)] for row in rows)
    return (BYTE_ORDER_MARK + out.getvalue()).encode("utf-8", "replace")


def _workbook(rows: Sequence[Mapping[str, Any]]) -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, WORKBOOK_OPTIONS) as book:
        sheet, wrapped = book.add_worksheet("Codebook"), book.add_format({"text_wrap": True})
        sheet.set_column(0, len(CODEBOOK_COLUMNS) - 1, COLUMN_WIDTH, wrapped)
        sheet.write_row(0, 0, CODEBOOK_COLUMNS, book.add_format({"bold": True}))
        for number, row in enumerate(rows, start=1):
            for column, cell in enumerate(_cells(row)):
                sheet.write_string(number, column, cell)
    return out.getvalue()


def _markdown(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    parts = [f"# Codebook of {_plain(title)}\n"]
    for row in rows:
        parts.append(f"\n## {_plain(row['topic'])}\n")
        for name in TEXT_FIELDS:
            if row[name]:
                parts.append(f"\n**{FIELD_TITLES[name]}.** {_plain(row[name])}\n")
        if row["examples"]:
            parts.append(f"\n**Examples.** {', '.join(map(_plain, row['examples']))}\n")
    return "".join(parts)


def _plain(text: str) -> str:
    """What people wrote, as words that format nothing."""
    one_line = " ".join(text.split())
    return "".join(f"\\{each}" if each in "\\`*_{}[]()#+-.!|~<>&" else each for each in one_line)


# In


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebookRow:
    """One topic of a file; a part that the file has no column for is None."""

    row: int
    topic: str
    definition: str | None = None
    include: str | None = None
    exclude: str | None = None
    examples: tuple[str, ...] | None = None  # ids of texts


@dataclass(frozen=True, slots=True)
class EntryChange:
    """A topic's entry before and after; ``topic`` is None for one that is not there yet."""

    topic: int | None
    name: str
    before: Codebook
    after: Codebook

    @property
    def fields(self) -> tuple[str, ...]:
        """The parts that differ."""
        return tuple(n for n in FIELD_TITLES if getattr(self.before, n) != getattr(self.after, n))


@dataclass(frozen=True, slots=True, kw_only=True)
class CodebookPlan:
    """What a file would change in a codebook at one point of the log."""

    file: str
    revision: int
    first_new: int  # the number that the next topic will get
    changed: tuple[EntryChange, ...] = ()
    new: tuple[EntryChange, ...] = ()
    same: int = 0  # topics whose entries are equal
    unknown: tuple[tuple[int, str], ...] = field(default=())  # row, and an id that no text has

    def chosen(self, create: bool) -> tuple[EntryChange, ...]:
        return (*self.changed, *(self.new if create else ()))

    def sentences(self, create: bool) -> Iterator[str]:
        """What would change, topic by topic."""
        for each in self.changed[:MAX_LISTED_ENTRIES]:
            parts = ", ".join(FIELD_TITLES[name].lower() for name in each.fields)
            yield f"“{each.name}”: {parts}."
        yield from _more(len(self.changed), "entry changes", "entries change")
        names = ", ".join(f"“{each.name}”" for each in self.new[:MAX_LISTED_ENTRIES])
        rest = len(self.new) - MAX_LISTED_ENTRIES
        names += f" and {rest:,} more" if rest > 0 else ""
        if self.new:
            yield f"New topics: {names}." if create else f"No topics here, left out: {names}."
        if self.same:
            yield f"Entries that stay the same: {self.same:,}."
        for row, id_ in self.unknown[:MAX_LISTED_ENTRIES]:
            yield f"Row {row:,}: no text has the id {id_}, so it is no example."
        yield from _more(len(self.unknown), "id has no text", "ids have no text")
        if not self.chosen(create):
            yield NOTHING_CHANGES


def _more(number: int, one: str, several: str) -> Iterator[str]:
    """What a list leaves out."""
    rest = number - MAX_LISTED_ENTRIES
    if rest > 0:
        yield f"{rest:,} more {one if rest == 1 else several}."


def read_codebook(source: Source, *, filename: str | None = None) -> tuple[list[CodebookRow], str]:
    """The rows of a file, read by a child process; what is wrong names file, row and column."""
    table, file = read_label_table(source, filename=filename)
    columns = _columns(table.header, file)
    cells = zip(*(table.column(name) for name in columns.values()), strict=True)
    rows = [
        _read_row(file, number, dict(zip(columns, map(bared, row), strict=True)))
        for number, row in zip(table.rows, cells, strict=True)
    ]
    _require_once(rows, file)
    return rows, file


def _columns(header: Sequence[str], file: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in header:
        plain = "_".join(name.casefold().split())
        role = COLUMN_NAMES.get(plain, plain)
        if role in CODEBOOK_COLUMNS:
            found.setdefault(role, name)
    if "topic" not in found or len(found) < 2:
        there = ", ".join(f"“{name}”" for name in header[:12])
        raise CorpusError(
            "a codebook has a column “topic” and one of “definition”, “include”, “exclude” and "
            f"“examples”; the file has {there}.",
            file=file,
        )
    return found


def _read_row(file: str, number: int, cells: Mapping[str, str]) -> CodebookRow:
    column = "topic"
    try:
        name = checked_name(cells["topic"])
        for column in TEXT_FIELDS:
            checked_text(cells.get(column, ""), PART_NAMES[column], DEFINITION_LIMIT)
        column = "examples"
        examples = split_names(cells["examples"]) if "examples" in cells else None
    except (StoreError, csv.Error) as error:
        raise CorpusError(_lower(str(error)), file=file, row=number, column=column) from None
    texts = {each: cells[each].strip() for each in TEXT_FIELDS if each in cells}
    return CodebookRow(row=number, topic=name, examples=examples, **texts)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _require_once(rows: Sequence[CodebookRow], file: str) -> None:
    seen: dict[str, int] = {}
    for each in rows:
        first = seen.setdefault(each.topic.casefold(), each.row)
        if first != each.row:
            raise CorpusError(
                f"the topic “{each.topic}” is in row {first} already.",
                file=file,
                row=each.row,
                column="topic",
            )


def plan_codebook(
    store: Store, project: int, rows: Sequence[CodebookRow], file: str
) -> CodebookPlan:
    """Compare a file with the codebook of a project."""
    revision, book = store.revision(project), store.codebook(project)
    topics = {topic.name.casefold(): topic.id for topic in store.topics(project)}
    places = {id_: at for at, id_ in reversed(list(enumerate(store.document_ids(project))))}
    changes = [_change(row, topics, book, places) for row in rows]
    return CodebookPlan(
        file=file,
        revision=revision,
        first_new=store.last_topic(project) + 1,
        changed=tuple(each for each in changes if each.topic is not None and each.fields),
        new=tuple(each for each in changes if each.topic is None),
        same=sum(each.topic is not None and not each.fields for each in changes),
        unknown=tuple(
            (row.row, id_) for row in rows for id_ in row.examples or () if id_ not in places
        ),
    )


def _change(
    row: CodebookRow,
    topics: Mapping[str, int],
    book: Mapping[int, Codebook],
    places: Mapping[str, int],
) -> EntryChange:
    topic = topics.get(row.topic.casefold())
    before = Codebook() if topic is None else book.get(topic, Codebook())
    given = {name: getattr(row, name) for name in TEXT_FIELDS if getattr(row, name) is not None}
    if row.examples is not None:
        known = (places.get(id_) for id_ in row.examples)
        given["examples"] = tuple(dict.fromkeys(at for at in known if at is not None))
    return EntryChange(topic, row.topic, before, replace(before, **given))


def codebook_events(plan: CodebookPlan, create: bool) -> list[NewEvent]:
    """New topics first, then the entries."""
    new = plan.new if create else ()
    require_few_topics(len(new))
    entries = [(each.topic, each.after) for each in plan.changed if each.topic is not None]
    entries += [(n, each.after) for n, each in enumerate(new, plan.first_new) if each.fields]
    return [
        *(CreateTopic(each.name) for each in new),
        *(
            EditCodebook(number, each.definition, each.include, each.exclude, each.examples)
            for number, each in entries
        ),
    ]


def import_codebook(
    store: Store, project: int, plan: CodebookPlan, *, create: bool, author: str
) -> Event:
    """Record what the plan says as one batch; refused if anything was recorded since the plan."""
    several = codebook_events(plan, create)
    if not several:
        raise StoreError(NOTHING_CHANGES)
    title = f"Codebook of {plan.file}"[:NAME_LIMIT]
    return store.record_batch(project, title, several, author=author, at=plan.revision)
