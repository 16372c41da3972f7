"""Whether the values of a report from a file can be drawn: a file may come from anybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from core.errors import ReportError, StoreError
from core.report.description import Report, TopicSection, TrendPoint
from core.store import EditReport

COLOUR_PATTERN = re.compile(r"#[0-9A-Fa-f]{6}")
TREND_PERIODS = ("", "day", "week", "month", "quarter", "year")
SHARE_ROUNDING = 1e-9  # by which a share may miss 0 or 1
TREND_YEARS = range(1678, 2262)  # that pandas can hold


def check_report(report: Report) -> None:
    """ReportError, in one sentence, if anything cannot be."""
    problem = next(_problems(report), None)
    if problem is not None:
        raise ReportError(f"The file is no report: {problem}.")


def _problems(report: Report) -> Iterator[str]:
    if report.period not in TREND_PERIODS:
        yield "its trends are of no known period"
    if not _is_logo(report.logo):
        yield "its logo is no picture"
    if min(report.n_documents, report.n_read, report.behind) < 0:
        yield "a number of texts is below 0"
    for place, topic in enumerate(report.topics):
        yield from (f"report.topics[{place}] {fault}" for fault in _topic_problems(topic))


def _is_logo(text: str) -> bool:
    """Whether a project could have this logo: some kilobytes can be a picture that fills memory."""
    try:
        EditReport({"logo": text}).checked()
    except StoreError:
        return False
    return True


def _topic_problems(topic: TopicSection) -> Iterator[str]:
    if not COLOUR_PATTERN.fullmatch(topic.colour):
        yield "has no colour"
    if not all(map(_is_share, (topic.share, topic.low, topic.high))):
        yield "has an impossible share"
    if not 0 <= topic.documents <= topic.of:
        yield "has more texts than there are"
    for point in topic.trend:
        if not _possible(point):
            yield "has an impossible point in its trend"


def _possible(point: TrendPoint) -> bool:
    try:
        known = date.fromisoformat(point.start).year in TREND_YEARS
    except ValueError:
        return False
    return known and _is_share(point.share or 0.0) and 0 <= point.documents <= point.of


def _is_share(value: float) -> bool:
    return -SHARE_ROUNDING <= value <= 1 + SHARE_ROUNDING
