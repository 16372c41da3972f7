"""Bytes → text: strict UTF-8 first, then a detector; a guess is reported as one.

Files that were pasted together from several sources hold lines in UTF-8 and lines in Western
Windows text. Each line is then read as what it is.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from core.errors import CorpusError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
DETECTOR_BYTES = 100_000  # from just before the first byte that is not ASCII
MIN_CONFIDENCE = 0.5  # below this, Western Windows text is the better guess
FALLBACK_ENCODINGS = ("cp1252", "latin-1")
LINE_BY_LINE = "utf-8 and cp1252, by line"  # the name that is told; nobody can ask for it
LEGACY_ASIAN = ("gb", "big5", "euc", "shift", "cp932", "cp949", "iso-2022", "johab", "hz")


def decode(data: bytes, file: str, encoding: str | None = None) -> tuple[str, str]:
    """The text and the name of the encoding that gave it."""
    if encoding:
        return _decode_as(data, file, encoding), encoding
    for mark, name in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data, file, name), name
    if b"\0" in data:
        return _decode_with_zeros(data, file)
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decode_by_line(data) or _decode_by_guess(data)


def is_guess(encoding: str | None) -> bool:
    """Whether the encoding came from a detector rather than from the bytes themselves."""
    return encoding is not None and not encoding.lower().startswith(("utf-8", "utf-16", "utf-32"))


def _decode_as(data: bytes, file: str, encoding: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise CorpusError(f"there is no text encoding called “{encoding}”.", file=file) from None
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        row = data.count(b"\n", 0, start) + 1
        sentence = f"this is not {encoding} text (byte {start + 1:,}); choose another encoding."
        raise CorpusError(sentence, file=file, row=row) from None


def _decode_with_zeros(data: bytes, file: str) -> tuple[str, str]:
    """Text never holds zero bytes, unless it is UTF-16 or UTF-32 without its mark."""
    import chardet

    name = (chardet.detect(data[:DETECTOR_BYTES])["encoding"] or "").lower()
    if name.startswith(("utf-16", "utf-32")):
        return _decode_as(data, file, name), name
    row = data.count(b"\n", 0, data.index(b"\0")) + 1
    sentence = (
        "a zero byte (NUL) stands here, which no text holds; remove it, if this is a text file."
    )
    raise CorpusError(sentence, file=file, row=row)


def _decode_by_line(data: bytes) -> tuple[str, str] | None:
    """Line by line, if a line beyond ASCII is UTF-8: Western text is so by accident hardly ever.

    Asian encodings of two bytes are, in short lines; if the detector names one, it is believed.
    """
    lines = data.splitlines(keepends=True)
    if not any(BEYOND_ASCII.search(line) and _is_utf8(line) for line in lines):
        return None
    if any(name.startswith(LEGACY_ASIAN) for name in _detected(data)):
        return None
    return "".join(map(_decode_line, lines)), LINE_BY_LINE


def _decode_line(line: bytes) -> str:
    return line.decode("utf-8") if _is_utf8(line) else _decode_first(line, FALLBACK_ENCODINGS)[0]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_by_guess(data: bytes) -> tuple[str, str]:
    return _decode_first(data, (*_detected(data), *FALLBACK_ENCODINGS))


def _decode_first(data: bytes, encodings: Iterable[str]) -> tuple[str, str]:
    """By the first encoding that fits."""
    for name in encodings:
        try:
            return data.decode(name), name
        except (UnicodeError, LookupError):
            continue
    raise AssertionError("latin-1 decodes everything")


def _detected(data: bytes) -> tuple[str, ...]:
    import chardet

    first = BEYOND_ASCII.search(data)
    start = max(first.start() - DETECTOR_BYTES // 10, 0) if first else 0
    found = chardet.detect(data[start : start + DETECTOR_BYTES])
    if not found["encoding"] or found["confidence"] < MIN_CONFIDENCE:
        return ()
    return (found["encoding"].lower(),)
