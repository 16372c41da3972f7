"""read_corpus and preview: a table and the roles of its columns → Corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.corpus import ColumnRoles, Corpus, DroppedRow, Reading, duplicates
from core.errors import CorpusError
from core.loading.columns.date_cells import read_date_cells
from core.loading.columns.dates import DATE_FORMATS
from core.loading.columns.guessing import guess_columns, guess_separator
from core.loading.columns.label_cells import read_label_cells
from core.loading.columns.markup import has_markup, strip_markup
from core.loading.columns.spellings import joined_note, usual_spellings
from core.loading.formats.table import Table
from core.loading.limits import FileLimits
from core.loading.sources import Source, encoding_note, read_table
from core.values import count

PREVIEW_ROWS_READ = 5_000  # for guessing columns


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a source and every guess about it."""

    columns: ColumnRoles
    rows: tuple[dict[str, str], ...]
    header: tuple[str, ...]
    kind: str
    encoding: str | None
    delimiter: str | None
    n_rows: int | None  # None: there are more than were looked at
    notes: tuple[str, ...]
    vector_columns: tuple[str, ...] = ()  # columns that hold lists of numbers
    html_columns: tuple[str, ...] = ()  # columns whose cells hold tags


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusOptions:
    """How a corpus is read from a table; ``isolated.read_corpus`` says what each means."""

    text: str | None = None
    more_text: Sequence[str] = ()
    id: str | None = None
    date: str | None = None
    label: str | None = None
    label_separator: str | None = None
    side: Sequence[str] | None = None
    encoding: str | None = None
    delimiter: str | None = None
    min_characters: int = 1
    date_format: str | None = None
    strip_html: bool = False
    join_spellings: bool = True

    def __post_init__(self) -> None:
        if self.date_format is not None and self.date_format not in DATE_FORMATS:
            raise CorpusError(f"Dates can be read as {', '.join(DATE_FORMATS)}.")

    @property
    def columns(self) -> dict[str, str | None]:
        """The column that was asked for in each role."""
        return {"text": self.text, "id": self.id, "date": self.date, "labels": self.label}


GUESS_ALL = CorpusOptions()


def preview(
    source: Source,
    *,
    filename: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    rows: int = 20,
    limits: FileLimits = FileLimits(),  # noqa: B008 (frozen)
) -> Preview:
    """Read the first rows of a source and guess its columns."""
    table, _ = read_table(
        source,
        filename=filename,
        encoding=encoding,
        delimiter=delimiter,
        limits=limits,
        max_rows=PREVIEW_ROWS_READ,
    )
    shown = zip(*(column[:rows] for column in table.columns), strict=True)
    return Preview(
        columns=guess_columns(table),
        rows=tuple(dict(zip(table.header, cells, strict=True)) for cells in shown),
        header=table.header,
        kind=table.kind,
        encoding=table.encoding,
        delimiter=table.delimiter,
        n_rows=len(table) if table.complete else None,
        notes=table.notes + encoding_note(table, encoding),
        vector_columns=tuple(table.number_lists),
        html_columns=tuple(name for name in table.header if has_markup(table.column(name))),
    )


def read_corpus(
    source: Source,
    options: CorpusOptions = GUESS_ALL,
    *,
    filename: str | None = None,
    limits: FileLimits = FileLimits(),  # noqa: B008 (frozen)
) -> Corpus:
    """Read into a corpus, in this process."""
    table, file = read_table(
        source,
        filename=filename,
        encoding=options.encoding,
        delimiter=options.delimiter,
        limits=limits,
    )
    columns = _columns(table, file, options)
    table, notes = _with_whole_texts(table, columns, strip_html=options.strip_html)
    keep, dropped = _keep(table, columns, options.min_characters)
    if not keep:
        raise CorpusError("no row has any text.", file=file, column=columns.text)
    corpus = _corpus(table, columns, keep, options)
    reading = Reading(
        source=file,
        kind=table.kind,
        encoding=table.encoding,
        delimiter=table.delimiter,
        columns=columns,
        rows_read=len(table) + len(table.dropped),
        dropped=tuple(sorted((*table.dropped, *dropped), key=lambda entry: entry.row)),
        duplicates=duplicates(corpus.texts),
        notes=table.notes + encoding_note(table, options.encoding) + notes + corpus.reading.notes,
        html_removed=options.strip_html,
    )
    return replace(corpus, reading=reading)


