"""What analysts decided about a project's report: its words, its order, and what it may show.

One kind of event for all of it. An event names the fields it changes; a field that no event in
force names, or that was emptied, is left to the report. Fields about one topic end with its key:
``comment:12``, ``chosen:Free 1``. Lists are written one entry to a line.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Self

from core.errors import StoreError
from core.store.events.checks import checked_text
from core.store.events.in_force import EventInForce

EDIT_REPORT = "report"
REPORT_FIELD_LIMITS = {"title": 200, "summary": 20_000, "order": 100_000, "hidden": 100_000}
TOPIC_FIELD_LIMITS = {"comment": 4_000, "chosen": 2_000}  # characters, as above; one per topic
LOGO_LIMIT = 400_000  # characters of its PNG in base 64
MAX_LOGO_SIDE = 1_000  # pixels
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}  # nothing but the picture
PRIVACY_CHOICES = {
    "quotes": ("shown", "chosen", "withheld"),
    "ids": ("shown", "hidden"),
    "people": ("named", "numbered", "omitted"),
    "masking": ("on", "off"),
    "small_groups": ("hidden", "shown"),
    "texts": ("with", "without"),
    "memos": ("withheld", "shown"),
}
TOPIC_KEY_LIMIT = 200  # characters of a topic's key


@dataclass(frozen=True, slots=True)
class ReportField:
    """What somebody wrote, and when."""

    text: str
    author: str
    time: datetime
    event: int


@dataclass(frozen=True, slots=True)
class EditReport:
    """Set some fields of the report, such as its title. An empty text leaves it to itself."""

    kind: ClassVar[str] = EDIT_REPORT
    fields: Mapping[str, str]

    def checked(self) -> Self:
        if not isinstance(self.fields, Mapping) or not self.fields:
            raise StoreError("Name at least one field of the report.")
        texts = {name: _checked_field(name, text) for name, text in self.fields.items()}
        if "title" in texts:
            texts["title"] = " ".join(texts["title"].split())
        return replace(self, fields=texts)

    def payload(self) -> dict[str, Any]:
        return {"fields": dict(self.fields)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["fields"])


def _checked_field(name: Any, text: Any) -> str:
    kind, colon, key = str(name).partition(":")
    limits = TOPIC_FIELD_LIMITS if colon else {**REPORT_FIELD_LIMITS, "logo": LOGO_LIMIT}
    choices = () if colon else PRIVACY_CHOICES.get(kind, ())
    known = kind in limits or choices
    if not known or (colon and not 0 < len(key.strip()) <= TOPIC_KEY_LIMIT):
        raise StoreError(f"A report has no field “{str(name)[:TOPIC_KEY_LIMIT]}”.")
    checked_text(key, "A topic's key", None)
    checked = checked_text(text, f"The {kind} of a report", limits.get(kind))
    if choices and checked and checked not in choices:
        raise StoreError(f"The {kind} of a report: {', '.join(choices)}; not “{checked[:40]}”.")
    if kind == "chosen" and not all(each.isdecimal() for each in checked.split()):
        raise StoreError("Chosen quotes are named by the positions of their texts.")
    if kind == "logo" and checked:
        _require_png(checked)
    return checked


def _require_png(text: str) -> None:
    try:
        whole = _is_small_png(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError, struct.error):
        whole = False
    if not whole:
        raise StoreError("The logo of a report is a small PNG picture in base 64.")


def _is_small_png(data: bytes) -> bool:
    """Whether it is built like the pictures that the Studio keeps; pixels are not looked at.

    Files for Word and PowerPoint are made from it, and their writers trust what it says.
    """
    chunks = list(_png_chunks(data)) if data.startswith(PNG_SIGNATURE) else []
    kinds = [kind for kind, _ in chunks]
    if kinds[:1] != [b"IHDR"] or kinds[-1] != b"IEND" or not {*kinds} <= PNG_CHUNKS:
        return False
    sides = struct.unpack_from(">II", chunks[0][1])
    return len(chunks[0][1]) == 13 and all(0 < side <= MAX_LOGO_SIDE for side in sides)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a PNG file, each with its content; ValueError if a check sum is wrong."""
    place = len(PNG_SIGNATURE)
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + 8 + size]
        (check,) = struct.unpack_from(">I", data, place + 8 + size)
        if check != zlib.crc32(kind + content):
            raise ValueError("This picture is damaged.")
        yield kind, content
        place += 12 + size


def report_fields_of(events: Iterable[EventInForce]) -> dict[str, ReportField]:
    """The last text of every field that has one, from the events in force, oldest first."""
    found: dict[str, ReportField] = {}
    for event in events:
        if event.kind == EDIT_REPORT:
            for name, text in event.payload["fields"].items():
                found[name] = ReportField(text, event.author, event.time, event.id)
    return {name: field for name, field in found.items() if field.text}
