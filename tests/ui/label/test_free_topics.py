"""Free topics on the desk: called by their words, adopted with them, kept under a new name."""

from __future__ import annotations

import pytest

from core.errors import NotFound, StudioError
from core.store import Label
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tsnmf_ui.label.desk import REFIT_AFTER_LEAVING, Desk, Place, Signature

ANN = Signature("ann", "tab", 1)


@pytest.fixture
def project(store):
    """Water and Noise are named; the free topic is about parks."""
    made = small.project(store, topics=2)
    for position in (at for at in range(12) if at % 3 < 2):
        store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    refit(store, made.id)
    return made


@pytest.fixture
def asked():
    return []


@pytest.fixture
def desk(store, asked):
    return Desk(store, refit=lambda project, after: asked.append((project, after)))


def free_topic(desk, project):
    (free,) = desk.view(Place(project.id))["free_topics"]
    return free


def keep(desk, project, topic, free, by=ANN):
    request = {"kind": "keep_free", "topic": topic, "free_topic": free and {"key": "Free 1"} | free}
    return desk.handle(Place(project.id, document=14), request, by)


def test_a_free_topic_is_called_by_its_words(desk, project):
    free = free_topic(desk, project)
    assert free["name"] == ", ".join(free["words"][:2])
    assert (free["run"], free["topic"]) == (1, 2)


def test_a_text_names_it_in_its_reasons_and_on_its_card(desk, project):
    view = desk.view(Place(project.id, document=14))
    assert max(view["card"]["shares"], key=view["card"]["shares"].get) == "f2"
    assert not any("Free 1" in row["reason"] for row in view["queue"])


def test_an_adopted_topic_has_its_words_on_the_log(desk, store, project):
    free = free_topic(desk, project)
    shown = {"run": free["run"], "topic": free["topic"], "key": free["key"]}
    request = {"kind": "create_topic", "name": "Green", "free_topic": shown}
    desk.handle(Place(project.id), request, ANN)
    event = store.events(project.id)[-1]
    assert set(free["words"][:5]) <= set(event.payload["words"])
    assert store.word_rules(project.id).topics.begun.keys() == {3}


def test_keeping_it_makes_it_part_of_the_new_topic_and_one_undo_takes_that_back(
    desk, store, asked, project
):
    free = free_topic(desk, project)
    desk.handle(Place(project.id), {"kind": "create_topic", "name": "Green"}, Signature("ann"))
    store.record(project.id, Label(14, (3,)), author="ann")
    del asked[:]
    answer = keep(desk, project, 3, {"run": 1, "topic": 2})
    assert asked == [(project.id, REFIT_AFTER_LEAVING)]
    assert answer["notice"].startswith(f"Keep “{free['name']}” as “Green”: done.")
    assert answer["card"]["position"] == 14
    assert set(store.word_rules(project.id).topics.added[3]) == set(free["words"][:5])
    again = keep(desk, project, 3, {"run": 1, "topic": 2})  # the same request, sent twice
    assert again["event"] == answer["event"]
    topics = store.run_topics(refit(store, project.id))
    parks = set(range(2, 30, 3))
    assert parks <= {i for i, k in enumerate(topics.doc_topic.argmax(axis=1)) if k == 2}
    store.undo(project.id, author="ann")
    assert 3 not in store.word_rules(project.id).topics.added
    assert store.annotation(project.id, 14).permitted == (3,)  # the label stays


def test_a_fit_that_came_between_is_no_obstacle(desk, store, project):
    desk.handle(Place(project.id), {"kind": "create_topic", "name": "Odd"}, Signature("ann"))
    refit(store, project.id)
    keep(desk, project, 3, {"run": 1, "topic": 2})
    created = next(e for e in reversed(store.events(project.id)) if e.kind == "create_topic")
    assert created.payload["words"]
    assert store.word_rules(project.id).topics.added.keys() == {3}


def test_a_preview_that_showed_it_and_is_gone_is_no_obstacle(desk, store, project):
    keep(desk, project, 1, {"run": 7, "topic": 5})
    created = next(e for e in reversed(store.events(project.id)) if e.kind == "create_topic")
    assert created.payload["found"] == {"run": 1, "topic": 2}


@pytest.mark.parametrize(
    ("topic", "free", "error"),
    [
        (1, {"run": 1, "topic": 0}, StudioError),  # a named topic is not free
        (1, {"run": 1, "topic": 9}, StudioError),
        (1, {"run": 1}, StudioError),
        (1, None, StudioError),
        ("1", {"run": 1, "topic": 2}, StudioError),
        (9, {"run": 1, "topic": 2}, NotFound),
        (1, {"run": 7, "topic": 2, "key": "Free 9"}, NotFound),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    desk, store, project, topic, free, error
):
    before = store.revision(project.id)
    with pytest.raises(error):
        keep(desk, project, topic, free)
    assert store.revision(project.id) == before
