"""What real files bring: dates in several formats, HTML, and names that are spelled differently."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import CorpusError
from core.loading import preview, read_corpus
from core.loading.columns.dates import read_dates
from core.loading.columns.label_cells import guessed_labels, read_label_cells
from core.loading.columns.markup import has_markup, strip_markup
from core.loading.columns.name_lists import join_names, split_names
from core.loading.columns.spellings import folded, joined_note, usual_spellings

MIXED = (
    b"id,body,when,team,verdict\n"
    b"1,water pipe burst,2025-03-14,North side,Billing\n"
    b"2,loud music at night,14/03/2025,north_side,billing\n"
    b"3,the bench is broken,3 April 2025,South,Billing\n"
    b"4,a park full of leaves,12/25/2025,South,New  Login\n"
    b"5,no date at all,soon,,new_login\n"
)


def test_dates_in_several_formats_are_all_read_and_said():
    corpus = read_corpus(MIXED, filename="t.csv", date="when")
    days = [date(2025, 3, 14), date(2025, 3, 14), date(2025, 4, 3), date(2025, 12, 25), None]
    assert list(corpus.dates) == days
    notes = " ".join(corpus.reading.notes)
    said = "written in several ways: 1 as year-month-day, 3 in other formats."
    assert said in notes
    assert "4 of 5 rows have a date in “when”; 1 could not be read: “soon” (row 6)." in notes


def test_a_column_of_dates_in_several_formats_is_guessed():
    days = ("2025-03-14", "14.03.2025", "3/14/2025", "14 Mar 2025", "20250314", "")
    rows = "".join(f"{i},a text about number {i},{days[i % 6]}\n" for i in range(30))
    shown = preview(f"id,body,created at\n{rows}".encode(), filename="t.csv")
    assert shown.columns.date == "created at"
    corpus = read_corpus(f"id,body,created at\n{rows}".encode(), filename="t.csv")
    assert list(corpus.dates[:6]) == [date(2025, 3, 14)] * 5 + [None]


def test_each_separator_has_its_own_order_of_day_and_month():
    days = ("13.02.2025", "03.02.2025", "2/13/2025", "2/3/2025")
    rows = "".join(f"{i},a text about number {i},{days[i % 4]}\n" for i in range(8))
    corpus = read_corpus(f"id,body,when\n{rows}".encode(), filename="t.csv", date="when")
    assert list(corpus.dates[:4]) == [date(2025, 2, 13), date(2025, 2, 3)] * 2


def test_a_dash_is_no_label():
    data = b"id,body,verdict\n1,one text,-\n2,two texts,N/A; Billing\n3,three,Billing\n4,four,\n"
    corpus = read_corpus(data, filename="t.csv", label="verdict")
    assert corpus.labels == ((), ("Billing",), ("Billing",), ())
    assert "In “verdict”, no label: “-”, “N/A”." in corpus.reading.notes


def test_a_cell_with_another_separator_is_split_where_its_parts_are_labels_elsewhere():
    cells = ("Light|Roads", "light, Parks", "Parks", "Roads, paths and kerbs", "Roads", "")
    split = (("Light", "Roads"), ("Light", "Parks"), ("Parks",), (cells[3],), ("Roads",), ())
    assert guessed_labels((*cells, "Light"), "codes") == (*split, ("Light",))
    whole, _ = read_label_cells(cells, None, "codes")
    assert whole[1] == ("light, Parks",)


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("4. Juni 2023", date(2023, 6, 4)),
        ("4. März 2023", date(2023, 3, 4)),
        ("12 Okt. 2023", date(2023, 10, 12)),
        ("1er août 2023", date(2023, 8, 1)),
        ("4 de junio de 2023", date(2023, 6, 4)),
        ("dicembre 2023", date(2023, 12, 1)),
        ("31. Juni 2023", None),
        ("4. Hornung 2023", None),
    ],
)
def test_months_are_read_in_several_languages(cell, day):
    assert read_dates([cell])[1][cell] == day


def test_the_format_of_dates_can_be_given():
    data = b"id,body,when\n1,one text here,03/04/2025\n2,another text here,05/06/2025\n"
    for asked, days in (
        (None, [date(2025, 4, 3), date(2025, 6, 5)]),
        ("month/day/year", [date(2025, 3, 4), date(2025, 5, 6)]),
    ):
        corpus = read_corpus(data, filename="t.csv", date="when", date_format=asked)
        assert list(corpus.dates) == days
    with pytest.raises(CorpusError, match="Dates can be read as"):
        read_corpus(data, filename="t.csv", date="when", date_format="by moon")


def test_spellings_of_one_label_or_group_are_joined_and_said():
    corpus = read_corpus(MIXED, filename="t.csv", label="verdict", side=["team"])
    assert [labels[0] for labels in corpus.labels] == ["Billing"] * 3 + ["New  Login"] * 2
    assert corpus.side["team"] == ("North side", "North side", "South", "South", "")
    notes = " ".join(corpus.reading.notes)
    assert "In “verdict”, spellings that differ only in case, spaces or underscores" in notes
    assert "“north_side” as “North side”" in notes


@given(st.lists(st.text(alphabet="aAbB _", min_size=1, max_size=6), max_size=30))
def test_a_joined_name_is_one_of_its_spellings(names):
    usual = usual_spellings(names)
    assert set(usual) == set(names)
    for name, kept in usual.items():
        assert kept in names
        assert folded(name) == folded(kept)
    assert len(set(usual.values())) == len({folded(name) for name in names})


def test_spellings_that_look_the_same_are_told_apart():
    usual = {"Lost  luggage": "Lost luggage", "lost_luggage": "Lost luggage"}
    (note,) = joined_note(usual, "codes")
    assert note.endswith("the same with other spaces, “lost_luggage” as “Lost luggage”.")


def test_of_equals_the_capitalised_spelling_without_shouting_is_kept():
    assert usual_spellings(["DELIVERY", "Delivery"]) == dict.fromkeys(
        ("DELIVERY", "Delivery"), "Delivery"
    )
    assert usual_spellings(["finance", "Finance"])["finance"] == "Finance"
    assert usual_spellings(["finance", "FINANCE"])["FINANCE"] == "finance"


def test_html_is_found_and_taken_out():
    rows = ["<p>Dear <b>team</b>,<br>the tap &amp; pipe leak.</p><script>var x = 1</script>"] * 3
    data = ("id,body\n" + "".join(f'{i},"{row}"\n' for i, row in enumerate(rows))).encode()
    assert preview(data, filename="t.csv").html_columns == ("body",)
    kept = read_corpus(data, filename="t.csv", text="body")
    assert "<p>" in kept.texts[0]
    stripped = read_corpus(data, filename="t.csv", text="body", strip_html=True)
    assert stripped.texts[0] == "Dear team,\nthe tap & pipe leak."


def test_a_text_without_tags_stays_as_it_is():
    for text in ("5 < 6 and 7 > 3", "a <smile> here", "  two\n lines & more ", "<3"):
        assert strip_markup(text) == text
    assert not has_markup(["5 < 6", "x > y", "<3 it"])


def test_entities_are_replaced_in_a_text_without_tags():
    assert strip_markup("tap&nbsp;&amp; pipe, 5 &#60; 6, R&D; a=1&copy=2") == (
        "tap & pipe, 5 < 6, R&D; a=1&copy=2"
    )


@example("<p>a<![b]>")
@given(st.text(alphabet="<>/abp &;'\"=!-[]", max_size=60))
def test_any_text_can_be_stripped(text):
    assert "<p>" not in strip_markup(text).lower()


def test_lines_in_two_encodings_are_each_read_as_what_they_are_and_said():
    lines = ["id,text\n", "1,das Café am Fluß\n", "2,Grüße aus Köln\n", "3,plain\n"]
    data = b"".join(line.encode("cp1252" if "2," in line else "utf-8") for line in lines)
    corpus = read_corpus(data, filename="t.csv", text="text")
    assert corpus.texts == ("das Café am Fluß", "Grüße aus Köln", "plain")
    assert corpus.reading.encoding == "utf-8 and cp1252, by line"
    assert "Some lines are in UTF-8 and others are not" in corpus.reading.notes[0]


@pytest.mark.parametrize("encoding", ["cp1252", "gb18030", "shift_jis", "cp1251"])
def test_a_file_in_one_old_encoding_is_read_whole(encoding):
    asian = "天气很好，公园里有很多人" if encoding == "gb18030" else "公園の木がとても高いです"
    western = "Straße und Café" if encoding == "cp1252" else "Дороги в городе плохие"
    text = asian if encoding in ("gb18030", "shift_jis") else western
    lines = ["id,text", *(f"{n},{text[n % 5 :]}" for n in range(40))]
    corpus = read_corpus("\n".join(lines).encode(encoding), filename="t.csv", text="text")
    assert "by line" not in (corpus.reading.encoding or "")


TITLED = [
    ["Staff survey 2024, raw answers (confidential)", None, None, None, None],
    [],
    ["No.", "Site", "Received", "What should change?", "Codes"],
    [1, "North", 45309, "the canteen is closed at night", "Canteen"],
    [2, None, "2024-02-13", "more home office for everybody", "Canteen / Pay"],
    [3, None, "14.02.2024", "pay is far too low here", "Pay | Canteen"],
    [4, None, "unknown", "the noise in hall four", None],
]


def _workbook(rows):
    import io

    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    book.save(data := io.BytesIO())
    return data.getvalue()


def test_a_title_above_the_names_of_the_columns_is_left_out_and_said():
    corpus = read_corpus(_workbook(TITLED), filename="t.xlsx")
    assert corpus.reading.columns.text == "What should change?"
    assert len(corpus) == 4
    note = (
        "The names of the columns are in row 3; left out above them: “Staff survey 2024, raw "
        "answers (confidential)”."
    )
    assert note in corpus.reading.notes
    assert read_corpus(
        _workbook([*TITLED, [None] * 3 + [""]]), filename="t.xlsx", min_characters=20
    )


def _several_sheets(*sheets):
    import io

    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(data := io.BytesIO())
    return data.getvalue()


def test_a_sheet_of_remarks_before_the_table_is_passed_over():
    remarks = [["Petitions, export for the analyst"], ["See the sheet “Petitions”"]]
    table = [["message", "site"], *([f"text number {n}", "North"] for n in range(9))]
    corpus = read_corpus(
        _several_sheets(("Read me", remarks), ("Petitions", table)), filename="t.xlsx"
    )
    assert len(corpus) == 9
    assert "The workbook has several sheets; “Petitions” was read." in corpus.reading.notes
    texts = [["message"], *([f"text number {n}"] for n in range(12))]
    corpus = read_corpus(_several_sheets(("Texts", texts), ("Codes", table)), filename="t.xlsx")
    assert len(corpus) == 12


def test_a_line_of_details_below_the_title_is_no_header():
    names = ["No.", "Received", "Site", "Priority", "Subject", "Message", "Channel", "Closed", "By"]
    rows = [
        [n, "2024-02-13", "North", 1, None, f"text number {n}", "Web", 1, "A"] for n in range(9)
    ]
    above = [["City petitions 2024"], ["Exported", "2025-03-04 09:30", None, None, "confidential"]]
    corpus = read_corpus(_workbook([*above, [], names, *rows]), filename="t.xlsx")
    assert corpus.reading.columns.text == "Message"
    assert len(corpus) == 9
    assert any("in row 4; left out" in note for note in corpus.reading.notes)


def test_a_slash_between_spaces_separates_labels_that_occur_alone_too():
    cells = [
        "Roads / Money",
        "Money",
        "Input/Output",
        "Roads",
        "Input/Output / Roads",
        "Money/Roads",
    ]
    lines = "".join(f"a text of its own {n};{cells[n % 6]}\n" for n in range(48))
    corpus = read_corpus(f"body;codes\n{lines}".encode(), filename="t.csv", label="codes")
    assert corpus.reading.columns.label_separator == " / "
    assert corpus.labels[:6] == (
        ("Roads", "Money"),
        ("Money",),
        ("Input/Output",),
        ("Roads",),
        ("Input/Output", "Roads"),
        ("Money", "Roads"),
    )
    one = "".join(f"text {n};{('A / B', 'C / D', 'E')[n % 3]}\n" for n in range(48))
    named = read_corpus(f"body;codes\n{one}".encode(), filename="t.csv", label="codes")
    assert named.reading.columns.label_separator is None


@pytest.mark.parametrize("title", ["Staff survey 2024", "Staff survey 2024;;;;", "\n;;;;\nA;;;;"])
def test_a_title_in_a_text_file_is_left_out_whatever_its_width(title):
    rows = [";".join(str(cell or "") for cell in row) for row in TITLED[2:]]
    corpus = read_corpus("\n".join([title, *rows]).encode(), filename="t.csv")
    assert corpus.reading.columns.text == "What should change?"
    assert (corpus.reading.delimiter, len(corpus)) == (";", 4)


def test_a_header_with_few_names_is_no_title():
    rows = [["text", None, None], ["loud music", "a", "b"], ["water", "c", "d"]]
    assert read_corpus(_workbook(rows), filename="t.xlsx").texts == ("loud music", "water")


def test_a_spreadsheet_counts_days_where_a_cell_lost_its_format():
    corpus = read_corpus(_workbook(TITLED), filename="t.xlsx", date="Received")
    days = [date(2024, 1, 18), date(2024, 2, 13), date(2024, 2, 14), None]
    assert list(corpus.dates) == days
    assert (
        corpus.dates == read_corpus(_workbook(TITLED[2:]), filename="t.xlsx", date="Received").dates
    )


def test_a_column_of_dates_with_some_day_numbers_is_guessed_and_one_of_postcodes_is_not():
    days = ("2025-03-14", "14.03.2025", "45730")
    rows = "".join(f"{i},a text about number {i},{days[i % 3]},3539{i % 9}\n" for i in range(30))
    shown = preview(f"id,body,Eingang am,plz\n{rows}".encode(), filename="t.csv")
    assert (shown.columns.id, shown.columns.date) == ("id", "Eingang am")


def test_names_of_columns_in_german_say_what_they_hold():
    rows = "".join(f"K{i:03},Antwort Nummer {i} mit Text,{i % 3}\n" for i in range(40))
    shown = preview(f"Kennung,Freitext,Thema\n{rows}".encode(), filename="t.csv")
    assert (shown.columns.id, shown.columns.text, shown.columns.labels) == (
        "Kennung",
        "Freitext",
        "Thema",
    )


def test_a_column_that_is_mostly_empty_gives_no_ids():
    rows = "".join(f"a text about {i},{f'm{i}@x.org' if i % 4 == 0 else ''}\n" for i in range(40))
    assert preview(f"body,mail\n{rows}".encode(), filename="t.csv").columns.id is None


def test_ten_cells_with_tags_are_no_accident_in_a_long_column():
    assert has_markup(["<p>one</p>"] * 10 + ["plain"] * 5_000)
    assert not has_markup(["<p>one</p>"] * 9 + ["plain"] * 5_000)


def test_labels_with_a_slash_between_them_are_several_where_each_stands_alone_elsewhere():
    cells = ("Pay; Canteen", "Canteen / Pay", "Pay", "Canteen", "Input/output", "IT / Pay")
    known, _ = read_label_cells(cells, ";", "codes")
    assert known[1] == ("Canteen", "Pay")
    assert known[4:] == (("Input/output",), ("IT / Pay",))


def test_names_on_lines_of_one_cell_are_all_read():
    assert split_names('Roads\nLight; "Water; gas"\r\n\nRoads') == ("Roads", "Light", "Water; gas")
    assert split_names(join_names(["a; b", "c\nd", 'e"f'])) == ("a; b", "c\nd", 'e"f')


WITH_TITLES = (
    b"title,n,body\nBroken lamp,1,It is <b>dark</b>\n,2,Only a body\nOnly a title,3,\n,4,\n"
)


def test_columns_are_joined_with_the_text_in_the_order_of_the_file():
    corpus = read_corpus(
        WITH_TITLES, filename="t.csv", text="body", more_text=["title"], side=["n"], strip_html=True
    )
    assert corpus.texts == ("Broken lamp\n\nIt is dark", "Only a body", "Only a title")
    assert corpus.reading.columns.texts == ("body", "title")
    assert [entry.row for entry in corpus.reading.dropped] == [5]
    assert "HTML was removed from the texts of 1 row." in corpus.reading.notes
    assert corpus.reading.html_removed
    with pytest.raises(CorpusError, match="no column “head”"):
        read_corpus(WITH_TITLES, filename="t.csv", text="body", more_text=["head"])


def test_a_column_that_is_joined_plays_no_other_part():
    corpus = read_corpus(
        WITH_TITLES, filename="t.csv", text="body", more_text=["title", "body", "n"]
    )
    columns = corpus.reading.columns
    assert (columns.more_text, columns.id, columns.side) == (("title", "n"), None, ())
