"""Words of many texts at once: compiled, on all cores, the same tokens as the analyzer's pattern.

A word is a letter or digit, then letters, digits and combining marks; an apostrophe may stand
between two such runs. Texts that hold web or e-mail addresses are left to the pattern itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice
from typing import Any

import numpy as np
from numba import njit

from core.text.normalise import COMBINING_MARKS

OTHER, LETTER, MARK, APOSTROPHE = range(4)  # classes of characters
CHARACTERS_AT_ONCE = 1_000_000  # of a piece of work: about 15 MB with everything it needs
FIRST_SLOTS = 1 << 16
HASH_FACTOR = 0x9E3779B97F4A7C15

jit: Any = njit(nogil=True, cache=True)


@dataclass(frozen=True)
class ScannedWords:
    """Every word as the number of its spelling, how many each text has, and the spellings."""

    numbers: np.ndarray
    per_text: np.ndarray
    spellings: list[str]


def scan_words(texts: Sequence[str], *, plain_letters: bool, apostrophes: bool) -> ScannedWords:
    """Words of some texts; numbers are given in the order in which spellings are met."""
    whole = "".join(texts)
    ends = np.fromiter(accumulate(map(len, texts)), dtype=np.int64, count=len(texts))
    codes = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    classes = _character_classes(plain_letters, apostrophes)
    numbers, per_text, starts, lengths = _scan(codes, ends, classes, FIRST_SLOTS)
    places = zip(starts.tolist(), (starts + lengths).tolist(), strict=True)
    return ScannedWords(numbers, per_text, [whole[start:end] for start, end in places])


def scan_in_threads(
    texts: Iterable[str], *, plain_letters: bool, apostrophes: bool
) -> Iterator[ScannedWords]:
    """The same, a piece of the texts at a time, in their order."""
    pieces = _pieces(texts)

    def scan(piece: Sequence[str]) -> ScannedWords:
        return scan_words(piece, plain_letters=plain_letters, apostrophes=apostrophes)

    n_threads = os.cpu_count() or 1
    with ThreadPoolExecutor(n_threads) as pool:
        ahead = [pool.submit(scan, piece) for piece in islice(pieces, n_threads + 1)]
        while ahead:
            yield ahead.pop(0).result()
            ahead += [pool.submit(scan, piece) for piece in islice(pieces, 1)]


def _pieces(texts: Iterable[str]) -> Iterator[list[str]]:
    piece: list[str] = []
    characters = 0
    for text in texts:
        piece.append(text)
        characters += len(text)
        if characters >= CHARACTERS_AT_ONCE:
            yield piece
            piece, characters = [], 0
    if piece:
        yield piece


@cache
def _character_classes(plain_letters: bool, apostrophes: bool) -> np.ndarray:
    """The class of every character of Unicode."""
    classes = np.full(sys.maxunicode + 1, OTHER, dtype=np.uint8)
    if plain_letters:
        letters = [code for code in range(128) if chr(code).isalpha()]
    else:
        letters = [code for code in range(sys.maxunicode + 1) if chr(code).isalnum()]
        classes[[ord(mark) for mark in COMBINING_MARKS]] = MARK
    classes[letters] = LETTER
    if apostrophes:
        classes[ord("'")] = APOSTROPHE
    return classes


@jit
def _scan(codes, ends, classes, n_slots):  # type: ignore[no-untyped-def]
    """Numbers of all words, words per text, and where each spelling stands for the first time."""
    numbers = np.empty(codes.size // 2 + ends.size + 1, np.int32)
    per_text = np.zeros(ends.size, np.int64)
    starts, lengths = np.empty(n_slots // 2, np.int64), np.empty(n_slots // 2, np.int64)
    hashes, slots = np.empty(n_slots // 2, np.uint64), np.full(n_slots, -1, np.int32)
    n_words = n_spellings = at = 0
    for text in range(ends.size):
        before = n_words
        while True:
            start, end = _next_word(codes, at, ends[text], classes)
            if start == end:
                break
            at, hashed = end, _hash(codes, start, end)
            slot = _slot_of(codes, start, end, hashed, slots, hashes, starts, lengths)
            if slots[slot] < 0:
                if n_spellings == starts.size:
                    starts, lengths, hashes, slots = _grown(starts, lengths, hashes)
                    slot = _slot_of(codes, start, end, hashed, slots, hashes, starts, lengths)
                starts[n_spellings], lengths[n_spellings] = start, end - start
                hashes[n_spellings], slots[slot] = hashed, n_spellings
                n_spellings += 1
            numbers[n_words] = slots[slot]
            n_words += 1
        at = ends[text]
        per_text[text] = n_words - before
    return numbers[:n_words].copy(), per_text, starts[:n_spellings], lengths[:n_spellings]


@jit
def _next_word(codes, at, end, classes):  # type: ignore[no-untyped-def]
    """Where the next word starts and ends; the same place twice: there is none."""
    while at < end and classes[codes[at]] != LETTER:
        at += 1
    start = at
    while at < end:
        kind = classes[codes[at]]
        joins = kind == APOSTROPHE and at + 1 < end and classes[codes[at + 1]] == LETTER
        if kind != LETTER and kind != MARK and not joins:
            break
        at += 1
    return start, at


@jit
def _hash(codes, start, end):  # type: ignore[no-untyped-def]
    hashed = np.uint64(end - start)
    for at in range(start, end):
        hashed = (hashed ^ np.uint64(codes[at])) * np.uint64(HASH_FACTOR)
        hashed ^= hashed >> np.uint64(29)
    return hashed


@jit
def _slot_of(codes, start, end, hashed, slots, hashes, starts, lengths):  # type: ignore[no-untyped-def]
    """The slot of a spelling, or the empty one where it belongs."""
    slot = np.int64(hashed & np.uint64(slots.size - 1))
    while slots[slot] >= 0:
        known = slots[slot]
        if hashes[known] == hashed and lengths[known] == end - start:
            same = True
            for k in range(end - start):
                if codes[starts[known] + k] != codes[start + k]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & (slots.size - 1)
    return slot


@jit
def _grown(starts, lengths, hashes):  # type: ignore[no-untyped-def]
    """Twice the room, and the slots for it."""
    n = starts.size
    slots = np.full(4 * n, -1, np.int32)
    for number in range(n):
        slot = np.int64(hashes[number] & np.uint64(slots.size - 1))
        while slots[slot] >= 0:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = number
    return (
        np.concatenate((starts, np.empty(n, np.int64))),
        np.concatenate((lengths, np.empty(n, np.int64))),
        np.concatenate((hashes, np.empty(n, np.uint64))),
        slots,
    )
