"""Names that are probably misspellings of another, as “Refnd” of “Refund”; joined by choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations

from core.loading.columns.spellings import folded

MIN_LETTERS = 5  # of both names; in shorter ones a letter makes another word
MAX_SHARE = 0.5  # of how often the other name stands: a misspelling is rarer
MAX_NAMES = 500  # of a column; each is compared with all others


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A name of a column, and the frequent one that it probably means."""

    column: str
    name: str
    times: int
    meant: str
    times_meant: int


def likely_misspellings(names: Iterable[str], column: str) -> tuple[Misspelling, ...]:
    """Rare names that are one letter away from a frequent one, most frequent first.

    ``names`` as often as they stand. A digit is never a typing mistake: “Ward 1” is not “Ward 2”.
    """
    counts = Counter(names)
    if len(counts) > MAX_NAMES:
        return ()
    plain = {name: folded(name) for name in counts if len(folded(name)) >= MIN_LETTERS}
    meant: dict[str, str] = {}
    for rare, usual in permutations(plain, 2):
        rarer = counts[rare] <= MAX_SHARE * counts[usual]
        if rarer and one_letter_apart(plain[rare], plain[usual]):
            meant[rare] = max(meant.get(rare, usual), usual, key=counts.__getitem__)
    found = (
        Misspelling(column, name, counts[name], other, counts[other])
        for name, other in meant.items()
        if other not in meant
    )
    return tuple(sorted(found, key=lambda each: (-each.times, each.name)))


def one_letter_apart(a: str, b: str) -> bool:
    """Whether one letter was left out, added, mistyped, or swapped with its neighbour."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    start = next((i for i, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), None)
    if start is None:  # the longer one goes on
        return not max(a, b, key=len)[-1].isdigit()
    rest_a, rest_b = a[start:], b[start:]
    if rest_a[0].isdigit() or rest_b[0].isdigit():
        return False
    if len(a) != len(b):
        longer, shorter = sorted((rest_a, rest_b), key=len, reverse=True)
        return longer[1:] == shorter
    swapped = rest_a[:2] == rest_b[:2][::-1] and rest_a[2:] == rest_b[2:]
    return swapped or rest_a[1:] == rest_b[1:]
