"""Highlights at the desk: shown in the text, hidden while two people label it, used as words."""

from __future__ import annotations

import pytest

from core.errors import StudioError
from core.store import DoubleCoding, Store
from tests.core.workspace import small
from tsnmf_ui.label.desk import Desk, Place, Signature

ANN, BEN = Signature("ann"), Signature("ben")


@pytest.fixture
def project(store: Store):
    return small.fitted(store)


@pytest.fixture
def desk(store: Store):
    return Desk(store)


def why(store: Store, position: int, topic: int, words: str) -> dict:
    start = store.document(1, position).text.index(words)
    place = {"start": start, "end": start + len(words), "quote": words}
    return {"kind": "highlight", "position": position, "why": topic, **place}


def test_the_words_are_marked_in_the_text_and_listed(desk, store, project):
    place = Place(1, document=0)
    answer = desk.handle(place, why(store, 0, 1, "pipe burst"), ANN)
    card = answer["card"]
    assert "".join(piece[0] for piece in card["pieces"]) == store.document(1, 0).text
    assert "".join(p[0] for p in card["pieces"] if p[5] == "t1") == "pipe burst"
    assert [(h["quote"], h["author"], h["found"]) for h in card["highlights"]] == [
        ("pipe burst", "ann", True)
    ]
    answer = desk.handle(place, {"kind": "undo"}, ANN)
    assert answer["card"]["highlights"] == []


def test_words_that_do_not_stand_there_are_refused(desk, store, project):
    ask = why(store, 0, 1, "pipe burst") | {"start": 1, "end": 11}
    with pytest.raises(StudioError, match="Select them again"):
        desk.handle(Place(1, document=0), ask, ANN)


def test_nobody_else_sees_them_while_two_people_label_the_text(desk, store, project):
    store.record(1, DoubleCoding(1.0), author="ann")
    place, given = Place(1, document=9), {"kind": "label", "position": 9, "spoken": True}
    desk.handle(place, given | {"permitted": [1]}, ANN)
    answer = desk.handle(place, why(store, 9, 1, "pipe"), ANN)
    assert answer["hidden"]
    assert answer["card"]["highlights"]
    before = desk.view(place, "ben")["card"]
    assert before["highlights"] == []
    assert not any(piece[5] for piece in before["pieces"])
    ask = {"kind": "seed_words", "position": 9, "highlight": answer["event"]}
    with pytest.raises(StudioError, match="once two people"):
        desk.handle(place, ask, ANN)
    desk.handle(place, given | {"permitted": [2]}, BEN)
    assert desk.view(place, "ben")["card"]["highlights"][0]["author"] == "ann"


def test_a_click_makes_them_words_of_the_topic(desk, store, project):
    place = Place(1, document=0)
    event = desk.handle(place, why(store, 0, 1, "pipe burst"), ANN)["event"]
    ask = {"kind": "seed_words", "position": 0, "highlight": event}
    answer = desk.handle(place, ask, BEN)
    assert answer["notice"] == "Added to Water: pipe, burst. You can undo this."
    assert set(store.word_rules(1).topics.added[1]) == {"pipe", "burst"}
    desk.handle(place, {"kind": "undo"}, BEN)
    assert not store.word_rules(1).topics.added.get(1)
    unknown = desk.handle(place, why(store, 0, 1, "and"), ANN)["event"]
    with pytest.raises(StudioError, match="none of these words"):
        desk.handle(place, ask | {"highlight": unknown}, ANN)
