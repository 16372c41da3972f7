"""Files of texts, local or at any address that fsspec knows: which there are, and one as a corpus.

A file is the smallest piece of work: a worker reads it whole, in a process of its own with limits
on memory and time, as everywhere in this project.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from core.cluster.dask_client import INSTALL_COMMAND
from core.corpus import ColumnRoles, Corpus
from core.errors import ClusterError, CorpusError
from core.loading import FileLimits, read_corpus

FILE_ENDINGS = (".parquet", ".jsonl", ".csv", ".tsv")
PACKED_ENDINGS = ("", ".gz")
LIMITS = FileLimits()
GLOB_SIGNS = frozenset("*?[")


@dataclass(frozen=True)
class TextColumns:
    """Which columns hold what; None is guessed from the first file, "" means that there is none."""

    text: str | None = None
    id: str | None = None
    label: str | None = None
    label_separator: str | None = None


@dataclass(frozen=True)
class TextFile:
    """One file of several."""

    address: str
    name: str
    id_prefix: str  # keeps row numbers of different files apart, where there is no column of ids

    def read(self, columns: TextColumns) -> Corpus:
        """The texts of the file; CorpusError says what is wrong with it."""
        try:
            with _fsspec().open(self.address, "rb") as stream:
                content = stream.read(LIMITS.bytes + 1)  # one more tells that it is too large
        except OSError as error:
            sentence = f"it cannot be opened ({error.strerror or error})."
            raise CorpusError(sentence, file=self.name) from None
        corpus = read_corpus(
            content,
            filename=self.name,
            text=columns.text,
            id=columns.id,
            date="",
            label=columns.label,
            label_separator=columns.label_separator,
            side=[],
            limits=LIMITS,
        )
        if corpus.reading.columns.id is not None or not self.id_prefix:
            return corpus
        return replace(corpus, ids=tuple(f"{self.id_prefix}{each}" for each in corpus.ids))


def find_files(address: str) -> list[TextFile]:
    """The files that an address names: one, those of a folder, or those of a pattern; sorted."""
    filesystem, path = _filesystem(address)
    if GLOB_SIGNS & {*path}:
        found = [str(name) for name in filesystem.glob(path)]
    elif filesystem.isdir(path):
        found = [str(name) for name in filesystem.find(path)]
    else:
        found = [path] if filesystem.exists(path) else []
    endings = tuple(end + packed for end in FILE_ENDINGS for packed in PACKED_ENDINGS)
    known = sorted(name for name in found if name.lower().endswith(endings))
    if not known:
        raise CorpusError(f"There is no {', '.join(FILE_ENDINGS)} file at {address}.")
    names = [name.rpartition("/")[2] for name in known]
    return [
        TextFile(filesystem.unstrip_protocol(path), name, f"{name}:" if len(known) > 1 else "")
        for path, name in zip(known, names, strict=True)
    ]


def known_columns(file: TextFile, asked: TextColumns) -> TextColumns:
    """The roles of the columns, decided once for all files."""
    roles: ColumnRoles = file.read(asked).reading.columns
    return TextColumns(
        text=roles.text or "",
        id=roles.id or "",
        label=roles.labels or "",
        label_separator=roles.label_separator or "",
    )


def _filesystem(address: str) -> tuple[Any, str]:
    try:
        filesystem, path = _fsspec().core.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise CorpusError(f"{address} cannot be opened: {error}") from None
    return filesystem, str(path)


def open_to_write(address: str) -> Any:
    """A file at any address, open for bytes; folders on the way are made."""
    filesystem, path = _filesystem(address)
    filesystem.makedirs(path.rpartition("/")[0], exist_ok=True)
    return filesystem.open(path, "wb")


def _fsspec() -> Any:
    try:
        return import_module("fsspec")
    except ImportError:
        raise ClusterError(f"A cluster needs Dask; install it: {INSTALL_COMMAND}") from None
