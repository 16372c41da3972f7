"""Words that say why: on the log, undoable, and told truly where texts or topics have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import NotFound, StoreError
from core.store import (
    CreateTopic,
    DeleteTopic,
    DoubleCoding,
    DropHighlight,
    Highlight,
    Label,
    MergeTopics,
    Store,
)
from core.store.coding.highlights import HighlightInForce
from core.store.history import reader
from core.store.history.sentences import HIDDEN_LABEL, describe_event
from core.store.maintenance.log_check import log_faults
from core.workspace.reports.history_rows import history_rows
from tests.core.store.desk import CORPUS

WHY = Highlight(0, 1, 0, 4, "text")


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads"):
            opened.record(1, CreateTopic(name), author="ann")
        yield opened


def quotes(store: Store, position: int = 0) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.quote, each.topics) for each in store.highlights(1).get(position, ())]


def test_a_highlight_is_kept_removed_and_brought_back(store):
    event = store.record(1, WHY, author="ben")
    assert quotes(store) == [("text", (1,))]
    assert store.annotations(1) == {}
    store.record(1, DropHighlight(0, event.id), author="ann")
    assert quotes(store) == []
    store.undo(1, author="ann")
    assert quotes(store) == [("text", (1,))]
    store.undo(1, author="ben")
    assert quotes(store) == []


def test_it_follows_its_topic_and_goes_with_it(store):
    store.record(1, WHY, author="ben")
    store.record(1, MergeTopics((1,), 2), author="ann")
    assert quotes(store) == [("text", (2,))]
    store.record(1, DeleteTopic(2), author="ann")
    assert quotes(store) == []


@pytest.mark.parametrize(
    "wrong",
    [
        Highlight(0, 1, 4, 4, ""),
        Highlight(0, 1, 0, 9, "text"),
        Highlight(0, 1, 0, 5, "text "),
        Highlight(0, 1, -1, 3, "text"),
    ],
)
def test_a_place_that_is_none_is_refused(store, wrong):
    with pytest.raises(StoreError):
        store.record(1, wrong, author="ann")


def test_unknown_texts_and_topics_are_refused(store):
    for wrong in (Highlight(99, 1, 0, 4, "text"), Highlight(0, 9, 0, 4, "text")):
        with pytest.raises(NotFound):
            store.record(1, wrong, author="ann")


def test_words_are_looked_for_in_a_text_that_has_changed():
    why = HighlightInForce(1, "ann", (1,), 2, 6, "pipe")
    assert why.place_in("a pipe burst") == (2, 6)
    assert why.place_in("the old pipe burst") == (8, 12)
    assert why.place_in("two pipes, one pipe") is None  # which one, nobody knows
    assert why.place_in("short") is None


def test_the_history_hides_it_as_long_as_its_text_waits(store):
    store.record(1, DoubleCoding(1.0), author="ann")
    store.record_label(1, Label(0, (1,)), author="ann", spoken=True)
    store.record(1, WHY, author="ann")

    def newest() -> str:
        lines = store.history(1, limit=20).lines
        names = store.topic_names(1)
        return next(describe_event(e, names).what for e in lines if e.event.kind == "highlight")

    assert HIDDEN_LABEL in newest()
    assert "Waste" not in newest()
    assert store.shared_highlights(1) == {}
    store.record_label(1, Label(0, (2,)), author="ben", spoken=True)
    assert newest() == "Highlighted “text” for “Waste”"
    assert store.shared_highlights(1) == store.highlights(1)
    assert store.history(1).total == store.revision(1)


def test_a_report_and_the_last_changes_hide_it_as_well(store):
    store.record(1, DoubleCoding(1.0), author="ann")
    store.record_label(1, Label(0, (1,)), author="ann", spoken=True)
    store.record(1, WHY, author="ann")

    def rows() -> str:
        return repr([row.what for row in history_rows(store, 1, ())][-2:])

    assert "“text”" not in rows()
    assert "“Waste”" not in rows()
    assert not any(e.payload.get("permitted") for e in store.shown_events(1) if e.position == 0)
    store.record_label(1, Label(0, (2,)), author="ben", spoken=True)
    assert "Highlighted “text” for “Waste”" in repr([e.what for e in history_rows(store, 1, ())])


def test_shown_events_are_those_of_the_log_a_piece_at_a_time(store, monkeypatch):
    monkeypatch.setattr(reader, "EVENTS_READ_AT_ONCE", 2)
    store.record(1, WHY, author="ann")
    assert list(store.shown_events(1)) == store.events(1)
    assert list(store.shown_events(1, after=2)) == store.events(1, after=2)


def test_highlights_travel_with_the_project(store, tmp_path):
    event = store.record(1, WHY, author="ben")
    store.record(1, Highlight(1, 2, 0, 4, "text"), author="ben")
    store.record(1, DropHighlight(0, event.id), author="ann")
    copied = store.import_project(store.export_project(1, tmp_path / "desk.studio.zip"))
    assert store.highlights(copied.id) == store.highlights(1)
    with store._database.read() as connection:
        assert log_faults(connection, 1) == log_faults(connection, copied.id) == []
