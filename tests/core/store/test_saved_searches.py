"""Saved searches on the log: replaced, removed, undone, restored, copied and told as any event."""

from __future__ import annotations

import pytest

from core.corpus import Corpus
from core.errors import StoreError
from core.store import HistoryFilter, Restore, SaveSearch, StateDifference, Store, replay
from core.store.history.sentences import describe_event

CORPUS = Corpus(ids=tuple("abcd"), texts=("one", "two", "three", "four"))


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann")
        yield opened


def save(store: Store, name: str, search: str):
    return store.record(1, SaveSearch(name, search), author="ann")


def saved(store: Store, project: int = 1) -> dict[str, str]:
    read = store.saved_searches(project)
    assert read == replay(store.events(project)).searches
    return {each.name: each.search for each in read}


def test_a_name_stands_for_the_search_saved_last(store):
    save(store, "  Open\n refunds ", "refund is:unlabelled")
    save(store, "open refunds", "refund")
    save(store, "All", "invoice")
    assert saved(store) == {"All": "invoice", "open refunds": "refund"}
    save(store, "OPEN REFUNDS", "")
    assert saved(store) == {"All": "invoice"}
    store.undo(1, author="ann")
    assert saved(store) == {"All": "invoice", "open refunds": "refund"}


def test_it_is_there_after_a_restart_and_in_a_copy_and_in_a_file(store, tmp_path):
    save(store, "Refunds", "refund")
    copied = store.duplicate_project(1)
    twin = store.import_project(store.export_project(1, tmp_path / "p.zip"))
    with Store.open(home=tmp_path) as again:
        for project in (1, copied.id, twin.id):
            assert saved(again, project) == {"Refunds": "refund"}


def test_a_restore_tells_what_goes_and_what_changes(store):
    first = save(store, "Refunds", "refund")
    save(store, "Refunds", "refund is:open")
    save(store, "Pay", "salary")
    assert store.difference_to(1, first.id) == StateDifference(
        searches_gone=("Pay",), searches_changed=("Refunds",)
    )


def test_a_restore_brings_it_back_and_history_tells_of_it(store):
    first = save(store, "Refunds", "refund")
    save(store, "Refunds", "")
    assert store.difference_to(1, first.id) == StateDifference(searches_back=("Refunds",))
    store.record(1, Restore(first.id), author="ann")
    assert saved(store) == {"Refunds": "refund"}
    lines = store.history(1, HistoryFilter(kinds=("save_search",))).lines
    assert [describe_event(line, {}).what for line in lines] == [
        "Removed the saved search “Refunds”",
        "Saved the search refund as “Refunds”",
    ]
    assert store.count_changes(1, after=0) == 1  # the restore alone


BAD = [("", "a"), ("x" * 130, "a"), ("A", "x" * 600), (3, "a")]


@pytest.mark.parametrize(("name", "search"), BAD)
def test_bad_ones_are_refused(store, name, search):
    with pytest.raises(StoreError):
        save(store, name, search)
    assert store.revision(1) == 0
