"""Whether a file from a stranger can be read by the server later without harm.

Arrays: no more bytes than their file can hold when well packed, sizes as their headers say, and no
objects. Structures: JSON that can be parsed. Only headers of arrays are looked at here.
"""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from pathlib import Path
from typing import IO

import numpy as np

from core.loading.project_parts import ALWAYS_ALLOWED_BYTES, MAX_COMPRESSION, WRONG_ARRAYS
from core.store.maintenance.backup_format import UNREADABLE

MAX_JSON_BYTES = 256 * 2**20
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
UNREADABLE_CONTENT = (*UNREADABLE, *WRONG_ARRAYS, RuntimeError, zlib.error)


def is_readable(path: Path) -> bool:
    """False for arrays and structures that no Studio wrote; other files are not looked at.

    A file that is not there is none that cannot be read.
    """
    try:
        if path.suffix == ".npz":
            _check_arrays(path)
        elif path.suffix == ".json":
            _check_structure(path)
    except FileNotFoundError:
        return True
    except UNREADABLE_CONTENT:
        return False
    return True


def _check_arrays(path: Path) -> None:
    with zipfile.ZipFile(path) as arrays:
        entries = arrays.infolist()
        size = sum(each.file_size for each in entries)
        if size > max(ALWAYS_ALLOWED_BYTES, MAX_COMPRESSION * path.stat().st_size):
            raise ValueError("This unpacks to too much.")
        for each in entries:
            with arrays.open(each) as member:
                if _declared_size(member) != each.file_size:
                    raise ValueError("The header of this array is wrong.")


def _declared_size(member: IO[bytes]) -> int:
    shape, _, kind = HEADERS[np.lib.format.read_magic(member)](member)
    if kind.hasobject or any(length < 0 for length in shape):
        raise ValueError("This is no array of numbers.")
    return member.tell() + math.prod(shape) * kind.itemsize


def _check_structure(path: Path) -> None:
    if path.stat().st_size > MAX_JSON_BYTES:
        raise ValueError("This is too long.")
    json.loads(path.read_bytes())
