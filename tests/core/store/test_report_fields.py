"""The wording of the report on the log: undone, restored, exported and told like any event."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from core.corpus import Corpus
from core.errors import StoreError
from core.store import (
    CreateTopic,
    EditReport,
    HistoryFilter,
    Label,
    Restore,
    Skip,
    Store,
    replay,
)
from core.store.history.sentences import describe_event, describe_kind

CORPUS = Corpus(ids=tuple("abcd"), texts=("one", "two", "three", "four"))


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        yield opened


def write(store: Store, author: str = "ann", **fields: str):
    return store.record(1, EditReport(fields), author=author)


def texts(store: Store, project: int = 1) -> dict[str, str]:
    read = store.report_fields(project)
    assert read == replay(store.events(project)).report
    return {name: field.text for name, field in read.items()}


def test_fields_are_written_one_by_one_and_undone(store):
    write(store, title="  Spring\n 2026 ")
    event = write(store, "bob", summary="Our own words.\n\nTwo.")
    assert texts(store) == {"title": "Spring 2026", "summary": "Our own words.\n\nTwo."}
    field = store.report_fields(1)["summary"]
    assert (field.author, field.event, field.time) == ("bob", event.id, event.time)
    store.undo(1, author="bob")
    assert texts(store) == {"title": "Spring 2026"}
    store.redo(1, author="bob")
    assert set(texts(store)) == {"title", "summary"}


def test_an_emptied_field_is_left_to_the_report(store):
    write(store, title="Spring", summary="Words.")
    write(store, title="")
    assert texts(store) == {"summary": "Words."}


def test_it_is_there_after_a_restart_and_in_a_copy_and_in_a_file(store, tmp_path):
    write(store, title="Spring", summary="Words.")
    copied = store.duplicate_project(1)
    twin = store.import_project(store.export_project(1, tmp_path / "p.zip"))
    with Store.open(home=tmp_path) as again:
        assert texts(again) == texts(again, copied.id) == texts(again, twin.id) != {}


def test_a_restore_brings_earlier_words_back_and_its_preview_says_so(store):
    first = write(store, title="Spring")
    write(store, title="Summer", summary="Words.")
    assert store.difference_to(1, first.id).report == ("summary", "title")
    store.record(1, Restore(first.id), author="ann")
    assert texts(store) == {"title": "Spring"}


def test_history_tells_who_wrote_what(store):
    write(store, title="Spring")
    write(store, "bob", summary="Words.")
    write(store, "bob", summary="")
    page = store.history(1, HistoryFilter(kinds=("report",)), limit=10)
    told = {line.event.author: describe_event(line, {}).what for line in page.lines[::-1][:2]}
    assert told == {
        "ann": "Gave the report the title “Spring”",
        "bob": "Wrote in the report its summary",
    }
    assert describe_event(page.lines[0], {}).what == "Cleared in the report: its summary"
    assert describe_kind("report") == "Wording of the report"


@pytest.mark.parametrize(
    "fields", [{}, {"logo": "x"}, {"title": "x" * 300}, {"title": 3}, {"summary": "a\x00b"}, None]
)
def test_bad_fields_are_refused(store, fields):
    with pytest.raises(StoreError):
        store.record(1, EditReport(fields), author="ann")
    assert store.revision(1) == 0


def picture(width: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGBA", (width, 4)).save(file, "PNG", optimize=True)
    return file.getvalue()


def test_a_logo_of_a_stranger_is_a_whole_small_picture(store):
    """Files for Word and PowerPoint are made from it, and their writers fail on any other."""
    good = picture(480)
    write(store, logo=base64.b64encode(good).decode())
    damaged = [good[:8], good[:8] + b"junk" * 9, good[:20] + b"\xff" + good[21:], good[:-12]]
    for data in (*damaged, picture(5_000), good + b"<script>"):
        with pytest.raises(StoreError, match="small PNG picture"):
            write(store, logo=base64.b64encode(data).decode())


def test_no_fit_is_behind_because_of_words_skips_or_their_undoing(store):
    store.record(1, CreateTopic("Billing"), author="ann")
    start = store.revision(1)
    write(store, title="Spring")
    store.undo(1, author="ann")
    store.record(1, Skip(2), author="ann")
    assert store.count_changes(1, after=start) == 0
    store.record(1, Label(2, (1,)), author="ann")
    store.undo(1, author="ann")
    assert store.count_changes(1, after=start) == 2
    write(store, title="Spring")
    revision = store.revision(1)
    store.undo(1, author="ann")
    assert revision not in store.undone_revisions(1, [revision])
