"""Everything a report is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.corpus import Corpus
from core.report.people import People
from core.report.quality import ReportScores
from core.supervision import Supervision
from core.text import TextSettings
from core.topics import Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """Topics, texts, labels and scores of one run."""

    topics: Topics
    corpus: Corpus
    supervision: Supervision
    text: TextSettings = field(default_factory=TextSettings)
    scores: ReportScores = field(default_factory=ReportScores)
    people: People = field(default_factory=People)
    near_copies: int | None = None  # texts that repeat an earlier one, nearly or exactly
    wordless: int | None = None  # texts that hold none of the words that the model reads
    behind: int = 0  # events since the run that it does not know
    adherence_at_fit: float | None = None  # as the run counted it, for when it is behind
    title: str = ""  # what somebody wrote; empty for the report's own
    summary: str = ""
    summary_note: str = ""  # a sentence: that the summary is older than what it describes
    colours: Sequence[str] = ()
