"""What analysts decided about a project's report: its words, its order, and what it may show.

One kind of event for all of it. An event names the fields it changes; a field that no event in
force names, or that was emptied, is left to the report. Fields about one topic end with its key:
``comment:12``, ``chosen:Free 1``. Lists are written one entry to a line.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Protocol, Self

from core.errors import StoreError
from core.store.events.checks import checked_text

EDIT_REPORT = "report"
REPORT_FIELD_LIMITS = {"title": 200, "summary": 20_000, "order": 100_000, "hidden": 100_000}
TOPIC_FIELD_LIMITS = {"comment": 4_000, "chosen": 2_000}  # characters, as above; one per topic
LOGO_LIMIT = 400_000  # characters of its PNG in base 64
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PRIVACY_CHOICES = {
    "quotes": ("shown", "chosen", "withheld"),
    "ids": ("shown", "hidden"),
    "people": ("named", "numbered", "omitted"),
    "masking": ("on", "off"),
    "small_groups": ("hidden", "shown"),
    "texts": ("with", "without"),
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
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data.startswith(PNG_SIGNATURE):
        raise StoreError("The logo of a report is a PNG picture in base 64.")


class _ReportEvent(Protocol):
    @property
    def id(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def time(self) -> datetime: ...
    @property
    def payload(self) -> Mapping[str, Any]: ...


def report_fields_of(events: Iterable[_ReportEvent]) -> dict[str, ReportField]:
    """The last text of every field that has one, from the events in force, oldest first."""
    found: dict[str, ReportField] = {}
    for event in events:
        if event.kind == EDIT_REPORT:
            for name, text in event.payload["fields"].items():
                found[name] = ReportField(text, event.author, event.time, event.id)
    return {name: field for name, field in found.items() if field.text}
