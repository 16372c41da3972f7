"""The desk without server and browser."""

from __future__ import annotations

import pytest

from core.errors import NotFound, StudioError
from core.store import CreateTopic, Label, ProjectSettings, Store
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tsnmf_ui.label.desk import REFIT_AFTER_LEAVING, REFIT_WHILE_OPEN, Desk, Place, Signature

ANN = Signature("ann")


@pytest.fixture
def project(store):
    return small.project(store)


@pytest.fixture
def asked():
    return []


@pytest.fixture
def desk(store, asked):
    return Desk(store, refit=lambda project, after: asked.append((project, after)))


@pytest.fixture
def fitted(store, project):
    refit(store, project.id)
    return project


def label(position, *permitted, **more):
    return {"kind": "label", "position": position, "permitted": list(permitted), **more}


def test_before_the_first_fit_a_card_is_shown(desk, project):
    view = desk.view(Place(project.id))
    assert view["card"]["shares"] == {}
    assert view["refit"] is None
    assert view["stale"]


def test_the_card_is_the_first_of_the_queue(desk, fitted):
    view = desk.view(Place(fitted.id))
    assert view["card"]["position"] == view["queue"][0]["position"]


def test_counts_and_topics(desk, fitted):
    view = desk.view(Place(fitted.id))
    assert view["project"]["labelled"] == 6
    assert [topic["name"] for topic in view["topics"]] == list(small.TRUTH)
    assert [topic["key"] for topic in view["topics"]] == ["1", "2", "3"]
    assert [topic["labelled"] for topic in view["topics"]] == [2, 2, 2]
    assert "water" in view["topics"][0]["words"]


def test_free_topics_are_found_ones(desk, fitted):
    found = desk.view(Place(fitted.id))["free_topics"]
    assert [each["topic"] for each in found] in ([3], [])  # a free topic without words is no find


@pytest.fixture
def parks_free(store):
    return small.parks_free(store)


def adopt(desk, project, free):
    request = {"kind": "create_topic", "name": "Parks", "free_topic": free}
    number = desk.handle(Place(project), request, ANN)["event"]
    (event,) = desk.store.events(project, after=number - 1, limit=1)
    return event.payload


def test_a_free_topic_is_adopted_with_its_words(desk, parks_free):
    (free,) = desk.view(Place(parks_free.id))["free_topics"]
    payload = adopt(desk, parks_free.id, {name: free[name] for name in ("run", "topic", "key")})
    assert payload["found"] == {"run": 1, "topic": 2}
    assert set(payload["words"]) >= set(small.PARKS.split())


def test_a_free_topic_of_a_preview_that_is_gone_is_adopted_all_the_same(
    desk, store, parks_free, monkeypatch
):
    monkeypatch.setattr("core.workspace.refits.when_to_refit.QUICK_SECONDS", -1.0)
    refit(store, parks_free.id, preview=True)
    (free,) = desk.view(Place(parks_free.id))["free_topics"]
    full = refit(store, parks_free.id)
    payload = adopt(desk, parks_free.id, {name: free[name] for name in ("run", "topic", "key")})
    assert payload["found"] == {"run": full.id, "topic": 2}
    assert set(payload["words"]) >= set(small.PARKS.split())


@pytest.mark.parametrize("free", [3, "all", {"run": 1}, {"run": 1, "topic": "x"}])
def test_an_origin_that_makes_no_sense_is_refused(desk, parks_free, free):
    with pytest.raises(StudioError):
        adopt(desk, parks_free.id, free)


def test_a_preview_says_so_and_is_replaced_while_it_is_read(desk, store, fitted, monkeypatch):
    monkeypatch.setattr("core.workspace.refits.when_to_refit.QUICK_SECONDS", -1.0)
    assert desk.view(Place(fitted.id))["refit"]["preview"] is False
    preview = refit(store, fitted.id, preview=True)
    assert desk.view(Place(fitted.id))["refit"]["preview"] is True
    read = store.run

    def replaced_meanwhile(project, number):
        refit(store, project)
        return read(project, number)

    fresh = Desk(store)
    with monkeypatch.context() as patched:
        patched.setattr(store, "run", replaced_meanwhile)
        told = fresh.view(Place(fitted.id))["refit"]
    assert (told["preview"], told["run"] > preview.id) == (False, True)


def test_the_pieces_make_up_the_text(desk, store, fitted):
    card = desk.view(Place(fitted.id, document=9))["card"]
    assert "".join(piece[0] for piece in card["pieces"]) == store.document(fitted.id, 9).text
    assert "t1" in {piece[1] for piece in card["pieces"]}


def test_a_card_tells_id_date_and_side(desk, fitted):
    card = desk.view(Place(fitted.id, document=9))["card"]
    assert (card["id"], card["date"], card["side"]) == (
        "d9",
        "10 March 2026",
        [["district", "South"]],
    )


