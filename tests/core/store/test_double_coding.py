"""Blind double coding: who sees what, and when a label comes into force."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Conflict, StoreError
from core.store import CreateTopic, DoubleCoding, Label, Store
from core.store.coding.double_coding import seed_of
from core.store.history.disagreement import agreement, agreement_among
from core.store.history.sentences import HIDDEN_LABEL, describe_event
from core.store.maintenance.log_check import log_faults
from tests.core.store.desk import CORPUS


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            opened.record(1, CreateTopic(name), author="ann")
        opened.record(1, DoubleCoding(1.0, seed_of("texts")), author="ann")
        yield opened


def says(store: Store, author: str, position: int, *topics: int, spoken: bool = True, **more):
    return store.record_label(1, Label(position, topics, **more), author=author, spoken=spoken)


def shown(store: Store) -> str:
    """Everything that a page of the history says."""
    names = store.topic_names(1)
    lines = store.history(1, limit=100).lines
    return repr([(describe_event(line, names), dict(line.event.payload)) for line in lines])


@given(st.integers(0, 2**31 - 1), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_keeps_the_texts_of_a_smaller_one(seed, one, other):
    small, large = sorted((one, other))
    chosen = {p for p in range(300) if DoubleCoding(small, seed).chooses(p)}
    assert chosen <= {p for p in range(300) if DoubleCoding(large, seed).chooses(p)}


def test_about_the_share_is_chosen_and_always_the_same():
    setting = DoubleCoding(0.1, seed_of("a corpus"))
    chosen = [p for p in range(20_000) if setting.chooses(p)]
    assert 1_850 < len(chosen) < 2_150
    assert chosen == [p for p in range(20_000) if setting.chooses(p)]
    assert not any(DoubleCoding(0.0, 1).chooses(p) for p in range(1_000))
    assert all(DoubleCoding(1.0, 1).chooses(p) for p in range(1_000))


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), True, "half"])
def test_a_share_that_is_none_is_refused(store, share):
    with pytest.raises(StoreError, match="share"):
        store.record(1, DoubleCoding(share), author="ann")


def test_nothing_shows_a_label_before_the_second_person_has_spoken(store):
    before = store.project(1)
    event = says(store, "ann", 0, 1, note="a telling note")
    assert event.kind == "blind_label"
    after = store.project(1)
    assert (after.n_labelled, store.annotations(1), store.label_counts(1)) == (
        before.n_labelled,
        {},
        {1: 0, 2: 0, 3: 0},
    )
    assert HIDDEN_LABEL in shown(store)
    lines = store.history(1, limit=1).lines
    assert "Waste" not in repr(describe_event(lines[0], store.topic_names(1)))
    assert lines[0].event.payload["permitted"] == []
    assert "telling" not in shown(store)
    assert store.count_changes(1, after=before.revision) == 0
    found = agreement_among(*store.in_force(1))
    assert (found.people, found.shared, found.disagreements) == ((), 0, ())


def test_the_second_persons_label_comes_into_force_and_shows_both(store):
    says(store, "ann", 0, 1, note="a telling note")
    event = says(store, "ben", 0, 2)
    assert event.kind == "label"
    assert event.payload["blind"] is True
    assert store.annotations(1)[0].permitted == (2,)
    assert [(e.author, e.permitted) for e in store.labels_at(1, 0, before=event.id)] == [
        ("ann", (1,))
    ]
    assert "telling" in shown(store)
    assert HIDDEN_LABEL not in shown(store)
    found = agreement(store.events(1))
    assert (found.shared, found.alike, found.in_sight) == (1, 0, 0)
    assert [side.author for side in found.open[0].sides] == ["ann", "ben"]


def test_a_draft_is_not_spoken(store):
    says(store, "ann", 0, 1, spoken=False)
    assert says(store, "ben", 0, 2).kind == "blind_label"
    assert says(store, "ann", 0, 1, 2).kind == "label"
    assert agreement(store.events(1)).shared == 1


def test_a_change_of_mind_before_the_other_speaks_is_a_draft_again(store):
    says(store, "ann", 0, 1)
    says(store, "ann", 0, 1, 2, spoken=False)
    assert says(store, "ben", 0, 2).kind == "blind_label"


def test_an_empty_label_says_nothing(store):
    says(store, "ann", 0, 1)
    assert says(store, "ben", 0).kind == "blind_label"
    assert store.waiting_labels(1)[0].keys() == {"ann"}


def test_undo_hides_both_again_and_what_was_seen_is_not_blind(store):
    says(store, "ann", 0, 1)
    says(store, "ben", 0, 2)
    store.undo(1, author="ben")
    assert store.annotations(1) == {}
    assert HIDDEN_LABEL in shown(store)
    event = says(store, "ben", 0, 1)
    assert (event.kind, "blind" in event.payload) == ("label", False)
    found = agreement(store.events(1))
    assert (found.shared, found.in_sight) == (0, 1)


def test_what_is_said_in_sight_of_the_other_does_not_count(store):
    says(store, "ann", 0, 1)
    says(store, "ben", 0, 2)
    says(store, "ann", 0, 2)  # sees Ben's label by now, and agrees
    found = agreement(store.events(1))
    assert (found.shared, found.alike, found.open) == (1, 0, ())


def test_a_third_person_who_was_slower_is_asked(store):
    for author in ("ann", "cat"):
        says(store, author, 0, 1, spoken=False)
    says(store, "ann", 0, 1)
    says(store, "ben", 0, 2)
    with pytest.raises(Conflict, match="ben"):
        store.record_label(1, Label(0, (1,)), author="cat", seen=6, spoken=True)


def test_texts_that_have_a_label_stay_as_they_are(tmp_path):
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", CORPUS, author="ann")
        store.record(1, CreateTopic("Waste"), author="ann")
        store.record(1, Label(0, (1,)), author="ann")
        store.record(1, DoubleCoding(1.0), author="ann")
        assert says(store, "ben", 0, 1).kind == "label"
        assert agreement(store.events(1)).in_sight == 1


def test_a_text_that_waits_is_doubled_even_if_double_coding_ends(store):
    says(store, "ann", 0, 1)
    store.record(1, DoubleCoding(0.0), author="ann")
    assert says(store, "ben", 1, 1).kind == "label"
    assert says(store, "ben", 0, 1).payload["blind"] is True


def test_labels_can_be_used_without_a_second_person(store):
    says(store, "ann", 0, 1)
    says(store, "ann", 1, 2, note="why")
    says(store, "ben", 2, 3)
    store.release_labels(1, author="ann")
    assert {p: (a.author, a.note) for p, a in store.annotations(1).items()} == {
        0: ("ann", ""),
        1: ("ann", "why"),
    }
    assert agreement(store.events(1)).shared == 0
    store.undo(1, author="ann")
    assert store.waiting_labels(1).keys() == {0, 1, 2}
    with pytest.raises(StoreError, match="None of your labels"):
        store.release_labels(1, author="cat")


def test_a_repeated_request_is_recorded_once(store):
    for _ in range(2):
        store.record_label(1, Label(0, (1,)), author="ann", client="tab", sequence=1, spoken=True)
    assert store.revision(1) == 5


def test_log_and_tables_agree_and_travel(store, tmp_path):
    says(store, "ann", 0, 1)
    says(store, "ben", 0, 2)
    says(store, "ann", 1, 1)
    with store._database.read() as connection:
        assert log_faults(connection, 1) == []
    copied = store.import_project(store.export_project(1, tmp_path / "desk.studio.zip"))
    assert store.double_coding(copied.id) == store.double_coding(1)
    assert store.annotations(copied.id).keys() == {0}
    assert store.waiting_labels(copied.id, {0}).keys() == {1}
    assert agreement(store.events(copied.id)) == agreement(store.events(1))
