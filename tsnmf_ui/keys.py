"""Which keys stand for which topic: 1 … 9, then two keys in a row."""

from __future__ import annotations

FIRST = "123456789"
SECOND = FIRST + "abcdefghijklmnopqrstuvwxyz"
PREFIXES = "0-="  # three rows of two-key codes: 9 + 3 × 35 = 114 topics


def codes(n_topics: int) -> list[str]:
    """The code of each topic in order; an empty string where only the mouse is left."""
    every = [*FIRST, *(prefix + key for prefix in PREFIXES for key in SECOND)]
    return every[:n_topics] + [""] * (n_topics - len(every))
