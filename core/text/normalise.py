"""Normalise the spelling of words, and map each character back to the original text.

HTML entities become the characters they stand for, Unicode is brought to NFKC, typographic quotes
become straight ones and invisible characters are removed. ``normalise`` is the fast way;
``normalise_with_offsets`` gives the same text and, for each character, its position before.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
ENTITY_PATTERN = re.compile(ENTITY)
INVISIBLE_CHARACTERS = "\u00ad\u200b\u2060\ufeff"  # soft hyphen, zero-width space, joiner, BOM
REPLACEMENTS = (
    *((quote, "'") for quote in "‘’‚‛ʼ`´"),
    *((quote, '"') for quote in "“”„‟«»"),
    *((character, "") for character in INVISIBLE_CHARACTERS),
)


def _mark_ranges() -> str:
    """Combining marks as a regular-expression class: ``\\w`` does not know them."""
    blocks = (range(0x300, 0x1A00), range(0x20D0, 0x2100), (0x3099, 0x309A), range(0xFE20, 0xFE30))
    return "".join(
        chr(code) for block in blocks for code in block if unicodedata.category(chr(code))[0] == "M"
    )


COMBINING_MARKS = _mark_ranges()
CHARACTERS = re.compile(rf"{ENTITY}[{COMBINING_MARKS}]*|[\s\S][{COMBINING_MARKS}]*")
WORDS_OR_SPACE = re.compile(r"\S+|\s+")
# A run of signs is read once, from its first: from each of 30,000 in a word it takes 20 seconds.
EDGES = re.compile(r"^[\W_]+|(?<![\W_])[\W_]+$")
MOST_MARKS = 30  # on one letter, as in Unicode's Stream-Safe Text Format: no language has as many
QUICKLY_ORDERED = 1_000  # characters, whatever they are
RARE_SIGNS, LAST_MARK = 0x10000, 0x1EFFF  # among these, and before them, are all marks


def normalise(text: str) -> str:
    """The text as the tokeniser reads it."""
    if "&" in text:
        text = ENTITY_PATTERN.sub(_decode, text)
    if text.isascii():
        return text.replace("`", "'") if "`" in text else text
    for old, new in REPLACEMENTS:  # far quicker than str.translate
        if old in text:
            text = text.replace(old, new)
    return unicodedata.normalize("NFKC", few_marks(text))


def without_edges(word: str) -> str:
    """The word without what is neither letter nor digit before and after it."""
    return EDGES.sub("", word)


def few_marks(text: str) -> str:
    """The text without marks beyond the thirtieth on a letter.

    Unicode puts the marks of a letter in order by comparing each with all before it: with 100,000
    of them that takes a minute, in which nothing else runs in this process.
    """
    if len(text) <= QUICKLY_ORDERED:
        return text
    return _many_marks().sub(_first_marks, text)


@cache
def _many_marks() -> re.Pattern[str]:
    """More signs in a row than a letter has marks; signs of rare scripts are looked at one by one.

    Written so that the pattern begins with one set of characters, which is found quickly.
    """
    common = "".join(filter(_is_mark, map(chr, range(0x300, RARE_SIGNS))))
    sign = f"[{common}{chr(RARE_SIGNS)}-{chr(LAST_MARK)}]"
    return re.compile(f"{sign}{sign}{{{MOST_MARKS - 1}}}{sign}+")


def _first_marks(found: re.Match[str]) -> str:
    kept, run = [], 0
    for sign in found[0]:
        run = run + 1 if _is_mark(sign) else 0
        if run <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)


def _is_mark(character: str) -> bool:
    """Whether it is put in order with the marks beside it."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) > 0


def _decode(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def normalise_with_offsets(text: str) -> tuple[str, list[tuple[int, int]] | None]:
    """``normalise(text)`` and the (start, end) each character came from; None: nothing moved.

    The text is normalised character by character. Where that gives another result (some Korean
    syllables combine) it is repeated with whole words, so offsets may be wide but never wrong.
    """
    whole = normalise(text)
    if whole == text:
        return whole, None
    for pattern in (CHARACTERS, WORDS_OR_SPACE):
        pieces = list(_pieces(text, pattern))
        if "".join(piece for piece, _ in pieces) == whole:
            return whole, [place for piece, place in pieces for _ in piece]
    return whole, [(0, len(text))] * len(whole)


def _pieces(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    for match in pattern.finditer(text):
        yield normalise(match[0]), match.span()
