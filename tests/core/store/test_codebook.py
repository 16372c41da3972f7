"""The codebook on the log, and labels that two people give at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.corpus import Corpus
from core.errors import Conflict, NotFound, StoreError
from core.store import Codebook, CreateTopic, DeleteTopic, EditCodebook, Label, Store, replay

CORPUS = Corpus(ids=tuple("abcd"), texts=("one", "two", "three", "four"))
ENTRY = EditCodebook(1, "What is billed", "invoices, refunds", "broken phones", (0, 2))


@pytest.fixture
def store(tmp_path: Path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        opened.record(1, CreateTopic("Billing"), author="ann")
        yield opened


def test_the_last_entry_stands_and_undo_brings_back_the_one_before(store):
    store.record(1, EditCodebook(1, "Old"), author="ann")
    store.record(1, ENTRY, author="ann")
    said = Codebook("What is billed", "invoices, refunds", "broken phones", (0, 2))
    assert store.codebook(1) == {1: said} == replay(store.events(1)).codebook
    store.undo(1, author="ann")
    assert store.codebook(1) == {1: Codebook("Old")} == replay(store.events(1)).codebook


def test_a_deleted_topic_has_no_entry(store):
    store.record(1, ENTRY, author="ann")
    store.record(1, DeleteTopic(1), author="ann")
    assert store.codebook(1) == {} == replay(store.events(1)).codebook


def test_the_codebook_travels_with_its_project(store, tmp_path):
    store.record(1, ENTRY, author="ann")
    twin = store.import_project(store.export_project(1, tmp_path / "p.zip"))
    assert store.codebook(twin.id) == store.codebook(1)


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (EditCodebook(9, "x"), NotFound),
        (EditCodebook(1, "x", examples=(4,)), NotFound),
        (EditCodebook(1, "x" * 5_000), StoreError),
        (EditCodebook(1, examples=tuple(range(60))), StoreError),
    ],
)
def test_bad_entries_are_refused(store, act, error):
    with pytest.raises(error):
        store.record(1, act, author="ann")
    assert store.codebook(1) == {}


def test_a_newer_label_of_somebody_else_is_not_replaced_unseen(store):
    theirs = store.record(1, Label(2, (1,)), author="bob", seen=0)
    with pytest.raises(Conflict, match="bob has labelled this text"):
        store.record(1, Label(2, nothing_fits=True), author="ann", seen=0)
    assert store.annotation(1, 2).author == "bob"
    store.record(1, Label(2, nothing_fits=True), author="ann", seen=theirs.id)
    assert store.annotation(1, 2).author == "ann"


def test_ones_own_label_and_one_that_was_taken_back_are_no_conflict(store):
    store.record(1, Label(2, (1,)), author="ann", seen=0)
    store.record(1, Label(2, (), nothing_fits=True), author="ann", seen=0)
    store.record(1, Label(3, (1,)), author="bob")
    store.record(1, Label(3), author="bob")
    store.record(1, Label(3, (1,)), author="ann", seen=0)
    assert [each.author for each in store.labels_at(1, 3)] == ["bob", "ann"]


def test_a_resent_label_is_no_conflict_with_itself(store):
    first = store.record(1, Label(2, (1,)), author="ann", client="browser-1", sequence=1, seen=0)
    store.record(1, Label(2, nothing_fits=True), author="bob", seen=first.id)
    again = store.record(1, Label(2, (1,)), author="ann", client="browser-1", sequence=1, seen=0)
    assert again == first
