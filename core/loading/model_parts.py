"""Take a model's file apart; only a child process calls this.

What the file says about itself comes out as strict JSON, its arrays as their bytes. What they mean
is checked by ``core.fitted``.
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from core.errors import ModelError, StoreError
from core.loading.array_lines import ARRAY_TYPES, array_lines
from core.loading.formats.archive import UNPACKING_ERRORS
from core.loading.project_parts import WRONG_ARRAYS
from core.loading.strict_json import strict_value

MODEL_FORMAT = "tsnmf-studio model"
MODEL_VERSION = 1  # raised when an older reader would misread the file
ABOUT_MEMBER, CARD_MEMBER, ARRAY_FOLDER = "model.json", "CARD.md", "arrays/"
MAX_MODEL_BYTES = 2 * 1024**3  # of all members, unpacked
MAX_ABOUT_BYTES = 128 * 1024**2
MAX_MEMBERS = 64
MAX_SEED = 2**63
NO_MODEL_FILE = "This is no model of TS-NMF Studio."
DAMAGED_MODEL = "The model's file is damaged or was made by hand: {}."
NO_ARCHIVE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, NotImplementedError, RuntimeError),
)


def read_model_parts(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """``{"about": …}``, then every array: what it is, and its bytes. Flags come as 0 and 1."""
    try:
        with zipfile.ZipFile(file) as packed:
            members = _members(packed)
            yield {"about": _about(packed, members[ABOUT_MEMBER])}
            for name, member in members.items():
                if name.startswith(ARRAY_FOLDER):
                    short = name.removeprefix(ARRAY_FOLDER).removesuffix(".npy")
                    yield from _array(packed, member, short)
    except ModelError:
        raise
    except RecursionError:  # a RuntimeError, too
        raise ModelError(_damaged("its content cannot be read")) from None
    except NO_ARCHIVE:
        raise ModelError(NO_MODEL_FILE) from None
    except (*UNPACKING_ERRORS, *WRONG_ARRAYS, StoreError, TypeError):
        raise ModelError(_damaged("its content cannot be read")) from None


def _damaged(why: str) -> str:
    return DAMAGED_MODEL.format(why)


def _members(packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The members by name; refuses a file that is too large, or that is something else."""
    members = packed.infolist()
    named = {member.filename: member for member in members}
    if ABOUT_MEMBER not in named:
        raise ModelError(NO_MODEL_FILE)
    if len(named) != len(members) or len(members) > MAX_MEMBERS:
        raise ModelError(_damaged("it has members twice, or too many"))
    if (
        sum(member.file_size for member in members) > MAX_MODEL_BYTES
        or named[ABOUT_MEMBER].file_size > MAX_ABOUT_BYTES
    ):
        raise ModelError(f"The model is larger than {MAX_MODEL_BYTES / 1024**3:.0f} GB.")
    return named


def _about(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> dict[str, Any]:
    """What the file says about itself, if it is a model that this version can read."""
    whole = packed.read(member).decode("utf-8", "surrogatepass").encode("utf-8", "replace")
    about = strict_value(whole, MAX_ABOUT_BYTES, MAX_SEED)
    if not isinstance(about, dict) or about.get("format") != MODEL_FORMAT:
        raise ModelError(NO_MODEL_FILE)
    if type(about.get("version")) is not int or about["version"] > MODEL_VERSION:
        raise ModelError("This model was saved by a newer version of the Studio.")
    return about


def _array(packed: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Iterator[dict[str, Any]]:
    """An array whose header promises exactly what the member holds."""
    with packed.open(member) as opened:
        data = io.BytesIO(opened.read(member.file_size))
    major = npy.read_magic(data)
    read = npy.read_array_header_1_0 if major == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read(data)
    if dtype != np.bool_ and dtype.str not in ARRAY_TYPES:
        raise ModelError(_damaged("an array holds no numbers"))
    n_items = int(np.prod(shape, dtype=object)) if shape else 1
    if n_items * dtype.itemsize != member.file_size - data.tell():
        raise ModelError(_damaged("an array is longer or shorter than it says"))
    data.seek(0)
    array = np.ascontiguousarray(npy.read_array(data, allow_pickle=False)).reshape(shape)
    flags = dtype == np.bool_
    plain = array.view(np.uint8) if flags else array
    yield from array_lines(plain, name=name, holds="flags" if flags else "numbers")
