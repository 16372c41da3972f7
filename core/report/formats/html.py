"""The report as one HTML file: no server, no network, no script, no Python needed to read it.

Documents and names are data: Jinja escapes every value. The charts are plain elements and
drawings of lines, so that they print at full width and nothing has to run to show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from core.report.description import HIGHLIGHTS_SHOWN, Report, TopicSection, TrendPoint
from core.report.formatting import period_name
from core.report.rows import Tell, nobody
from core.values import count, percent, written_date

TEMPLATE_FOLDER = Path(__file__).parent
LARGEST_OF_MANY = 20  # topics drawn one by one, where there are very many
TRENDS_SHOWN = 24  # charts over time
CHART_WIDTH, CHART_HEIGHT = 300, 64  # of a chart over time, in its own units


def write_html(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    file.write(render_html(report).encode("utf-8", "replace"))
    tell(1.0)


def render_html(report: Report) -> str:
    """The whole page."""
    return _template().render(
        report=report,
        shown=largest(report, LARGEST_OF_MANY) if report.many else report.topics,
        trends=[topic for topic in largest(report, TRENDS_SHOWN) if _has_trend(topic)],
        top=max((topic.high for topic in report.topics), default=0.0) or 1.0,
        trend_top=_trend_top(report.topics),
        highlights_shown=HIGHLIGHTS_SHOWN,
        style=Markup((TEMPLATE_FOLDER / "page.css").read_text(encoding="utf-8")),
    )


def largest(report: Report, n: int) -> list[TopicSection]:
    """The n largest topics, in the order of the report."""
    chosen = sorted(report.topics, key=lambda topic: -topic.share)[:n]
    return [topic for topic in report.topics if topic in chosen]


def _has_trend(topic: TopicSection) -> bool:
    return sum(point.share is not None for point in topic.trend) > 1


def _trend_top(topics: Sequence[TopicSection]) -> float:
    """All charts over time share one scale."""
    shares = [point.share or 0.0 for topic in topics for point in topic.trend]
    return max(shares, default=0.0) or 1.0


def _lines(trend: Sequence[TrendPoint], top: float) -> Iterator[str]:
    """The points of every unbroken line; a period that is not shown breaks it."""
    step = CHART_WIDTH / max(1, len(trend) - 1)
    line: list[str] = []
    for number, point in enumerate((*trend, None)):
        if point is not None and point.share is not None:
            y = CHART_HEIGHT - 2 - (CHART_HEIGHT - 4) * point.share / top
            line.append(f"{number * step:.1f},{y:.1f}")
        elif line:
            yield " ".join(line if len(line) > 1 else [*line, line[0]])
            line = []


def _trend_words(trend: Sequence[TrendPoint], period: str) -> str:
    """What a chart over time shows, for those who cannot see it."""
    known = [point for point in trend if point.share is not None]
    ends = [
        f"{percent(point.share or 0.0)} in {period_name(point.start, period)} "
        f"({point.documents:,} of {point.of:,})"
        for point in (known[0], known[-1])
    ]
    return f"From {ends[0]} to {ends[1]}."


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": percent,
        "counted": count,
        "number": lambda value: f"{value:,}",
        "day": written_date,
        "period_name": period_name,
        "lines": _lines,
        "trend_words": _trend_words,
    }
    return environment.get_template("page.html")
