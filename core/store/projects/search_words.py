"""The words of a search and of the texts it looks in.

What a user types is taken apart into words of letters and digits, so nothing of it is ever read as
a query.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain, product

from core.text import few_marks, without_edges

WORDS_LIMIT = 32
MIN_PREFIX = 2  # letters from which on an unfinished word is completed
MAX_SHARP_S = 4  # in a phrase; with more it is looked for as it is written
LONGEST_WORD = 500  # letters; a longer word counts as several

_PARTS = re.compile(r'"([^"]*)"?|([^\s"]+)')
SHARP_S = re.compile("ss|ß", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile("[\u0300-\u0331]")  # typed as characters of their own
_LATIN_WITH_MARKS = re.compile("([A-Za-z\u00c0-\u024f])[\u0300-\u036f]+")


def phrases_in(words: str) -> list[str]:
    """What was asked for: single words, and phrases where quotation marks say so."""
    parts = (quoted or plain for quoted, plain in _PARTS.findall(words.replace("\x00", " ")))
    bare = map(without_edges, parts)
    return [part for part in bare if part][:WORDS_LIMIT]


def words_in(text: str) -> list[str]:
    """The words of a text, as they are written."""
    return _WORD.findall(text)


def spellings_of(phrase: str) -> list[str]:
    """A phrase with ss and ß for each other: “Strasse” and “STRASSE” are “Straße”, too."""
    parts = SHARP_S.split(phrase)
    n = len(parts) - 1
    if not 0 < n <= MAX_SHARP_S:
        return [phrase]
    ways = product(("ss", "ß"), repeat=n)
    return ["".join(chain(*zip(parts, way, strict=False), parts[-1:])) for way in ways]


def is_unfinished(words: str) -> bool:
    """Whether the last word may still be being typed: no space and no quotation mark ends it."""
    return words.rstrip(" ") == words and not words.endswith('"')


def folded_words(text: str) -> list[str]:
    """The words of a text as SQLite's index reads them: small, Latin letters without accents."""
    if not text.isascii():
        parted = unicodedata.normalize("NFD", few_marks(_MARKS.sub("", text)))
        bare = _LATIN_WITH_MARKS.sub(r"\1", parted)
        text = unicodedata.normalize("NFC", bare)
    words = words_in(text.lower().replace("ς", "σ"))
    if all(len(word) <= LONGEST_WORD for word in words):
        return words
    return [piece for word in words for piece in _pieces(word)]


def _pieces(word: str) -> list[str]:
    """A word too long for PostgreSQL; what goes on begins with a sign, so it is no word alone."""
    starts = range(LONGEST_WORD, len(word), LONGEST_WORD)
    rest = (f"+{word[start : start + LONGEST_WORD]}" for start in starts)
    return [word[:LONGEST_WORD], *rest]
