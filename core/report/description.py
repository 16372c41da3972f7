"""What a report says, independent of the file it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.report.people import People
from core.topics import TermWeight


@dataclass(frozen=True, slots=True)
class Figure:
    """A Plotly figure as JSON text; ``place`` says where in the report it belongs."""

    place: str  # shares, association, matching or history
    json: str
    alt: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells already made readable; the first cell of a row is its name."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote and the document it stands in."""

    text: str
    cut_before: bool
    cut_after: bool
    document: str  # the analyst's own id
    when: str
    share: float


@dataclass(frozen=True, slots=True)
class TopicSection:
    """One topic, with everything a reader is told about it."""

    name: str
    colour: str
    named: bool  # by the analyst; otherwise the model found it
    share: float
    documents: int
    of: int
    labelled: int
    keywords: tuple[TermWeight, ...]
    quotes: tuple[Citation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report: frozen, complete, renderable without asking anybody anything."""

    title: str
    summary: tuple[str, ...]  # paragraphs
    made: datetime
    n_documents: int
    n_read: int  # documents in which the model found a topic
    topics: tuple[TopicSection, ...]
    scores: Table | None
    score_sentence: str
    resolved: str  # “9 of 10”, empty without scores
    tables: tuple[Table, ...]
    people: People
    adherence: float | None  # None where labels are no rules to the model
    figures: tuple[Figure, ...]
    reproducibility: Mapping[str, str]

    def figure(self, place: str) -> Figure | None:
        """The figure that belongs in a place, if it was handed in."""
        return next((figure for figure in self.figures if figure.place == place), None)
