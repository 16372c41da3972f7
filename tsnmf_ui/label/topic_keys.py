"""Which keys stand for which topic: 1 … 9, then two keys in a row, then three."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

SINGLE_KEYS = "123456789"
LAST_KEYS = SINGLE_KEYS + "abcdefghijklmnopqrstuvwxyz"
KEY_PREFIXES = "0-="
MAX_PREFIXES = 3  # 9 + (3 + 9 + 27) × 35 = 1,374 topics


def codes(n_topics: int) -> list[str]:
    """The code of each topic in order; an empty string where only the mouse is left."""
    found = list(islice(_every_code(), n_topics))
    return found + [""] * (n_topics - len(found))


def _every_code() -> Iterator[str]:
    yield from SINGLE_KEYS
    for length in range(1, MAX_PREFIXES + 1):
        for prefixes in product(KEY_PREFIXES, repeat=length):
            yield from ("".join(prefixes) + key for key in LAST_KEYS)
