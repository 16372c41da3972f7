"""Texts as safe HTML: what a file calls a text changes nothing around it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.corpus import Document
from core.store import Event, HistoryLine
from core.store.history.sentences import EventText
from tsnmf_ui.pages.history.event_list import event_html
from tsnmf_ui.pages.widgets import passages
from tsnmf_ui.theme import texts

TURNED = "\u202e<b>74"  # what follows is written from right to left
ISOLATED = "<bdi>\u202e&lt;b&gt;74</bdi>"


@pytest.fixture
def document() -> Document:
    return Document(TURNED, "water pipe")


def test_an_id_turns_no_share_around(document):
    line = passages.facts(document, 1.0, lambda _: "2 May 2026")
    assert line == f"<span>{ISOLATED} · 2 May 2026 · {texts.percent(1.0)} of this text</span>"
    assert f"<span>{ISOLATED}</span>" in passages.contested(
        document, ("Water", "#000", 0.6), ("Noise", "#111", 0.4)
    )


def test_an_id_turns_no_line_of_the_history_around(document):
    now = datetime(2026, 5, 2, tzinfo=UTC)
    event = Event(id=1, project=1, kind="skip", payload={}, author="ann", time=now)
    line = HistoryLine(event=event, in_force=True)
    assert f"{ISOLATED} · water pipe" in event_html(line, EventText("Skipped"), document, UTC)
