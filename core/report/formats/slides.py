"""A report as slides: title, summary, sizes, a slide per topic, heat map, scores, method.

Charts are native, so that whoever presents can edit them. Texts are set as texts and nothing else.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any, BinaryIO

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION
from pptx.enum.text import MSO_ANCHOR
from pptx.util import Emu, Inches, Pt

from core.report.description import HeatMap, Report, TopicSection
from core.report.formats.html import largest
from core.report.formats.xml_text import xml_text
from core.report.formatting import period_name
from core.report.rows import Tell, nobody
from core.values import percent, written_date

WIDTH, HEIGHT = Inches(13.333), Inches(7.5)
MARGIN = Inches(0.7)
INNER = WIDTH - 2 * MARGIN
INK_RGB = RGBColor(0x1B, 0x24, 0x30)
QUIET_RGB = RGBColor(0x5B, 0x66, 0x75)
ACCENT_RGB = RGBColor(0x1F, 0x5F, 0xA8)
WHITE = (0xFF, 0xFF, 0xFF)
BLANK_LAYOUT = 6
SLIDES_OF_MANY = 20  # topics with a slide of their own, where there are very many
BARS_ON_A_SLIDE = 16
HEAT_ROWS, HEAT_COLUMNS = 14, 14
BAR_LABEL_FORMAT = '[=0]0%;[<0.005]"<1%";0%'  # a small share is not rounded to nothing
QUOTE_CHARACTERS = 230
SUMMARY_CHARACTERS = 900


def write_slides(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    """The whole deck."""
    deck = _Deck(report)
    deck.title()
    deck.summary()
    deck.sizes()
    topics = largest(report, SLIDES_OF_MANY) if report.many else list(report.topics)
    for number, topic in enumerate(topics):
        deck.topic(topic)
        tell(0.9 * (number + 1) / len(topics))
    deck.heat_map()
    deck.scores()
    deck.method(len(topics))
    deck.slides.save(file)


class _Deck:
    """One deck under way."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.slides = Presentation()
        self.slides.slide_width, self.slides.slide_height = WIDTH, HEIGHT
        self.slides.core_properties.title = xml_text(report.title)
        self.slides.core_properties.author = "TS-NMF Studio"

    def title(self) -> None:
        report, slide = self.report, self._blank()
        if report.logo:
            picture = io.BytesIO(base64.b64decode(report.logo))
            slide.shapes.add_picture(picture, MARGIN, Inches(0.6), height=Inches(0.9))
        _text(slide, report.title, Inches(2.2), Inches(1.8), 44, bold=True)
        made, n_topics = written_date(report.made), len(report.topics)
        about = f"{made} · {report.n_documents:,} texts · {n_topics:,} topics"
        _text(slide, about, Inches(4.0), Inches(0.5), 20, colour=QUIET_RGB)
        if report.behind:
            _text(slide, report.behind_sentence, Inches(4.7), Inches(0.5), 14, colour=QUIET_RGB)
        self._numbers(slide)

    def _numbers(self, slide: Any) -> None:
        numbers = self.report.headline_numbers
        width = Emu(int(INNER / len(numbers)))
        for place, (value, what) in enumerate(numbers):
            left = Emu(MARGIN + place * width)
            _text(slide, value, Inches(5.5), Inches(0.6), 30, bold=True, left=left, width=width)
            under = Emu(width - Inches(0.2))
            box = (Inches(6.1), Inches(0.9), 13)
            _text(slide, what, *box, colour=QUIET_RGB, left=left, width=under)

    def summary(self) -> None:
        slide = self._headed("Summary")
        paragraphs = list(self.report.summary)
        length = sum(map(len, paragraphs))
        size = 22 if length <= SUMMARY_CHARACTERS else 15
        note = [self.report.summary_note] if self.report.summary_note else []
        _text(slide, "\n".join([*paragraphs, *note]), Inches(1.5), Inches(5.4), size, space=12)

    def sizes(self) -> None:
        topics = largest(self.report, BARS_ON_A_SLIDE)
        slide = self._headed("How large the topics are")
        of = self.report.n_read
        more = len(self.report.topics) - len(topics)
        note = f"Share of the {of:,} texts with a topic, each counted for its main topic."
        note += f" The {len(topics)} largest of {len(self.report.topics):,}." if more else ""
        _text(slide, note, Inches(1.15), Inches(0.4), 14, colour=QUIET_RGB)
        self._bars(slide, topics)

    def _bars(self, slide: Any, topics: Sequence[TopicSection]) -> None:
        data = CategoryChartData(number_format="0%")
        data.categories = [xml_text(topic.name) for topic in topics]
        data.add_series("Share of texts", [topic.share for topic in topics])
        place = (MARGIN, Inches(1.6), INNER, Inches(5.5))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, *place, data).chart
        chart.has_legend = chart.has_title = False
        chart.category_axis.reverse_order = True
        chart.category_axis.tick_labels.font.size = Pt(13)
        chart.category_axis.format.line.fill.background()
        chart.value_axis.visible = chart.value_axis.has_major_gridlines = False
        plot = chart.plots[0]
        plot.gap_width, plot.has_data_labels = 35, True
        plot.data_labels.number_format = BAR_LABEL_FORMAT
        plot.data_labels.number_format_is_linked = False
        plot.data_labels.font.size, plot.data_labels.position = (
            Pt(13),
            XL_LABEL_POSITION.OUTSIDE_END,
        )
        for point, topic in enumerate(topics):
            fill = plot.series[0].points[point].format.fill
            fill.solid()
            fill.fore_color.rgb = _rgb(topic.colour)

    def topic(self, topic: TopicSection) -> None:
        slide = self._headed(topic.name, colour=_rgb(topic.colour))
        size = (
            f"{percent(topic.share)} of texts ({percent(topic.low)} to {percent(topic.high)}): "
            f"{topic.documents:,} of {topic.of:,}"
        )
        _text(slide, size, Inches(1.15), Inches(0.4), 16, colour=QUIET_RGB)
        words = "  ·  ".join(word.term for word in topic.keywords) or "No words yet."
        _text(slide, words, Inches(1.7), Inches(0.9), 20, bold=True)
        lines = [topic.comment] if topic.comment else []
        lines += [f"“{_short(quote.passage)}”" for quote in topic.quotes]
        has_trend = sum(point.share is not None for point in topic.trend) > 1
        width = Emu(int(INNER * 0.52)) if has_trend else INNER
        _text(slide, "\n".join(lines), Inches(2.8), Inches(4.2), 16, space=14, width=width)
        if has_trend:
            self._trend(slide, topic)

    def _trend(self, slide: Any, topic: TopicSection) -> None:
        data = CategoryChartData(number_format="0%")
        data.categories = [period_name(p.start, self.report.period) for p in topic.trend]
        data.add_series(xml_text(topic.name), [point.share for point in topic.trend])
        left = Emu(MARGIN + int(INNER * 0.56))
        place = (left, Inches(2.7), Emu(int(INNER * 0.44)), Inches(4.2))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.LINE, *place, data).chart
        chart.has_legend, chart.has_title = False, True
        chart.chart_title.text_frame.text = f"Share of texts by {self.report.period}"
        chart.chart_title.text_frame.paragraphs[0].runs[0].font.size = Pt(14)
        chart.value_axis.tick_labels.font.size = chart.category_axis.tick_labels.font.size = Pt(11)
        chart.value_axis.minimum_scale = 0
        chart.value_axis.tick_labels.number_format = "0%"
        chart.value_axis.tick_labels.number_format_is_linked = False
        line = chart.plots[0].series[0].format.line
        line.color.rgb, line.width = _rgb(topic.colour), Pt(2.5)
        chart.plots[0].series[0].smooth = False

    def heat_map(self) -> None:
        found = self.report.heat_map
        if found is None:
            return
        slide = self._headed("Labels and topics")
        _text(slide, found.note, Inches(1.15), Inches(0.7), 13, colour=QUIET_RGB)
        labels, topics = found.labels[:HEAT_ROWS], found.topics[:HEAT_COLUMNS]
        place = (MARGIN, Inches(1.95), INNER, Inches(0.34 * (len(labels) + 1)))
        table = slide.shapes.add_table(len(labels) + 1, len(topics) + 1, *place).table
        table.columns[0].width = first = Inches(2.2)
        for column in range(len(topics)):
            table.columns[column + 1].width = Emu(int((INNER - first) / len(topics)))
        _fill_heat(table, found, len(labels), len(topics))

    def scores(self) -> None:
        report, slide = self.report, self._headed("How good it is")
        about = " ".join(filter(None, (report.score_sentence, report.score_basis)))
        _text(slide, about, Inches(1.3), Inches(1.4), 17)
        if not report.scores:
            return
        place = (MARGIN, Inches(2.9), INNER, Inches(0.42 * (len(report.scores) + 1)))
        table = slide.shapes.add_table(len(report.scores) + 1, 4, *place).table
        for column, width in enumerate((0.18, 0.13, 0.19, 0.5)):
            table.columns[column].width = Emu(int(INNER * width))
        rows = [("Score", "Value", "95 % interval", "What it says")]
        rows += [(s.title, s.shown, s.interval, s.sentence) for s in report.scores]
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                _cell(table.cell(row, column), text, 12, bold=row == 0)
                _shade(table.cell(row, column), WHITE)

    def method(self, shown: int) -> None:
        report, slide = self.report, self._headed("How the topics were found")
        left_out = len(report.topics) - shown
        parts = [
            report.method.paragraph,
            *(f"{name}: {text}" for name, text in report.texts_read),
            " ".join(report.privacy_sentences),
        ]
        parts += [f"{left_out:,} smaller topics have no slide of their own."] if left_out else []
        _text(slide, "\n".join(parts), Inches(1.3), Inches(5.8), 14, space=8)

    def _blank(self) -> Any:
        return self.slides.slides.add_slide(self.slides.slide_layouts[BLANK_LAYOUT])

    def _headed(self, heading: str, colour: RGBColor = ACCENT_RGB) -> Any:
        slide = self._blank()
        bar = slide.shapes.add_shape(1, 0, Inches(0.45), Inches(0.18), Inches(0.62))
        bar.fill.solid()
        bar.fill.fore_color.rgb = colour
        bar.line.fill.background()
        _text(slide, heading, Inches(0.4), Inches(0.75), 30, bold=True)
        return slide


