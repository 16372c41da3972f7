"""A number with its noun."""

from __future__ import annotations


def count(n: int, one: str, many: str | None = None) -> str:
    """1 text, 5,412 texts."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
