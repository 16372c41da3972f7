"""Memos on topics and on the project: written, changed, undone, and where they travel."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import report
from core.errors import NotFound, StoreError
from core.report import Privacy
from core.store import (
    CreateTopic,
    DeleteTopic,
    EditReport,
    Label,
    Restore,
    Store,
    WriteMemo,
    replay,
)
from core.store.history.sentences import describe_event
from core.workspace import Workspace
from tests.core.workspace import small


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        small.project(opened)
        yield opened


def texts_of(store: Store, project: int = 1) -> list[str]:
    return [each.text for each in store.memos(project)]


def test_memos_are_written_replaced_removed_and_undone(store: Store) -> None:
    first = store.record(1, WriteMemo(" Ask the works department ", 1), author="ann")
    store.record(1, WriteMemo("Second wave in May"), author="ben")
    assert [(m.topic, m.text, m.author) for m in store.memos(1)] == [
        (1, "Ask the works department", "ann"),
        (None, "Second wave in May", "ben"),
    ]
    store.record(1, WriteMemo("Asked", 1, first.id), author="ann")
    assert texts_of(store) == ["Second wave in May", "Asked"]
    changed = store.memos(1)[-1].event
    store.record(1, WriteMemo("", 1, changed), author="ann")
    assert texts_of(store) == ["Second wave in May"]
    store.undo(1, author="ann")
    store.undo(1, author="ann")
    assert texts_of(store) == ["Ask the works department", "Second wave in May"]
    assert tuple(replay(store.events(1)).memos) == store.memos(1)
    assert store.count_changes(1, after=first.id - 1) == 0  # no fit hears of them


def test_a_memo_needs_words_and_a_topic_that_is_there(store: Store) -> None:
    with pytest.raises(StoreError, match="A memo needs some words"):
        store.record(1, WriteMemo("  "), author="ann")
    with pytest.raises(NotFound):
        store.record(1, WriteMemo("x", 99), author="ann")
    topic = store.record(1, CreateTopic("New"), author="ann").payload["topic"]
    store.record(1, WriteMemo("on it", topic), author="ann")
    store.record(1, DeleteTopic(topic), author="ann")
    assert texts_of(store) == []
    store.undo(1, author="ann")
    assert texts_of(store) == ["on it"]


def test_memos_travel_with_the_project_and_stand_in_history(store: Store, tmp_path: Path) -> None:
    store.record(1, WriteMemo("secret", 1), author="ann")
    store.export_project(1, tmp_path / "desk.zip")
    came = store.import_project(tmp_path / "desk.zip")
    assert texts_of(store, came.id) == ["secret"]
    [line] = store.history(1, limit=1).lines
    assert describe_event(line, store.topic_names(1)).what == "Wrote a memo on “Water”"
    assert store.difference_to(1, line.event.id - 1).memos == 1
    store.record(1, Restore(line.event.id - 1), author="ann")
    assert texts_of(store) == []


@pytest.mark.sqlite_only
def test_a_report_shows_memos_only_where_privacy_says_so(store: Store) -> None:
    workspace = Workspace(store, "ann")
    workspace.refit(1)
    store.record(1, WriteMemo("Call 0170 5550123 first", 1), author="ann")
    store.record(1, WriteMemo("<b>Mind the gap</b>"), author="ben")
    store.record(1, Label(7, (2,), note="odd one"), author="ann")
    hidden = report.render_html(workspace.report(1))
    assert "Memos and notes are withheld." in hidden
    assert not any(text in hidden for text in ("Mind the gap", "odd one", "Call"))
    shown = workspace.report(1, privacy=Privacy(memos="shown"))
    assert [(m.about, m.author) for m in shown.memos] == [
        ("Water", "person 1"),
        ("The project", "person 2"),
        ("Text d7", "person 1"),
    ]
    page = report.render_html(shown)
    assert "&lt;b&gt;Mind the gap" in page
    assert "5550123" not in page
    store.record(1, EditReport({"memos": "shown"}), author="ann")
    assert workspace.report(1).memos
