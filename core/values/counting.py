"""A number with its noun."""

from __future__ import annotations


def count(n: int, one: str, many: str | None = None) -> str:
    """1 text, 5,412 texts."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def bytes_in_words(n_bytes: float) -> str:
    """12 kB, 3 MB, 1.4 GB."""
    for unit in ("bytes", "kB", "MB"):
        if n_bytes < 1_000:
            return f"{n_bytes:,.0f} {unit}"
        n_bytes /= 1_000
    return f"{n_bytes:,.1f} GB"
