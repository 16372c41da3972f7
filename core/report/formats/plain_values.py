"""A report's values as JSON and back, and the schema that describes them: all by their types.

The dataclasses of ``core.report`` are the one description of a report. What they hold is written,
checked when it is read, and described in ``report.schema.json`` by the same walk over their types.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from core.errors import ReportError

PLAIN_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def to_plain(value: Any) -> Any:
    """Dataclasses and named tuples as objects, tuples as lists, times as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_plain(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: to_plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, Mapping):
        return {str(key): to_plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_plain(each) for each in value]
    return value


def from_plain(kind: Any, value: Any, place: str = "report") -> Any:
    """The value of a type from JSON; a ReportError names the place that does not fit."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is object or kind is Any:
        return value
    if origin in (Union, types.UnionType):
        return None if value is None else from_plain(_not_none(inside), value, place)
    if origin is Literal:
        return _require(value in inside, value, place)
    if kind is datetime:
        return _time(value, place)
    if _is_record(kind):
        return _record(kind, value, place)
    if origin is tuple:
        return _tuple(inside, value, place)
    if origin in (Mapping, dict):
        _require(isinstance(value, Mapping), value, place)
        return {str(k): from_plain(inside[1], v, f"{place}.{k}") for k, v in value.items()}
    return _scalar(kind, value, place)


def _scalar(kind: Any, value: Any, place: str) -> Any:
    if kind is float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(_require(is_number, value, place))
    exact = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
    return _require(exact, value, place)


def _record(kind: Any, value: Any, place: str) -> Any:
    _require(isinstance(value, Mapping), value, place)
    hints, given = get_type_hints(kind), {}
    for name in _field_names(kind):
        if name in value:
            given[name] = from_plain(hints[name], value[name], f"{place}.{name}")
        elif name in _required(kind):
            raise ReportError(f"The file is no report: {place}.{name} is missing.")
    return kind(**given)


def _tuple(inside: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    _require(isinstance(value, list), value, place)
    if inside[-1] is Ellipsis:
        return tuple(from_plain(inside[0], each, f"{place}[{i}]") for i, each in enumerate(value))
    _require(len(value) == len(inside), value, place)
    pairs = enumerate(zip(inside, value, strict=True))
    return tuple(from_plain(kind, each, f"{place}[{i}]") for i, (kind, each) in pairs)


def _time(value: Any, place: str) -> datetime:
    try:
        return datetime.fromisoformat(_require(isinstance(value, str), value, place))
    except ValueError:
        raise ReportError(f"The file is no report: {place} is no time.") from None


def _require(fits: bool, value: Any, place: str) -> Any:
    if not fits:
        raise ReportError(f"The file is no report: {place} is not as expected.")
    return value


def _not_none(inside: tuple[Any, ...]) -> Any:
    return next(each for each in inside if each is not type(None))


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def _field_names(kind: Any) -> list[str]:
    """Fields marked as written elsewhere, like the rows of a report, are no plain values."""
    if hasattr(kind, "_fields"):
        return list(kind._fields)
    return [each.name for each in fields(kind) if not each.metadata.get("written_elsewhere")]


def _required(kind: Any) -> list[str]:
    if hasattr(kind, "_fields"):
        return list(kind._fields)
    optional = {
        f.name for f in fields(kind) if (f.default, f.default_factory) != (MISSING, MISSING)
    }
    return [name for name in _field_names(kind) if name not in optional]


def schema_of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a type; records go into the definitions, under their names."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is object or kind is Any:
        return {}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(_not_none(inside), definitions), {"type": "null"}]}
    if origin is Literal:
        return {"enum": list(inside)}
    if kind is datetime:
        return {"type": "string", "format": "date-time"}
    if _is_record(kind):
        return _record_schema(kind, definitions)
    if origin is tuple and inside[-1] is Ellipsis:
        return {"type": "array", "items": schema_of(inside[0], definitions)}
    if origin is tuple:
        parts = [schema_of(each, definitions) for each in inside]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts)}
    if origin in (Mapping, dict):
        return {"type": "object", "additionalProperties": schema_of(inside[1], definitions)}
    return {"type": PLAIN_TYPES[kind]}


def _record_schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}
        hints = get_type_hints(kind)
        definitions[name] = {
            "type": "object",
            "description": (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " "),
            "properties": {
                each: schema_of(hints[each], definitions) for each in _field_names(kind)
            },
            "required": _required(kind),
        }
    return {"$ref": f"#/$defs/{name}"}
