"""A path, bytes or an open file → Table; the content decides the format, not the name."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.errors import CorpusError
from core.loading.formats import archive as archives
from core.loading.formats.delimited import read_delimited
from core.loading.formats.encoding import LINE_BY_LINE, decode, is_guess
from core.loading.formats.records import (
    ListText,
    joined_text,
    looks_like_json,
    read_json,
    read_parquet,
)
from core.loading.formats.table import Table, check_cells
from core.loading.formats.workbook import check_extent, read_workbook
from core.loading.limits import FileLimits

Source = str | Path | bytes | BinaryIO

ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
GZIP_SIGNATURE = b"\x1f\x8b"
OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, and .xlsx behind a password
REFUSED_SIGNATURES = {
    b"%PDF": "a PDF file; save its text as .txt or as a table",
    b"{\\rtf": "a rich-text file; save it as plain text",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"\x80\x04\x95": "a Python pickle, which is never opened because it could run code",
    b"\x80\x05\x95": "a Python pickle, which is never opened because it could run code",
    b"SQLite format 3": "a database; export the table as CSV",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive; pack the texts as ZIP",
    b"Rar!": "a RAR archive; pack the texts as ZIP",
}
MIXED_LINES_NOTE = (
    "Some lines are in UTF-8 and others are not: those were read as Western text (cp1252); check "
    "that accents are right."
)
REFUSED_MEMBERS = {
    "word/document.xml": "a Word file; save its text as .txt or as a table",
    "ppt/presentation.xml": "a presentation; save its text as .txt or as a table",
    "META-INF/manifest.xml": "an OpenDocument file; save it as XLSX or CSV",
}


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """How to read a source."""

    file: str
    encoding: str | None
    delimiter: str | None
    limits: FileLimits
    max_rows: int | None = None  # stop after so many rows, for a preview
    list_text: ListText = joined_text  # what a list in a JSON field becomes


def read_table(
    source: Source,
    *,
    filename: str | None,
    encoding: str | None,
    delimiter: str | None,
    limits: FileLimits,
    max_rows: int | None = None,
    list_text: ListText = joined_text,
) -> tuple[Table, str]:
    """The table in a source, and the name to call the source by."""
    file = filename or source_name(source)
    request = ReadRequest(file, encoding, delimiter, limits, max_rows, list_text)
    if isinstance(source, str | Path) and Path(source).is_dir():
        members = archives.folder_members(Path(source), limits)
        table = archives.read_texts(members, file, "folder", encoding)
    else:
        table = _from_bytes(read_bytes(source, file, limits), request)
    check_cells(table, limits, file)
    return table, file


def source_name(source: Source) -> str:
    """The name to call a source by."""
    if isinstance(source, str | Path):
        return Path(source).name
    return Path(str(getattr(source, "name", "") or "the file")).name


def read_bytes(source: Source, file: str, limits: FileLimits) -> bytes:
    """All bytes of the source, and never more than allowed."""
    try:
        if isinstance(source, bytes):
            data = source[: limits.bytes + 1]
        elif isinstance(source, str | Path):
            with open(source, "rb") as stream:
                data = stream.read(limits.bytes + 1)
        else:
            data = source.read(limits.bytes + 1)
    except FileNotFoundError:
        raise CorpusError("there is no such file.", file=file) from None
    except OSError as error:
        sentence = f"it cannot be opened ({error.strerror or error})."
        raise CorpusError(sentence, file=file) from None
    if len(data) > limits.bytes:
        raise CorpusError(f"it is larger than {limits.bytes / 1e6:,.0f} MB.", file=file)
    if not data.strip():
        raise CorpusError("the file is empty.", file=file)
    return data


def _from_bytes(data: bytes, request: ReadRequest) -> Table:
    file, limits = request.file, request.limits
    for start, what in REFUSED_SIGNATURES.items():
        if data.startswith(start):
            raise CorpusError(f"this is {what}.", file=file)
    if data.startswith(GZIP_SIGNATURE):
        data = archives.unzip_gzip(data, file, limits)
        if data.startswith(GZIP_SIGNATURE):  # and so on, a thousand times
            raise CorpusError("there is another compressed file inside.", file=file)
        return _from_bytes(data, request)
    if data.startswith(ZIP_SIGNATURES):
        return _from_archive(data, request)
    if data.startswith(OLE_SIGNATURE):
        return read_workbook(data, file, limits=limits)
    if data.startswith(b"PAR1"):
        return read_parquet(data, file, limits=limits)
    return _from_text(data, request)


def _from_archive(data: bytes, request: ReadRequest) -> Table:
    file, limits = request.file, request.limits
    with archives.open_archive(data, file, limits) as archive:
        names = set(archive.namelist())
        if "xl/workbook.xml" in names:
            _check_workbook(archive, file, limits)
            return read_workbook(data, file, limits=limits)
        for name, what in REFUSED_MEMBERS.items():
            if name in names:
                raise CorpusError(f"this is {what}.", file=file)
        inner = archives.only_table(archive)
        if inner is None:
            members = archives.archive_members(archive, file)
            return archives.read_texts(members, file, "zip", request.encoding)
        content = archives.unpack(archive, inner, file)
    if content.startswith((*ZIP_SIGNATURES, GZIP_SIGNATURE)) and not inner.lower().endswith(
        ".xlsx"
    ):
        raise CorpusError(f"“{inner}” inside is another archive.", file=file)
    return _from_bytes(content, request)


def _check_workbook(archive: zipfile.ZipFile, file: str, limits: FileLimits) -> None:
    try:
        check_extent(archive, file, limits)
    except archives.UNPACKING_ERRORS:
        raise CorpusError("the workbook is damaged or incomplete.", file=file) from None


def _from_text(data: bytes, request: ReadRequest) -> Table:
    file, limits = request.file, request.limits
    text, encoding = decode(data, file, request.encoding)
    if looks_like_json(text) and request.delimiter is None:
        return read_json(
            text,
            file,
            encoding=encoding,
            limits=limits,
            max_rows=request.max_rows,
            list_text=request.list_text,
        )
    return read_delimited(
        text,
        file,
        encoding=encoding,
        delimiter=request.delimiter,
        limits=limits,
        max_rows=request.max_rows,
    )


def encoding_note(table: Table, asked: str | None) -> tuple[str, ...]:
    """A note if the encoding was guessed."""
    if not asked and table.encoding == LINE_BY_LINE:
        return (MIXED_LINES_NOTE,)
    if asked or not is_guess(table.encoding):
        return ()
    return (f"The encoding {table.encoding} is a guess; check that accents are right.",)
