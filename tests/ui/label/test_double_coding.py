"""Double coding at the desk: what each of two people is offered and shown."""

from __future__ import annotations

import json

import pytest

from core.store import DoubleCoding, Store
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tsnmf_ui.label.desk import Desk, Place, Signature
from tsnmf_ui.label.double_queue import DOUBLED_REASON

ANN, BEN, CAT = Signature("ann"), Signature("ben"), Signature("cat")


@pytest.fixture
def asked():
    return []


@pytest.fixture
def desk(store: Store, asked):
    return Desk(store, refit=lambda project, after: asked.append(project))


@pytest.fixture
def project(store: Store):
    made = small.fitted(store, n=60)
    store.record(made.id, DoubleCoding(1.0), author="ann")
    return store.project(made.id)


def label(position, *permitted, **more):
    return {"kind": "label", "position": position, "permitted": list(permitted), **more}


def seen(desk: Desk, project, author: str, position: int, **place) -> str:
    return json.dumps(desk.view(Place(project.id, document=position, **place), author))


def test_only_the_author_sees_a_label_that_waits(desk, project):
    place = Place(project.id, document=20)
    for_ben, for_all = seen(desk, project, "ben", 20), seen(desk, project, "cat", 20)
    answer = desk.handle(place, label(20, 1, note="telling", spoken=True), ANN)
    assert answer["hidden"]
    state = answer["label_state"]
    assert (state["label"]["permitted"], state["doubled"], state["spoken"]) == ([1], True, True)
    assert answer["project"]["waiting_for_second"] == 1
    own = desk.view(place, "ann")["card"]
    assert (own["label"]["note"], own["spoken"]) == ("telling", True)
    revision = '"revision": 10', '"revision": 11'
    before = json.loads(for_ben.replace(*revision))
    after = json.loads(seen(desk, project, "ben", 20))
    for part in ("card", "topics", "project", "refit", "free_topics", "stale"):
        assert after[part] == before[part], part
    assert json.loads(for_all)["topics"] == after["topics"]
    found = desk.rows(Place(project.id, search="label:Water"), "ben", 0)
    assert 20 not in [row["position"] for row in found["queue"]]
    listed = desk.rows(Place(project.id, search="id:d20"), "ben", 0)["queue"]
    assert listed[0]["labels"] == []


def test_no_refit_follows_before_both_have_spoken(desk, store, project, asked):
    desk.handle(Place(project.id, document=20), label(20, 1, spoken=True), ANN)
    assert asked == []
    shares = desk.view(Place(project.id, document=20), "ben")["card"]["shares"]
    refit(store, project.id)
    assert desk.view(Place(project.id, document=20), "ben")["card"]["shares"] == shares
    answer = desk.handle(Place(project.id, document=20), label(20, 2, spoken=True), BEN)
    assert asked == [project.id]
    assert not answer["hidden"]
    card = desk.view(Place(project.id, document=20), "ann")["card"]
    assert (card["label"]["author"], card["doubled"]) == ("ben", False)
    assert [each["author"] for each in card["earlier"]] == ["ann"]


def test_a_text_that_waits_comes_to_the_second_person_in_turn_and_leaves_the_first(desk, project):
    desk.handle(Place(project.id, document=59), label(59, 3, spoken=True), ANN)
    offered = {
        author: [row["position"] for row in desk.view(Place(project.id), author)["queue"]]
        for author in ("ann", "ben")
    }
    assert 59 not in offered["ann"]
    assert offered["ben"].index(59) < 4
    reasons = {row["reason"] for row in desk.view(Place(project.id), "ben")["queue"]}
    assert reasons == {DOUBLED_REASON}  # the text that waits looks like all others


def test_labels_for_a_whole_list_leave_doubled_texts_out(desk, store, project):
    store.record(project.id, DoubleCoding(0.5, 3), author="ann")
    ask = {"permitted": [1], "labelled": "replace"}
    found = desk.preview(Place(project.id, search="is:unlabelled"), ask, "ann")
    doubled = sum(DoubleCoding(0.5, 3).chooses(p) for p in range(6, 60))
    assert (found["doubled"], found["count"]) == (doubled, 54 - doubled)
    assert 0 < doubled < 54


def test_undo_brings_back_what_was_hidden(desk, project):
    place = Place(project.id, document=20)
    desk.handle(place, label(20, 1, spoken=True), ANN)
    desk.handle(place, label(20, 2, spoken=True), BEN)
    answer = desk.handle(place, {"kind": "undo"}, BEN)
    assert (answer["card"]["label"], answer["card"]["doubled"]) == (None, True)
    again = desk.view(place, "ann")["card"]
    assert again["label"]["author"] == "ann"
    desk.handle(place, {"kind": "undo"}, ANN)
    assert desk.view(place, "ann")["project"]["waiting_for_second"] == 0


def test_a_label_for_all_to_see_is_confirmed_by_an_own_one(desk, store, project):
    place = Place(project.id, document=0)
    card = desk.view(place, "ben")["card"]
    asked = label(0, *card["label"]["permitted"], seen=card["label"]["event"], spoken=True)
    desk.handle(place, asked, BEN)
    labels = store.labels_at(project.id, 0)
    assert [(each.author, each.permitted) for each in labels] == [("ann", (1,)), ("ben", (1,))]


def test_assigned_texts_come_first_and_are_left_out_for_others(desk, store, project):
    store.record(project.id, DoubleCoding(0.0), author="ann")
    desk.handle(
        Place(project.id, search="date:2026-03-10"), {"kind": "assign", "person": "ben"}, ANN
    )
    given = store.assignments(project.id).of("ben")
    assert len(given) >= 2
    view = desk.view(Place(project.id), "ben")
    first = [row["position"] for row in view["queue"]]
    assert set(first[: len(given)]) == given
    assert view["project"]["assigned"] == len(given)
    others = desk.view(Place(project.id), "ann")
    assert not given & {row["position"] for row in others["queue"]}
    answer = desk.handle(Place(project.id, document=first[0]), label(first[0], 1), BEN)
    assert answer["project"]["assigned"] == len(given) - 1
    answer = desk.handle(Place(project.id), {"kind": "undo"}, ANN)  # Ann's last act
    assert desk.view(Place(project.id), "ben")["project"]["assigned"] == 0