def _columns(table: Table, file: str, options: CorpusOptions) -> ColumnRoles:
    """The guessed roles, replaced by those that were asked for."""
    asked, side = options.columns, options.side
    for name in (*asked.values(), *options.more_text, *(side or ())):
        if name and name not in table.header:
            there = ", ".join(f"“{known}”" for known in table.header[:12])
            raise CorpusError(f"there is no column “{name}”; the file has {there}.", file=file)
    guessed = guess_columns(table, text=asked["text"] or None)
    chosen = {
        role: getattr(guessed, role) if name is None else (name or None)
        for role, name in asked.items()
    }
    if chosen["text"] is None:
        raise CorpusError("no column holds text; say which one to read.", file=file)
    more_text = tuple(
        name
        for name in table.header
        if name in options.more_text and name not in (*asked.values(), chosen["text"])
    )
    # A given role takes precedence over a guessed one.
    taken = {*filter(None, asked.values()), *more_text}
    for role, name in asked.items():
        if name is None and chosen[role] in taken:
            chosen[role] = None
    others = guessed.side if side is None else tuple(side)
    used = {*chosen.values(), *more_text}
    others = tuple(name for name in others if side is not None or name not in used)
    separator = _separator(table, chosen, options.label_separator)
    return ColumnRoles(**chosen, side=others, label_separator=separator, more_text=more_text)


def _separator(table: Table, chosen: dict[str, str | None], asked: str | None) -> str | None:
    name = chosen["labels"]
    if name is None:
        return None
    return guess_separator(table.column(name)) if asked is None else (asked or None)


def _keep(
    table: Table, columns: ColumnRoles, min_characters: int
) -> tuple[list[int], list[DroppedRow]]:
    """Positions in the table that become documents, and the rows that do not, with reasons."""
    assert columns.text is not None
    ids = table.column(columns.id) if columns.id else None
    keep: list[int] = []
    dropped: list[DroppedRow] = []
    seen: dict[str, int] = {}
    for place, (row, text) in enumerate(zip(table.rows, table.column(columns.text), strict=True)):
        reason = _too_short(text, min_characters)
        key = ids[place].strip() if ids else ""
        if not reason and key in seen:
            reason = f"the id “{key}” was already used in row {seen[key]}"
        if reason:
            dropped.append(DroppedRow(row, reason))
            continue
        if key:
            seen[key] = row
        keep.append(place)
    return keep, dropped


def _too_short(text: str, least: int) -> str:
    length = len(text.strip())
    if not length:
        return "the text is empty"
    return f"the text has fewer than {least} characters" if length < least else ""


def _with_whole_texts(
    table: Table, columns: ColumnRoles, *, strip_html: bool
) -> tuple[Table, tuple[str, ...]]:
    """The table with its texts as they are to be read, and what is to be said of that.

    Columns that make the text together are joined in the order of the file, a paragraph each.
    """
    names = [name for name in table.header if name in columns.texts]
    parts = [table.column(name) for name in names]
    cells = parts[0] if len(parts) == 1 else tuple(map(_paragraphs, zip(*parts, strict=True)))
    notes = []
    if strip_html:
        stripped = tuple(map(strip_markup, cells))
        n_changed = sum(a != b for a, b in zip(cells, stripped, strict=True))
        cells = stripped
        if n_changed:
            notes.append(f"HTML was removed from the texts of {count(n_changed, 'row')}.")
    assert columns.text is not None
    place = table.header.index(columns.text)
    whole = (*table.columns[:place], cells, *table.columns[place + 1 :])
    return replace(table, columns=whole), tuple(notes)


def _paragraphs(cells: Iterable[str]) -> str:
    """One text of several cells; the same words twice, as in a title cut from its text, stay."""
    return "\n\n".join(cell.strip() for cell in cells if cell.strip())


def _corpus(table: Table, columns: ColumnRoles, keep: list[int], options: CorpusOptions) -> Corpus:
    def cells(name: str) -> tuple[str, ...]:
        column = table.column(name)
        return tuple(column[place] for place in keep)

    assert columns.text is not None
    rows = [table.rows[place] for place in keep]
    date_format, join = options.date_format, options.join_spellings
    dates, notes = (
        read_date_cells(cells(columns.date), rows, columns.date, date_format)
        if columns.date
        else ((), ())
    )
    labels, joined = (
        read_label_cells(cells(columns.labels), columns.label_separator, columns.labels, join=join)
        if columns.labels
        else ((), ())
    )
    side = {name: _group_values(cells(name), name, join) for name in columns.side}
    joined += tuple(note for _, found in side.values() for note in found)
    return Corpus(
        ids=_ids(cells(columns.id) if columns.id else (), rows),
        texts=tuple(text.replace("\0", "") for text in cells(columns.text)),
        labels=labels,
        dates=dates,
        side={name: values for name, (values, _) in side.items()},
        reading=Reading(notes=notes + joined),
    )


def _ids(cells: Sequence[str], rows: Sequence[int]) -> tuple[str, ...]:
    """The given ids; where there is none, the row's number in the file."""
    if not cells:
        return tuple(str(row) for row in rows)
    return tuple(cell.strip() or f"row {row}" for cell, row in zip(cells, rows, strict=True))


def _group_values(
    cells: Iterable[str], column: str, join: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The values of another column, spellings of one value joined, and what is to be said."""
    values = tuple(cell.strip() for cell in cells)
    if not join:
        return values, ()
    usual = usual_spellings(values)
    return tuple(usual[value] for value in values), joined_note(usual, column)
