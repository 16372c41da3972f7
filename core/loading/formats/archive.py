"""ZIP files and folders of texts; the size of an archive is checked before it is unpacked."""

from __future__ import annotations

import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from core.corpus import ColumnRoles, DroppedRow
from core.errors import CorpusError
from core.loading.formats.encoding import decode
from core.loading.formats.table import Table
from core.loading.limits import FileLimits

TABLE_SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".xlsx", ".parquet")
TEXT_SUFFIXES = (".txt", ".text", ".md")

Member = tuple[str, bytes]

# What ``zipfile`` raises for damaged members: an unknown method, a negative offset, a broken stream
UNPACKING_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError),
    *(NotImplementedError, ValueError, RuntimeError, OverflowError, KeyError),
)


def open_archive(data: bytes, file: str, limits: FileLimits) -> zipfile.ZipFile:
    """Open a ZIP after checking it; nothing is unpacked yet."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except UNPACKING_ERRORS:
        raise CorpusError("the archive is damaged or incomplete.", file=file) from None
    members = archive.infolist()
    if len(members) > limits.members:
        raise CorpusError(f"there are more than {limits.members:,} files inside.", file=file)
    unpacked = sum(member.file_size for member in members)
    dense = unpacked > limits.harmless_bytes and unpacked > limits.ratio * len(data)
    if unpacked > limits.unpacked_bytes or dense:
        raise CorpusError(
            f"it would unpack to {unpacked / 1e6:,.0f} MB from {len(data) / 1e6:,.1f} MB, "
            "which is far more than texts need.",
            file=file,
        )
    for member in members:
        _check_member(member, file)
    return archive


def _check_member(member: zipfile.ZipInfo, file: str) -> None:
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in path.parts[:1]:
        raise CorpusError(
            f"the path “{member.filename}” inside points outside the archive.", file=file
        )
    if member.flag_bits & 0x1:
        raise CorpusError("the archive is protected by a password; save it without one.", file=file)


def unpack(archive: zipfile.ZipFile, name: str, file: str) -> bytes:
    """One member, no larger than its header says."""
    size = archive.getinfo(name).file_size
    try:
        with archive.open(name) as member:
            return member.read(size)
    except UNPACKING_ERRORS:
        raise CorpusError(f"“{name}” inside the archive is damaged.", file=file) from None


def unzip_gzip(data: bytes, file: str, limits: FileLimits) -> bytes:
    """Unpack a gzip file, up to the limit."""
    max_bytes = min(limits.unpacked_bytes, max(limits.harmless_bytes, limits.ratio * len(data)))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            content = stream.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise CorpusError("the compressed file is damaged or incomplete.", file=file) from None
    if len(content) > max_bytes:
        raise CorpusError("it unpacks to far more than texts need.", file=file)
    return content


def only_table(archive: zipfile.ZipFile) -> str | None:
    """The only table in an archive without texts, if there is exactly one."""
    names = [name for name in _visible(archive.namelist()) if not name.endswith("/")]
    tables = [name for name in names if name.lower().endswith(TABLE_SUFFIXES)]
    texts = [name for name in names if name.lower().endswith(TEXT_SUFFIXES)]
    return tables[0] if len(tables) == 1 and not texts else None


def archive_members(archive: zipfile.ZipFile, file: str) -> Iterator[Member]:
    for name in sorted(_visible(archive.namelist())):
        if not name.endswith("/"):
            is_text = name.lower().endswith(TEXT_SUFFIXES)
            yield name.replace("\\", "/"), unpack(archive, name, file) if is_text else b""


def folder_members(folder: Path, limits: FileLimits) -> Iterator[Member]:
    """Files below a folder, in order; links are not followed out of it."""
    root, total = folder.resolve(), 0
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    if len(paths) > limits.members:
        raise CorpusError(f"there are more than {limits.members:,} files inside.", file=folder.name)
    for path in paths:
        if not path.resolve().is_relative_to(root) or _hidden(path.relative_to(folder).as_posix()):
            continue
        is_text = path.suffix.lower() in TEXT_SUFFIXES
        total += path.stat().st_size if is_text else 0
        if total > limits.bytes:
            raise CorpusError(f"the texts exceed {limits.bytes / 1e6:,.0f} MB.", file=folder.name)
        yield path.relative_to(folder).as_posix(), path.read_bytes() if is_text else b""


def _visible(names: Iterable[str]) -> list[str]:
    return [name for name in names if not _hidden(name)]


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(part.startswith(".") for part in parts)


def read_texts(members: Iterable[Member], file: str, kind: str, encoding: str | None) -> Table:
    """One document per text file: its path is the id, its folder a label."""
    cells: list[tuple[str, str, str]] = []
    rows, dropped, encodings = [], [], set()
    for number, (name, data) in enumerate(members, start=1):
        path = PurePosixPath(name)
        if path.suffix.lower() not in TEXT_SUFFIXES:
            dropped.append(DroppedRow(number, f"“{name}” is not a .txt file"))
            continue
        text, used = decode(data, f"{file}, {name}", encoding)
        encodings.add(used)
        folder = path.parent.name
        cells.append((path.with_suffix("").as_posix(), text, folder))
        rows.append(number)
    if not cells:
        raise CorpusError("there is no .txt file inside.", file=file)
    several = len({folder for _, _, folder in cells}) > 1
    return Table(
        header=("file", "text", "folder"),
        columns=tuple(zip(*cells, strict=True)),
        rows=rows,
        kind=kind,
        encoding=encodings.pop() if len(encodings) == 1 else "mixed",
        dropped=tuple(dropped),
        known=ColumnRoles(
            text="text", id="file", labels="folder" if several else None, label_separator=None
        ),
    )
