"""Take a project's file apart; only a child process calls this.

The parts come out as plain values, some lines at a time. What they mean is checked by the store;
here it is made sure that they are what JSON can say: no number without an end, no half characters,
nothing nested without end, and no more than a project can hold.
"""

from __future__ import annotations

import io
import json
import math
import tokenize
import zipfile
from collections.abc import Iterator
from itertools import count
from typing import Any, BinaryIO, NoReturn

import numpy as np

from core.errors import StoreError
from core.loading.array_lines import array_lines
from core.loading.formats.archive import UNPACKING_ERRORS

PROJECT_PART, DOCUMENTS_PART, EVENTS_PART = "project.json", "documents.jsonl", "events.jsonl"
RUN_PART, FACTORS_PART = "run.json", "factors.npz"
COMPARISONS_PART, SCORES_PART = "comparisons.jsonl", "scores.jsonl"
VECTORS_PART = "vectors.npz"
PROJECT_FILE_PARTS = (
    PROJECT_PART,
    DOCUMENTS_PART,
    RUN_PART,
    FACTORS_PART,
    COMPARISONS_PART,
    SCORES_PART,
    VECTORS_PART,
    EVENTS_PART,
)  # in this order
REQUIRED_PARTS = (PROJECT_PART, DOCUMENTS_PART, EVENTS_PART)

MAX_PART_BYTES = 4 * 2**30  # of one part, unpacked
MAX_COMPRESSION = 200  # unpacked to packed bytes; more is no text
ALWAYS_ALLOWED_BYTES = 50 * 2**20  # of one part, however well it is packed
MAX_LINE_BYTES = {PROJECT_PART: 32 * 2**20, RUN_PART: 8 * 2**20, EVENTS_PART: 2**20}  # of one line
MAX_OTHER_LINE_BYTES = 16 * 2**20
MAX_LINES = {EVENTS_PART: 5_000_000}
MAX_OTHER_LINES = 1_000_000  # documents, as in any file
MIN_BYTES_PER_LIST = 6  # on average: a line of empty lists needs twenty times its size
MAX_DEPTH = 20  # of a value; a project's own are far flatter
MAX_WHOLE_NUMBER = 2**53  # the largest that every reader of JSON keeps
LINES_AT_ONCE = 1_000
BYTES_OF_LINES_AT_ONCE = 4 * 2**20
WRONG_ARRAYS = (AttributeError, SyntaxError, tokenize.TokenError)  # what NumPy makes of a header
DAMAGED_PROJECT_FILE = "This file is not a project of the Studio, or it is damaged."
TOO_LARGE = "This file unpacks to more than a project can hold."


def read_parts(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """``{part: lines}``, in the order of ``PROJECT_FILE_PARTS``.

    Factors and vectors come as ``{"array": what it is}``, each followed by its bytes.
    """
    try:
        with zipfile.ZipFile(file) as bundle:
            _check_parts(bundle)
            there = set(bundle.namelist())
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
        packed_well = entry.file_size > MAX_COMPRESSION * entry.compress_size
        if entry.file_size > MAX_PART_BYTES or (
            packed_well and entry.file_size > ALWAYS_ALLOWED_BYTES
        ):
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
    """One value, as strict as JSON is."""
    if len(line) > MAX_LINE_BYTES.get(part, MAX_OTHER_LINE_BYTES):
        raise StoreError(TOO_LARGE)
    text = line.decode("utf-8")
    n_lists = text.count("[") + text.count("{")
    if n_lists > 100 + len(text) / MIN_BYTES_PER_LIST:
        raise StoreError(TOO_LARGE)
    value = json.loads(text, parse_float=_real, parse_int=_whole, parse_constant=_no_number)
    if n_lists > MAX_DEPTH:
        _check_depth(value, MAX_DEPTH)
    if "\\u" in text or "\\U" in text:
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a character has no encoding
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number.")


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_WHOLE_NUMBER:
        raise ValueError("This number is too large.")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("This number is too large.")
    return number


def _check_depth(value: Any, most: int) -> None:
    if isinstance(value, dict | list):
        if not most:
            raise ValueError("This is nested too deeply.")
        for inner in value.values() if isinstance(value, dict) else value:
            _check_depth(inner, most - 1)


def _arrays(bundle: zipfile.ZipFile, part: str) -> Iterator[dict[str, Any]]:
    """The arrays of a part: what they are, and their bytes."""
    with np.load(io.BytesIO(bundle.read(part)), allow_pickle=False) as arrays:
        _check_sizes(arrays.zip)
        for name in arrays.files:
            array = arrays[name]
            if array.dtype.kind not in "fiu":
                raise StoreError(DAMAGED_PROJECT_FILE)
            yield from array_lines(array, part=part, name=name)


def _check_sizes(bundle: zipfile.ZipFile) -> None:
    if sum(entry.file_size for entry in bundle.infolist()) > MAX_PART_BYTES:
        raise StoreError(TOO_LARGE)
