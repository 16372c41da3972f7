"""The wording of a project's report: what analysts typed in place of what it writes by itself.

One kind of event for all of it. An event names the fields it changes; a field that no event in
force names, or that was emptied, is left to the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Protocol, Self

from core.errors import StoreError
from core.store.events.checks import checked_text

EDIT_REPORT = "report"
REPORT_FIELD_LIMITS = {"title": 200, "summary": 20_000}  # characters


@dataclass(frozen=True, slots=True)
class ReportField:
    """What somebody wrote, and when."""

    text: str
    author: str
    time: datetime
    event: int


@dataclass(frozen=True, slots=True)
class EditReport:
    """Word some fields of the report: its title, its summary. An empty text leaves it to itself."""

    kind: ClassVar[str] = EDIT_REPORT
    fields: Mapping[str, str]

    def checked(self) -> Self:
        if not isinstance(self.fields, Mapping) or not self.fields:
            raise StoreError("Name at least one field of the report.")
        if unknown := sorted(map(str, set(self.fields) - set(REPORT_FIELD_LIMITS))):
            raise StoreError(f"A report has no field “{unknown[0]}”.")
        texts = {
            name: checked_text(text, f"The {name} of a report", REPORT_FIELD_LIMITS[name])
            for name, text in self.fields.items()
        }
        if "title" in texts:
            texts["title"] = " ".join(texts["title"].split())
        return replace(self, fields=texts)

    def payload(self) -> dict[str, Any]:
        return {"fields": dict(self.fields)}

    @classmethod
    def read(cls, payload: Mapping[str, Any]) -> Self:
        return cls(payload["fields"])


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