def _text(
    slide: Any,
    text: str,
    top: int,
    height: int,
    size: int,
    *,
    bold: bool = False,
    colour: RGBColor = INK_RGB,
    left: int = MARGIN,
    width: int = INNER,
    space: int = 0,
) -> None:
    """A box of text, a paragraph for every line."""
    frame = slide.shapes.add_textbox(left, top, width, height).text_frame
    frame.word_wrap, frame.vertical_anchor = True, MSO_ANCHOR.TOP
    for number, line in enumerate(text.split("\n")):
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.space_after = Pt(space)
        run = paragraph.add_run()
        run.text = xml_text(line)
        run.font.size, run.font.bold, run.font.color.rgb = Pt(size), bold, colour


def _cell(cell: Any, text: str, size: int, *, bold: bool = False, light: bool = False) -> None:
    frame = cell.text_frame
    run = frame.paragraphs[0].add_run()
    run.text = xml_text(text)
    run.font.size, run.font.bold = Pt(size), bold
    run.font.color.rgb = RGBColor(*WHITE) if light else INK_RGB
    cell.margin_left = cell.margin_right = Inches(0.06)
    cell.margin_top = cell.margin_bottom = Inches(0.02)


def _fill_heat(table: Any, found: HeatMap, n_labels: int, n_topics: int) -> None:
    """Names on both sides, shares as shades of one colour."""
    for column, name in enumerate(("", *found.topics[:n_topics])):
        _cell(table.cell(0, column), name, 9, bold=True)
        _shade(table.cell(0, column), WHITE)
    for row in range(n_labels):
        _cell(table.cell(row + 1, 0), found.labels[row], 11)
        _shade(table.cell(row + 1, 0), WHITE)
        for column, share in enumerate(found.shares[row][:n_topics]):
            shown = f"{100 * share:.0f}" if share >= 0.05 else ""
            _cell(table.cell(row + 1, column + 1), shown, 11, light=share > 0.55)
            _shade(table.cell(row + 1, column + 1), _mixed(share))


def _shade(cell: Any, rgb: tuple[int, int, int]) -> None:
    cell.fill.solid()
    cell.fill.fore_color.rgb = RGBColor(*rgb)


def _mixed(share: float) -> tuple[int, int, int]:
    """White at 0, the accent colour at 1."""
    red, green, blue = (round(255 + share * (each - 255)) for each in ACCENT_RGB)
    return red, green, blue


def _rgb(colour: str) -> RGBColor:
    try:
        return RGBColor.from_string(colour.removeprefix("#").upper())
    except ValueError:
        return ACCENT_RGB


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= QUOTE_CHARACTERS else f"{flat[:QUOTE_CHARACTERS].rstrip()} …"