def test_shares_sum_to_one(desk, fitted):
    shares = desk.view(Place(fitted.id, document=9))["card"]["shares"]
    assert sum(shares.values()) == pytest.approx(1, abs=1e-3)


def test_a_label_is_stored_and_shown(desk, store, fitted):
    answer = desk.handle(Place(fitted.id, document=9), label(9, 1), ANN)
    assert store.annotation(fitted.id, 9).permitted == (1,)
    assert answer["label_state"]["label"]["permitted"] == [1]
    assert answer["label_state"]["position"] == 9
    assert answer["project"]["labelled"] == 7
    assert answer["topics"][0]["labelled"] == 3


def test_next_shows_another_document(desk, fitted):
    place = Place(fitted.id, document=desk.view(Place(fitted.id))["card"]["position"])
    desk.handle(place, label(place.document, 1), ANN)
    answer = desk.handle(place, {"kind": "next"}, ANN)
    assert answer["card"]["position"] not in (place.document, None)
    assert place.document not in [row["position"] for row in answer["queue"]]


def test_a_label_may_move_on_at_once(desk, fitted):
    answer = desk.handle(Place(fitted.id, document=9), label(9, 1, then="next"), ANN)
    assert answer["card"]["position"] != 9


def test_skip_moves_on_and_leaves_the_document_out(desk, fitted):
    answer = desk.handle(Place(fitted.id, document=9), {"kind": "skip", "position": 9}, ANN)
    assert answer["project"]["skipped"] == 1
    assert 9 not in [row["position"] for row in answer["queue"]]


def test_undo_shows_the_document_it_was_about(desk, store, fitted):
    desk.handle(Place(fitted.id, document=9), label(9, 1), ANN)
    answer = desk.handle(Place(fitted.id, document=12), {"kind": "undo"}, ANN)
    assert answer["card"]["position"] == 9
    assert answer["card"]["label"] is None
    again = desk.handle(Place(fitted.id, document=12), {"kind": "redo"}, ANN)
    assert again["card"]["label"]["permitted"] == [1]


def test_nothing_to_undo_is_said(desk, fitted):
    answer = desk.handle(Place(fitted.id), {"kind": "undo"}, Signature("newcomer"))
    assert answer["notice"] == "There is nothing to undo."


def test_a_repeated_act_changes_nothing(desk, store, fitted):
    by = Signature("ann", "a-browser", 1)
    first = desk.handle(Place(fitted.id, document=9), label(9, 1), by)
    again = desk.handle(Place(fitted.id, document=9), label(9, 1), by)
    assert again["event"] == first["event"]
    assert store.revision(fitted.id) == first["revision"] == again["revision"]


def test_a_new_topic_appears_with_its_key(desk, fitted):
    answer = desk.handle(Place(fitted.id), {"kind": "create_topic", "name": "Lamps"}, ANN)
    assert answer["topics"][-1]["name"] == "Lamps"
    assert answer["topics"][-1]["key"] == "4"
    assert answer["topics"][-1]["words"] == []


def test_what_others_write_is_seen(desk, store, fitted):
    desk.view(Place(fitted.id))
    store.record(fitted.id, small.Label(20, (1,)), author="bob")
    assert desk.view(Place(fitted.id))["project"]["labelled"] == 7


def test_incremental_and_fresh_desk_agree(desk, store, fitted):
    for position in (9, 10, 11):
        desk.handle(Place(fitted.id, document=position), label(position, 1), ANN)
    desk.handle(Place(fitted.id, document=13), {"kind": "skip", "position": 13}, ANN)
    place = Place(fitted.id, document=9, mode="in_order")
    assert desk.view(place) == Desk(store).view(place)


def test_a_refit_is_asked_for_sooner_when_the_card_is_left(desk, fitted, asked):
    desk.handle(Place(fitted.id, document=9), label(9, 1), ANN)
    desk.handle(Place(fitted.id, document=9), label(9, 1, 2, then="next"), ANN)
    assert asked == [(fitted.id, REFIT_WHILE_OPEN), (fitted.id, REFIT_AFTER_LEAVING)]


def test_moving_on_asks_for_no_refit(desk, fitted, asked):
    desk.handle(Place(fitted.id, document=9), {"kind": "next"}, ANN)
    assert asked == []


def test_search_replaces_the_queue(desk, fitted):
    view = desk.view(Place(fitted.id, search="music"))
    assert view["waiting"] == 10
    assert {row["position"] % 3 for row in view["queue"]} == {1}


def test_when_all_is_labelled_there_is_no_card(desk, fitted):
    for position in range(30):
        answer = desk.handle(
            Place(fitted.id, document=position), label(position, 1, then="next"), ANN
        )
    assert answer["card"] is None
    assert answer["queue"] == []


def test_skipped_documents_come_back_last(desk, fitted):
    desk.handle(Place(fitted.id, document=29), {"kind": "skip", "position": 29}, ANN)
    for position in range(29):
        answer = desk.handle(
            Place(fitted.id, document=position), label(position, 1, then="next"), ANN
        )
    assert answer["card"]["position"] == 29
    assert answer["card"]["reason"] == "Skipped earlier"


