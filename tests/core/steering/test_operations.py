"""Operations on topics: the acts they make, what these amount to, and that all can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from core.corpus import Corpus
from core.engine.limits import Steering
from core.errors import StoreError
from core.spec import ModelSpec
from core.steering import operations
from core.steering.operations import Operation
from core.store import CreateTopic, DeleteTopic, Label, State, Store, replay
from core.topics import Topics

N = 8
CORPUS = Corpus(ids=tuple("abcdefgh"), texts=tuple(f"text {i}" for i in range(N)))
TERMS = ("leak", "pipe", "bill", "meter", "lamp")
X = sp.csr_array(
    np.array([[3, 2, 0, 0, 0], [2, 3, 0, 0, 0], [0, 0, 2, 3, 0], [0, 0, 3, 2, 0]] + [[0] * 5] * 4)
    .astype(np.float32)
)  # fmt: skip
FIT = Topics(
    doc_topic=np.array([[1.0, 0.0]] * 4 + [[0.0, 1.0]] * 4),
    topic_term=np.array([[0.5, 0.5, 0.5, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]]),
    terms=TERMS,
    doc_ids=CORPUS.ids,
    names=("Water", "Lights"),
    n_supervised=2,
    spec=ModelSpec(n_topics=2),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        for name in ("Water", "Lights", "Drains"):
            opened.record(1, CreateTopic(name), author="setup")
        for act in (Label(0, (1,)), Label(1, (3,), (2,)), Label(2, (1, 2)), Label(3, (2,), (1, 3))):
            opened.record(1, act, author="setup")
        yield opened


def do(store: Store, operation: Operation) -> None:
    store.record_batch(1, operation.title, operation.events, author="ann")


def permitted(store: Store) -> dict[int, tuple[int, ...]]:
    return {at: said.permitted for at, said in store.annotations(1).items()}


def names(state: State) -> list[str]:
    return [topic.name for topic in state.topics]


def split(state: State) -> Operation:
    return operations.split(state, 1, 2, topics=FIT, column=0, X=X)


EVERY: dict[str, Callable[[State], Operation]] = {
    "rename": lambda s: operations.rename(s, 1, "Wet things"),
    "merge": lambda s: operations.merge(s, (1, 3), name="Water and drains"),
    "split": split,
    "create from words": lambda s: operations.create_from_words(s, "Bills", ["bill", "meter"]),
    "create from documents": lambda s: operations.create_from_documents(s, "New", [0, 5]),
    "delete": lambda s: operations.delete(s, 1),
    "lock": lambda s: operations.lock(s, 1, topics=FIT, column=0),
    "remove word": lambda s: operations.remove_word(s, 1, "bill"),
    "add word": lambda s: operations.add_word(s, 1, "lamp", strength=2.0),
    "stop word": lambda s: operations.add_stop_word(s, "pipe"),
    "move documents": lambda s: operations.move_documents(s, [0, 2, 6], 2),
}


@pytest.mark.parametrize("operate", EVERY.values(), ids=EVERY)
def test_every_operation_can_be_undone_expected_and_replayed(store, operate):
    before = store.state(1)
    operation = operate(before)
    expected = operations.state_after(store.events(1), operation.events)
    do(store, operation)
    after = store.state(1)
    assert after == replay(store.events(1)) != before
    assert names(expected) == names(after)
    assert expected.word_rules == after.word_rules
    assert {a: s.permitted for a, s in expected.annotations.items()} == permitted(store)
    store.undo(1, author="ann")
    assert store.state(1) == before
    store.redo(1, author="ann")
    assert store.state(1) == after


@pytest.mark.parametrize("operate", EVERY.values(), ids=EVERY)
def test_every_operation_survives_export_and_import(store, operate, tmp_path):
    do(store, operate(store.state(1)))
    file = store.export_project(1, tmp_path / "desk.zip")
    with Store.open(home=tmp_path / "other") as other:
        number = other.import_project(file).id
        assert other.state(number) == store.state(1)


def test_a_merge_permits_what_permitted_any_of_them(store):
    do(store, EVERY["merge"](store.state(1)))
    assert names(store.state(1)) == ["Water and drains", "Lights"]
    assert permitted(store) == {0: (1,), 1: (1,), 2: (1, 2), 3: (2,)}
    assert store.annotations(1)[3].forbidden == (1,)  # both were forbidden
    assert store.label_counts(1) == {1: 3, 2: 2}
    assert [topic.colour for topic in store.topics(1)] == [0, 1]


def test_a_merge_forbids_only_what_was_forbidden_of_all(store):
    store.record(1, Label(4, (), (3,)), author="ann")
    do(store, EVERY["merge"](store.state(1)))
    assert 4 not in store.annotations(1)
    store.record(1, Label(5, (), (1,)), author="ann")
    assert store.annotations(1)[5].forbidden == (1,)


def test_children_inherit_what_their_parent_was_permitted_and_forbidden(store):
    do(store, split(store.state(1)))
    assert [topic.id for topic in store.topics(1)] == [4, 5, 2, 3]  # where it stood
    assert permitted(store) == {0: (4, 5), 1: (3,), 2: (4, 5, 2), 3: (2,)}
    assert store.annotations(1)[3].forbidden == (3, 4, 5)


def test_children_start_from_the_parts_of_their_parents_documents(store):
    (act,) = split(store.state(1)).events
    found = {frozenset(child.words) for child in act.children}
    assert found == {frozenset({"leak", "pipe"}), frozenset({"bill", "meter"})}
    assert all(child.name.startswith("Water: ") for child in act.children)


def test_what_a_deleted_heir_was_permitted_is_set_aside_and_comes_back(store):
    do(store, EVERY["merge"](store.state(1)))
    store.record(1, DeleteTopic(1), author="ben")
    assert permitted(store) == {1: (), 2: (2,), 3: (2,)}  # of 1, what it forbids is left
    assert store.project(1).n_labelled == 2
    store.undo(1, author="ben")
    assert store.project(1).n_labelled == 4


def test_two_merges_against_each_other_leave_one_topic(store):
    merged = operations.merge(store.state(1), (1, 3))
    store.record(1, merged.events[0], author="ann")
    store.undo(1, author="ann")
    store.record(1, operations.merge(store.state(1), (3, 1)).events[0], author="ben")
    store.redo(1, author="ann")
    assert [topic.id for topic in store.topics(1)] == [1, 2]
    assert permitted(store)[1] == (1,)
    assert store.state(1) == replay(store.events(1))


def test_the_last_word_on_a_word_counts(store):
    for operate in (
        lambda s: operations.remove_word(s, 1, "bill"),
        lambda s: operations.add_word(s, 1, "bill", strength=2.0),
        lambda s: operations.remove_word(s, 1, "lamp"),
        lambda s: operations.add_word(s, 1, "meter"),
        lambda s: operations.release_word(s, 1, "meter"),
    ):
        do(store, operate(store.state(1)))
    said = store.word_rules(1).topics
    assert said == Steering(removed={1: ("lamp",)}, added={1: {"bill": 2.0}})


def test_a_split_hands_removed_words_on(store):
    do(store, operations.remove_word(store.state(1), 1, "bill"))
    do(store, split(store.state(1)))
    said = store.word_rules(1).topics
    assert said.removed == {4: ("bill",), 5: ("bill",)}
    assert set(said.begun) == {4, 5}


def test_a_lock_keeps_the_words_on_the_log(store):
    do(store, EVERY["lock"](store.state(1)))
    assert store.word_rules(1).topics.held == {1: dict.fromkeys(TERMS[:4], 0.5)}
    do(store, operations.unlock(store.state(1), 1))
    assert not store.word_rules(1).topics


def test_documents_keep_what_they_had_when_a_topic_is_made_from_them(store):
    do(store, EVERY["create from documents"](store.state(1)))
    assert permitted(store)[0] == (1, 4)
    assert permitted(store)[5] == (4,)


def test_stop_words_can_be_read_again(store):
    do(store, EVERY["stop word"](store.state(1)))
    assert store.word_rules(1).stop_words == ("pipe",)
    do(store, operations.drop_stop_word(store.state(1), "pipe"))
    assert store.word_rules(1).stop_words == ()


BAD: dict[str, tuple[Callable[[State], Operation], str]] = {
    "one topic": (lambda s: operations.merge(s, (1,)), "at least two"),
    "no such topic": (lambda s: operations.merge(s, (1, 9)), "no topic 9"),
    "elsewhere": (lambda s: operations.merge(s, (1, 2), into=3), "into one of them"),
    "into one": (lambda s: operations.split(s, 1, 1, topics=FIT, column=0, X=X), "at least two"),
    "few texts": (lambda s: operations.split(s, 1, 5, topics=FIT, column=0, X=X), "too few"),
    "no words": (lambda s: operations.create_from_words(s, "New", [" "]), "at least one word"),
    "unknown": (lambda s: operations.add_word(s, 1, "sky", known=TERMS), "No text .* holds “sky”"),
    "unlocked": (lambda s: operations.unlock(s, 1), "not locked"),
    "no rule": (lambda s: operations.release_word(s, 1, "bill"), "has no rule about"),
    "no stop word": (lambda s: operations.drop_stop_word(s, "bill"), "no stop word"),
    "nothing": (lambda s: operations.move_documents(s, [], 1), "at least one text"),
}


@pytest.mark.parametrize(("operate", "sentence"), BAD.values(), ids=BAD)
def test_what_cannot_be_done_is_one_sentence(store, operate, sentence):
    with pytest.raises(StoreError, match=sentence):
        operate(store.state(1))


def test_a_locked_topic_keeps_its_words(store):
    do(store, EVERY["lock"](store.state(1)))
    for operate in (EVERY["add word"], EVERY["remove word"]):
        with pytest.raises(StoreError, match="unlock it"):
            operate(store.state(1))


def test_a_taken_name_is_refused_and_nothing_changes(store):
    before = store.state(1)
    operation = operations.create_from_documents(before, "lights", [0])
    with pytest.raises(StoreError, match="already"):
        do(store, operation)
    assert store.state(1) == before


def test_a_free_topic_is_adopted_and_more_in_one_batch(store):
    before = store.state(1)
    for then in (
        lambda s, new: operations.merge(s, (2, new)),
        lambda s, new: operations.lock(s, new, topics=FIT, column=0),
        lambda s, new: operations.split(s, new, 2, topics=FIT, column=0, X=X),
    ):
        do(store, operations.adopt_free_topic(before, "Found", {"run": 1, "topic": 0}, then))
        assert store.state(1) != before
        store.undo(1, author="ann")
        assert store.state(1) == before
    assert [each.kind for each in store.events(1)][-3:] == ["create_topic", "split_topic", "undo"]
