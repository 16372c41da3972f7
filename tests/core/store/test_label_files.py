"""Labels to files and back: exact, harmless in a spreadsheet, and nothing changes unasked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.corpus import Corpus
from core.errors import CorpusError, StoreError
from core.store import Annotation, CreateTopic, Label, Skip, Store
from core.store.files.label_files import (
    LabelRow,
    TextReader,
    join_names,
    read_labels,
    split_names,
    write_labels,
)
from core.store.files.label_import import import_labels, plan_import
from core.store.files.spreadsheet_cells import bared, guarded

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMES = ("Waste", "=1+2", 'Lamps; "old" & new')
CORPUS = Corpus(ids=("a", "-b", "c", "d", "e"), texts=("=x", "two", "three", "four", "five"))


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in NAMES:
            opened.record(1, CreateTopic(name), author="ann")
        yield opened


def exported(store: Store, read_texts: TextReader | None = None, **how) -> bytes:
    labels = store.annotations(1), store.topic_names(1), store.document_ids(1)
    return b"".join(write_labels(*labels, read_texts, **how))


def texts_at(positions: Sequence[int]) -> list[str]:
    return [CORPUS.texts[position] for position in positions]


def meaning(notes: dict[int, Annotation]) -> dict[int, tuple[object, ...]]:
    return {
        p: (n.permitted, n.forbidden, n.confidence, n.nothing_fits, n.note)
        for p, n in notes.items()
    }


@pytest.mark.parametrize("format", ["csv", "jsonl"])
@pytest.mark.parametrize("texts", [None, texts_at])
def test_labels_go_out_and_come_back_whole(store, tmp_path, format, texts):
    store.record(1, Label(0, (1, 3), (2,), "expert", note="+ see\nfile"), author="ann")
    store.record(1, Label(1, nothing_fits=True), author="ben")
    store.record(1, Label(2, (2,), confidence="unsure"), author="ben")
    data = exported(store, texts, format=format)
    rows, file = read_labels(data, filename=f"labels.{format}")
    assert file == f"labels.{format}"
    with Store.open(home=tmp_path / "other") as other:
        other.create_project("Desk", CORPUS, author="cat")
        plan = plan_import(other, 1, rows, file)
        assert (len(plan.fresh), plan.new_topics("keep")) == (3, (NAMES[0], NAMES[2], NAMES[1]))
        import_labels(other, 1, plan, "keep", author="cat")
        again, _ = read_labels(exported(other, format=format), filename=file)
    blank = {"author": ""}
    strip = lambda row: {f: getattr(row, f) for f in row.__slots__} | blank  # noqa: E731
    assert list(map(strip, again)) == list(map(strip, rows))


def test_no_cell_can_start_a_formula(store):
    store.record(1, Label(1, (2,), note="@sum"), author="=ann")
    table = exported(store, texts_at).decode("utf-8-sig")
    header, row = table.splitlines()
    names = ("id", "text", "labels", "forbidden", "confidence", "nothing fits", "note")
    assert header == ",".join(f'"{name}"' for name in (*names, "author", "time"))
    cells = ("'-b", "two", "'=1+2", "", "sure", "", "'@sum", "'=ann")
    assert row.startswith(",".join(f'"{cell}"' for cell in cells))


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_texts_are_read_a_piece_at_a_time(monkeypatch, format):
    """However many labels there are, the texts of one piece are all that is in memory."""
    monkeypatch.setattr("core.store.bulk.ROWS_PER_STATEMENT", 2)
    note = Annotation(position=0, permitted=(1,), author="ann", time=NOON, event=1)
    asked: list[Sequence[int]] = []

    def read_texts(positions: Sequence[int]) -> list[str]:
        asked.append(positions)
        return texts_at(positions)

    labels = dict.fromkeys(range(len(CORPUS)), note)
    pieces = write_labels(labels, {1: "Waste"}, CORPUS.ids, read_texts, format=format)
    header = next(pieces) if format == "csv" else b""
    assert asked == []
    assert b"=x" in next(pieces)
    assert asked == [[0, 1]]
    rest = list(pieces)
    assert asked == [[0, 1], [2, 3], [4]]
    assert b"five" in rest[-1]
    assert header.count(b"text") == (format == "csv")


@given(st.text(st.sampled_from("'=+-@a"), max_size=4))
def test_a_guarded_cell_is_harmless_and_comes_back(cell):
    assert bared(guarded(cell)) == cell
    assert not guarded(cell).startswith(("=", "+", "-", "@"))


@given(
    st.lists(st.text(st.sampled_from('a;", '), min_size=1).map(str.strip).filter(bool), unique=True)
)
def test_names_in_one_cell_can_be_distinct_label(names):
    assert split_names(join_names(names)) == tuple(names)


def test_people_write_tables_their_own_way():
    data = b"Document;Topic;Nothing_fits\r\na;Waste;\r\nc;;x\r\nd;;\r\n"
    rows, _ = read_labels(data, filename="theirs.csv")
    assert rows[0] == LabelRow(row=2, id="a", permitted=("Waste",))
    assert (rows[1].nothing_fits, rows[2].has_label) == (True, False)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"id,text\na,b\n", "labels.csv: there is no column called “labels”"),
        (b"labels,text\na,b\n", "labels.csv: there is no column called “id”"),
        (b"id,labels\n ,Waste\n", "labels.csv, row 2, column “id”: the id"),
        (b"id,labels,confidence\na,Waste,maybe\n", "row 2, column “confidence”: “maybe” is not"),
        (b"id,labels,nothing fits\na,,perhaps\n", "row 2, column “nothing fits”: “perhaps”"),
        (b"id,labels,nothing fits\na,Waste,yes\n", "column “nothing fits”: nothing fits, and"),
        (b"id,labels,forbidden\na,Waste,waste\n", "column “forbidden”: a topic is a label and"),
        (b"id,labels\na," + b"w" * 130 + b"\n", "row 2, column “labels”: a topic has a name of"),
        (b'id,labels\na,"W\n', "labels.csv, row 2: a quotation mark"),
        (b"%PDF-1.4 and more", "a PDF file"),
    ],
)
def test_a_bad_file_is_one_sentence_with_its_place(data, sentence):
    with pytest.raises(CorpusError) as caught:
        read_labels(data, filename="labels.csv")
    assert sentence in str(caught.value)


def row(number: int, id: str, *labels: str) -> LabelRow:
    return LabelRow(row=number, id=id, permitted=labels)


@pytest.fixture
def differing(store):
    """a: labelled differently, -b: the same, c: narrowed only, d: untouched, e: skipped."""
    store.record(1, Label(0, (1,)), author="ann")
    store.record(1, Label(1, (1,)), author="ann")
    store.record(1, Label(2, forbidden=(2,)), author="ben")
    store.record(1, Skip(4), author="ben")
    rows = [row(i + 2, id, "Waste" if id == "-b" else "Trees") for i, id in enumerate(CORPUS.ids)]
    return [*rows, row(7, "zz", "Trees"), row(8, "d", "waste"), LabelRow(row=9, id="a9")]


def test_the_dry_run_lists_everything_and_changes_nothing(store, differing):
    plan = plan_import(store, 1, differing, "theirs.csv")
    assert store.revision(1) == plan.revision == 7
    assert [(c.imported.row.id, c.mine.author) for c in plan.conflicts] == [("a", "ann")]
    assert (plan.same, plan.silent, plan.unknown) == (1, 1, ((7, "zz"),))
    assert plan.repeated == ((5, "d"),)
    assert [each.row.id for each in plan.narrowed] == ["c", "e"]
    assert [each.row.id for each in plan.fresh] == ["d"]
    assert (plan.new_topics("keep"), plan.new_topics("new")) == (("Trees",), ())


@pytest.mark.parametrize(
    ("choice", "labels"),
    [
        ("keep", {0: (1,), 1: (1,), 2: (4,), 3: (1,), 4: (4,)}),
        ("take", {0: (4,), 1: (1,), 2: (4,), 3: (1,), 4: (4,)}),
        ("new", {0: (1,), 1: (1,), 2: (), 3: (1,)}),
    ],
)
def test_the_choice_decides_and_one_undo_takes_it_all_back(store, differing, choice, labels):
    before = store.annotations(1), store.topics(1), store.skipped(1)
    plan = plan_import(store, 1, differing, "theirs.csv")
    import_labels(store, 1, plan, choice, author="cat")
    assert {p: n.permitted for p, n in store.annotations(1).items()} == labels
    store.undo(1, author="cat")
    assert (store.annotations(1), store.topics(1), store.skipped(1)) == before


def test_a_plan_that_is_out_of_date_is_refused(store, differing):
    plan = plan_import(store, 1, differing, "theirs.csv")
    store.record(1, Label(3, (1,)), author="ben")
    with pytest.raises(StoreError, match="changed the project meanwhile"):
        import_labels(store, 1, plan, "take", author="cat")
    assert store.revision(1) == 8


def test_an_id_that_several_documents_share_is_not_guessed(tmp_path):
    with Store.open(home=tmp_path) as store:
        store.create_project("Twins", Corpus(ids=("a", "a"), texts=("x", "y")), author="ann")
        plan = plan_import(store, 1, [row(2, "a", "Waste")], "theirs.csv")
        assert plan.ambiguous == ((2, "a"),)


def test_json_lines_are_plain_lists(store):
    store.record(1, Label(0, (1, 3)), author="ann")
    line = json.loads(exported(store, format="jsonl"))
    assert line["labels"] == [NAMES[0], NAMES[2]]
    assert line["nothing fits"] is False


def test_every_cell_of_the_csv_is_quoted(store):
    """Where cells are separated by semicolons, one in a text would begin a cell, and a formula."""
    store.record(1, Label(0, (1, 3), note="a;=1+2"), author="ann")
    lines = (
        exported(store, lambda at: ["lamp;=HYPERLINK(1)"] * len(at))
        .decode("utf-8-sig")
        .split("\r\n")
    )
    assert all(line.startswith('"') and line.endswith('"') for line in lines if line)
    assert '"lamp;=HYPERLINK(1)"' in lines[1]
