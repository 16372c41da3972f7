"""The content of a report, independent of the file format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.report.people import People
from core.topics import TermWeight
from core.values import CopiedByFields, html_table


@dataclass(frozen=True, slots=True)
class Figure:
    """A Plotly figure as JSON text; ``place`` says where in the report it belongs."""

    place: str  # shares, association, matching or history
    json: str
    alt: str


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows of formatted cells; the first cell of a row is its name."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote and the document it comes from."""

    text: str
    cut_before: bool
    cut_after: bool
    document: str  # the analyst's own id
    when: str
    share: float


@dataclass(frozen=True, slots=True)
class TopicSection:
    """One topic: its name, size, keywords and quotes."""

    name: str
    colour: str
    named: bool  # by the analyst; otherwise it is free
    share: float
    documents: int
    of: int
    labelled: int
    keywords: tuple[TermWeight, ...]
    quotes: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(CopiedByFields):
    """One report, complete: rendering it needs nothing else."""

    title: str
    summary: tuple[str, ...]  # paragraphs
    summary_note: str  # that it is older than what it describes, if it is
    made: datetime
    n_documents: int
    n_read: int  # documents with a topic
    topics: tuple[TopicSection, ...]
    quality: ReportTable | None  # every score with its interval
    labels: ReportTable | None  # label by label
    score_sentence: str  # or why there is no score
    score_basis: str  # by whose labels, on which texts; empty without scores
    resolved: str  # “9 of 10”, empty without scores
    tables: tuple[ReportTable, ...]
    people: People
    adherence: float | None  # None if labels are no rules to the model, or there are none
    labels_are_rules: bool  # to the model
    behind: int  # events since the run
    texts_read: tuple[tuple[str, str], ...]  # what was read, left out, repeated: name, sentence
    figures: tuple[Figure, ...]
    reproducibility: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Report({self.title!r}, {len(self.topics)} topics, {self.n_documents} documents)"

    def _repr_html_(self) -> str:
        rows = [
            (topic.name, ", ".join(each.term for each in topic.keywords[:8]))
            for topic in self.topics
        ]
        return html_table(f"{self.title}: {self.n_documents} documents", rows)

    def figure(self, place: str) -> Figure | None:
        """The figure for a place, if there is one."""
        return next((figure for figure in self.figures if figure.place == place), None)
