"""A report to edit and to quote from: a Word document, and Markdown. Both are the same blocks."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from docx import Document
from docx.oxml import OxmlElement
from docx.shared import Cm, Pt

from core.report.description import HIGHLIGHTS_SHOWN, Report, TopicSection
from core.report.formats.html import largest
from core.report.formats.xml_text import xml_text
from core.report.rows import Tell, nobody
from core.values import percent, written_date

TOPICS_OF_MANY = 40  # topics written out, where there are very many
MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]<>#+!|~$&-])")
TEXT_WIDTH_CM = 15.2  # of a Word page between its margins
SHORTEST_COLUMN, LONGEST_COLUMN = 8, 40  # letters that a column of a table makes room for
MANY_COLUMNS = 6  # more are written in small type
LINE_START = re.compile(r"^([^\S\n]*)(\d+)([.)])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of running text."""

    kind: str  # title, heading, topic, text, note, quote, item or table
    text: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def write_word(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    """A Word document with real headings, lists and tables."""
    document = Document()
    document.core_properties.title = xml_text(report.title)
    document.core_properties.author = "TS-NMF Studio"
    document.styles["Normal"].font.size = Pt(10.5)
    if report.logo:
        document.add_picture(io.BytesIO(base64.b64decode(report.logo)), height=Cm(1.8))
    for block in blocks_of(report):
        _add_block(document, block)
    document.save(file)
    tell(1.0)


def _add_block(document: Any, block: Block) -> None:
    text = xml_text(block.text)
    levels = {"title": 0, "heading": 1, "topic": 2}
    if block.kind in levels:
        document.add_heading(text, levels[block.kind])
    elif block.kind == "table":
        _add_table(document, block)
    else:
        styles = {"quote": "Quote", "item": "List Bullet", "note": "Caption"}
        paragraph = document.add_paragraph(text, style=styles.get(block.kind))
        paragraph.paragraph_format.keep_with_next = block.kind == "note"


def _add_table(document: Any, block: Block) -> None:
    n = len(block.header)
    table = document.add_table(rows=1 + len(block.rows), cols=n, style="Light Grid Accent 1")
    table.autofit = False
    widths = [Cm(width) for width in _column_widths(block)]
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for row, texts in zip(table.rows, (block.header, *block.rows), strict=True):
        for cell, text, width in zip(row.cells, texts, widths, strict=True):
            cell.width = width
            run = cell.paragraphs[0].add_run(xml_text(text))
            run.font.size = Pt(9 if n <= MANY_COLUMNS else 7)
        _mark_row(row, "cantSplit")
    _mark_row(table.rows[0], "tblHeader")
    for cell in table.rows[0].cells:
        cell.paragraphs[0].paragraph_format.keep_with_next = True


def _mark_row(row: Any, mark: str) -> None:
    """Word's marks: a row that stays on one page, a header that every page repeats."""
    row._tr.get_or_add_trPr().append(OxmlElement(f"w:{mark}"))


def _column_widths(block: Block) -> list[float]:
    """In centimetres: a column with longer texts is wider; the words of a header may wrap."""
    headers = [2 + max(map(len, cell.split()), default=0) for cell in block.header]  # bold
    cells = [max(map(len, column)) for column in zip(*block.rows, strict=True)] or headers
    longest = [max(pair) for pair in zip(headers, cells, strict=True)]
    wanted = [min(max(letters, SHORTEST_COLUMN), LONGEST_COLUMN) for letters in longest]
    return [TEXT_WIDTH_CM * letters / sum(wanted) for letters in wanted]


def write_markdown(report: Report, file: BinaryIO, tell: Tell = nobody) -> None:
    """Markdown in which every sign of the texts is a plain sign."""
    file.write(
        "\n\n".join(_marked(block) for block in blocks_of(report)).encode("utf-8", "replace")
    )
    file.write(b"\n")
    tell(1.0)


def _marked(block: Block) -> str:
    text = _escaped(block.text)
    if block.kind == "table":
        lines = [block.header, tuple("---" for _ in block.header), *block.rows]
        return "\n".join(f"| {' | '.join(_table_cell(cell) for cell in line)} |" for line in lines)
    if block.kind == "quote":
        return "\n".join(f"> {line}" for line in text.split("\n"))
    signs = {"title": "# ", "heading": "## ", "topic": "### ", "item": "- "}
    flat = " ".join(text.split()) if block.kind in signs else text
    return f"_{flat}_" if block.kind == "note" else f"{signs.get(block.kind, '')}{flat}"


def _table_cell(text: str) -> str:
    return text if text == "---" else " ".join(_escaped(text).split())


def _escaped(text: str) -> str:
    """No sign begins markup, a link or a list."""
    return LINE_START.sub(r"\1\2\\\3", MARKDOWN_SIGNS.sub(r"\\\1", text))


def blocks_of(report: Report) -> Iterator[Block]:
    """The whole report as running text, in the order of the page."""
    yield Block("title", report.title)
    yield Block("note", f"{written_date(report.made)} · {report.n_documents:,} texts")
    yield from (Block("text", text) for text in report.summary)
    yield from (Block("note", t) for t in (report.summary_note, report.behind_sentence) if t)
    yield from _topics(report)
    yield from _groups(report)
    yield Block("heading", "How good it is")
    yield from (Block("text", t) for t in (report.score_sentence, report.score_basis) if t)
    for table in (report.quality, report.labels):
        if table is not None:
            yield Block("note", table.note)
            yield Block("table", header=table.header, rows=table.rows)
    yield from _listed("What changed since the last report", report.changes)
    yield from _people(report)
    yield from _codebook(report)
    yield from _memos(report)
    facts = [f"{name}: {text}" for name, text in report.texts_read]
    yield from _listed("Which texts were read, and what was left out", facts)
    yield from _listed("What this report shows and hides", report.privacy_sentences)
    yield Block("heading", "How the topics were found")
    yield Block("text", report.method.paragraph)
    yield from _listed(
        "How to repeat it", [f"{name}: {text}" for name, text in report.reproducibility.items()]
    )


def _topics(report: Report) -> Iterator[Block]:
    yield Block("heading", "How large the topics are")
    yield Block("note", f"Shares are of the {report.n_read:,} texts with a topic.")
    yield Block(
        "table",
        header=("Topic", "Share", "95 % interval", "Texts", "Labelled"),
        rows=tuple(_size(topic) for topic in report.topics),
    )
    yield Block("heading", "What the topics are about")
    written = largest(report, TOPICS_OF_MANY) if report.many else list(report.topics)
    if len(written) < len(report.topics):
        yield Block("note", f"The {len(written)} largest of {len(report.topics):,} topics.")
    for topic in written:
        yield Block("topic", topic.name)
        words = ", ".join(word.term for word in topic.keywords) or "No words yet."
        yield Block("text", words)
        yield from (Block("text", text) for text in (topic.comment,) if text)
        for quote in topic.quotes:
            yield Block("quote", f"{quote.passage}\n{quote.source(percent(quote.share))}")
        yield from _highlights(topic)


def _highlights(topic: TopicSection) -> Iterator[Block]:
    if topic.highlights:
        yield Block("text", "Words that people highlighted:")
    for each in topic.highlights[:HIGHLIGHTS_SHOWN]:
        yield Block("item", f"“{each.words}”{f' ({each.source})' if each.source else ''}")
    if topic.more_highlights:
        yield Block("item", topic.more_highlights)


def _size(topic: TopicSection) -> tuple[str, ...]:
    interval = f"{percent(topic.low)} to {percent(topic.high)}"
    texts = f"{topic.documents:,} of {topic.of:,}"
    return topic.name, percent(topic.share), interval, texts, f"{topic.labelled:,}"


def _groups(report: Report) -> Iterator[Block]:
    for number, table in enumerate(report.tables):
        if number == 0:
            yield Block("heading", "Topics by group")
        yield Block("topic", table.title)
        yield Block("note", table.note)
        header = (f"{c} (of {n:,})" for c, n in zip(table.columns, table.of, strict=True))
        rows = (
            (topic, *map(percent, shares))
            for topic, shares in zip(table.topics, table.shares, strict=True)
        )
        yield Block("table", header=("Topic", *header), rows=tuple(rows))


def _people(report: Report) -> Iterator[Block]:
    people = report.people
    counted = [f"by {name}: {n:,}" for name, n in people.authors]
    counted += [f"{what}: {n:,}" for what, n in people.events]
    agreement = [people.agreement] if people.agreement else []
    labelled = [f"{people.labelled_sentence}."] if people.n_labelled else ["No text is labelled."]
    yield from _listed("Who labelled, and how far they agree", [*labelled, *counted, *agreement])
    if people.agreement_by_topic:
        header = ("Topic", "Texts", "Given by both", "Krippendorff’s alpha")
        rows = ((topic, f"{n:,}", f"{m:,}", a) for topic, n, m, a in people.agreement_by_topic)
        yield Block("table", header=header, rows=tuple(rows))


def _codebook(report: Report) -> Iterator[Block]:
    if report.codebook:
        yield Block("heading", "What the topics mean: the codebook")
        rows = (
            (e.topic, e.definition, e.include, e.exclude, "\n".join(e.examples))
            for e in report.codebook
        )
        header = ("Topic", "Definition", "Include", "Exclude", "Examples")
        yield Block("table", header=header, rows=tuple(rows))


def _memos(report: Report) -> Iterator[Block]:
    if report.memos:
        yield Block("heading", "Memos")
        rows = ((m.about, m.text, m.author, m.day) for m in report.memos)
        yield Block("table", header=("About", "Memo", "Person", "Day"), rows=tuple(rows))


def _listed(heading: str, sentences: Any) -> Iterator[Block]:
    if sentences:
        yield Block("heading", heading)
        yield from (Block("item", sentence) for sentence in sentences)
