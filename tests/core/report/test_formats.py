"""Every format is opened by its own consumer; hostile texts are inert in each, privacy holds."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import docx
import jsonschema
import openpyxl
import pptx
import pyarrow.parquet as pq
import pytest

from core.errors import Cancelled, ReportError
from core.report import FORMATS, Privacy, format_of, read_report, write_report
from core.report.formats.json_file import SCHEMA_PATH, json_schema
from core.report.inputs import Arrangement
from core.store.coding.highlights import HighlightInForce
from tests.core.report.material import EVIL, report

STRICT = Privacy(quotes="withheld", ids="hidden", people="omitted", texts="without")
SECRETS = ("ann.lee@example.org", "1234 5678", "5551234567", "Ada Lovelace")


def written(name: str, described=None) -> bytes:
    file = io.BytesIO()
    FORMATS[name].write(report() if described is None else described, file)
    return file.getvalue()


@pytest.fixture(scope="module")
def book():
    return openpyxl.load_workbook(io.BytesIO(written("xlsx")))


def test_the_table_of_formats_is_complete():
    for name, each in FORMATS.items():
        assert each.name == name
        assert each.sentence.endswith(".")
        assert format_of(f"out/report{each.suffix}") is each
        assert written(name)
    with pytest.raises(ReportError, match="ends like no format"):
        format_of("report.docm")
    with pytest.raises(ReportError, match="There is no format"):
        format_of("x.html", "pdf")


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("before")
    told: list[float] = []
    many = report(n=1200)
    with pytest.raises(Cancelled):
        write_report(many, path, tell=lambda share: told.append(share) or share > 0.5)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    write_report(many, path, tell=lambda share: False)
    assert path.read_bytes().count(b"\r\n") > 1200
    assert 0 < told[0] < told[-1] <= 1


def test_a_workbook_has_its_sheets_filters_and_charts(book):
    sheets = ["Overview", "Topics", "Sizes", "Keywords", "Topics by area", "Texts", "Scores"]
    assert book.sheetnames == [*sheets, "Codebook", "Highlights", "History"]
    assert book["Topics"].auto_filter.ref == "A1:K4"
    assert book["Texts"].auto_filter.ref == "A1:M25"
    assert len(book["Sizes"]._charts) == 1
    header = [cell.value for cell in book["Texts"][1]]
    assert header[:5] == ["Number", "Id", "Date", "Labels", "Given labels"]
    assert book["Topics"]["B2"].value == pytest.approx(report().topics[0].share)
    assert book["Scores"]["B2"].value == 0.75


def test_no_cell_of_a_workbook_is_a_formula_or_a_link(book):
    cells = [
        cell
        for name in book.sheetnames
        if name != "Sizes"
        for row in book[name].iter_rows()
        for cell in row
    ]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d", "inlineStr"}
    assert not any(cell.hyperlink for cell in cells)
    values = [str(cell.value) for cell in cells]
    assert "=1+1" in values
    assert any(value.startswith(EVIL[:40]) for value in values)


def test_the_json_file_fits_its_schema_and_is_read_back():
    described = report()
    found = json.loads(written("json", described))
    jsonschema.validate(found, json.loads(SCHEMA_PATH.read_text("utf-8")))
    assert json.loads(SCHEMA_PATH.read_text("utf-8")) == json_schema()
    assert len(found["documents"]) == 24
    assert read_report(json.dumps(found, indent=1).encode()) == described
    assert read_report(written("json", described)[:-500]) == described  # texts are not read
    assert found["documents"][0]["shares"] == {"<b>Bills": 1.0}
    assert found["history"][0]["person"] == "person 1"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda f: f.update(format="other"),
        lambda f: f.update(version=99),
        lambda f: f["report"].pop("topics"),
        lambda f: f["report"].update(topics=[{"name": 3}]),
        lambda f: f["report"].update(made="noon"),
        lambda f: f["report"]["privacy"].update(quotes="all"),
        lambda f: f.update(report=[]),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(spoil):
    found = json.loads(written("json"))
    spoil(found)
    with pytest.raises(ReportError, match="report"):
        read_report(json.dumps(found).encode())
    with pytest.raises(ReportError, match="not JSON"):
        read_report(b"[" * 100_000)


def test_tables_wide_and_long_say_the_same():
    wide = pq.read_table(io.BytesIO(written("parquet"))).to_pylist()
    long = pq.read_table(io.BytesIO(written("parquet-long"))).to_pylist()
    lines = [json.loads(line) for line in written("jsonl").splitlines()]
    long_lines = [json.loads(line) for line in written("jsonl-long").splitlines()]
    rows = list(csv.DictReader(io.StringIO(written("csv-long").decode("utf-8-sig"))))
    assert len(wide) == len(lines) == 24
    assert len(long) == len(long_lines) == len(rows)
    shares = {(row["number"], row["topic"]): row["share"] for row in long}
    for row in wide:
        for topic in ("<b>Bills", "=1+1", "Free 1"):
            share = row[f"share of {topic}"]
            assert share == pytest.approx(shares.get((row["number"], topic), 0.0))
    assert all(row["share"] > 0 for row in long)
    assert rows[0]["id"] == "'=d0"
    assert wide[0]["text"].startswith(EVIL[:20])


@pytest.mark.parametrize("name", FORMATS)
def test_personal_numbers_are_masked_and_people_numbered_in_every_format(name):
    data = text_of(name, written(name))
    assert not [secret for secret in SECRETS if secret in data]
    if name in ("html", "csv", "json", "jsonl", "xlsx", "docx", "pptx"):
        assert "[e-mail]" in data
        assert "[phone]" in data


@pytest.mark.parametrize("name", FORMATS)
def test_the_strictest_setting_leaves_no_text_id_or_person_in_any_format(name):
    data = text_of(name, written(name, report(privacy=STRICT)))
    for hidden in (*SECRETS, "tower is off", "=d1", "person 1", "alert("):
        assert hidden not in data


@pytest.mark.parametrize("name", ["html", "xlsx", "json", "csv"])
def test_small_groups_are_hidden(name):
    assert "lighthouse" not in text_of(name, written(name))
    assert "north" in text_of(name, written(name))
    shown = report(privacy=Privacy(small_groups="shown"))
    assert "lighthouse" in text_of(name, written(name, shown))


def test_the_setting_is_printed():
    page = written("html", report(privacy=STRICT)).decode()
    for sentence in ("Quotes are withheld.", "People are left out.", "leave the texts out."):
        assert sentence in page


def highlighted(**more) -> list[tuple[str, str, str]]:
    topics = report(**more).topics
    return [(topic.name, each.words, each.source) for topic in topics for each in topic.highlights]


def test_highlights_are_told_as_quotes_ids_and_people_are():
    bills = ("<b>Bills", "[e-mail] or call", "=d1, person 1")
    towers = ("=1+1", "tower is off", "=d2, person 1")
    assert sorted(highlighted()) == [bills, towers]  # no half number, no words that are gone
    chosen = Arrangement(chosen={"2": (2,)})
    assert highlighted(privacy=Privacy(quotes="chosen"), arrangement=chosen) == [towers]
    assert highlighted(arrangement=Arrangement(hidden=frozenset({"2"}))) == [bills]
    assert highlighted(privacy=STRICT) == []


def test_highlights_and_examples_are_in_every_format_that_is_read(book):
    assert "<mark>tower is off</mark> <small>=d2, person 1</small>" in written("html").decode()
    for name in ("docx", "md"):
        assert "“tower is off” (=d2, person 1)" in text_of(name, written(name))
    cells = [cell.value for cell in list(book["Highlights"].rows)[-1]]
    assert cells == ["=1+1", "tower is off", "=d2", "person 1"]
    for name in ("html", "docx", "xlsx", "json"):
        assert "=d2: “The tower is off. Again. 2”" in text_of(name, written(name))


def test_a_few_highlights_of_many_are_read_and_all_can_be_looked_up():
    words = HighlightInForce(9, "ann", (2,), 0, 5, "tower")
    many = report(highlights={2: (words,) * 40})
    assert written("html", many).decode().count("<mark>") == 12
    assert "and 28 more" in written("html", many).decode()
    assert text_of("xlsx", written("xlsx", many)).count("'tower', '=d2'") == 40


def test_a_hidden_topic_is_in_no_table():
    described = report()
    hidden = replace(report().rows.documents, hidden=frozenset({1}), privacy=Privacy(masking="off"))
    rows = replace(described.rows, documents=hidden)
    table = written("csv", replace(described, rows=rows)).decode("utf-8-sig")
    assert "1+1" not in table
    assert "share of Free 1" in table


def text_of(name: str, data: bytes) -> str:
    """Everything a reader of the format can see."""
    if name.startswith("parquet"):
        return str(pq.read_table(io.BytesIO(data)).to_pylist())
    if name == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(data))
        return str([[c.value for c in row] for s in book.worksheets for row in s.iter_rows()])
    if name == "pptx":
        shapes = [s for slide in pptx.Presentation(io.BytesIO(data)).slides for s in slide.shapes]
        frames = [shape.text_frame.text for shape in shapes if shape.has_text_frame]
        return str(frames + [table_text(s.table) for s in shapes if s.has_table])
    if name == "docx":
        document = docx.Document(io.BytesIO(data))
        return str([p.text for p in document.paragraphs] + [*map(table_text, document.tables)])
    return data.decode("utf-8-sig")


def table_text(table) -> str:
    return str([[cell.text for cell in row.cells] for row in table.rows])


def test_slides_have_native_charts_and_a_slide_per_topic():
    described = report(n=120)
    slides = pptx.Presentation(io.BytesIO(written("pptx", described))).slides
    charts = [shape.chart for slide in slides for shape in slide.shapes if shape.has_chart]
    assert len(slides) == 3 + 3 + 3  # title, summary, sizes; topics; heat map, scores, method
    sizes = charts[0].plots[0]
    assert list(sizes.categories) == [topic.name for topic in described.topics]
    assert list(sizes.series[0].values) == [topic.share for topic in described.topics]
    assert len(charts) == 1 + 3  # and the trend of each topic


def test_very_many_topics_have_slides_for_the_largest_and_groups_on_the_page():
    described = report(n=600, n_topics=60)
    slides = pptx.Presentation(io.BytesIO(written("pptx", described))).slides
    assert len(slides) == 3 + 20 + 3
    assert sum(len(group.topics) for group in described.groups) == 60
    page = written("html", described).decode()
    assert page.count('<details class="plate group">') == len(described.groups) == 5
    assert "The 20 largest topics" in page


def test_the_page_of_hundreds_of_topics_is_small_and_does_not_grow_with_the_texts():
    sizes = [len(written("html", report(n=n, n_topics=439))) for n in (2_000, 6_000)]
    assert sizes[0] < 2_000_000
    assert sizes[1] < 1.05 * sizes[0]


def test_a_document_has_headings_tables_and_quotes():
    document = docx.Document(io.BytesIO(written("docx")))
    headings = [p.text for p in document.paragraphs if p.style.name.startswith("Heading")]
    assert "How large the topics are" in headings
    assert "<b>Bills" in headings
    assert any(p.style.name == "Quote" for p in document.paragraphs)
    assert len(document.tables) >= 4
    assert all("w:cantSplit" in row._tr.xml for table in document.tables for row in table.rows)
    assert all("w:tblHeader" in table.rows[0]._tr.xml for table in document.tables)


def test_markdown_holds_no_markup_of_the_texts():
    text = written("md").decode()
    assert not re.search(r"(?<!\\)[<\[`]", text)
    assert r"\<script\>" in text
    assert "### \\<b\\>Bills" in text


def test_empty_lines_of_a_stranger_are_written_at_once():
    """A try at every line, over all that follow, takes hours."""
    told = replace(report(), summary=("\n" * 300_000 + "1. is no list",))
    assert written("md", told).decode().count(r"1\. is no list") == 1


def test_a_report_without_texts_says_so(tmp_path: Path):
    from_file = read_report(written("json"))
    assert b"Desk" in written("html", from_file)
    with pytest.raises(ReportError, match="holds no texts"):
        write_report(from_file, tmp_path / "x.csv")
