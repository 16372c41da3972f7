"""Adopting a free topic: a fit that starts afresh knows its words from the log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.steering import operations
from core.store import CreateTopic
from core.topics import Topics
from core.workspace import Workspace
from core.workspace.adoption import with_words_of_free_topic
from core.workspace.caches.matrices import forget_matrices
from core.workspace.refits import when_to_refit
from tests.core.workspace import small


@pytest.fixture
def workspace(tmp_path, monkeypatch) -> Iterator[Workspace]:
    monkeypatch.setattr(when_to_refit, "QUICK_SECONDS", -1.0)  # every fit gets a preview
    forget_matrices()
    with Workspace.open(home=tmp_path, author="ann") as opened:
        yield opened


@pytest.fixture
def parks_free(workspace: Workspace) -> int:
    return small.parks_free(workspace.store).id


def words_of(topics: Topics, name: str) -> set[str]:
    return {term for term, _ in topics.top_terms(topics.names.index(name), 6)}


def test_an_adopted_topic_keeps_its_words_in_a_full_fit(workspace, parks_free):
    event = workspace.record(parks_free, CreateTopic("Mine", {"run": 1, "topic": 2}))
    assert set(event.payload["words"]) >= set(small.PARKS.split())
    topics = workspace.store.run_topics(workspace.refit(parks_free))
    assert words_of(topics, "Mine") == set(small.PARKS.split())
    assert not words_of(topics, "Free 2") >= set(small.PARKS.split())  # and no other has them


def test_the_number_of_an_adopted_topic_is_not_given_again(workspace, parks_free):
    workspace.record(parks_free, CreateTopic("Mine", {"run": 1, "topic": 2}))
    for preview in (True, False):  # the preview calls it as the full fit will
        run = workspace.refit(parks_free, preview=preview)
        assert run.preview == preview
        assert workspace.store.run_topics(run).keys == (1, 2, 3, "Free 2")
    again = workspace.refit(parks_free, preview=True)
    assert workspace.store.run_topics(again).keys == (1, 2, 3, "Free 2")


def test_a_topic_of_a_preview_that_is_gone_is_adopted_from_the_run_in_its_place(
    workspace, parks_free
):
    preview = workspace.refit(parks_free, preview=True)
    full = workspace.refit(parks_free)
    create = CreateTopic("Mine", {"run": preview.id, "topic": 2})
    event = with_words_of_free_topic(workspace.store, parks_free, create, "Free 1")
    assert event.free_topic == {"run": full.id, "topic": 2}
    assert set(event.words) >= set(small.PARKS.split())
    without = with_words_of_free_topic(workspace.store, parks_free, create, "Free 9")
    assert (without.free_topic, without.words) == (None, None)
    assert workspace.record(parks_free, create).payload["found"] is None  # and it does not fail


def test_what_is_no_free_topic_brings_no_words(workspace, parks_free):
    for column in (0, 7):
        create = CreateTopic(f"Mine {column}", {"run": 1, "topic": column})
        assert "words" not in workspace.record(parks_free, create).payload


def test_a_merged_topic_begins_with_the_words_of_all_its_topics(workspace, parks_free):
    for column, name in enumerate(("Trees", "Benches")):
        words = {("tree", "bench")[column]: 2.0}
        workspace.record(parks_free, CreateTopic(name, None, words))
    merge = operations.merge(workspace.store.state(parks_free), (3, 4))
    workspace.store.record_batch(parks_free, merge.title, merge.events, author="ann")
    assert workspace.store.word_rules(parks_free).topics.begun == {3: {"tree": 1.0, "bench": 1.0}}
    workspace.undo(parks_free)
    begun = workspace.store.word_rules(parks_free).topics.begun
    assert begun == {3: {"tree": 2.0}, 4: {"bench": 2.0}}
