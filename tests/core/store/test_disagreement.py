"""Where people differ, how well they agree, and what ends a disagreement."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from core.corpus import Corpus
from core.evaluation.metrics.agreement import krippendorff_alpha
from core.store import CreateTopic, DeleteTopic, DoubleCoding, Label, Restore, Store
from core.store.files.label_files import LabelRow
from core.store.files.label_import import import_labels, plan_import
from core.store.history import disagreement
from core.store.history.agreement_sentences import (
    agreement_sentence,
    alpha_words,
    counted_sentence,
)
from core.store.history.disagreement import (
    MAX_JUDGEMENTS,
    MIN_BLIND_TEXTS,
    SETTLED_TITLE,
    Agreement,
    agreement,
    agreement_among,
)
from tests.core.store.desk import CORPUS


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            opened.record(1, CreateTopic(name), author="ann")
        opened.record(1, DoubleCoding(1.0), author="ann")
        yield opened


def label(store: Store, author: str, position: int, *topics: int, **more) -> None:
    store.record(1, Label(position, topics, **more), author=author)


def blind(store: Store, author: str, position: int, *topics: int, **more) -> None:
    """A label in double coding, confirmed."""
    store.record_label(1, Label(position, topics, **more), author=author, spoken=True)


@pytest.fixture
def two(store):
    """Ann and Ben on four documents: alike, apart, meeting, and one only Ann judged."""
    blind(store, "ann", 0, 1)
    blind(store, "ben", 0, 1, confidence="unsure")
    blind(store, "ann", 1, 1)
    blind(store, "ben", 1, 2)
    blind(store, "ann", 2, 1, 2)
    blind(store, "ben", 2, nothing_fits=True)
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


def test_more_sets_of_labels_than_memory_is_for_are_not_measured(two, monkeypatch):
    """Every two different sets have a distance: 10,000 texts would take gigabytes."""
    everything = agreement(two.events(1))
    monkeypatch.setattr(disagreement, "MAX_JUDGEMENTS", everything.judgements - 1)
    found = agreement(two.events(1))
    assert (found.judgements, found.interval) == (4, None)
    assert [math.isnan(each.alpha) for each in (found, everything)] == [True, False]
    assert (found.by_topic, found.pairs) == (everything.by_topic, everything.pairs)
    many = Agreement(shared=2_000, judgements=MAX_JUDGEMENTS + 1)
    assert agreement_sentence(many).startswith("People gave 2,001 different sets of labels")


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
    assert (found.shared, found.open) == (2, ())  # what Ben said before he saw Ann’s still counts


@pytest.mark.parametrize(
    ("found", "start"),
    [
        (Agreement(), "No text has been double coded yet"),
        (Agreement(in_sight=40), "No text has been double coded yet"),
        (Agreement(shared=30, alike=30), "All labels are the same"),
        (Agreement(shared=MIN_BLIND_TEXTS - 1, alpha=1.0), "There are too few texts"),
        (Agreement(shared=30, alpha=0.8), "Agreement is good"),
        (Agreement(shared=30, alpha=0.7), "Agreement is fair"),
        (Agreement(shared=30, alpha=0.3), "People often differ"),
        (Agreement(shared=30, alpha=-0.1), "Agreement is no better"),
    ],
)
def test_alpha_is_read_in_plain_words(found, start):
    assert agreement_sentence(found).startswith(start)


def test_it_says_what_is_counted_and_what_is_not(two):
    found = agreement(two.events(1))
    assert counted_sentence(found) == (
        "Counts only the 3 texts two people labelled without seeing each other’s label."
    )
    label(two, "ben", 3, 3)
    in_sight = "1 text that two people labelled in sight of each other’s label is not counted."
    assert counted_sentence(agreement(two.events(1))).endswith(in_sight)
    assert counted_sentence(Agreement(in_sight=1)) == in_sight
    assert counted_sentence(Agreement()) == ""


def alpha_by_hand(pairs: list[tuple[bool, bool]]) -> float:
    """Krippendorff (2011) for two observers and two values, from the table of coincidences."""
    n = 2 * len(pairs)
    ones = sum(map(sum, pairs))
    apart = sum(one != other for one, other in pairs)
    return 1 - (n - 1) * apart / (ones * (n - ones))


def test_alpha_of_each_topic_is_the_formula_written_out(tmp_path):
    said = [((1,), (1,)), ((1,), (1, 2)), ((2,), (2,)), ((1, 2), (2,)), ((3,), (3,)), ((2,), (1,))]
    corpus = Corpus(ids=tuple(map(str, range(24))), texts=("text",) * 24)
    with Store.open(home=tmp_path) as store:
        store.create_project("Desk", corpus, author="ann")
        for name in ("Waste", "Roads", "Lights", "Trees"):
            store.record(1, CreateTopic(name), author="ann")
        store.record(1, DoubleCoding(1.0), author="ann")
        for position in range(24):
            one, other = said[position % 6]
            blind(store, "ann", position, *one)
            blind(store, "ben", position, *other)
        found = agreement(store.events(1))
    by_topic = {each.topic: each for each in found.by_topic}
    assert by_topic.keys() == {1, 2, 3}  # nobody gave the fourth
    for topic, each in by_topic.items():
        pairs = [(topic in one, topic in other) for one, other in said] * 4
        assert each.alpha == pytest.approx(alpha_by_hand(pairs))
        assert each.texts == sum(one or other for one, other in pairs)
        assert each.both == sum(one and other for one, other in pairs)
    low, high = by_topic[1].interval
    assert low < by_topic[1].alpha < high
    assert by_topic[3].interval is None  # both always agree: drawing texts anew shows no spread
    assert found.interval[0] < found.alpha < found.interval[1]


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
    assert (found.shared, found.in_sight) == (3, 1)


def test_documents_that_are_judged_alike_count_as_often_as_there_are():
    several = [[{1}, {1}, {1}, {2}, None], [{1}, {1}, {2}, {2}, {1}]]
    once = [[{1}, {1}, {2}, None], [{1}, {2}, {2}, {1}]]
    alpha = krippendorff_alpha(once, times=[2, 1, 1, 1])
    assert alpha == pytest.approx(krippendorff_alpha(several))


def test_imported_labels_are_nobodys_judgement(two):
    rows = [LabelRow(row=1, id=CORPUS.ids[3], permitted=("Roads",))]
    import_labels(two, 1, plan_import(two, 1, rows, "anna.csv"), "take", author="ben")
    found = agreement(two.events(1))
    assert found.people == (("ann", 4), ("ben", 3))
    assert (found.imported, found.in_sight) == (1, 0)
    assert [each.position for each in found.open] == [1, 2]
    assert found == agreement_among(*two.in_force(1))


def test_labels_that_came_with_the_corpus_are_nobodys_judgement(store):
    label(store, "ann", 0, 1)
    first = store.revision(1)
    assert (agreement(store.events(1)).people, agreement(store.events(1)).imported) == (
        (("ann", 1),),
        0,
    )
    found = agreement(store.events(1), first)
    assert (found.people, found.imported) == ((), 1)
    label(store, "ben", 0, 2)
    found = agreement(store.events(1), first)
    assert (found.people, found.imported, found.disagreements) == ((("ben", 1),), 0, ())


def test_an_agreement_below_chance_is_written_with_a_minus_sign():
    assert alpha_words(-0.034, (-0.15, -0.001)) == "−0.03 (95 % interval −0.15 to 0.00)"
    assert alpha_words(0.85, None) == "0.85"
