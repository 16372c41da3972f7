"""Arrays of numbers as plain values that JSON can hold, and back.

An array is ``{"array": what it is}``, followed by its bytes in pieces, each ``{"bytes": text}``.
The way back checks types and sizes: the values come from a process that has read a stranger's file.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

BYTES_AT_ONCE = 12 * 2**20
ARRAY_TYPES = {np.dtype(kind).str for kind in ("f4", "f8", "i4", "i8", "u1")}


def array_lines(array: np.ndarray, **more: str) -> Iterator[dict[str, Any]]:
    """What an array is, with ``more`` about it, and its bytes."""
    yield {"array": {**more, "dtype": array.dtype.str, "shape": list(array.shape)}}
    data = array.tobytes()
    for start in range(0, len(data), BYTES_AT_ONCE):
        packed = base64.b64encode(data[start : start + BYTES_AT_ONCE])
        yield {"bytes": packed.decode("ascii")}


def array_of_lines(about: Mapping[str, Any], lines: Iterator[Any]) -> np.ndarray:
    """The array that ``array_lines`` took apart, from what it is and the lines that follow."""
    if about["dtype"] not in ARRAY_TYPES:
        raise TypeError("This is no array of plain numbers.")
    kind, shape = np.dtype(about["dtype"]), tuple(about["shape"])
    if not all(type(length) is int and length >= 0 for length in shape):
        raise ValueError("This is no shape of an array.")
    left, pieces = int(np.prod(shape, dtype=object)) * kind.itemsize, []
    while left > 0:
        pieces.append(base64.b64decode(next(lines)["bytes"]))
        left -= len(pieces[-1])
    return np.frombuffer(b"".join(pieces), kind).reshape(shape).copy()
