"""Slow parts of a page: a line while they are made, then the value; failures are told."""

from __future__ import annotations

import threading

import pytest

from core.errors import StudioError
from tests.ui.pages.results_app import fitted, html, opened, report_page
from tsnmf_ui.pages.report import page
from tsnmf_ui.pages.widgets import slow_parts
from tsnmf_ui.pages.widgets.slow_parts import SlowParts


@pytest.fixture
def shown(monkeypatch) -> list[str]:
    """The sentences that would be on the page; nobody waits for a part that takes longer."""
    sentences: list[str] = []
    monkeypatch.setattr(slow_parts, "_wait", lambda done, sentence: sentences.append(sentence))
    return sentences


def finished() -> None:
    for thread in threading.enumerate():
        if thread.name == slow_parts.THREAD_NAME:
            thread.join()


def test_a_part_is_made_once_in_a_thread_and_shown_when_it_is_there(store, shown, monkeypatch):
    monkeypatch.setattr(slow_parts, "PATIENCE_SECONDS", 0)
    parts, go, made = SlowParts[int](max_entries=2), threading.Event(), []

    def make() -> int:
        go.wait()
        made.append(threading.current_thread() is not threading.main_thread())
        return 7

    told = (store, "key", make, "It is being made.")
    assert [parts.show(*told, wait=False) for _ in range(2)] == [None, None]
    assert shown == ["It is being made."] * 2
    go.set()
    finished()
    assert parts.show(*told, wait=False) == 7
    assert made == [True]


def test_what_goes_wrong_is_raised_once_and_tried_again(store, shown, monkeypatch):
    parts, answers = SlowParts[int](max_entries=2), iter([StudioError("No disk."), 3])

    def make() -> int:
        answer = next(answers)
        if isinstance(answer, StudioError):
            raise answer
        return answer

    monkeypatch.setattr(slow_parts, "PATIENCE_SECONDS", None)
    told = (store, "key", make, "It is being made.")
    with pytest.raises(StudioError, match="No disk"):
        parts.show(*told, wait=False)
    assert parts.show(*told, wait=False) == 3
    assert shown == []


def test_who_waits_gets_the_value_without_a_thread(store, shown):
    parts = SlowParts[str](max_entries=2)
    make = lambda: threading.current_thread().name  # noqa: E731
    assert parts.show(store, 1, make, "", wait=True) == threading.current_thread().name


def test_a_large_report_stands_before_texts_are_read_and_pages_drawn(store, monkeypatch):
    monkeypatch.setattr(slow_parts, "TEXTS_WAITED_FOR", 0)
    monkeypatch.setattr(slow_parts, "PATIENCE_SECONDS", 0)
    go, describe = threading.Event(), page.describe_report
    monkeypatch.setattr(page, "describe_report", lambda *told: go.wait() and describe(*told))
    app = opened(report_page, fitted(store))
    assert "The texts and labels of the report are being read." in html(app)
    finished()
    app.run()
    assert "The report is being drawn." in html(app)
    assert app.text_input(key="report.title.1").value
    assert not app.get("iframe")
    go.set()
    finished()
    assert app.run().get("iframe")
    assert not app.exception
