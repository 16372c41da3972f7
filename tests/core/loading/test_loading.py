"""Files of every kind become the same corpus, and the reading tells what happened."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from datetime import date
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from core.corpus import DroppedRow
from core.errors import CorpusError
from core.loading import (
    collections,
    preview,
    read_corpus,
    read_demo,
    read_demo_labels,
    read_newsgroups,
    read_reuters,
)

HEADER = ["id", "received", "message", "topics", "district"]
ROWS = [
    ["a1", "2024-03-01", "The street lamp in front of our house is dark", "Lighting", "North"],
    ["a2", "2024-03-15", "Bins were not emptied, the lorry just passed", "Waste; Roads", "South"],
    ["a3", "2024-04-02", "“Please” fix the swing…\nin the park", "Parks", "North"],
    ["a4", "2024-05-20", "Pothole on Mill Lane near the school gate", "Roads", "South"],
]


def csv_bytes(rows: list[list[str]], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode(encoding)


def xlsx_bytes(rows: list[list[object]], before: tuple[str, ...] = ()) -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True, "remove_timezone": True}) as book:
        for name in before:
            book.add_worksheet(name)
        sheet = book.add_worksheet("Data")
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                if isinstance(value, date):
                    sheet.write_datetime(i, j, value, day)
                else:
                    sheet.write(i, j, value)
    return out.getvalue()


def parquet_bytes(columns: dict[str, list[object]]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def zip_bytes(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def dated(row: list[str]) -> list[object]:
    return [row[0], date.fromisoformat(row[1]), *row[2:]]


def jsonl(rows: list[list[str]]) -> bytes:
    lines = [json.dumps(dict(zip(HEADER, row, strict=True))) for row in rows]
    return "\n".join(lines).encode()


SAME = {
    "csv": csv_bytes([HEADER, *ROWS]),
    "tsv": csv_bytes([HEADER, *ROWS], "\t"),
    "semicolons": csv_bytes([HEADER, *ROWS], ";"),
    "with BOM": csv_bytes([HEADER, *ROWS], encoding="utf-8-sig"),
    "utf-16": csv_bytes([HEADER, *ROWS], encoding="utf-16"),
    "utf-16 without mark": csv_bytes([HEADER, *ROWS], encoding="utf-16-le"),
    "windows": csv_bytes([HEADER, *ROWS], encoding="cp1252"),
    "gzip": gzip.compress(csv_bytes([HEADER, *ROWS])),
    "zip with one table": zip_bytes({"inner.csv": csv_bytes([HEADER, *ROWS])}),
    "xlsx": xlsx_bytes([HEADER, *map(dated, ROWS)]),
    "jsonl": jsonl(ROWS),
    "json": json.dumps([dict(zip(HEADER, row, strict=True)) for row in ROWS]).encode(),
    "parquet": parquet_bytes(
        dict(zip(HEADER, map(list, zip(*map(dated, ROWS), strict=True)), strict=True))
    ),
}


@pytest.mark.parametrize("data", SAME.values(), ids=SAME)
def test_every_kind_of_file_gives_the_same_corpus(data):
    corpus = read_corpus(data, filename="desk.dat")
    assert corpus.ids == ("a1", "a2", "a3", "a4")
    assert corpus.texts == tuple(row[2] for row in ROWS)
    assert corpus.labels == (("Lighting",), ("Waste", "Roads"), ("Parks",), ("Roads",))
    assert corpus.dates[3] == date(2024, 5, 20)
    assert dict(corpus.side) == {"district": ("North", "South", "North", "South")}


def test_paths_open_files_and_bytes_are_all_sources(tmp_path):
    path = tmp_path / "desk.csv"
    path.write_bytes(SAME["csv"])
    with path.open("rb") as stream:
        texts = [read_corpus(source).texts for source in (str(path), path, stream, SAME["csv"])]
    assert len(set(texts)) == 1
    assert read_corpus(path).reading.source == "desk.csv"


def test_the_reading_names_every_guess():
    reading = read_corpus(SAME["semicolons"], filename="desk.csv").reading
    assert (reading.kind, reading.encoding, reading.delimiter) == ("csv", "utf-8", ";")
    columns = reading.columns
    assert (columns.text, columns.id, columns.date) == ("message", "id", "received")
    assert (columns.labels, columns.label_separator, columns.side) == ("topics", ";", ("district",))


def test_every_guess_can_be_overridden():
    corpus = read_corpus(
        SAME["csv"], text="topics", id="", date="", label="district", side=["message"]
    )
    assert corpus.texts[0] == "Lighting"
    assert corpus.ids == ("2", "3", "4", "5")
    assert corpus.dates[0] is None
    assert corpus.labels[0] == ("North",)
    assert set(corpus.side) == {"message"}


def test_a_column_asked_for_is_not_used_for_something_else():
    corpus = read_corpus(SAME["csv"], label="received")
    assert corpus.reading.columns.date is None
    assert corpus.labels[0] == ("2024-03-01",)


def test_label_cells_stay_whole_when_asked():
    assert read_corpus(SAME["csv"], label_separator="").labels[1] == ("Waste; Roads",)


def test_what_was_dropped_is_told_with_row_and_reason():
    rows = [
        *ROWS,
        ["a5", "", "  ", "", ""],
        ["a1", "", "Once more", "", ""],
        ["", "", "ok", "", ""],
    ]
    corpus = read_corpus(csv_bytes([HEADER, *rows]), id="id", min_characters=3)
    assert corpus.reading.dropped == (
        DroppedRow(6, "the text is empty"),
        DroppedRow(7, "the id “a1” was already used in row 2"),
        DroppedRow(8, "the text has fewer than 3 characters"),
    )


def test_exact_copies_are_kept_and_marked():
    corpus = read_corpus(b"id,text\n1,lamp is dark\n2,bins are full\n3,lamp is dark \n")
    assert len(corpus) == 3
    assert corpus.reading.duplicates == ((2, 0),)


def test_a_document_without_an_id_is_called_by_its_row():
    corpus = read_corpus(b"id,text\n1,lamp is dark\n,bins are full\n", id="id")
    assert corpus.ids == ("1", "row 3")


def test_a_few_ragged_rows_are_left_out_and_reported():
    rows = [[str(i), f"text number {i}, with a comma"] for i in range(300)]
    data = csv_bytes([["id", "text"], *rows]) + b"300,left,over\n"
    corpus = read_corpus(data)
    assert len(corpus) == 300
    assert corpus.reading.dropped == (DroppedRow(302, "it has 3 cells where the header names 2"),)


def test_a_list_of_lines_needs_no_header():
    corpus = read_corpus(b'The lamp is dark, very dark, again.\nBins are "full", smelly.\nHelp!\n')
    assert corpus.texts[1] == 'Bins are "full", smelly.'
    assert len(corpus) == 3
    assert "given numbers" in corpus.reading.notes[0]


def test_equal_and_missing_column_names_are_distinct_label():
    corpus = read_corpus(b"text,text,\nlamp is dark,x,y\nbins are full,x,y\n", text="text")
    assert any("shown as “text (2)”" in note for note in corpus.reading.notes)


def test_dates_that_cannot_be_read_are_counted():
    data = b"date,text\n2024-01-02,lamp is dark\nsoon,bins are full\n2024-02-03,a swing is broken\n"
    corpus = read_corpus(data, date="date")
    assert corpus.dates == (date(2024, 1, 2), None, date(2024, 2, 3))
    assert corpus.reading.notes == (
        "2 of 3 rows have a date in “date”; 1 could not be read: “soon” (row 3).",
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (["13/02/2024", "01/03/2024"], date(2024, 3, 1)),
        (["02/13/2024", "03/01/2024"], date(2024, 3, 1)),
        (["2024/2/13", "2024/3/1"], date(2024, 3, 1)),
        (["13.2.2024", "1.3.2024"], date(2024, 3, 1)),
        (["13.2.24", "1.3.24"], date(2024, 3, 1)),
        (["2/13/24", "3/1/24 10:30"], date(2024, 3, 1)),
        (["13-02-99", "01-03-99"], date(1999, 3, 1)),
        (["13 February 2024", "1 March 2024"], date(2024, 3, 1)),
        (["Feb 13, 2024", "Mar 1, 2024 10:30"], date(2024, 3, 1)),
        (["2024-02-13T10:00:00Z", "2024-03-01 23:59"], date(2024, 3, 1)),
        (["2023", "2024"], date(2024, 1, 1)),
        (["2024-02", "2024-03"], date(2024, 3, 1)),
    ],
)
def test_dates_are_read_as_people_write_them(written, expected):
    rows = [[day, f"lamp {n} is dark"] for n, day in enumerate(written)]
    corpus = read_corpus(csv_bytes([["date", "text"], *rows]))
    assert corpus.dates[1] == expected


def test_days_and_months_that_could_be_exchanged_are_mentioned():
    corpus = read_corpus(b"date,text\n01/02/2024,lamp is dark\n03/04/2024,bins are full\n")
    assert "The dates in “date” were read as day/month/year." in corpus.reading.notes


def test_a_column_of_two_digit_years_is_guessed_and_told():
    rows = [
        [f"{day}.{day % 12 + 1}.23", f"the lamp in street {day} is dark"] for day in range(1, 25)
    ]
    corpus = read_corpus(csv_bytes([["arrived", "text"], *rows]))
    assert corpus.reading.columns.date == "arrived"
    assert "The dates in “arrived” were read as day/month/year." in corpus.reading.notes


def test_lists_in_json_become_labels():
    data = b'{"text": "lamp is dark", "labels": ["light", "road"]}\n\n{"text": "bins", "n": 1.0}\n'
    corpus = read_corpus(data)
    assert corpus.labels == (("light", "road"), ())
    assert corpus.ids == ("1", "3")


def test_a_zip_of_texts_takes_labels_from_folders():
    data = zip_bytes(
        {
            "mail/waste/1.txt": b"bins are full",
            "mail/light/2.txt": "caf\xe9 lamp is dark".encode("cp1252"),
            "mail/light/readme.pdf": b"%PDF",
            "__MACOSX/x.txt": b"junk",
        }
    )
    corpus = read_corpus(data, filename="mail.zip")
    assert corpus.ids == ("mail/light/2", "mail/waste/1")
    assert corpus.texts[0] == "café lamp is dark"
    assert corpus.labels == (("light",), ("waste",))
    assert corpus.reading.dropped[0].reason == "“mail/light/readme.pdf” is not a .txt file"


def test_a_folder_of_texts(tmp_path):
    (tmp_path / "b.txt").write_text("bins are full", encoding="utf8")
    (tmp_path / "a.txt").write_text("lamp is dark", encoding="utf8")
    (tmp_path / ".hidden.txt").write_text("no", encoding="utf8")
    corpus = read_corpus(tmp_path)
    assert (corpus.ids, corpus.reading.kind) == (("a", "b"), "folder")
    assert corpus.labels == ((), ())


def test_links_do_not_lead_out_of_a_folder(tmp_path):
    (tmp_path / "secret.txt").write_text("secret", encoding="utf8")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("lamp is dark", encoding="utf8")
    (folder / "b.txt").symlink_to(tmp_path / "secret.txt")
    assert read_corpus(folder).texts == ("lamp is dark",)


def test_the_first_sheet_with_cells_is_read():
    corpus = read_corpus(xlsx_bytes([["no", "text"], [1.0, "lamp"], [2.0, "bins"]], ("Empty",)))
    assert corpus.ids == ("1", "2")
    assert "The workbook has several sheets; “Data” was read." in corpus.reading.notes


def test_a_guessed_encoding_is_said_to_be_a_guess():
    corpus = read_corpus("text\nL’été à la café, où êtes-vous\n".encode("cp1252"))
    assert corpus.texts == ("L’été à la café, où êtes-vous",)
    told = "The encoding cp1252 is a guess; check that accents are right."  # also read in a report
    assert told in corpus.reading.notes


def test_preview_shows_rows_and_guesses():
    shown = preview(SAME["csv"], filename="desk.csv", rows=2)
    assert shown.columns.text == "message"
    assert [row["id"] for row in shown.rows] == ["a1", "a2"]
    assert (shown.header, shown.n_rows) == (tuple(HEADER), 4)


def test_preview_of_a_large_file_stops_early():
    lines = "\n".join(f"{i},message {i} about lamps" for i in range(6_000))
    assert preview(f"id,text\n{lines}".encode()).n_rows is None


anything = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40
).filter(str.strip)


@settings(max_examples=60, deadline=None)
@given(st.lists(anything, min_size=1, max_size=6), st.sampled_from([",", ";", "\t", "|"]))
def test_any_text_survives_csv(texts, delimiter):
    rows = [["id", "text"], *([str(i), text] for i, text in enumerate(texts))]
    corpus = read_corpus(csv_bytes(rows, delimiter), text="text", delimiter=delimiter)
    assert corpus.texts == tuple(texts)


@settings(max_examples=40, deadline=None)
@given(st.lists(anything, min_size=1, max_size=6))
def test_any_text_survives_jsonl_and_parquet(texts):
    lines = "\n".join(json.dumps({"text": text}) for text in texts).encode()
    assert read_corpus(lines, text="text").texts == tuple(texts)
    assert read_corpus(parquet_bytes({"text": list(texts)}), text="text").texts == tuple(texts)


def test_the_demo_is_read_with_labels_dates_and_sides():
    corpus = read_demo()
    assert len(corpus) >= 300
    assert set(corpus.side) == {"district", "area", "channel"}
    assert all(corpus.dates)
    known = set(corpus.ids)
    assert all(label.id in known and label.permitted for label in read_demo_labels()[:20])


def _fresh_loader():
    """NLTK's corpora load once and for all; this one has not looked for its data yet."""
    from nltk.corpus.reader import CategorizedPlaintextCorpusReader
    from nltk.corpus.util import LazyCorpusLoader

    return LazyCorpusLoader("reuters", CategorizedPlaintextCorpusReader, "(training|test).*")


