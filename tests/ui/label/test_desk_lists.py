"""Lists on the desk: searches, selections, labels for a whole list, what a refit changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import Conflict, NotFound, StudioError
from core.store import DeleteTopic, Label, Store
from core.workspace.refits.refit import refit
from core.workspace.searches import document_search
from tests.core.workspace import small
from tsnmf_ui.label import bulk, refit_changes, selections
from tsnmf_ui.label.desk import Desk, Place, Signature

ANN, BOB = Signature("ann"), Signature("bob")
ASK = {"permitted": [3], "forbidden": [], "confidence": "sure", "nothing_fits": False}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A fitted project, made once; each test works on a copy of it."""
    with Store.open(home=tmp_path_factory.mktemp("lists")) as store:
        project = small.project(store)
        refit(store, project.id)
        yield store, project.id


@pytest.fixture
def store(template):
    return template[0]


@pytest.fixture
def number(template):
    store, original = template
    return store.duplicate_project(original).id


@pytest.fixture
def desk(store):
    return Desk(store)


def positions(view):
    return [row["position"] for row in view["queue"]]


def test_words_and_filters_together(desk, number):
    view = desk.view(Place(number, search="music is:unlabelled"), "ann")
    about = {"kind": "search", "title": "Search results", "note": "", "copies": 0}
    assert view["list"] == about
    assert set(positions(view)) == {p for p in range(6, 30) if p % 3 == 1}
    assert view["waiting"] == len(positions(view))


def test_columns_or_and_patterns_are_searched(desk, number):
    search = 'district:north music OR bench ~"again (party|playground)$"'
    view = desk.view(Place(number, search=search), "ann")
    assert positions(view) == [4, 10, 16, 22, 28]
    marked = [piece[0] for piece in view["card"]["pieces"] if piece[3]]
    assert marked == ["music", "again ", "party"]
    unknown = desk.view(Place(number, search="town:north"))["problem"]
    assert "There is no filter “town:”" in unknown
    assert "district:" in unknown


def test_a_pattern_is_read_again_only_where_it_was_not(desk, store, number, monkeypatch):
    desk.view(Place(number, search="district:north ~party"))
    monkeypatch.setattr(Store, "texts_between", lambda *_: pytest.fail("read again"))
    assert positions(desk.view(Place(number, search="district:north is:unlabelled ~party")))


def test_nobody_waits_for_anothers_pattern(desk, number, monkeypatch):
    monkeypatch.setattr(document_search, "SECONDS_PER_SEARCH", 5.0)
    with desk._lists._search._turn_of("bob"):
        assert positions(desk.view(Place(number, search="~party"), "ann"))
        monkeypatch.setattr(document_search, "SECONDS_PER_SEARCH", 0.0)
        problem = desk.view(Place(number, search="~party$"), "bob")["problem"]
    assert problem == document_search.ANOTHER_PATTERN


SAVE = {"kind": "save_search", "name": "Loud", "search": "music district:south"}


def test_a_saved_search_is_a_queue_of_what_is_left(desk, store, number):
    answer = desk.handle(Place(number), SAVE, ANN)
    assert answer["saved"] == ["Loud"]
    assert "in the menu Saved" in answer["notice"]
    place = Place(number, mode="saved:loud")
    view = desk.view(place, "ann")
    about = {"kind": "saved", "title": "Loud", "note": "music district:south", "copies": 0}
    assert view["list"] == about
    assert positions(view) == [7, 13, 19, 25]  # 1 is labelled
    assert any(piece[3] for piece in view["card"]["pieces"])
    label = {"kind": "label", "position": 7, "permitted": [2], "then": "next"}
    after = desk.handle(replace(place, document=7), label, ANN)
    assert (after["card"]["position"], after["waiting"]) == (13, 3)
    (saved,) = desk.saved_searches(number, "ann")["saved"]
    assert (saved["name"], saved["left"], saved["problem"]) == ("Loud", 3, "")
    assert Desk(store).view(place, "ann")["waiting"] == 3
    desk.handle(place, {"kind": "undo"}, ANN)
    gone = desk.handle(place, {"kind": "undo"}, ANN)
    assert gone["saved"] == []
    assert gone["problem"] == "There is no saved search “loud” any more."


@pytest.mark.parametrize("search", [[], {}, 1.5, True])
def test_a_saved_search_is_text(desk, number, search):
    with pytest.raises(StudioError, match="A search is text"):
        desk.handle(Place(number), {**SAVE, "search": search}, ANN)


