"""JSON from a stranger, as strict as JSON is: for child processes, and for small files elsewhere.

No number without an end, no half characters, nothing nested without end, and no list of lists that
takes twenty times the memory of its text.
"""

from __future__ import annotations

import json
import math
from functools import partial
from typing import Any, NoReturn

from core.errors import StoreError

TOO_LARGE = "This file unpacks to more than a project can hold."
MIN_BYTES_PER_LIST = 6  # on average: a line of empty lists needs twenty times its size
MAX_DEPTH = 20  # of a value; the Studio's own are far flatter
MAX_WHOLE_NUMBER = 2**53  # the largest that every reader of JSON keeps


def strict_value(content: bytes, most: int, largest: int = MAX_WHOLE_NUMBER) -> Any:
    """The value in a text of at most so many bytes, with whole numbers up to the largest."""
    if len(content) > most:
        raise StoreError(TOO_LARGE)
    text = content.decode("utf-8")
    n_lists = text.count("[") + text.count("{")
    if n_lists > 100 + len(text) / MIN_BYTES_PER_LIST:
        raise StoreError(TOO_LARGE)
    value = json.loads(
        text,
        parse_float=_real,
        parse_int=partial(_whole, largest=largest),
        parse_constant=_no_number,
    )
    if n_lists > MAX_DEPTH:
        _check_depth(value, MAX_DEPTH)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # half a character has no encoding
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number.")


def _whole(digits: str, largest: int) -> int:
    if len(digits) > 20 or abs(int(digits)) > largest:
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
