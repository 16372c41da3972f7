"""The analyst's own vectors: a list column of a Parquet file, or a NumPy table (.npy).

Files are not trusted: nothing is unpickled, sizes are checked before memory is taken, and what
cannot be read is one sentence that names file, row and column.
"""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np

from core.corpus import Reading
from core.errors import CorpusError
from core.loading.limits import FileLimits
from core.loading.project_parts import WRONG_ARRAYS
from core.loading.sources import Source, read_bytes, read_table

NUMPY_SIGNATURE = b"\x93NUMPY"
MAX_NUMBERS = 4096  # in one vector
TABLE_NEEDED = "a table is needed: a row for each text, a column for each number."


def read_rows(
    source: Source, *, column: str | None, filename: str, limits: FileLimits
) -> np.ndarray:
    """All vectors of a file, in the order of its rows; only a child process calls this."""
    data = read_bytes(source, filename, limits)
    if data.startswith(NUMPY_SIGNATURE):
        values = _read_npy(data, filename)
    else:
        values, column = _read_list_column(data, column, filename, limits)
    _check_numbers(values, filename, column)
    exact = np.can_cast(values.dtype, np.float32)
    return values.astype(np.float32 if exact else np.float64)


def _read_npy(data: bytes, file: str) -> np.ndarray:
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, _, dtype = read_header(stream)
    except (ValueError, KeyError, TypeError, *WRONG_ARRAYS):
        raise CorpusError("this NumPy file is damaged.", file=file) from None
    if dtype.hasobject or dtype.kind not in "fiu":
        raise CorpusError("this NumPy file does not hold plain numbers.", file=file)
    if not all(type(length) is int and length >= 0 for length in shape):
        raise CorpusError("this NumPy file is damaged.", file=file)
    if len(shape) != 2:
        raise CorpusError(TABLE_NEEDED, file=file)
    if math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise CorpusError("this NumPy file is damaged.", file=file)
    return np.load(io.BytesIO(data), allow_pickle=False)


def _read_list_column(
    data: bytes, column: str | None, file: str, limits: FileLimits
) -> tuple[np.ndarray, str]:
    table, _ = read_table(data, filename=file, encoding=None, delimiter=None, limits=limits)
    there = table.number_lists
    if not there:
        sentence = "no column holds lists of numbers; give a .npy file or such a Parquet file."
        raise CorpusError(sentence, file=file)
    if column is None and len(there) == 1:
        column = next(iter(there))
    if column is None or column not in there:
        names = ", ".join(f"“{name}”" for name in there)
        raise CorpusError(f"say which column holds the vectors: {names}.", file=file)
    return _values_of(there[column], file, column), column


def _values_of(lists: Any, file: str, column: str) -> np.ndarray:
    """A column of lists of numbers, all of one length, as a table."""
    import pyarrow.compute as pc

    if lists.null_count:
        row = lists.is_null().to_numpy().argmax() + 1
        raise CorpusError("there is no vector.", file=file, row=int(row), column=column)
    lengths = pc.list_value_length(lists).to_numpy().astype(np.int64)
    if not len(lengths):
        raise CorpusError("there is no vector.", file=file, column=column)
    usual = int(lengths[0])
    if (lengths != usual).any():
        odd = int((lengths != usual).argmax())
        sentence = f"there are {lengths[odd]:,} numbers instead of {usual:,}."
        raise CorpusError(sentence, file=file, row=odd + 1, column=column)
    parts = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in lists.chunks]
    return np.concatenate(parts).reshape(len(lengths), usual)


def _check_numbers(values: np.ndarray, file: str, column: str | None) -> None:
    if not 1 <= values.shape[1] <= MAX_NUMBERS:
        sentence = f"a vector may have 1 to {MAX_NUMBERS:,} numbers, not {values.shape[1]:,}."
        raise CorpusError(sentence, file=file, column=column)
    wrong = ~np.isfinite(values)
    if wrong.any():
        row, place = np.argwhere(wrong)[0]
        sentence = f"number {place + 1} of the vector is missing or infinite."
        raise CorpusError(sentence, file=file, row=int(row) + 1, column=column)


def rows_of_texts(values: np.ndarray, n_docs: int, reading: Reading, file: str) -> np.ndarray:
    """The vectors of the texts, without those of rows that were left out."""
    if len(values) == n_docs:
        return values
    left_out = [entry.row - 1 for entry in reading.dropped]
    same_rows = reading.kind == "parquet" and len(values) == reading.rows_read  # rows count from 1
    if same_rows and len(values) - len(left_out) == n_docs:
        return np.delete(values, left_out, axis=0)
    sentence = f"there are {len(values):,} vectors for {n_docs:,} texts."
    if left_out:
        n = len(left_out)
        rows = "1 row was" if n == 1 else f"{n:,} rows were"
        sentence += f" {rows} left out when the texts were read; leave out the same here."
    raise CorpusError(sentence, file=file)