def test_a_saved_search_about_labels_lists_labelled_texts(desk, number):
    desk.handle(Place(number), {**SAVE, "search": "label:noise"}, ANN)
    assert positions(desk.view(Place(number, mode="saved:Loud"))) == [1, 4]


def test_a_search_that_makes_no_sense_is_not_saved(desk, store, number):
    with pytest.raises(StudioError, match="no filter “town:”"):
        desk.handle(Place(number), {**SAVE, "search": "town:north"}, ANN)
    assert store.saved_searches(number) == ()


def test_the_help_of_the_search_names_the_columns_and_their_values(desk, number):
    filters = desk.filters(number)
    assert filters["columns"] == [("district:", "North, South")]
    assert dict(filters["all"])["OR"]


def test_similar_texts_are_a_list_of_their_own(desk, number):
    view = desk.view(Place(number, search='like:"loud party" is:unlabelled'), "ann")
    assert view["list"]["title"] == "Similar texts"
    assert view["list"]["note"].startswith("By ")
    assert {p % 3 for p in positions(view)[:5]} == {1}
    assert view["queue"][0]["reason"].endswith("%")
    again = desk.rows(Place(number, search='like:"loud party" is:unlabelled'), "ann", 0)
    assert positions(again) == positions(view)


def test_texts_like_one_of_them_leave_it_open(desk, number):
    view = desk.view(Place(number, search='like:"#d7"', document=7), "ann")
    assert view["card"]["position"] == 7
    assert 7 not in positions(view)
    assert {p % 3 for p in positions(view)[:5]} == {1}
    lost = desk.view(Place(number, search="like:#nowhere"), "ann")
    assert lost["problem"] == "No text has the id “nowhere”."


def test_topics_are_searched_by_share(desk, number):
    view = desk.view(Place(number, search="topic:water is:unlabelled"))
    assert {p % 3 for p in positions(view)} == {0}
    assert view["queue"][0]["reason"].endswith("%")


def test_a_bad_search_is_a_sentence_and_the_card_stays(desk, number):
    view = desk.view(Place(number, search="colour:red", document=9))
    assert "no filter “colour:”" in view["problem"]
    assert (view["queue"], view["card"]["position"]) == ([], 9)


def test_rows_come_in_stretches(desk, number):
    first = desk.rows(Place(number, search="is:unlabelled"), "ann", 0, 10)
    rest = desk.rows(Place(number, search="is:unlabelled"), "ann", 10, 50)
    assert positions(first) + positions(rest) == list(range(6, 30))
    assert first["waiting"] == rest["waiting"] == 24


def test_rows_tell_what_is_labelled(desk, number):
    rows = desk.rows(Place(number, search="is:labelled"), "ann", 0)["queue"]
    assert [row["labels"] for row in rows] == [[1], [2], [3], [1], [2], [3]]


def test_next_goes_on_from_where_a_labelled_text_was(desk, number):
    place = Place(number, search="is:unlabelled", document=10)
    label = {"kind": "label", "position": 10, "permitted": [2], "then": "next"}
    assert desk.handle(place, label, ANN)["card"]["position"] == 11


def test_searched_words_are_marked_and_joined_again_are_the_text(desk, store, number):
    pieces = desk.view(Place(number, search="music", document=1))["card"]["pieces"]
    assert "music" in {text for text, _, _, hit, *_ in pieces if hit}
    assert "".join(piece[0] for piece in pieces) == store.document(number, 1).text


def test_a_selection_is_worked_through_in_its_own_order(desk, store, number):
    key = selections.save(store.home, selections.Selection.of(number, "Lasso", [20, 4, 11]))
    view = desk.view(Place(number, documents=key))
    assert (view["list"]["title"], positions(view)) == ("Lasso", [20, 4, 11])
    after = desk.handle(Place(number, documents=key, document=4), {"kind": "next"}, ANN)
    assert after["card"]["position"] == 11
    both = desk.view(Place(number, documents=key, search="is:unlabelled"))
    assert positions(both) == [20, 11]


def test_a_selection_that_is_gone_is_said(desk, number):
    view = desk.view(Place(number, documents="0123456789ab"))
    assert "no longer exists" in view["problem"]


