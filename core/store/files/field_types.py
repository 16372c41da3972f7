"""Whether plain values, as JSON has them, are what the fields of a class ask for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from core.errors import StoreError
from core.loading.project_parts import DAMAGED_PROJECT_FILE


def require(true: object) -> None:
    """Refuse a file in which something is not true."""
    if not true:
        raise StoreError(DAMAGED_PROJECT_FILE)


def require_fields(kind: type[Any], values: Any) -> dict[str, Any]:
    """The values, if each is of the type that the class's field of this name has."""
    require(_fits_class(values, kind))
    return dict(values)


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type; numbers are finite, and a yes is no number."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in inner)
    if origin is Literal:
        return type(value) is str and value in inner
    if origin is tuple:
        return _fits_tuple(value, inner)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, dict) and all(fits(each, inner[1]) for each in value.values())
    return _fits_class(value, hint) if is_dataclass(hint) else _fits_plain(value, hint)


def _fits_tuple(value: Any, inner: tuple[Any, ...]) -> bool:
    if not isinstance(value, list):
        return False
    if inner[-1] is Ellipsis:
        return all(fits(each, inner[0]) for each in value)
    return len(value) == len(inner) and all(map(fits, value, inner))


def _fits_class(value: Any, kind: Any) -> bool:
    """Fields that another version has more are not looked at."""
    hints = _hints(kind)
    return isinstance(value, dict) and all(
        fits(each, hints[name]) for name, each in value.items() if name in hints
    )


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits_plain(value: Any, hint: Any) -> bool:
    if hint in (None, NoneType):
        return value is None
    if hint is float:
        return type(value) in (int, float) and math.isfinite(value)
    return hint in (str, int, bool) and type(value) is hint
