"""What is kept in memory and on disk: made once, bounded, whole or not there."""

from __future__ import annotations

import threading

import pytest

import core
from core.errors import NotFound
from core.store import Store
from core.values import whole_file
from core.workspace.caches import paths
from core.workspace.caches.corpora import corpus_of, forget_corpora, read_corpus_once
from core.workspace.caches.matrices import matrix_of
from core.workspace.caches.measures import facts_of
from core.workspace.caches.store_cache import StoreCache
from core.workspace.refits import refit as refit_module
from core.workspace.refits.inputs import given_labels
from tests.core.workspace import small


@pytest.fixture
def store(tmp_path):
    forget_corpora()
    with Store.open(home=tmp_path) as store:
        yield store


@pytest.fixture
def reads(store, monkeypatch):
    """How often documents are read from the database, and whether with their texts."""
    read, heard = store.corpus, []

    def corpus(project, *, texts=True):
        heard.append(texts)
        return read(project, texts=texts)

    monkeypatch.setattr(store, "corpus", corpus)
    return heard


def test_a_corpus_is_read_once_whoever_asks(store, reads):
    project = small.project(store)
    first = corpus_of(store, project.id)
    assert corpus_of(store, project.id) is first
    assert corpus_of(store, project.id, texts=False) is first
    matrix_of(store, project)
    facts_of(store, project)
    given_labels(store, project)
    assert reads == [True]


def test_what_needs_no_texts_reads_none(store, reads):
    project = small.project(store)
    facts_of(store, project)
    given_labels(store, project)
    assert reads == [False]


def test_counting_words_keeps_no_texts_in_memory(store, reads):
    project = small.project(store)
    assert read_corpus_once(store, project.id).texts
    assert read_corpus_once(store, project.id).texts
    assert reads == [True, True]


def test_stores_are_distinct_label(store, tmp_path):
    small.project(store)
    with Store.open(home=tmp_path / "other") as other:
        small.project(other, n=12)
        assert len(corpus_of(other, 1)) == 12
    assert len(corpus_of(store, 1)) == 30


def test_the_least_recently_used_value_goes_first(store):
    cache: StoreCache[str] = StoreCache(max_entries=2)
    for key in ("a", "b", "a", "c"):
        cache.get(store, key, lambda key=key: key)
    assert [cache.has(store, key) for key in "abc"] == [True, False, True]


def test_what_fails_is_tried_again(store):
    cache: StoreCache[str] = StoreCache(max_entries=2)

    def fail() -> str:
        raise NotFound("not there yet")

    with pytest.raises(NotFound):
        cache.get(store, "a", fail)
    assert not cache.has(store, "a")
    assert cache.get(store, "a", lambda: "now") == "now"


def test_two_threads_make_a_value_once_and_others_do_not_wait(store):
    cache: StoreCache[str] = StoreCache(max_entries=4)
    begun, go_on, made = threading.Event(), threading.Event(), []

    def slow() -> str:
        begun.set()
        go_on.wait(10)
        made.append("slow")
        return "slow"

    threads = [threading.Thread(target=cache.get, args=(store, "slow", slow)) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun.wait(10)
    assert cache.get(store, "quick", lambda: "quick") == "quick"
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert made == ["slow"]


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "deep" / "7.npz"
    with pytest.raises(TypeError), whole_file(path) as file:
        file.write("not bytes")
    assert list(path.parent.iterdir()) == []
    with whole_file(path) as file:
        file.write(b"whole")
    assert [each.name for each in path.parent.iterdir()] == ["7.npz"]


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (["1.json", "2.json", "10.json", "2.npz"], ["10.json", "2.json", "2.npz"]),
        (["3-1.json", "3-2.json", "3-10.json", "4-1.json"], ["3-10.json", "3-2.json", "4-1.json"]),
    ],
)
def test_older_runs_are_dropped_and_others_stay(tmp_path, names, left):
    for name in names:
        (tmp_path / name).touch()
    paths.drop_older_runs(tmp_path / names[2], keep=2)
    assert sorted(each.name for each in tmp_path.iterdir()) == left


def test_a_preview_goes_on_with_the_guide_of_its_own_store(tmp_path, monkeypatch):
    """Two stores have a project 1 on the same texts: what one learnt says nothing of the other."""
    guides = []

    def fit_and_listen(*given, start=None, **more):
        topics = core.fit(*given, start=start, **more)
        guides.append((None if start is None else start.guide, topics.guide))
        return topics

    monkeypatch.setattr(refit_module, "needs_preview", lambda last: True)
    monkeypatch.setattr(refit_module, "fit", fit_and_listen)
    with Store.open(home=tmp_path / "one") as one, Store.open(home=tmp_path / "other") as other:
        small.fitted(one, labelled=6)
        small.fitted(other, labelled=9)
        refit_module.refit(one, 1, preview=True)
    (_, own), _, (begun_with, _) = guides
    assert own is not None
    assert begun_with is own


def test_a_cache_keeps_what_is_put_there_until_it_is_replaced(store):
    cache: StoreCache[str] = StoreCache(max_entries=2)
    assert cache.find(store, "key") is None
    cache.put(store, "key", "first")
    cache.put(store, "key", "second")
    assert cache.find(store, "key") == "second"
    cache.forget(store, "key")
    assert cache.find(store, "key") is None
