"""The content of a report, independent of the file format: plain values, privacy applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.report.people import People
from core.report.privacy import Privacy
from core.report.rows import NO_ROWS, ReportRows
from core.topics import TermWeight
from core.values import CopiedByFields, count, html_table

HIGHLIGHTS_SHOWN = 12  # of each topic, where they are read and not looked up
TURNING_SIGNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # of Unicode's bidi
MANY_TOPICS = 40  # above this many a report summarises and groups its topics


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows of formatted cells; the first cell of a row is its name."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ShareTable:
    """Topics by groups of texts: of the texts in a column, the share of each topic."""

    title: str
    note: str
    columns: tuple[str, ...]  # names of the groups
    of: tuple[int, ...]  # texts in each
    topics: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]  # by topic, then column


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Labels by topics: of a topic's weight in labelled texts, the share under each label."""

    note: str
    labels: tuple[str, ...]
    topics: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]  # by label, then topic


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote and the document it comes from."""

    text: str
    cut_before: bool
    cut_after: bool
    document: str  # the analyst's own id; empty where ids are hidden
    when: str
    share: float

    @property
    def passage(self) -> str:
        """The quote with its marks of omission."""
        return f"{'… ' if self.cut_before else ''}{self.text}{' …' if self.cut_after else ''}"

    def source(self, percent: str) -> str:
        """Where it comes from, and how much of that text the topic has."""
        share = f"{percent} of this text"
        return " · ".join(filter(None, (_without_turns(self.document), self.when, share)))


def _without_turns(id: str) -> str:
    """An id without the signs that turn around what follows: a share would read “001 %”."""
    return id.translate(dict.fromkeys(map(ord, TURNING_SIGNS)))


@dataclass(frozen=True, slots=True)
class ReportHighlight:
    """Words that somebody highlighted to say why a text belongs to a topic."""

    words: str
    document: str  # the analyst's own id; empty where ids are hidden
    author: str  # as the report calls people; empty where they are left out

    @property
    def source(self) -> str:
        """“d12, person 1”, as far as both may be told."""
        return ", ".join(filter(None, (_without_turns(self.document), self.author)))


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A topic in one period; no share where the period has too few texts to show."""

    start: str  # the first day, as in 2026-03-01
    share: float | None
    documents: int
    of: int


@dataclass(frozen=True, slots=True)
class CodebookEntry:
    """What the analysts say a topic means."""

    topic: str
    definition: str
    include: str
    exclude: str
    examples: tuple[str, ...] = ()  # ids, quotes, or both, as far as they may be told


@dataclass(frozen=True, slots=True)
class ReportMemo:
    """What somebody noted for the others, and about what."""

    about: str
    text: str
    author: str
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSection:
    """One topic: its name, size, keywords, quotes and trend."""

    key: str
    name: str
    colour: str
    named: bool  # by the analyst; otherwise it is free
    share: float
    low: float  # of the 95 % interval of the share
    high: float
    documents: int
    of: int
    labelled: int
    keywords: tuple[TermWeight, ...]
    quotes: tuple[Citation, ...]
    comment: str = ""
    trend: tuple[TrendPoint, ...] = ()
    highlights: tuple[ReportHighlight, ...] = ()

    @property
    def more_highlights(self) -> str:
        """“and 5 more”, if not all are shown."""
        more = len(self.highlights) - HIGHLIGHTS_SHOWN
        return f"and {more:,} more" if more > 0 else ""


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """Topics with similar words, together; only in a report of very many."""

    title: str
    share: float
    documents: int
    topics: tuple[int, ...]  # places in the report's list of topics


@dataclass(frozen=True, slots=True)
class ScoreValue:
    """One score with its interval and what it says."""

    name: str
    title: str
    value: float
    low: float | None
    high: float | None
    shown: str  # as it is written
    interval: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Method:
    """How the topics were found: a paragraph, and the equations for those who want them."""

    paragraph: str
    equations: tuple[tuple[str, str], ...]  # formula, what it says


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(CopiedByFields):
    """One report, complete: rendering it needs nothing else."""

    title: str
    summary: tuple[str, ...]  # paragraphs
    summary_note: str  # that it is older than what it describes, if it is
    made: datetime
    logo: str = ""  # a PNG in base 64
    n_documents: int
    n_read: int  # documents with a topic
    topics: tuple[TopicSection, ...]
    hidden_topics: int = 0  # left out by the analyst
    groups: tuple[TopicGroup, ...] = ()
    heat_map: HeatMap | None = None
    scores: tuple[ScoreValue, ...] = ()
    quality: ReportTable | None = None  # every score with its interval
    labels: ReportTable | None = None  # label by label
    score_sentence: str  # or why there is no score
    score_basis: str = ""  # by whose labels, on which texts; empty without scores
    resolved: str = ""  # “9 of 10”, empty without scores
    tables: tuple[ShareTable, ...] = ()
    period: str = ""  # of the trends: day, week, month, quarter, year; empty without
    people: People
    adherence: float | None = None  # None if labels are no rules to the model, or there are none
    labels_are_rules: bool = True  # to the model
    behind: int = 0  # events since the run
    codebook: tuple[CodebookEntry, ...] = ()
    memos: tuple[ReportMemo, ...] = ()  # only where the privacy setting shows them
    changes: tuple[str, ...] = ()  # since the last report, as sentences
    texts_read: tuple[tuple[str, str], ...]  # what was read, left out, repeated: name, sentence
    privacy: Privacy = field(default_factory=Privacy)
    privacy_sentences: tuple[str, ...] = ()
    method: Method
    reproducibility: Mapping[str, str]
    recipe: Mapping[str, object] = field(default_factory=dict)  # what ``repeat`` reads
    rows: ReportRows = field(
        default=NO_ROWS, repr=False, compare=False, metadata={"written_elsewhere": True}
    )

    def __repr__(self) -> str:
        return f"Report({self.title!r}, {len(self.topics)} topics, {self.n_documents} documents)"

    def _repr_html_(self) -> str:
        rows = [
            (topic.name, ", ".join(each.term for each in topic.keywords[:8]))
            for topic in self.topics
        ]
        return html_table(f"{self.title}: {self.n_documents} documents", rows)

    @property
    def many(self) -> bool:
        """Whether there are too many topics to show each at length."""
        return len(self.topics) > MANY_TOPICS

    @property
    def main_score(self) -> ScoreValue | None:
        """How often the main topic is correct, if that was measured."""
        return next((score for score in self.scores if score.name == "first"), None)

    @property
    def headline_numbers(self) -> tuple[tuple[str, str], ...]:
        """The few numbers of the first page, each with what it counts."""
        people = self.people
        labelled = f"labelled{':' if ',' in people.by_whom else ''} {people.by_whom}".strip()
        numbers = [
            (f"{self.n_documents:,}", f"texts, {self.n_read:,} with a topic"),
            (f"{len(self.topics):,}", "topic" if len(self.topics) == 1 else "topics"),
            (f"{people.n_labelled:,}", labelled),
        ]
        if (score := self.main_score) is not None:
            interval = f" ({score.interval})" if score.interval else ""
            numbers.append((score.shown, f"of tested texts have the correct main topic{interval}"))
        return tuple(numbers)

    @property
    def behind_sentence(self) -> str:
        """That the topics do not know the last events yet; empty if they do."""
        if not self.behind:
            return ""
        are = "is" if self.behind == 1 else "are"
        return (
            f"The topics are those of the last fit. {count(self.behind, 'event')} since then {are} "
            "not in them yet."
        )
