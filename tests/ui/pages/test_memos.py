"""Memos on the pages: written on the project and on a topic, found again under History."""

from __future__ import annotations

import pytest

from core.store import Label, WriteMemo
from tests.core.workspace import small
from tests.ui.pages.results_app import corpus_page, history_page, html, opened, topics_page
from tsnmf_ui.server import state


@pytest.fixture
def store(store, monkeypatch):
    monkeypatch.setattr(state, "author", lambda: "ann")
    return store


def test_a_memo_is_written_on_the_project_and_removed(store):
    app = opened(corpus_page, small.project(store))
    app.text_area(key="corpus-memos.text").set_value("Ask <Ben>").run()
    app.button(key="corpus-memos.save").click().run()
    assert not app.exception
    [memo] = store.memos(1)
    assert (memo.text, memo.author, memo.topic) == ("Ask <Ben>", "ann", None)
    assert "Ask &lt;Ben&gt;" in html(app)
    app.button(key=f"corpus-memos.remove.{memo.event}").click().run()
    assert not store.memos(1)


def test_a_memo_is_written_on_a_topic(store):
    app = opened(topics_page, small.fitted(store), view="One topic")
    app.segmented_control(key="topics.section").set_value("Memos").run()
    field = next(each for each in app.text_area if each.key.startswith("topic-memos-"))
    field.set_value("Pipes only").run()
    app.button(key=field.key.replace(".text", ".save")).click().run()
    assert not app.exception
    [memo] = store.memos(1)
    assert f"topic-memos-{memo.topic}.text" == field.key


def test_history_lists_memos_and_notes_and_finds_them(store):
    small.project(store)
    store.record(1, WriteMemo("Second wave", 1), author="ben")
    store.record(1, Label(3, (1,), note="odd second thing"), author="ann")
    app = opened(history_page, store.project(1), part="Memos")
    assert html(app).count('class="ts-memo"') == 2
    app.text_input(key="memos.words").set_value("SECOND d3").run()
    assert not app.exception
    assert html(app).count('class="ts-memo"') == 1
    assert "odd second thing" in html(app)
