"""A report as a workbook: topics, keywords, groups, texts, scores, codebook, highlights
and history.

Rows are written one by one in constant memory. Texts are written as strings and nothing else, so
that no text becomes a formula or a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

import xlsxwriter
from xlsxwriter.utility import xl_rowcol_to_cell

from core.errors import Cancelled
from core.report.description import Report, ReportTable, ShareTable
from core.report.formats.tables import ranked_cells, ranked_columns, rows_with_progress
from core.report.formats.xml_text import xml_text
from core.report.rows import DocumentRows, Tell, nobody
from core.values import written_date

MAX_ROWS = 1_048_575  # of a sheet, without its header
MAX_CHARACTERS = 32_767  # of a cell
MAX_BARS = 40  # topics that a chart can name
LINE_HEIGHT, CHARACTERS_IN_A_LINE = 15, 105  # of the overview
SHARE_FORMAT = 10  # Excel writes it as 31.40 %, in the reader's own language
INK_COLOUR, LINE_COLOUR, ACCENT_COLOUR = "#1B2430", "#E1E5EA", "#1F5FA8"
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "default_date_format": "yyyy-mm-dd hh:mm",
    "remove_timezone": True,
}


def write_workbook(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    """The whole workbook; the sheet with the texts takes nearly all of the time."""
    book = xlsxwriter.Workbook(file, OPTIONS)
    try:
        _Sheets(book, report).write(tell)
    finally:
        book.close()


class _Sheets:
    """One workbook under way: its formats, and a method for each sheet."""

    def __init__(self, book: Any, report: Report) -> None:
        self.book, self.report = book, report
        header = {"bold": True, "font_color": INK_COLOUR, "bottom": 1, "border_color": LINE_COLOUR}
        self.header = book.add_format({**header, "text_wrap": True, "valign": "top"})
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})
        self.large = book.add_format({"bold": True, "font_size": 20, "font_color": INK_COLOUR})
        self.share = book.add_format({"num_format": SHARE_FORMAT})
        self.number = book.add_format({"num_format": "#,##0"})
        self.decimal = book.add_format({"num_format": "0.000"})

    def write(self, tell: Tell) -> None:
        self._overview()
        self._topics()
        self._keywords()
        for table in self.report.tables:
            self._group_table(table)
        if self.report.rows.documents is not None:
            self._texts(self.report.rows.documents, tell)
        self._scores()
        self._codebook()
        self._highlights()
        self._history()
        if tell(1.0):
            raise Cancelled("The file was not written.")

    def _overview(self) -> None:
        """What a reader sees first: title, summary, numbers, privacy, how to repeat it."""
        report, sheet = self.report, self.book.add_worksheet("Overview")
        sheet.hide_gridlines(2)
        _fit_paper(sheet)
        sheet.set_column(0, 0, 24, self.wrapped)
        sheet.set_column(1, 1, 100, self.wrapped)
        sheet.write_string(0, 0, _cell(report.title), self.large)
        facts: list[tuple[str, str]] = [("Made", written_date(report.made))]
        facts += [("", report.behind_sentence)] if report.behind else []
        facts += [("Summary" if i == 0 else "", text) for i, text in enumerate(report.summary)]
        facts += [("", report.summary_note)] if report.summary_note else []
        facts += [(value, what) for value, what in report.headline_numbers]
        facts += _headed("Since the last report", report.changes)
        facts += [(name, text) for name, text in report.texts_read]
        facts += _headed("Privacy", report.privacy_sentences)
        facts += [("Method", report.method.paragraph)]
        facts += [(name, value) for name, value in report.reproducibility.items()]
        for row, (name, value) in enumerate(facts, start=2):
            sheet.set_row(row, LINE_HEIGHT * (1 + len(value) // CHARACTERS_IN_A_LINE))
            sheet.write_string(row, 0, _cell(name), self.header if name else self.wrapped)
            sheet.write_string(row, 1, _cell(value), self.wrapped)

    def _sheet(self, name: str, header: Sequence[str], widths: Sequence[int] = ()) -> Any:
        """A sheet with a header that stays in sight; ``_filter`` closes it."""
        sheet = self.book.add_worksheet(name)
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width)
        sheet.freeze_panes(1, 0)
        _fit_paper(sheet)
        for column, title in enumerate(header):
            sheet.write_string(0, column, _cell(title), self.header)
        return sheet

    def _topics(self) -> None:
        header = (
            *("Topic", "Share", "Low", "High", "Texts", "Of", "Labelled", "Named by people"),
            *("Keywords", "Quote", "Comment"),
        )
        sheet = self._sheet("Topics", header, (30, 9, 9, 9, 9, 9, 9, 16, 60, 80, 40))
        for row, topic in enumerate(self.report.topics, start=1):
            sheet.write_string(row, 0, _cell(topic.name))
            for column, share in enumerate((topic.share, topic.low, topic.high), start=1):
                sheet.write_number(row, column, share, self.share)
            for column, n in enumerate((topic.documents, topic.of, topic.labelled), start=4):
                sheet.write_number(row, column, n, self.number)
            words = ", ".join(word.term for word in topic.keywords)
            quote = topic.quotes[0].passage if topic.quotes else ""
            for column, text in enumerate(
                ("yes" if topic.named else "no", words, quote, topic.comment), start=7
            ):
                sheet.write_string(row, column, _cell(text))
        n = len(self.report.topics)
        _filter(sheet, n, len(header))
        self._topic_chart(min(n, MAX_BARS))

    def _topic_chart(self, n: int) -> None:
        """A chart of its own sheet: the sizes of the topics, with their intervals."""
        chart = self.book.add_chart({"type": "bar"})
        sheet = "Topics"
        chart.add_series(
            {
                "name": "Share of texts",
                "categories": [sheet, 1, 0, n, 0],
                "values": [sheet, 1, 1, n, 1],
                "fill": {"color": ACCENT_COLOUR},
                "gap": 40,
                "y_error_bars": {
                    "type": "custom",
                    "plus_values": [t.high - t.share for t in self.report.topics[:n]],
                    "minus_values": [t.share - t.low for t in self.report.topics[:n]],
                    "line": {"color": INK_COLOUR},
                },
            }
        )
        of = f"{self.report.n_read:,}"
        chart.set_title({"name": f"Share of {of} texts by main topic, with 95 % intervals"})
        chart.set_legend({"none": True})
        chart.set_y_axis({"reverse": True})
        chart.set_x_axis({"num_format": "0%", "major_gridlines": {"visible": True}})
        place = self.book.add_chartsheet("Sizes")
        place.set_chart(chart)

    def _keywords(self) -> None:
        sheet = self._sheet("Keywords", ("Topic", "Rank", "Word", "Weight"), (30, 8, 30, 10))
        row = 0
        for topic in self.report.topics:
            for rank, word in enumerate(topic.keywords, start=1):
                row += 1
                sheet.write_string(row, 0, _cell(topic.name))
                sheet.write_number(row, 1, rank)
                sheet.write_string(row, 2, _cell(word.term))
                sheet.write_number(row, 3, word.weight, self.decimal)
        _filter(sheet, row, 4)

    def _group_table(self, table: ShareTable) -> None:
        """Shares by group, with a chart of the largest topics."""
        name = self._free_name(table.title)
        header = [
            "Topic",
            *(f"{c} (of {n:,})" for c, n in zip(table.columns, table.of, strict=True)),
        ]
        sheet = self._sheet(name, header, (30, *(max(14, len(cell) + 4) for cell in header[1:])))
        for row, (topic, shares) in enumerate(
            zip(table.topics, table.shares, strict=True), start=1
        ):
            sheet.write_string(row, 0, _cell(topic))
            for column, share in enumerate(shares, start=1):
                sheet.write_number(row, column, share, self.share)
        n = len(table.topics)
        _filter(sheet, n, len(header))
        colours = {"type": "2_color_scale", "min_color": "#FFFFFF"}
        sheet.conditional_format(
            1, 1, n, len(table.columns), {**colours, "max_color": ACCENT_COLOUR}
        )

    def _texts(self, documents: DocumentRows, tell: Tell) -> None:
        header = ranked_columns(documents)
        sheet = self._sheet("Texts", header, [_width(name) for name in header])
        written = 0
        rows = rows_with_progress(documents, tell, until=0.9)
        for at, row in enumerate(islice(rows, MAX_ROWS), start=1):
            for column, value in enumerate(ranked_cells(documents, row)):
                self._write(sheet, at, column, value)
            written = at
        _filter(sheet, written, len(header))

    def _write(self, sheet: Any, row: int, column: int, value: Any) -> None:
        if isinstance(value, str):
            if value:
                sheet.write_string(row, column, _cell(value))
        elif isinstance(value, float):
            sheet.write_number(row, column, value, self.share)
        elif value is not None:
            sheet.write_number(row, column, value)

    def _scores(self) -> None:
        header = ("Score", "Value", "Low", "High", "As written", "95 % interval", "What it says")
        sheet = self._sheet("Scores", header, (24, 10, 10, 10, 14, 22, 90))
        row = 0
        for row, score in enumerate(self.report.scores, start=1):
            sheet.write_string(row, 0, score.title)
            for column, value in enumerate((score.value, score.low, score.high), start=1):
                if value is not None:
                    sheet.write_number(row, column, value, self.decimal)
            for column, text in enumerate((score.shown, score.interval, score.sentence), start=4):
                sheet.write_string(row, column, _cell(text))
        _filter(sheet, row, len(header))
        notes = [self.report.score_sentence, self.report.score_basis]
        for at, text in enumerate(filter(None, notes), start=row + 2):
            sheet.write_string(at, 0, _cell(text))
        if self.report.labels is not None:
            self._label_scores(sheet, self.report.labels, row + 5)

    def _label_scores(self, sheet: Any, table: ReportTable, row: int) -> None:
        for column, name in enumerate(table.header):
            sheet.write_string(row, column, name, self.header)
        for at, cells in enumerate(table.rows, start=row + 1):
            for column, cell in enumerate(cells):
                sheet.write_string(at, column, _cell(cell))

    def _codebook(self) -> None:
        columns = {"Topic": 30, "Definition": 60, "Include": 60, "Exclude": 60, "Examples": 60}
        rows = [
            (e.topic, e.definition, e.include, e.exclude, "\n".join(e.examples))
            for e in self.report.codebook
        ]
        sheet = self._text_sheet("Codebook", columns, rows)
        if not rows:
            sheet.write_string(1, 0, "Nobody has written down yet what the topics mean.")

    def _highlights(self) -> None:
        """Words that say why; no sheet without any."""
        rows = [
            (topic.name, each.words, each.document, each.author)
            for topic in self.report.topics
            for each in topic.highlights
        ]
        if rows:
            self._text_sheet(
                "Highlights", {"Topic": 30, "Words": 80, "Text": 22, "Person": 22}, rows
            )

    def _text_sheet(
        self, name: str, columns: Mapping[str, int], rows: Iterable[Sequence[str]]
    ) -> Any:
        """A sheet of texts; ``columns`` have widths."""
        sheet, row = self._sheet(name, tuple(columns), tuple(columns.values())), 0
        for row, cells in enumerate(rows, start=1):
            for column, text in enumerate(cells):
                sheet.write_string(row, column, _cell(text), self.wrapped)
        _filter(sheet, row, len(columns))
        return sheet

    def _history(self) -> None:
        header = ("Number", "Time", "Person", "Kind", "What")
        sheet = self._sheet("History", header, (10, 18, 18, 24, 80))
        row = 0
        for row, event in enumerate(islice(self.report.rows.events(), MAX_ROWS), start=1):
            sheet.write_number(row, 0, event.number)
            sheet.write_datetime(row, 1, event.time.replace(tzinfo=None))
            for column, text in enumerate((event.person, event.kind, event.what), start=2):
                sheet.write_string(row, column, _cell(text))
        _filter(sheet, row, len(header))

    def _free_name(self, title: str) -> str:
        """A name that a sheet can have and that no other sheet has."""
        plain = "".join(" " if letter in "[]:*?/\\'" else letter for letter in title)
        plain = " ".join(plain.split())[:28].strip() or "Groups"
        taken = {sheet.get_name().lower() for sheet in self.book.worksheets()}
        taken |= {"history", "texts", "scores", "codebook", "highlights"}
        name, number = plain, 2
        while name.lower() in taken:
            name, number = f"{plain[:26]} {number}", number + 1
        return name


def _fit_paper(sheet: Any) -> None:
    """As wide as one page, with the header on each."""
    sheet.set_landscape()
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)


def _headed(name: str, sentences: Iterable[str]) -> list[tuple[str, str]]:
    return [(name if i == 0 else "", text) for i, text in enumerate(sentences)]


def _width(name: str) -> int:
    return {"Row": 8, "Text": 100, "Date": 12}.get(name, 9 if name.startswith("Share") else 22)


def _filter(sheet: Any, n_rows: int, n_columns: int) -> None:
    """Arrows to filter by; an empty table has none."""
    if n_rows:
        sheet.autofilter(f"A1:{xl_rowcol_to_cell(n_rows, n_columns - 1)}")


def _cell(text: str) -> str:
    """As much as a cell can hold, in characters that XML can hold."""
    kept = xml_text(text)
    return kept if len(kept) <= MAX_CHARACTERS else f"{kept[: MAX_CHARACTERS - 1]}…"
