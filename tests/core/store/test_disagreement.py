"""Where people differ, how well they agree, and what ends a disagreement."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from core.evaluation.metrics.agreement import krippendorff_alpha
from core.store import CreateTopic, DeleteTopic, Label, Restore, Store
from core.store.history.disagreement import (
    SETTLED_TITLE,
    agreement,
    agreement_among,
    agreement_sentence,
)
from tests.core.store.test_log import CORPUS


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            opened.record(1, CreateTopic(name), author="ann")
        yield opened


def label(store: Store, author: str, position: int, *topics: int, **more) -> None:
    store.record(1, Label(position, topics, **more), author=author)


@pytest.fixture
def two(store):
    """Ann and Ben on four documents: alike, apart, meeting, and one only Ann judged."""
    label(store, "ann", 0, 1)
    label(store, "ben", 0, 1, confidence="unsure")
    label(store, "ann", 1, 1)
    label(store, "ben", 1, 2)
    label(store, "ann", 2, 1, 2)
    label(store, "ben", 2, nothing_fits=True)
    label(store, "ann", 3, 3)
    return store


def test_the_last_label_of_each_person_is_held_against_the_others(two):
    label(two, "ann", 1, 3)
    found = agreement(two.events(1))
    assert (found.shared, found.alike) == (3, 1)
    assert found.people == (("ann", 4), ("ben", 3))
    assert [d.position for d in found.open] == [1, 2]
    assert [(s.author, s.permitted) for s in found.open[0].sides] == [("ann", (3,)), ("ben", (2,))]
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.shared, pair.alike) == ("ann", "ben", 3, 1)
    assert dict(found.topics) == {1: 1, 2: 2, 3: 1}


def test_alpha_is_krippendorffs_on_sets(two):
    sets = [[{1}, {1}, {1, 2}], [{1}, {2}, set()]]
    assert agreement(two.events(1)).alpha == krippendorff_alpha(sets, distance="masi")


def test_a_settling_label_ends_it_without_counting_as_a_judgement(two):
    before = agreement(two.events(1))
    two.record_batch(1, SETTLED_TITLE, [Label(1, (2,))], author="ann")
    found = agreement(two.events(1))
    assert [d.position for d in found.open] == [2]
    assert found.disagreements[-1].settled.permitted == (2,)
    assert found.alpha == before.alpha
    label(two, "ben", 1, 3)  # says something new afterwards
    assert [d.position for d in agreement(two.events(1)).open] == [1, 2]


def test_what_was_taken_back_is_no_judgement(two):
    two.undo(1, author="ben")
    assert [d.position for d in agreement(two.events(1)).open] == [1]
    two.record(1, Restore(3), author="cat")
    assert agreement(two.events(1)).people == ()


def test_a_cleared_label_and_a_deleted_topic_say_nothing(two):
    label(two, "ben", 2)
    two.record(1, DeleteTopic(2), author="ann")
    found = agreement(two.events(1))
    assert (found.shared, found.open) == (1, ())


@pytest.mark.parametrize(
    ("labels", "start"),
    [
        ([], "No text has been labelled by two people"),
        ([("ann", 0, 1), ("ben", 0, 1)], "All labels are the same"),
        ([(who, p, 1 + p) for p in range(3) for who in ("ann", "ben")], "Agreement is good"),
        ([("ann", 0, 1), ("ben", 0, 2), ("ann", 1, 2), ("ben", 1, 1)], "Agreement is no better"),
        (
            [("ann", p, 1 + p % 2) for p in range(6)]
            + [("ben", p, 1 + p % 2 if p < 5 else 1) for p in range(6)],
            "Agreement is fair",
        ),
        (
            [("ann", p, 1 + p % 2) for p in range(6)]
            + [("ben", p, 1 + p % 2 if p < 4 else 3) for p in range(6)],
            "People often differ",
        ),
    ],
)
def test_alpha_is_read_in_plain_words(store, labels, start):
    for who, position, topic in labels:
        label(store, who, position, topic)
    found = agreement(store.events(1))
    assert agreement_sentence(found).startswith(start)
    assert math.isnan(found.alpha) == ("cannot be measured" in agreement_sentence(found))


def test_the_tables_tell_what_the_log_tells(two):
    two.record_batch(1, SETTLED_TITLE, [Label(1, (1,))], author="ben")
    two.record_batch(1, "Bulk", [Label(at, (2,)) for at in range(5)], author="cat")
    two.record(1, DeleteTopic(3), author="ann")
    label(two, "dan", 4, 1, forbidden=(2,))
    two.undo(1, author="ben")
    assert agreement_among(*two.in_force(1)) == agreement(two.events(1))
    two.redo(1, author="ben")
    found = agreement_among(*two.in_force(1))
    assert found == agreement(two.events(1))
    assert found.shared == 4


def test_documents_that_are_judged_alike_count_as_often_as_there_are():
    several = [[{1}, {1}, {1}, {2}, None], [{1}, {1}, {2}, {2}, {1}]]
    once = [[{1}, {1}, {2}, None], [{1}, {2}, {2}, {1}]]
    alpha = krippendorff_alpha(once, times=[2, 1, 1, 1])
    assert alpha == pytest.approx(krippendorff_alpha(several))
