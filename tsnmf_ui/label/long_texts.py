"""Long texts folded: which parts stay on screen, so that what matters is read first."""

from __future__ import annotations

import re
from collections.abc import Sequence

FOLDED_FROM = 1_900  # characters from which on a text is folded
CHARACTERS_SHOWN = 1_500  # characters that stay
OPENING_CHARACTERS = 420  # of them at least this many from the start
MAX_MERGED_GAP = 90  # a gap this small is not worth a fold

Passage = tuple[int, int]
Mark = tuple[int, int, float]  # start, end, weight

_BREAK = re.compile(r"(?<=[.!?…])[\"”’')\]]*\s+|\n+")


def passages(text: str, marks: Sequence[Mark]) -> list[Passage]:
    """The stretches that stay: the beginning, and the sentences that say most.

    ``marks`` are the words that drive topics or were searched for, with their weight. Without any
    the text is cut after its beginning.
    """
    if len(text) <= FOLDED_FROM:
        return [(0, len(text))]
    sentences = _sentences(text)
    chosen = _opening(sentences)
    room = CHARACTERS_SHOWN - sum(sentences[i][1] - sentences[i][0] for i in chosen)
    for i in _by_weight(sentences, marks):
        length = sentences[i][1] - sentences[i][0]
        if i not in chosen and length <= room:
            chosen.add(i)
            room -= length
    return _merged([sentences[i] for i in sorted(chosen)], len(text))


def _sentences(text: str) -> list[Passage]:
    """Sentences; one without an end in sight is cut at a blank."""
    ends = [match.end() for match in _BREAK.finditer(text)] + [len(text)]
    found: list[Passage] = []
    start = 0
    for end in ends:
        while end - start > OPENING_CHARACTERS:
            cut = text.rfind(" ", start, start + OPENING_CHARACTERS) + 1
            cut = cut if cut > start else start + OPENING_CHARACTERS
            found.append((start, cut))
            start = cut
        if end > start:
            found.append((start, end))
            start = end
    return found


def _opening(sentences: Sequence[Passage]) -> set[int]:
    opening = {i for i, (_, end) in enumerate(sentences) if end <= OPENING_CHARACTERS}
    return opening or {0}


def _by_weight(sentences: Sequence[Passage], marks: Sequence[Mark]) -> list[int]:
    """Sentences by the weight of what is marked in them, then as they stand."""
    weight = [0.0] * len(sentences)
    at = 0
    for start, _, strength in sorted(marks):
        while at + 1 < len(sentences) and start >= sentences[at][1]:
            at += 1
        weight[at] += strength
    return sorted(range(len(sentences)), key=lambda i: (-weight[i], i))


def _merged(parts: Sequence[Passage], length: int) -> list[Passage]:
    """Close small gaps, also before the end."""
    merged: list[Passage] = []
    for start, end in parts:
        if merged and start - merged[-1][1] <= MAX_MERGED_GAP:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    if length - merged[-1][1] <= MAX_MERGED_GAP:
        merged[-1] = (merged[-1][0], length)
    return merged
