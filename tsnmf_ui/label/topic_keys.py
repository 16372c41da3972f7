"""Which keys stand for which topic: 1 … 9, then two keys in a row."""

from __future__ import annotations

SINGLE_KEYS = "123456789"
SECOND_KEYS = SINGLE_KEYS + "abcdefghijklmnopqrstuvwxyz"
KEY_PREFIXES = "0-="  # three rows of two-key codes: 9 + 3 × 35 = 114 topics


def codes(n_topics: int) -> list[str]:
    """The code of each topic in order; an empty string where only the mouse is left."""
    every = [*SINGLE_KEYS, *(prefix + key for prefix in KEY_PREFIXES for key in SECOND_KEYS)]
    return every[:n_topics] + [""] * (n_topics - len(every))
