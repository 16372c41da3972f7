"""Everything a report is made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.corpus import Corpus
from core.insight.shares import main_topics
from core.report.masking import PersonalData
from core.report.people import People
from core.report.privacy import Privacy
from core.report.quality import ReportScores
from core.report.rows import HistoryRow
from core.store import Codebook
from core.store.coding.highlights import HighlightInForce
from core.store.runs.issued_reports import IssuedReport
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """What analysts decided about the topics of a report, by the topics' keys as text."""

    order: Sequence[str] = ()  # topics that come first, in this order; the others by size
    hidden: frozenset[str] = frozenset()
    comments: Mapping[str, str] = field(default_factory=dict)
    chosen: Mapping[str, Sequence[int]] = field(default_factory=dict)  # positions of quoted texts
    logo: str = ""  # a PNG in base 64


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTable:
    """The labels that a report compares the topics with: those of people, or the true ones."""

    names: Sequence[str]
    indicator: Any  # documents × labels, sparse
    true: bool = False  # they came with the corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMemo:
    """A memo on a topic, on a text (by its id), or on the project where neither is named."""

    topic: int | None = None
    document: str | None = None
    text: str
    author: str
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """Topics, texts, labels and scores of one run."""

    topics: Topics
    corpus: Corpus
    supervision: Supervision
    text: TextSettings = field(default_factory=TextSettings)
    scores: ReportScores = field(default_factory=ReportScores)
    people: People = field(default_factory=People)
    labels: LabelTable | None = None  # for the heat map; by default those of the supervision
    groups: tuple[str, ...] | None = None  # columns to group texts by; all, if it is not said
    near_copies: int | None = None  # texts that repeat an earlier one, nearly or exactly
    wordless: int | None = None  # texts that hold none of the words that the model reads
    unread: int = 0  # last texts, which were added since the run
    behind: int = 0  # events since the run that it does not know
    adherence_at_fit: float | None = None  # as the run counted it, for when it is behind
    title: str = ""  # what somebody wrote; empty for the report's own
    summary: str = ""
    summary_note: str = ""  # a sentence: that the summary is older than what it describes
    colours: Sequence[str] = ()
    privacy: Privacy = field(default_factory=Privacy)
    personal: PersonalData | None = None  # what there is to mask in the texts, if it was counted
    arrangement: Arrangement = field(default_factory=Arrangement)
    codebook: Mapping[int, Codebook] = field(default_factory=dict)
    memos: Sequence[WrittenMemo] = ()
    highlights: Mapping[int, Sequence[HighlightInForce]] = field(default_factory=dict)
    # by position, those that all may read
    last_report: IssuedReport | None = None
    recipe: Mapping[str, object] = field(default_factory=dict)
    history: Callable[[], Iterable[HistoryRow]] = tuple

    @property
    def hidden_columns(self) -> frozenset[int]:
        """The topics that the analyst hides."""
        keys = map(str, self.topics.keys)
        return frozenset(k for k, key in enumerate(keys) if key in self.arrangement.hidden)

    @property
    def empty_columns(self) -> frozenset[int]:
        """Free topics without words and texts, those aside that the analyst hides."""
        topics = self.topics
        free = set(range(topics.n_supervised, len(topics))) - self.hidden_columns
        wordless = {k for k in free if not topics.topic_term[k].any()}
        return frozenset(wordless - set(main_topics(topics).tolist()) if wordless else ())

    @property
    def shown_columns(self) -> tuple[int, ...]:
        """The topics that the report describes."""
        left_out = self.hidden_columns | self.empty_columns
        return tuple(k for k in range(len(self.topics)) if k not in left_out)

    def hides(self, label: str) -> bool:
        """Whether a label has the name of a hidden topic; then it is hidden, too."""
        return label.casefold() in {self.topics.names[k].casefold() for k in self.hidden_columns}
