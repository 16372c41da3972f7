"""One spelling for one word, without losing the place it came from.

HTML entities become the characters they stand for, Unicode is brought to NFKC, typographic quotes
become straight ones and invisible characters vanish. ``normalise`` is the fast way;
``normalise_with_places`` gives the same text and, for each character, where it stood before.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator

ENTITY = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
ENTITIES = re.compile(ENTITY)
SPELLING = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ`´", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff"),  # soft hyphen, zero-width space, joiner, BOM
    }
)


def _mark_ranges() -> str:
    """Combining marks as a regular-expression class: ``\\w`` does not know them."""
    blocks = (range(0x300, 0x1A00), range(0x20D0, 0x2100), (0x3099, 0x309A), range(0xFE20, 0xFE30))
    return "".join(
        chr(code) for block in blocks for code in block if unicodedata.category(chr(code))[0] == "M"
    )


MARKS = _mark_ranges()
FINE = re.compile(rf"{ENTITY}[{MARKS}]*|[\s\S][{MARKS}]*")
COARSE = re.compile(r"\S+|\s+")


def normalise(text: str) -> str:
    """The text as the tokeniser reads it."""
    if "&" in text:
        text = ENTITIES.sub(_decode, text)
    if text.isascii():
        return text.replace("`", "'") if "`" in text else text
    return unicodedata.normalize("NFKC", text.translate(SPELLING))


def _decode(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def normalise_with_places(text: str) -> tuple[str, list[tuple[int, int]] | None]:
    """``normalise(text)`` and the (start, end) each character came from; None: nothing moved.

    The text is normalised piece by piece. Pieces that join into something else (some Korean
    syllables do) are tried again as whole words, so a place may be wide but never wrong.
    """
    whole = normalise(text)
    if whole == text:
        return whole, None
    for pattern in (FINE, COARSE):
        pieces = list(_pieces(text, pattern))
        if "".join(piece for piece, _ in pieces) == whole:
            return whole, [place for piece, place in pieces for _ in piece]
    return whole, [(0, len(text))] * len(whole)


def _pieces(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    for match in pattern.finditer(text):
        yield normalise(match[0]), match.span()
