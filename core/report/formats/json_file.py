"""A report as one JSON file with all of its content, and back; ``report.schema.json`` describes it.

The description comes first, then texts and events one by one, so that the file can be written in
one pass however large the corpus is.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.errors import Cancelled, CorpusError, ReportError
from core.loading.isolated import open_source
from core.loading.isolation import ask
from core.report.description import Report
from core.report.formats.checked_report import check_report
from core.report.formats.plain_values import from_plain, schema_of, to_plain
from core.report.formats.tables import SHARE_DIGITS, json_bytes, rows_with_progress
from core.report.rows import DocumentRow, DocumentRows, Tell, nobody

SCHEMA_PATH = Path(__file__).with_name("report.schema.json")
FORMAT_NAME = "tsnmf-studio report"
FORMAT_VERSION = 1
BEGINS_ROWS = b', "documents": ['  # in a string of JSON, quotes are never bare
MAX_REPORT_BYTES = 100_000_000  # of a file that is read back, up to its texts
TELL_UNTIL = 0.95  # of the work is the texts; the rest is the log


def write_json(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    head = {"format": FORMAT_NAME, "version": FORMAT_VERSION, "report": to_plain(report)}
    file.write(json_bytes(head)[:-1])  # the closing brace comes last
    file.write(BEGINS_ROWS)
    if report.rows.documents is not None:
        documents = report.rows.documents
        _write_list(
            file, (_document(documents, r) for r in rows_with_progress(documents, tell, TELL_UNTIL))
        )
    file.write(b'], "history": [')
    _write_list(file, (to_plain(event) for event in report.rows.events()))
    file.write(b"]}\n")
    if tell(1.0):
        raise Cancelled("The file was not written.")


def _write_list(file: BinaryIO, values: Any) -> None:
    for number, value in enumerate(values):
        file.write((b",\n" if number else b"\n") + json_bytes(value))


def _document(documents: DocumentRows, row: DocumentRow) -> dict[str, Any]:
    """A text; what privacy hides is not there at all."""
    names, shares = documents.topic_names, row.shares
    used = np.flatnonzero(shares > 0).tolist()
    return {
        "number": row.row,
        **({"id": row.id} if documents.privacy.shows_ids else {}),
        **({"text": row.text} if documents.privacy.shows_texts else {}),
        "date": row.date,
        "given_labels": list(row.given_labels),
        "labels": list(row.labels),
        "main_topic": names[row.main_topic] if row.main_topic >= 0 else "",
        "shares": {names[k]: round(float(shares[k]), SHARE_DIGITS) for k in used},
        "side": dict(zip(documents.side_names, row.side, strict=True)),
    }


def read_report(source: Path | str | bytes) -> Report:
    """A report from its file, checked value by value; its texts and its log are left behind.

    The file is parsed in a process of its own, which can neither fill the memory nor take for ever.
    """
    name = "The file" if isinstance(source, bytes) else f"“{Path(source).name}”"
    found = _description(source, name)
    if found["format"] != FORMAT_NAME:
        raise ReportError("The file is no report of TS-NMF Studio.")
    if found["version"] != FORMAT_VERSION:
        raise ReportError("The report was written by another version of TS-NMF Studio.")
    report: Report = from_plain(Report, found["report"])
    check_report(report)
    return report


def _description(source: Path | str | bytes, name: str) -> dict[str, Any]:
    """The beginning of a file; texts and log, which may be large, come after it."""
    asked = {"most": MAX_REPORT_BYTES, "until": BEGINS_ROWS.decode("ascii")}

    def refusal(sentence: str, **_: object) -> ReportError:
        return ReportError(sentence if sentence[:1].isupper() else f"{name}: {sentence}")

    try:
        with (
            open_source(source, name, MAX_REPORT_BYTES) as file,
            closing(ask("report", asked, file, refusal)) as answer,
        ):
            return dict(next(answer))
    except CorpusError as error:
        raise ReportError(f"{name} cannot be read: {error.sentence}") from None


def json_schema() -> dict[str, Any]:
    """What ``report.schema.json`` holds; a test keeps the two the same."""
    definitions: dict[str, Any] = {}
    report = schema_of(Report, definitions)
    text, number = {"type": "string"}, {"type": "integer"}
    texts = {"type": "array", "items": text}
    document = {
        "number": number,
        "id": text,
        "text": text,
        "date": text,
        "given_labels": texts,
        "labels": texts,
        "main_topic": text,
        "shares": {
            "type": "object",
            "description": "The share of each topic by its name; zeros are left out.",
            "additionalProperties": {"type": "number"},
        },
        "side": {"type": "object", "additionalProperties": text},
    }
    event = {"number": number, "time": text, "person": text, "kind": text, "what": text}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A report of TS-NMF Studio",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT_NAME},
            "version": {"const": FORMAT_VERSION},
            "report": report,
            "documents": {"type": "array", "items": _object(document, optional=("id", "text"))},
            "history": {"type": "array", "items": _object(event)},
        },
        "required": ["format", "version", "report", "documents", "history"],
        "$defs": definitions,
    }


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
