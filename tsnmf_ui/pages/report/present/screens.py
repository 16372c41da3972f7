"""The screens of a presentation: large type, one idea each; in HTML every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.report import Report, TopicSection, trend_table
from core.values import percent, written_date
from tsnmf_ui import figures

TOPICS_SHOWN = 12  # with a screen of their own
BARS_SHOWN = 12
QUOTES_SHOWN = 2
QUOTE_CHARACTERS_SHOWN = 220
SUMMARY_CHARACTERS_SHOWN = 420
LINES_SHOWN = 6  # topics in the chart over time
CHART_HEIGHT_SHOWN = 470

OVER_TIME, TOGETHER = "over time", "together"  # screens that are more than HTML


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen; ``kind`` names what is drawn besides its HTML."""

    name: str
    html: str
    kind: str = ""


def screens_of(report: Report, *, live: bool) -> list[Screen]:
    """In the order in which they are shown; ``live``: texts can be labelled together."""
    largest = sorted(report.topics, key=lambda topic: -topic.share)[:TOPICS_SHOWN]
    shown = [topic for topic in report.topics if topic in largest]
    dated = any(point.share is not None for topic in report.topics for point in topic.trend)
    return [
        Screen("Title", _title(report)),
        *(Screen("Summary", _paragraph(text)) for text in report.summary),
        Screen("Sizes", _sizes(report, shown[:BARS_SHOWN])),
        *(Screen(topic.name, _topic(topic)) for topic in shown),
        *([Screen("Over time", _heading("How the topics changed"), OVER_TIME)] if dated else []),
        Screen("How good", _quality(report)),
        *([Screen("Label together", "", TOGETHER)] if live else []),
        Screen("End", _end(report)),
    ]


def trends_figure(report: Report) -> go.Figure:
    """The largest topics over time; a report from a file need not have a trend of each."""
    dated = [topic for topic in report.topics if topic.trend]
    largest = sorted(dated, key=lambda topic: -topic.share)[:LINES_SHOWN]
    figure = figures.over_time(
        trend_table(report),
        [report.topics.index(topic) for topic in largest],
        colours=[topic.colour for topic in report.topics],
        period=report.period,
    )
    figure.update_layout(height=CHART_HEIGHT_SHOWN, font={"size": 18}, title=None)
    return figure


def _heading(text: str) -> str:
    return f'<h1 class="ts-p-heading">{escape(text)}</h1>'


def _title(report: Report) -> str:
    numbers = "".join(
        f"<div><b>{escape(value)}</b><span>{escape(what)}</span></div>"
        for value, what in report.headline_numbers
    )
    logo = ""
    if report.logo:
        logo = f'<img class="ts-p-logo" alt="" src="data:image/png;base64,{escape(report.logo)}">'
    return (
        f'{logo}<h1 class="ts-p-title">{escape(report.title)}</h1>'
        f'<p class="ts-p-quiet">{escape(written_date(report.made))}</p>'
        f'<div class="ts-p-numbers">{numbers}</div>'
    )


def _paragraph(text: str) -> str:
    size = "" if len(text) <= SUMMARY_CHARACTERS_SHOWN else " ts-p-long"
    return f'<p class="ts-p-said{size}">{escape(text)}</p>'


def bars(rows: Iterable[tuple[str, str, float, str]], top: float) -> str:
    """Name, colour, share and what is written beside each bar."""
    lines = "".join(
        f'<div class="ts-p-bar" style="--c:{escape(colour)};--share:{100 * share / top:.1f}%">'
        f"<span>{escape(name)}</span><i></i><b>{escape(value)}</b></div>"
        for name, colour, share, value in rows
    )
    return f'<div class="ts-p-bars">{lines}</div>'


def _sizes(report: Report, topics: list[TopicSection]) -> str:
    top = max((topic.share for topic in topics), default=0.0) or 1.0
    rows = ((t.name, t.colour, t.share, percent(t.share)) for t in topics)
    more = len(report.topics) - len(topics)
    rest = f", the {len(topics)} largest of {len(report.topics):,} topics" if more else ""
    note = f"Share of {report.n_read:,} texts by main topic{rest}"
    quiet = f'<p class="ts-p-quiet">{escape(note)}</p>'
    return _heading("What the texts are about") + bars(rows, top) + quiet


def _topic(topic: TopicSection) -> str:
    words = "".join(f"<span>{escape(word.term)}</span>" for word in topic.keywords[:8])
    quotes = "".join(
        f"<blockquote>{escape(_short(quote.passage))}</blockquote>"
        for quote in topic.quotes[:QUOTES_SHOWN]
    )
    comment = f'<p class="ts-p-quiet">{escape(topic.comment)}</p>' if topic.comment else ""
    size = f"{percent(topic.share)} <small>{topic.documents:,} of {topic.of:,} texts</small>"
    return (
        f'<div class="ts-p-topic" style="--c:{escape(topic.colour)}">{_heading(topic.name)}'
        f'<p class="ts-p-share">{size}</p><div class="ts-p-words">{words}</div>'
        f"{comment}{quotes}</div>"
    )


def _quality(report: Report) -> str:
    score = report.main_score
    if score is None:
        return _heading("How good is it?") + _paragraph(report.score_sentence)
    interval = f'<p class="ts-p-quiet">95 % interval: {escape(score.interval)}</p>'
    return (
        _heading("How good is it?")
        + f'<p class="ts-p-huge">{escape(score.shown)}</p>'
        + '<p class="ts-p-said">of tested texts have the correct main topic</p>'
        + (interval if score.interval else "")
        + f'<p class="ts-p-quiet">{escape(report.score_basis)}</p>'
    )


def _end(report: Report) -> str:
    left_out = "".join(f"<p>{escape(f'{name}: {text}')}</p>" for name, text in report.texts_read)
    return (
        _heading("How it was made")
        + f'<p class="ts-p-said ts-p-long">{escape(report.method.paragraph)}</p>'
        + f'<div class="ts-p-quiet">{left_out}</div>'
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    cut = flat[:QUOTE_CHARACTERS_SHOWN].rstrip()
    return flat if len(flat) <= QUOTE_CHARACTERS_SHOWN else f"{cut} …"
