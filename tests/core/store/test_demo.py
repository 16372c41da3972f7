"""The demo opens labelled, and at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.loading import read_demo, read_demo_labels
from core.store import Project, Store
from core.store.projects.demo import create_demo


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    home: Path = tmp_path_factory.mktemp("home")
    with Store.open(home=home) as opened:
        yield opened


@pytest.fixture(scope="module")
def demo(store: Store) -> Project:
    return create_demo(store)


def test_the_demo_has_its_documents_and_topics(store: Store, demo: Project) -> None:
    corpus = read_demo()
    assert (demo.n_docs, demo.settings.demo, demo.settings.truth) == (len(corpus), True, True)
    assert tuple(topic.name for topic in store.topics(demo.id)) == corpus.label_names


def test_every_label_of_the_demo_is_there(store: Store, demo: Project) -> None:
    names = {topic.id: topic.name for topic in store.topics(demo.id)}
    ids = read_demo().ids
    found = {
        (ids[p], tuple(names[t] for t in each.permitted), each.confidence, each.author)
        for p, each in store.annotations(demo.id).items()
    }
    assert found == {(x.id, x.permitted, x.confidence, x.author) for x in read_demo_labels()}
    assert len({each[-1] for each in found}) > 1


def test_a_second_demo_is_another_project(store: Store, demo: Project) -> None:
    assert create_demo(store).id != demo.id
