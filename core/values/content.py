"""Equality and copies of frozen dataclasses whose fields hold arrays or read-only mappings."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy.sparse as sp


class ArrayValue:
    """Two values are equal if all fields that take part in comparisons hold the same.

    For dataclasses with ``eq=False``. They are not hashable unless they say how. With
    ``repr=False``, they show themselves in one line that tells the shapes of their arrays.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [each.name for each in fields(self) if each.compare]  # type: ignore[arg-type]
        return all(same_content(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        raise TypeError(f"{type(self).__name__} holds arrays and cannot be hashed.")

    def __repr__(self) -> str:
        names = [each.name for each in fields(self) if each.repr]  # type: ignore[arg-type]
        shown = ", ".join(f"{name}={_short(getattr(self, name))}" for name in names)
        return f"{type(self).__name__}({shown})"


class CopiedByFields:
    """Copies and pickles of a dataclass are made from its fields.

    A read-only view of a mapping is passed on as a plain one; ``__post_init__`` wraps it again.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        plain = {
            name: dict(value) if isinstance(value, MappingProxyType) else value
            for name, value in values.items()
        }
        return _from_fields, (type(self), plain)


def _from_fields(kind: type[Any], values: Mapping[str, Any]) -> Any:
    return kind(**values)


def _short(value: Any) -> str:
    """An array or a frame by its shape, a mapping by its keys, anything else as it shows itself."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(repr, value))}}}"
    shape = getattr(value, "shape", None)
    return repr(value) if shape is None or shape == () else "×".join(map(str, shape))


def _same_tuples(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    try:
        return one == other  # much faster, but refused where an element is an array
    except ValueError:
        return len(one) == len(other) and all(map(same_content, one, other))


def same_content(one: Any, other: Any) -> bool:
    """Equality that looks into arrays, frames, tuples and mappings; NaN equals NaN."""
    if one is other:
        return True
    if isinstance(one, sp.csr_array) and isinstance(other, sp.csr_array):
        return one.shape == other.shape and abs(one.astype(float) - other.astype(float)).nnz == 0
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        with_gaps = one.dtype.kind in "fcmM" and other.dtype.kind in "fcmM"  # NaN, not-a-time
        return np.array_equal(one, other, equal_nan=with_gaps)
    if _is_frame(one) and _is_frame(other):
        return bool(one.equals(other))
    if isinstance(one, tuple) and isinstance(other, tuple):
        return _same_tuples(one, other)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_content(one[k], other[k]) for k in one)
    return not _is_array(one) and not _is_array(other) and bool(one == other)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | sp.sparray | sp.spmatrix) or _is_frame(value)


def _is_frame(value: Any) -> bool:
    """pandas is not imported for this: a process that only reads files does without it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)