def test_a_preview_counts_shows_and_tells_what_it_replaces(desk, number):
    place = Place(number, search="music")
    leave = desk.preview(place, {**ASK, "labelled": "leave"}, "ann")
    assert (leave["listed"], leave["count"], leave["left"], leave["replaced"]) == (10, 8, 2, 0)
    replace = desk.preview(place, {**ASK, "labelled": "replace"}, "ann")
    assert (replace["count"], replace["replaced"], replace["authors"]) == (10, 2, [("ann", 2)])
    assert len(replace["sample"]) == bulk.SAMPLE_PER_KIND
    assert [row["labels"] for row in replace["replaced_sample"]] == [[2], [2]]
    few = desk.preview(place, {**ASK, "limit": 4, "labelled": "replace"}, "ann")
    assert few["count"] == 4


def test_a_bulk_label_is_one_act_and_one_undo(desk, store, number):
    before = store.annotations(number)
    place = Place(number, search="music")
    key = desk.preview(place, {**ASK, "labelled": "replace"}, "ann")["key"]
    answer = desk.handle(
        place, {"kind": "bulk", "key": key, **ASK}, Signature("ann", "a-browser", 1)
    )
    assert answer["notice"].startswith("Labelled 10 texts.")
    assert all(store.annotation(number, p).permitted == (3,) for p in range(1, 30, 3))
    again = desk.handle(
        place, {"kind": "bulk", "key": key, **ASK}, Signature("ann", "a-browser", 1)
    )
    assert again["revision"] == answer["revision"]
    assert desk.handle(place, {"kind": "undo"}, ANN)["notice"] == "The batch was undone."
    assert store.annotations(number) == before


def test_a_bulk_label_whose_answer_was_lost_is_acknowledged_by_the_next_server(desk, store, number):
    place = Place(number, search="music")
    key = desk.preview(place, {**ASK, "labelled": "replace"}, "ann")["key"]
    request, by = {"kind": "bulk", "key": key, **ASK}, Signature("ann", "a-browser", 1)
    recorded = desk.handle(place, request, by)["event"]
    again = Desk(store).handle(place, request, by)  # it knows of no preview
    assert again["event"] == recorded
    assert again["notice"].startswith("Labelled 10 texts: ")
    assert again["notice"].endswith("done. You can undo this.")


def test_labels_of_others_that_came_meanwhile_are_left(desk, store, number):
    place = Place(number, search="music is:unlabelled")
    key = desk.preview(place, ASK, "ann")["key"]
    store.record(number, Label(7, (2,)), author="bob")
    answer = desk.handle(place, {"kind": "bulk", "key": key, **ASK}, ANN)
    assert "Left out 1 text that others have labelled since" in answer["notice"]
    assert store.annotation(number, 7).author == "bob"


@pytest.mark.parametrize(
    ("place", "ask"),
    [
        ({}, ASK),
        ({"search": "music"}, {**ASK, "limit": 0}),
        ({"search": "colour:red"}, ASK),
        ({"search": "music"}, {**ASK, "permitted": [[1]]}),
        ({"search": "music"}, {**ASK, "forbidden": [2**70]}),
    ],
)
def test_a_preview_of_nonsense_is_a_sentence(desk, number, place, ask):
    with pytest.raises(StudioError, match=r"\w.*\.$"):
        desk.preview(Place(number, **place), ask, "ann")


def test_an_unknown_preview_labels_nothing(desk, store, number):
    before = store.revision(number)
    with pytest.raises(StudioError, match="out of date"):
        desk.handle(Place(number, search="music"), {"kind": "bulk", "key": "x", **ASK}, ANN)
    assert store.revision(number) == before


def test_what_one_has_not_seen_is_not_replaced(desk, store, number):
    place = Place(number, document=9)
    desk.handle(place, {"kind": "label", "position": 9, "permitted": [1], "seen": 0}, BOB)
    with pytest.raises(Conflict):
        desk.handle(place, {"kind": "label", "position": 9, "permitted": [2], "seen": 0}, ANN)
    seen = desk.view(place)["card"]["label"]["event"]
    answer = desk.handle(
        place, {"kind": "label", "position": 9, "permitted": [2], "seen": seen}, ANN
    )
    assert answer["label_state"]["label"]["permitted"] == [2]
    assert answer["label_state"]["earlier"][0]["author"] == "bob"


