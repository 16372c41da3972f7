"""read_corpus, preview, read_vectors for everybody: the file is read in a process of its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from core.corpus import Corpus, Reading
from core.errors import CorpusError
from core.loading.array_lines import array_of_lines
from core.loading.formats.table import Table
from core.loading.isolation import Answer, Budget, Refuse, ask
from core.loading.isolation.asking import UNREADABLE_FILE
from core.loading.limits import FileLimits
from core.loading.plain_values import corpus_of_lines, preview_of, table_of_lines
from core.loading.reading import CorpusOptions, Preview
from core.loading.sources import Source, source_name
from core.loading.vectors import rows_of_texts

USUAL_LIMITS = FileLimits()


def preview(
    source: Source,
    *,
    filename: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    rows: int = 20,
    limits: FileLimits = USUAL_LIMITS,
) -> Preview:
    """Read the first rows of a source and guess its columns."""
    file = filename or source_name(source)
    asked = {"encoding": encoding, "delimiter": delimiter, "rows": rows}
    with _refusing(file), closing(_read("preview", source, file, asked, limits)) as answer:
        return preview_of(next(answer))


def read_corpus(
    source: Source,
    *,
    filename: str | None = None,
    text: str | None = None,
    more_text: Sequence[str] = (),
    id: str | None = None,
    date: str | None = None,
    label: str | None = None,
    label_separator: str | None = None,
    side: Sequence[str] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    min_characters: int = 1,
    date_format: str | None = None,
    strip_html: bool = False,
    join_spellings: bool = True,
    limits: FileLimits = USUAL_LIMITS,
) -> Corpus:
    """Read a file, a folder or bytes into a corpus.

    Every column that is None is guessed; "" (for ``side``: an empty list) means that there is none.
    ``more_text`` names columns that are joined with that of the text, in the order of the file.
    ``label_separator=""`` takes each label cell as one label. Rows without text and rows with an
    id that was seen before are left out and listed in ``corpus.reading.dropped``; exact copies of
    a text are kept and listed in ``corpus.reading.duplicates``. Dates in several formats are all
    read; ``date_format`` (such as "day/month/year") decides where they are ambiguous.
    ``strip_html`` takes tags out of the texts. Labels, and values of other columns, that differ
    only in case, spaces or underscores are joined, unless ``join_spellings`` is False;
    ``corpus.reading.notes`` says which.

    The file is read in a process of its own: one that is made to fill the memory or to take for
    ever ends in a ``CorpusError`` like any other damaged file.
    """
    file = filename or source_name(source)
    asked = CorpusOptions(
        text=text,
        more_text=list(more_text),
        id=id,
        date=date,
        label=label,
        label_separator=label_separator,
        side=None if side is None else list(side),
        encoding=encoding,
        delimiter=delimiter,
        min_characters=min_characters,
        date_format=date_format,
        strip_html=strip_html,
        join_spellings=join_spellings,
    )
    with (
        _refusing(file),
        closing(_read("corpus", source, file, asdict(asked), limits)) as answer,
    ):
        return corpus_of_lines(answer)


def read_label_table(source: Source, *, filename: str | None = None) -> tuple[Table, str]:
    """The table in a file of labels, and the name to call the file by."""
    file = filename or source_name(source)
    with (
        _refusing(file),
        closing(_read("label_table", source, file, {}, USUAL_LIMITS)) as answer,
    ):
        return table_of_lines(answer), file


def read_vectors(
    source: Source,
    *,
    n_docs: int,
    reading: Reading = Reading(),  # noqa: B008 (frozen)
    column: str | None = None,
    filename: str | None = None,
    limits: FileLimits = USUAL_LIMITS,
) -> np.ndarray:
    """One row for each of ``n_docs`` texts; ``column`` names a list column of a Parquet file.

    ``reading`` is how the texts were read: rows that were left out then are left out here too,
    where the rows of both files are the same.
    """
    file = filename or source_name(source)
    with (
        _refusing(file),
        closing(_read("vectors", source, file, {"column": column}, limits)) as answer,
    ):
        values = array_of_lines(next(answer)["array"], answer)
        return rows_of_texts(values, n_docs, reading, file)


def _read(
    reader: str, source: Source, file: str, options: Mapping[str, Any], limits: FileLimits
) -> Answer:
    asked = {**options, "filename": file, "limits": asdict(limits)}
    refuse: Refuse = partial(CorpusError, file=file)
    if isinstance(source, str | Path) and Path(source).is_dir():
        asked["folder"] = str(Path(source).resolve())
        with open(os.devnull, "rb") as nothing:
            return ask(reader, asked, nothing, refuse, budget=Budget.of(limits.bytes))
    with open_source(source, file, limits.bytes) as opened:
        return ask(reader, asked, opened, refuse)


@contextmanager
def _refusing(file: str) -> Iterator[None]:
    """A wrong answer, which only a child that a file has taken over can give, is one sentence."""
    try:
        yield
    except (ValueError, TypeError, KeyError, StopIteration):
        raise CorpusError(UNREADABLE_FILE, file=file) from None


@contextmanager
def open_source(source: Source, file: str, most: int) -> Iterator[IO[bytes]]:
    """The source as an open file that another process can read; its content is not looked at."""
    try:
        opened = _opened(source, most)
    except FileNotFoundError:
        raise CorpusError("there is no such file.", file=file) from None
    except OSError as error:
        raise CorpusError(f"it cannot be opened ({error.strerror or error}).", file=file) from None
    with opened:
        yield opened


def _opened(source: Source, most: int) -> IO[bytes]:
    if isinstance(source, str | Path):
        return open(source, "rb")
    data = source[: most + 1] if isinstance(source, bytes) else source.read(most + 1)
    copy = _in_memory()
    copy.write(data)
    copy.seek(0)
    return copy


def _in_memory() -> IO[bytes]:
    """A file without a name."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("upload"), "w+b")
    return tempfile.TemporaryFile()
