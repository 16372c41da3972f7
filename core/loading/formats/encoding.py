"""Bytes → text: strict UTF-8 first, then a detector; a guess is reported as one."""

from __future__ import annotations

import codecs
import re

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
        return _decode_by_guess(data)


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
    raise CorpusError("this is neither a table nor a text file: it holds binary data.", file=file)


def _decode_by_guess(data: bytes) -> tuple[str, str]:
    for name in (*_detected(data), *FALLBACK_ENCODINGS):
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