def test_collections_that_are_not_here_say_how_to_get_them(monkeypatch, tmp_path):
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setattr(nltk.corpus, "reuters", _fresh_loader())
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr(collections, "_nltk_places", lambda: [tmp_path])
    assert not collections.newsgroups_available()
    assert not collections.reuters_available()
    with pytest.raises(CorpusError, match="20 Newsgroups is not on this machine"):
        read_newsgroups()
    with pytest.raises(CorpusError, match="not “dev”"):
        read_newsgroups("dev")
    with pytest.raises(CorpusError, match="not “bodies”"):
        read_newsgroups(remove=("bodies",))
    with pytest.raises(CorpusError, match="Reuters is not on this machine"):
        read_reuters()


def test_collections_at_hand_are_found_without_loading_them(monkeypatch, tmp_path):
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "reuters.zip").touch()
    (tmp_path / "20news-bydate_py3.pkz").touch()
    monkeypatch.setenv("NLTK_DATA", str(tmp_path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    assert collections.reuters_available()
    assert collections.newsgroups_available()


def test_newsgroups_of_which_nothing_is_left_are_kept_on_request(monkeypatch):
    asked = []

    def fetch(**options):
        asked.append(options["remove"])
        return SimpleNamespace(data=["A word.", " "], target=[0, 1], target_names=["a.b", "a.c"])

    monkeypatch.setattr("sklearn.datasets.fetch_20newsgroups", fetch)
    part = collections.parse_newsgroups("", "all", 1, ["headers"])
    every = collections.parse_newsgroups("", "all", 0, [])
    assert (len(part), len(every)) == (1, 2)
    assert len(part.reading.dropped) == 1
    assert asked == [("headers",), ()]
