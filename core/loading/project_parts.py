"""Take a project's file apart; only a child process calls this.

The parts come out as plain values, some lines at a time. What they mean is checked by the store;
here it is made sure that they are what JSON can say (``strict_json``), and no more than a project
can hold.
"""

from __future__ import annotations

import io
import tokenize
import zipfile
from collections.abc import Iterator
from itertools import count
from typing import Any, BinaryIO

import numpy as np

from core.errors import StoreError
from core.loading.array_lines import array_lines
from core.loading.formats.archive import UNPACKING_ERRORS
from core.loading.strict_json import TOO_LARGE, strict_value

PROJECT_PART, DOCUMENTS_PART, EVENTS_PART = "project.json", "documents.jsonl", "events.jsonl"
REPLACED_PART = "replaced.jsonl"
RUN_PART, FACTORS_PART = "run.json", "factors.npz"
COMPARISONS_PART, SCORES_PART = "comparisons.jsonl", "scores.jsonl"
VECTORS_PART, REPORTS_PART = "vectors.npz", "reports.jsonl"
PROJECT_FILE_PARTS = (
    PROJECT_PART,
    DOCUMENTS_PART,
    REPLACED_PART,
    RUN_PART,
    FACTORS_PART,
    COMPARISONS_PART,
    SCORES_PART,
    REPORTS_PART,
    VECTORS_PART,
    EVENTS_PART,
)  # in this order
REQUIRED_PARTS = (PROJECT_PART, DOCUMENTS_PART, EVENTS_PART)

MAX_PART_BYTES = 4 * 2**30  # of one part, unpacked
MAX_COMPRESSION = 200  # unpacked to packed bytes; more is no text
ALWAYS_ALLOWED_BYTES = 50 * 2**20  # of one part, however well it is packed
MAX_LINE_BYTES = {PROJECT_PART: 32 * 2**20, RUN_PART: 8 * 2**20, EVENTS_PART: 2**20}  # of one line
MAX_OTHER_LINE_BYTES = 16 * 2**20
MAX_SCORE_LINES = 20_000
MAX_REPORT_LINES = 20
MAX_BYTES = {  # of parts kept in memory
    COMPARISONS_PART: 128 * 2**20,
    SCORES_PART: 32 * 2**20,
    REPORTS_PART: 20 * 2**20,
}
MAX_LINES = {
    EVENTS_PART: 5_000_000,
    COMPARISONS_PART: 2_000,
    SCORES_PART: MAX_SCORE_LINES,
    REPORTS_PART: MAX_REPORT_LINES,
}
MAX_OTHER_LINES = 1_000_000  # documents, as in any file
LINES_AT_ONCE = 1_000
BYTES_OF_LINES_AT_ONCE = 4 * 2**20
ABOUT_ARRAY = "about"  # of every file of arrays: text, as JSON
MAX_ABOUT_BYTES = 40 * 2**20  # names of a million texts
WRONG_ARRAYS = (AttributeError, SyntaxError, tokenize.TokenError)  # what NumPy makes of a header
DAMAGED_PROJECT_FILE = "This file is not a project of the Studio, or it is damaged."


def read_parts(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """``{"parts": names}``, then ``{part: lines}``, in the order of ``PROJECT_FILE_PARTS``.

    Factors and vectors come as ``{"array": what it is}``, each followed by its bytes.
    """
    try:
        with zipfile.ZipFile(file) as bundle:
            _check_parts(bundle)
            there = set(bundle.namelist())
            yield {"parts": sorted(there)}
            for name in (each for each in PROJECT_FILE_PARTS if each in there):
                yield from _part(bundle, name)
    except (*UNPACKING_ERRORS, *WRONG_ARRAYS, TypeError, RecursionError):
        raise StoreError(DAMAGED_PROJECT_FILE) from None


def _check_parts(bundle: zipfile.ZipFile) -> None:
    entries = bundle.infolist()
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names) or not set(REQUIRED_PARTS) <= set(names) <= set(
        PROJECT_FILE_PARTS
    ):
        raise StoreError(DAMAGED_PROJECT_FILE)
    for entry in entries:
        if entry.file_size > MAX_BYTES.get(entry.filename, MAX_PART_BYTES):
            raise StoreError(TOO_LARGE)
        packed_well = entry.file_size > MAX_COMPRESSION * entry.compress_size
        if packed_well and entry.file_size > ALWAYS_ALLOWED_BYTES:
            raise StoreError(TOO_LARGE)


def _part(bundle: zipfile.ZipFile, name: str) -> Iterator[dict[str, Any]]:
    if name in (FACTORS_PART, VECTORS_PART):
        yield from _arrays(bundle, name)
    elif name in (PROJECT_PART, RUN_PART):
        with bundle.open(name) as part:
            yield {name: [_value(part.read(MAX_LINE_BYTES[name] + 1), name)]}
    else:
        for several in _some_at_a_time(_lines(bundle, name)):
            yield {name: [_value(line, name) for line in several]}


def _lines(bundle: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    longest = MAX_LINE_BYTES.get(name, MAX_OTHER_LINE_BYTES)
    with bundle.open(name) as part:
        for number in count():
            line = part.readline(longest + 1)
            if not line:
                return
            if number >= MAX_LINES.get(name, MAX_OTHER_LINES):
                raise StoreError(TOO_LARGE)
            yield line


def _some_at_a_time(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    """So many lines, or so many bytes of them."""
    several: list[bytes] = []
    size = 0
    for line in lines:
        several.append(line)
        size += len(line)
        if len(several) >= LINES_AT_ONCE or size >= BYTES_OF_LINES_AT_ONCE:
            yield several
            several, size = [], 0
    if several:
        yield several


def _value(line: bytes, part: str) -> Any:
    return strict_value(line, MAX_LINE_BYTES.get(part, MAX_OTHER_LINE_BYTES))


def _arrays(bundle: zipfile.ZipFile, part: str) -> Iterator[dict[str, Any]]:
    """The arrays of a part: what they are, and their bytes."""
    yield from read_arrays(io.BytesIO(bundle.read(part)), part)


def read_arrays(file: BinaryIO, part: str) -> Iterator[dict[str, Any]]:
    """The arrays of an open file, and as ``{"about": …}`` what they say about themselves."""
    with np.load(file, allow_pickle=False) as arrays:
        _check_sizes(arrays.zip)
        for name in arrays.files:
            array = arrays[name]
            if array.dtype.kind not in "fiu":
                raise StoreError(DAMAGED_PROJECT_FILE)
            if name == ABOUT_ARRAY:
                value = strict_value(array.tobytes(), MAX_ABOUT_BYTES)
                yield {"about": {"part": part, "value": value}}
            else:
                yield from array_lines(array, part=part, name=name)


def _check_sizes(bundle: zipfile.ZipFile) -> None:
    if sum(entry.file_size for entry in bundle.infolist()) > MAX_PART_BYTES:
        raise StoreError(TOO_LARGE)
