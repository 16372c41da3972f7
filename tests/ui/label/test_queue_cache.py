"""The line on the desk: doubted labels come back, copies do not."""

from __future__ import annotations

import pytest

from core.store import Label
from core.workspace.caches import queue_hints
from core.workspace.caches.paths import hints_path
from core.workspace.refits.refit import outline, refit
from tests.core.workspace import small
from tsnmf_ui.label.desk import Desk, Place, Signature

ANN = Signature("ann")
WATER, NOISE = 1, 2


@pytest.fixture
def project(store):
    """Thirty texts of which eighteen are labelled, and one of them wrongly."""
    project = small.project(store, labelled=18)
    store.record(project.id, Label(3, (NOISE,)), author="ann")  # a text about water
    refit(store, project.id)
    return project


@pytest.fixture
def desk(store):
    return Desk(store)


def test_near_copies_are_counted_beside_those_that_wait(desk, store, project):
    before = desk.view(Place(project.id))
    assert (before["waiting"], before["list"]["copies"]) == (12, 0)  # not known yet
    outline(store, project.id).join()
    after = desk.view(Place(project.id))
    assert after["waiting"] + after["list"]["copies"] == 12
    assert after["list"]["copies"] > 0


def doubted(desk, project):
    rows = desk.view(Place(project.id, "mislabelled"))["queue"]
    return [row["position"] for row in rows if row["kind"] == "mislabelled"]


def test_a_wrong_label_is_offered_again(desk, project):
    view = desk.view(Place(project.id, "mislabelled"))
    assert doubted(desk, project) == [3]
    assert view["card"]["position"] == 3
    assert view["card"]["reason"].startswith("Looks mislabelled: labelled Noise, reads like Water")


def test_it_turns_up_in_the_mixed_line_too(desk, project):
    rows = desk.view(Place(project.id))["queue"]
    assert 3 in [row["position"] for row in rows]


@pytest.mark.parametrize(
    "act",
    [
        {"kind": "next"},
        {"kind": "skip", "position": 3},
        {"kind": "label", "position": 3, "permitted": [WATER]},
        {"kind": "label", "position": 3, "permitted": [NOISE], "confidence": "expert"},
    ],
    ids=["passed", "skipped", "corrected", "insisted"],
)
def test_a_doubt_that_was_answered_is_gone(desk, store, project, act):
    assert doubted(desk, project) == [3]
    desk.handle(Place(project.id, "mislabelled", document=3), act, ANN)
    assert doubted(desk, project) == []
    run = refit(store, project.id)
    desk.prepare(project.id, run.id)
    assert doubted(desk, project) == []


def test_copies_are_offered_and_counted_once(desk, store, project):
    before = desk.view(Place(project.id))
    outline(store, project.id).join()
    after = Desk(store).view(Place(project.id, "in_order"))
    texts = {document.text for document in store.documents(project.id, range(30))}
    assert len(texts) == 6
    assert before["waiting"] == 12
    assert after["waiting"] == 0  # every text has been labelled once
    assert after["queue"] == []


def test_only_the_newest_hints_are_kept(store, project):
    first = store.current_run(project.id)
    second = refit(store, project.id)
    assert queue_hints.read_hints(store, first) is None
    assert queue_hints.read_hints(store, second) is not None


def test_what_cannot_be_read_is_done_without(store, project):
    hints_path(store, project.id, store.current_run(project.id).id).write_bytes(b"no")
    assert Desk(store).view(Place(project.id, "uncertain"))["card"] is not None


def test_a_doubt_that_was_passed_does_not_come_round_again(desk, store, project):
    store.record(project.id, Label(6, (NOISE,)), author="ann")  # about water, too
    refit(store, project.id)
    view = desk.view(Place(project.id, "mislabelled"))
    first, second = view["card"]["position"], view["upcoming"]["position"]
    assert {first, second} == {3, 6} == set(doubted(desk, project))
    place = Place(project.id, "mislabelled", document=first)
    there = desk.handle(place, {"kind": "next", "to": second}, ANN)
    assert first not in [row["position"] for row in there["queue"]]
    assert there["upcoming"] is None