def test_a_label_of_which_nothing_is_left_is_in_nobodys_way(desk, store, number):
    place = Place(number, document=9)
    store.record(number, Label(9, (2,)), author="bob")
    store.record(number, DeleteTopic(2), author="bob")
    assert desk.view(place)["card"]["label"] is None
    answer = desk.handle(place, {"kind": "label", "position": 9, "permitted": [1], "seen": 0}, ANN)
    assert answer["label_state"]["label"]["author"] == "ann"


@pytest.mark.parametrize("anew", [False, True], ids=["followed", "read"])
def test_what_was_said_before_a_label_was_taken_back_is_shown_again(desk, store, number, anew):
    place, label = Place(number, document=9), {"kind": "label", "position": 9}
    desk.view(place)
    desk.handle(place, {**label, "permitted": [2]}, BOB)
    desk.handle(place, {**label, "permitted": []}, ANN)
    desk = Desk(store) if anew else desk
    desk.view(place)
    said = desk.handle(place, {**label, "permitted": [1]}, ANN)["label_state"]
    assert [each["author"] for each in said["earlier"]] == ["bob"]
    assert said["earlier"] == desk.view(place)["card"]["earlier"]


def test_the_codebook_is_written_and_asks_for_a_fit(store, number):
    asked = []
    desk = Desk(store, refit=lambda project, after: asked.append(project))
    act = {"kind": "edit_codebook", "topic": 1, "definition": "Pipes", "examples": [4]}
    view = desk.handle(Place(number), act, ANN)
    assert view["topics"][0]["meaning"] == "Pipes"
    assert desk.view(Place(number))["stale"]
    entry = desk.codebook(number)["codebook"][1]
    assert (entry["definition"], entry["examples"][0]["id"]) == ("Pipes", "d4")
    assert asked == [number]


def test_what_a_refit_changed_and_the_way_back(desk, store, number):
    run = store.current_run(number)
    for position in (9, 12):
        label = {"kind": "label", "position": position, "permitted": [2]}
        desk.handle(Place(number, document=position), label, ANN)
    told = desk.changes(number, refit(store, number).id, "ann")
    assert (told["yours"], told["others"], told["since"]) == (2, 0, run.revision)
    touched = {topic["name"] for topic in told["topics"] if topic["touched"]}
    assert touched == {"Noise"}
    assert told["moved"] >= 2
    assert len(selections.load(store.home, number, told["documents"])) == told["moved"]
    desk.handle(Place(number), {"kind": "undo", "since": told["since"]}, ANN)
    assert store.annotation(number, 9) is None
    assert store.annotation(number, 12) is None
    assert store.annotation(number, 3).permitted == (1,)


def test_words_in_out_and_kept_are_told_of_the_same_words(store, number):
    first, second = store.current_run(number), refit(store, number)
    before = np.tile(np.arange(30.0, 0, -1), (4, 1))  # four topics that use w0, w1, … less and less
    after = before.copy()
    after[0, [5, 6]] = 22.5, 23.5  # places change among the first 10
    after[1, [3, 25]] = 0.5, 31  # w3 goes, w25 comes

    def load(run, names):
        kept = store.run_topics(run)
        words = tuple(f"w{i}" for i in range(30))
        return replace(kept, topic_term=before if run.id == first.id else after, terms=words)

    told = refit_changes.changes(store, load, number, second.id, "ann")["topics"]
    assert [topic["kept"] for topic in told] == [[10, 10], [9, 10], [10, 10], [10, 10]]
    assert [topic["lost"] for topic in told] == [[], ["w3"], [], []]
    assert [topic["gained"] for topic in told] == [[], ["w25"], [], []]


def test_a_first_fit_has_nothing_to_compare_with(desk, store, number):
    with pytest.raises(NotFound):
        desk.changes(number, store.current_run(number).id, "ann")


def test_what_a_preview_changed_is_told_against_the_last_full_fit(desk, store, number, slow_fits):
    resting = store.current_run(number)
    desk.handle(Place(number), {"kind": "label", "position": 9, "permitted": [2]}, ANN)
    first = refit(store, number, preview=True)
    desk.handle(Place(number), {"kind": "label", "position": 12, "permitted": [2]}, ANN)
    second = refit(store, number, preview=True)
    told = desk.changes(number, second.id, "ann")
    assert (told["run"], told["since"], told["yours"]) == (second.id, resting.revision, 2)
    assert desk.changes(number, first.id, "ann") == told  # in the place of what is gone


@pytest.fixture
def slow_fits(monkeypatch):
    monkeypatch.setattr("core.workspace.refits.when_to_refit.QUICK_SECONDS", -1.0)
