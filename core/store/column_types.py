"""Types of columns: how values are kept in SQLite and in PostgreSQL."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, Dialect, Integer, Text, TypeDecorator

# SQLite's integers have 64 bits whatever they are called, but it numbers only an INTEGER by itself.
WholeNumber = BigInteger().with_variant(Integer(), "sqlite")

_ESCAPE = "\ufffe"  # no character, and no letter: beside a word it does not change the word
_ESCAPES = {_ESCAPE: f"{_ESCAPE}:", "\x00": f"{_ESCAPE}."}
_ORIGINALS = {escaped: original for original, escaped in _ESCAPES.items()}
_ESCAPABLE = re.compile("|".join(_ESCAPES))
_ESCAPED = re.compile("|".join(map(re.escape, _ORIGINALS)))


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, kept as microseconds: sorts, and reads back exactly."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else microseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else moment(value)


class _TextWithNul(TypeDecorator[str]):
    """A text that may hold NUL, which PostgreSQL takes in no text: written with an escape."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else _ESCAPABLE.sub(lambda m: _ESCAPES[m[0]], value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or _ESCAPE not in value:
            return value
        return _ESCAPED.sub(lambda m: _ORIGINALS[m[0]], value)


AnyText = Text().with_variant(_TextWithNul(), "postgresql")  # any text that a file may hold


class Json(TypeDecorator[Any]):
    """A small structure as text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else as_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


def as_text(value: Any) -> str:
    """A structure as the database keeps it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def microseconds(time: datetime) -> int:
    """Since 1970; whole numbers throughout, because a float would lose the last digits."""
    gap = time - datetime(1970, 1, 1, tzinfo=UTC)
    return (gap.days * 86_400 + gap.seconds) * 1_000_000 + gap.microseconds


def moment(count: int) -> datetime:
    seconds, rest = divmod(count, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)
