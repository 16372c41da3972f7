"""How good the topics are, in a report: the scores of the run as the Scores page has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.evaluation.metrics.matching import RESOLVED_THRESHOLD
from core.evaluation.score_format import (
    format_interval,
    format_score,
    is_shown,
    score_with_interval,
)
from core.evaluation.scoring import SCORE_INFO
from core.report.description import ReportTable, ScoreValue

REPORTED_SCORES = ("first", "jaccard", "resolved", "f1_micro", "f1_macro", "coherence", "diversity")
NOT_MEASURED = "No score is given: nothing was measured against labels."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportScores:
    """The scores of a run, and on what they were measured; or why they were not."""

    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # value, low, high, note
    labels: Sequence[Mapping[str, Any]] = ()  # label by label, with the topic it was matched to
    basis: str = ""  # a sentence: by whose labels, on which texts
    missing: str = NOT_MEASURED  # a sentence: why there is no score against labels

    @property
    def judged(self) -> bool:
        """Whether there are scores against labels that the fit did not know."""
        return "first" in self.values

    @property
    def resolved(self) -> str:
        """“9 of 10”; empty without scores."""
        if "resolved" not in self.values:
            return ""
        value, _, _, note = self.values["resolved"]
        return f"{format_score('resolved', value)} {note.removesuffix(' labels')}"


def plain_score_sentence(scores: ReportScores) -> str:
    """How often the model is right, for readers who know no score; else why that is not known."""
    if not scores.judged:
        return scores.missing
    first = scores.values["first"]
    interval = format_interval("first", first)
    likely = f" (95 % interval: {interval})" if interval else ""
    return (
        "In a test on texts whose labels it had not seen, it found the correct main topic for "
        f"{format_score('first', first[0])} of them{likely}."
    )


def score_sentence(scores: ReportScores) -> str:
    """The scores in one sentence; else why there are none."""
    if not scores.judged:
        return scores.missing
    first = score_with_interval("first", scores.values["first"])
    jaccard = format_score("jaccard", scores.values["jaccard"][0])
    return (
        f"The main topic is correct for {first} of the tested texts; {scores.resolved} labels "
        f"match a topic of their own, with a mean weighted Jaccard of {jaccard}."
    )


def score_values(scores: ReportScores) -> tuple[ScoreValue, ...]:
    """The scores that a report shows, in its order."""
    return tuple(
        _score_value(name, scores.values[name])
        for name in REPORTED_SCORES
        if name in scores.values and is_shown(name, scores.values[name][0])
    )


def _score_value(name: str, score: Sequence[Any]) -> ScoreValue:
    value, low, high, about = score[0], score[1], score[2], SCORE_INFO[name]
    shown = f"{format_score(name, value)} {score[3] if name == 'resolved' else ''}".strip()
    note = f" ({score[3]})" if score[3] and name != "resolved" else ""
    return ScoreValue(
        name=name,
        title=about.title,
        value=float(value),
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        shown=shown,
        interval=format_interval(name, score),
        sentence=f"{about.sentence}{note}",
    )


def score_table(scores: Sequence[ScoreValue]) -> ReportTable | None:
    """Every score with its interval."""
    if not scores:
        return None
    return ReportTable(
        title="Scores",
        note="95 % intervals are for other texts of the same kind.",
        header=("Score", "Value", "95 % interval", "What it says"),
        rows=tuple((each.title, each.shown, each.interval, each.sentence) for each in scores),
    )


def label_table(
    scores: ReportScores, hides: Callable[[str], bool], mask: Callable[[str], str]
) -> ReportTable | None:
    """Label by label, the best first; none that ``hides`` says is hidden.

    A topic that was free when it was judged is called by its words, so they go through ``mask``.
    """
    judged = [row for row in scores.labels if row["documents"] > 0 and not hides(str(row["label"]))]
    if not judged:
        return None
    rows = tuple(
        (
            str(row["label"]),
            "a hidden topic"
            if hides(str(row["topic_name"]))
            else mask(str(row["topic_name"])) or "no topic",
            f"{row['jaccard']:.2f}",
            f"{row['documents']:,}",
        )
        for row in sorted(judged, key=lambda row: -row["jaccard"])
    )
    return ReportTable(
        title="Labels and the topics they were matched with",
        note="Weighted Jaccard: 0 means no texts in common, 1 the same texts in the same "
        "shares. Labels and topics are paired one to one so that the sum is largest. A label above "
        f"{RESOLVED_THRESHOLD} counts as resolved.",
        header=("Label", "Topic", "Weighted Jaccard", "Tested texts with the label"),
        rows=rows,
    )
