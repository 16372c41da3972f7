"""Every format that a report can be written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from core.errors import ReportError
from core.report.description import Report
from core.report.rows import Tell, nobody
from core.values import whole_file


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFormat:
    """One format: what it is called, what it is for, and who writes it."""

    name: str
    title: str  # on a button
    suffix: str
    media_type: str
    sentence: str  # for whom it is, and what is in it
    writer: str  # module and function in this package
    row_by_row: bool = False  # writes every text, so that it takes as long as there are texts

    def write(self, report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
        """Write to an open file; Cancelled if ``tell`` asks to stop."""
        module, function = self.writer.split(".")
        getattr(import_module(f"{__package__}.{module}"), function)(report, file, tell)


def _formats(*formats: ReportFormat) -> Mapping[str, ReportFormat]:
    return MappingProxyType({each.name: each for each in formats})


def _tables(
    name: str, title: str, media_type: str, readers: str, readers_of_long: str
) -> tuple[ReportFormat, ReportFormat]:
    """The texts with their topics in one kind of file, wide and long."""
    wide = ReportFormat(
        name=name,
        title=f"Texts with topics ({title})",
        suffix=f".{name}",
        media_type=media_type,
        sentence=f"For {readers}: {WIDE}.",
        writer=f"tables.write_{name}",
        row_by_row=True,
    )
    long = replace(
        wide,
        name=f"{name}-long",
        title=f"Texts × topics ({title})",
        suffix=f".long.{name}",
        sentence=f"For {readers_of_long}: {LONG}.",
        writer=f"tables.write_long_{name}",
    )
    return wide, long


OFFICE = "application/vnd.openxmlformats-officedocument"
WIDE = "one row per text with the share of every topic"
LONG = "one row per text and topic, shares of zero left out"
ANALYSES = "pandas, R and databases"

FORMATS = _formats(
    ReportFormat(
        name="html",
        title="Report (HTML)",
        suffix=".html",
        media_type="text/html",
        sentence="For everybody: one page that opens offline in any browser, and prints.",
        writer="html.write_html",
    ),
    ReportFormat(
        name="xlsx",
        title="Workbook (Excel)",
        suffix=".xlsx",
        media_type=f"{OFFICE}.spreadsheetml.sheet",
        sentence="For your own calculations: topics, keywords, texts, scores, codebook and "
        "history, with filters and charts.",
        writer="workbook.write_workbook",
        row_by_row=True,
    ),
    ReportFormat(
        name="pptx",
        title="Slides (PowerPoint)",
        suffix=".pptx",
        media_type=f"{OFFICE}.presentationml.presentation",
        sentence="For a meeting: title, summary, a slide per topic, heat map, scores and method, "
        "with charts that can be edited.",
        writer="slides.write_slides",
    ),
    ReportFormat(
        name="docx",
        title="Word file",
        suffix=".docx",
        media_type=f"{OFFICE}.wordprocessingml.document",
        sentence="To edit and to quote from: all sections as text, tables and quotes.",
        writer="writing.write_word",
    ),
    ReportFormat(
        name="md",
        title="Text (Markdown)",
        suffix=".md",
        media_type="text/markdown",
        sentence="For wikis and notebooks: the same as for Word, in Markdown.",
        writer="writing.write_markdown",
    ),
    ReportFormat(
        name="json",
        title="Everything (JSON)",
        suffix=".json",
        media_type="application/json",
        sentence="For programs, for Present, and to repeat the run: all of the report, with a "
        "schema.",
        writer="json_file.write_json",
        row_by_row=True,
    ),
    *_tables("csv", "CSV", "text/csv", "any spreadsheet", "pivot tables"),
    *_tables("jsonl", "JSON lines", "application/jsonl", "programs", "programs"),
    *_tables("parquet", "Parquet", "application/vnd.apache.parquet", ANALYSES, ANALYSES),
)


def format_of(path: Path | str, name: str | None = None) -> ReportFormat:
    """The format by its name, else by how the file's name ends."""
    if name is not None:
        if name not in FORMATS:
            raise ReportError(f"There is no format “{name}”; choose from {', '.join(FORMATS)}.")
        return FORMATS[name]
    ending = Path(path).name.lower()
    fitting = [each for each in FORMATS.values() if ending.endswith(each.suffix)]
    if not fitting:
        known = ", ".join(each.suffix for each in FORMATS.values())
        raise ReportError(f"“{Path(path).name}” ends like no format of a report: {known}.")
    return max(fitting, key=lambda each: len(each.suffix))


def write_report(
    report: Report, path: Path | str, name: str | None = None, tell: Tell = nobody
) -> Path:
    """Write a report to a file, whole or not at all; the format by ``name`` or the file's name."""
    chosen = format_of(path, name)
    with whole_file(path) as file:
        chosen.write(report, file, tell)
    return Path(path)
