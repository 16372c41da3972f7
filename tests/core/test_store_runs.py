"""Runs: factors on disk, rows in the database, names of today."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import NotFound
from core.fitting import ModelSpec
from core.store import CreateTopic, DeleteTopic, ProjectSettings, RenameTopic, Run, Store
from core.store.factors import KEPT
from core.topics import Topics

CORPUS = Corpus(ids=("a", "b"), texts=("one", "two"))
SPEC = ModelSpec(n_topics=3, options={"tol": 0.1})
TOPICS = Topics(
    doc_topic=np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]),
    topic_term=np.eye(3, 4),
    terms=("w", "x", "y", "z"),
    doc_ids=CORPUS.ids,
    names=("Waste", "Roads", "Free 1"),
    n_supervised=2,
    spec=SPEC,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    acts = [(CreateTopic("Waste"), "ann"), (CreateTopic("Roads"), "ann")]
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann", acts=acts)
        yield opened


def add(store: Store, *, automatic: bool = True, **scores: object) -> Run:
    return store.add_run(
        1,
        revision=store.revision(1),
        spec=SPEC,
        topic_ids=[1, 2],
        topics=TOPICS,
        scores=scores,
        seconds=0.5,
        settings=ProjectSettings(n_free=1),
        automatic=automatic,
    )


def test_a_run_comes_back(store: Store) -> None:
    run = add(store, mean_jaccard=np.float32(0.5), coherence=float("nan"), table=[np.int64(3)])
    assert store.current_run(1) == run == store.run(1, run.id) == store.runs(1)[0]
    assert run.scores == {"mean_jaccard": 0.5, "coherence": None, "table": [3]}
    assert (run.revision, run.spec, run.topic_ids, run.seconds) == (2, SPEC, (1, 2), 0.5)
    assert ProjectSettings.from_dict(run.settings) == ProjectSettings(n_free=1)
    assert np.array_equal(store.run_topics(run).doc_topic, TOPICS.doc_topic)


def test_factors_lie_where_they_are_said_to(store: Store) -> None:
    run = add(store)
    assert run.factors == store.home / "factors" / "1" / f"{run.id}.npz"
    assert run.factors.exists()


def test_topics_have_the_names_of_today(store: Store) -> None:
    run = add(store)
    store.record(1, RenameTopic(1, "Rubbish"), author="ann")
    store.record(1, DeleteTopic(2), author="ann")
    assert store.run_topics(run).names == ("Rubbish", "Roads", "Free 1")


def test_a_project_tells_its_last_run(store: Store) -> None:
    assert store.project(1).last_run is None
    add(store, mean_jaccard=0.1)
    run = add(store, mean_jaccard=0.7)
    last = store.projects()[0].last_run
    assert last is not None
    assert (last.run, last.scores, last.finished) == (run.id, {"mean_jaccard": 0.7}, run.finished)


def test_old_automatic_factors_are_removed(store: Store) -> None:
    chosen = add(store, automatic=False)
    stray = chosen.factors.with_name("2.npz")
    runs = [add(store) for _ in range(KEPT + 2)]
    kept = {path.name for path in chosen.factors.parent.iterdir()}
    assert kept == {chosen.factors.name} | {run.factors.name for run in runs[2:]}
    assert not stray.exists()
    assert len(store.runs(1)) == KEPT + 3
    with pytest.raises(NotFound, match="no longer kept"):
        store.run_topics(runs[0])


def test_factors_left_by_a_crash_are_swept(store: Store) -> None:
    add(store)
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE projects SET last_run = 2")
    orphan = store.home / "factors" / "1" / "2.npz"
    orphan.write_bytes(b"half")
    for _ in range(KEPT + 1):
        add(store)
    assert not orphan.exists()


def test_unknown_runs_and_projects(store: Store) -> None:
    with pytest.raises(NotFound, match="no such run"):
        store.run(1, 5)
    assert store.current_run(7) is None
    store.delete_project(1)
    with pytest.raises(NotFound):
        add(store)
    assert not (store.home / "factors").exists()