def test_a_new_run_renews_the_queue(desk, store, fitted):
    before = desk.view(Place(fitted.id))["refit"]["run"]
    desk.handle(Place(fitted.id, document=9), label(9, 1), ANN)
    run = refit(store, fitted.id)
    desk.prepare(fitted.id, run.id)
    view = desk.view(Place(fitted.id))
    assert view["refit"]["run"] == run.id != before
    assert not view["stale"]
    assert view["refit"]["adherence"] == 1.0
    judged = view["refit"]["left_out"]
    assert (judged["of"], judged["missing"], judged["labelled_before"]) == (7, 0, 6)
    assert judged["direction"] in ("up", "down", "same")


@pytest.mark.parametrize("position", [30, 10_000])
def test_documents_that_do_not_exist(desk, fitted, position):
    with pytest.raises(NotFound):
        desk.view(Place(fitted.id, document=position))
    with pytest.raises(NotFound):
        desk.handle(Place(fitted.id), label(position, 1), ANN)


@pytest.mark.parametrize(
    "act",
    [
        {},
        {"kind": "fly"},
        {"kind": "label"},
        {"kind": "label", "position": "9"},
        {"kind": "label", "position": 9, "permitted": [99]},
        {"kind": "label", "position": 9, "permitted": 1},
        {"kind": "label", "position": 9, "permitted": [1], "nothing_fits": True},
        {"kind": "label", "position": 9, "permitted": [1], "forbidden": [1]},
        {"kind": "label", "position": 9, "permitted": [1], "confidence": "very"},
        {"kind": "create_topic", "name": "  "},
        {"kind": "create_topic", "name": "water"},
        {"kind": "rename_topic", "topic": 99, "name": "x"},
    ],
)
def test_bad_acts_end_in_a_sentence_and_change_nothing(desk, store, fitted, act):
    before = store.revision(fitted.id)
    with pytest.raises(StudioError, match=r"\w.*\.$"):
        desk.handle(Place(fitted.id, document=9), act, ANN)
    assert store.revision(fitted.id) == before


def test_the_next_card_comes_with_every_view(desk, fitted):
    place = Place(fitted.id, document=9)
    upcoming = desk.view(place)["upcoming"]
    assert upcoming["position"] != 9
    desk.handle(place, label(9, 1), ANN)
    there = desk.handle(place, {"kind": "next", "to": upcoming["position"]}, ANN)
    assert there["card"] == upcoming
    assert there["upcoming"]["position"] not in (9, upcoming["position"])
    with pytest.raises(StudioError):
        desk.handle(place, {"kind": "next", "to": 10_000}, ANN)


def test_a_label_does_not_change_what_comes_next(desk, fitted):
    place = Place(fitted.id, document=desk.view(Place(fitted.id))["card"]["position"])
    before = desk.view(place)["upcoming"]
    desk.handle(place, label(place.document, 1), ANN)
    assert desk.view(place)["upcoming"] == before


def test_going_on_hastens_the_refit_that_waits(store, fitted):
    hastened = []
    desk = Desk(store, hasten=lambda project, after: hastened.append((project, after)))
    desk.handle(Place(fitted.id, document=8), label(8, 1), ANN)
    assert hastened == []
    desk.handle(Place(fitted.id, document=8), {"kind": "next"}, ANN)
    assert hastened == [(fitted.id, REFIT_AFTER_LEAVING)]


def test_what_was_drawn_up_ahead_is_not_read_again(store, desk, fitted, monkeypatch):
    view = desk.view(Place(fitted.id))
    here, there = (
        Place(fitted.id, document=view[card]["position"]) for card in ("card", "upcoming")
    )
    desk.look_ahead(there, "ann")
    read = []
    ask = store.documents
    monkeypatch.setattr(store, "documents", lambda *given: read.append(given) or ask(*given))
    desk.handle(here, label(here.document, 1), ANN)
    answer = desk.handle(here, {"kind": "next", "to": there.document}, ANN)
    assert answer["upcoming"]["pieces"]
    assert read == []


def test_words_of_topics_are_those_of_the_desks_own_store(tmp_path):
    """Each of two stores has a project 1 with a run 1; their texts have no word in common."""
    with Store.open(home=tmp_path / "one") as one, Store.open(home=tmp_path / "other") as other:
        small.fitted(one)
        settings = ProjectSettings(meaning="off")
        other.create_project("Other", small.varied(30), settings, author="ann")
        other.record(1, CreateTopic("Water"), author="ann")
        other.record(1, Label(0, (1,)), author="ann")
        refit(other, 1)
        shown = [set(Desk(each).view(Place(1))["topics"][0]["words"]) for each in (one, other)]
    assert all(shown)
    assert not shown[0] & shown[1]
