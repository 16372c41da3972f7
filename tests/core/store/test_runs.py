"""Runs: factors on disk, rows in the database, names of today."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import NotFound
from core.spec import ModelSpec
from core.store import (
    CreateTopic,
    DeleteTopic,
    OperationVerdict,
    ProjectSettings,
    RefitChange,
    RenameTopic,
    Run,
    RunOutcome,
    RunScores,
    Store,
)
from core.store.runs.factors import AUTOMATIC_RUNS_WITH_FACTORS, plain
from core.topics import Topics

CORPUS = Corpus(ids=("a", "b"), texts=("one", "two"))
SPEC = ModelSpec(n_topics=3, options={"tol": 0.1})
TOPICS = Topics(
    doc_topic=np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]),
    topic_term=np.eye(3, 4),
    terms=("w", "x", "y", "z"),
    doc_ids=CORPUS.ids,
    names=("Waste", "Roads", "Free 1"),
    keys=(1, 2, "Free 1"),
    n_supervised=2,
    spec=SPEC,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    first = [(CreateTopic("Waste"), "ann"), (CreateTopic("Roads"), "ann")]
    with Store.open(home=tmp_path) as opened:
        opened.create_project("Desk", CORPUS, author="ann", first_events=first)
        yield opened


def add(store: Store, *, automatic: bool = True, preview: bool = False, **scores: Any) -> Run:
    return store.add_run(
        1,
        revision=store.revision(1),
        topics=TOPICS,
        outcome=RunOutcome(scores=RunScores(**scores)),
        seconds=0.5,
        settings=ProjectSettings(n_free=1),
        automatic=automatic,
        preview=preview,
    )


def test_a_run_comes_back(store: Store) -> None:
    run = add(store, mean_jaccard=np.float32(0.5), adherence=float("nan"), n_labels=np.int64(3))
    assert store.current_run(1) == run == store.run(1, run.id) == store.runs(1)[0]
    assert run.outcome == RunOutcome(scores=RunScores(mean_jaccard=0.5, n_labels=3))
    assert (run.revision, run.spec, run.topic_ids, run.seconds) == (2, SPEC, (1, 2), 0.5)
    assert ProjectSettings.from_dict(run.settings) == ProjectSettings(n_free=1)
    assert np.array_equal(store.run_topics(run).doc_topic, TOPICS.doc_topic)


OUTCOME = RunOutcome(
    scores=RunScores(n_labelled=4, adherence=1.0),
    change=RefitChange(topic="Waste", gained=("bin",), moved=2, stability=0.9, added=("Free 1",)),
    verdicts=(OperationVerdict(event=7, kind="lock_topic", degree="fully", sentence="Kept."),),
    began_with={1: 3, 2: 0},
)
KEPT_OUTCOME = {  # as every version has kept it
    "n_labelled": 4,
    "adherence": 1.0,
    "change": {
        "topic": "Waste",
        "gained": ["bin"],
        "lost": [],
        "moved": 2,
        "stability": 0.9,
        "untouched": None,
        "added": ["Free 1"],
        "removed": [],
    },
    "honoured": [{"event": 7, "kind": "lock_topic", "degree": "fully", "sentence": "Kept."}],
    "begun": {"1": 3, "2": 0},
}


def test_an_outcome_is_kept_as_the_first_version_kept_it() -> None:
    assert plain(OUTCOME.to_dict()) == KEPT_OUTCOME
    assert RunOutcome.from_dict(KEPT_OUTCOME) == OUTCOME


def test_an_outcome_of_another_version_is_still_read() -> None:
    assert RunOutcome.from_dict({}) == RunOutcome()
    assert RunOutcome.from_dict({"mean_jaccard": 0.5, "coherence": None}).change is None
    change = {"topic": None, "gained": [], "lost": [], "moved": 1, "news": 3}
    assert RunOutcome.from_dict({"change": change}).change == RefitChange(moved=1)


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
    assert (last.run, last.scores, last.finished) == (
        run.id,
        RunScores(mean_jaccard=0.7),
        run.finished,
    )


def test_old_automatic_factors_are_removed(store: Store) -> None:
    chosen = add(store, automatic=False)
    stray = chosen.factors.with_name("2.npz")
    runs = [add(store) for _ in range(AUTOMATIC_RUNS_WITH_FACTORS + 2)]
    kept = {path.name for path in chosen.factors.parent.iterdir()}
    assert kept == {chosen.factors.name} | {run.factors.name for run in runs[2:]}
    assert not stray.exists()
    assert len(store.runs(1)) == AUTOMATIC_RUNS_WITH_FACTORS + 3
    with pytest.raises(NotFound, match="have been deleted"):
        store.run_topics(runs[0])


def test_a_crash_before_the_row_deletes_no_factors(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [add(store) for _ in range(AUTOMATIC_RUNS_WITH_FACTORS)]

    def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("core.store.runs.factors.read_run", crash)
        with pytest.raises(KeyboardInterrupt):
            add(store)
    assert all(run.factors.exists() for run in runs)
    assert len(store.runs(1)) == AUTOMATIC_RUNS_WITH_FACTORS


def test_a_preview_takes_no_factors_away(store: Store) -> None:
    runs = [add(store) for _ in range(AUTOMATIC_RUNS_WITH_FACTORS)]
    add(store, preview=True)
    assert all(run.factors.exists() for run in runs)


def test_factors_left_by_a_crash_are_swept(store: Store) -> None:
    add(store)
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE projects SET last_run = 2")
    orphan = store.home / "factors" / "1" / "2.npz"
    orphan.write_bytes(b"half")
    for _ in range(AUTOMATIC_RUNS_WITH_FACTORS + 1):
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


def test_a_preview_is_shown_but_neither_listed_nor_compared_with(store: Store) -> None:
    resting = add(store)
    preview = add(store, preview=True)
    assert preview.preview
    assert not resting.preview
    assert store.current_run(1) == preview == store.run(1, preview.id)
    assert store.resting_run(1) == resting
    assert store.runs(1) == [resting]
    last = store.project(1).last_run
    assert last is not None
    assert (last.run, last.preview) == (preview.id, True)


@pytest.mark.parametrize("preview", [True, False], ids=["a preview", "a full fit"])
def test_whatever_comes_next_takes_the_place_of_a_preview(store: Store, preview: bool) -> None:
    first, gone = add(store), add(store, preview=True)
    newer = add(store, preview=preview)
    assert newer.id == gone.id + 1 == 3  # no number is given twice
    with pytest.raises(NotFound, match="no such run"):
        store.run(1, gone.id)
    assert not gone.factors.exists()
    assert first.factors.exists()
    assert newer.factors.exists()
    assert store.current_run(1) == newer


def test_a_crash_before_the_row_leaves_the_preview_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store)
    preview = add(store, preview=True)

    def crash(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("core.store.runs.factors.delete_previews", crash)
        with pytest.raises(KeyboardInterrupt):
            add(store)
    assert store.current_run(1) == preview
    assert np.array_equal(store.run_topics(preview).doc_topic, TOPICS.doc_topic)
    assert add(store).id == preview.id + 2  # the number that was reserved is not used again


def test_a_file_and_a_copy_take_the_run_that_rests_along(store: Store, tmp_path: Path) -> None:
    resting = add(store)
    preview = add(store, preview=True)
    copied = store.duplicate_project(1)
    file = store.export_project(1, tmp_path / "desk.zip")
    with Store.open(home=tmp_path / "other") as other:
        imported = other.import_project(file)
        for there, project in ((store, copied), (other, imported)):
            run = there.current_run(project.id)
            assert run is not None
            assert (run.id, run.preview) == (resting.id, False)
    assert (
        store.add_run(
            copied.id,
            revision=2,
            topics=TOPICS,
            outcome=RunOutcome(),
            seconds=1.0,
            settings=ProjectSettings(),
        ).id
        > preview.id
    )


def test_runs_of_a_database_without_previews_rest(store: Store) -> None:
    run = add(store)
    with store._database.write() as connection:
        connection.exec_driver_sql("ALTER TABLE runs DROP COLUMN preview")
        connection.exec_driver_sql("DELETE FROM schema_version")
        connection.exec_driver_sql("INSERT INTO schema_version VALUES (2, 0)")
    store.close()
    with Store.open(home=store.home) as again:
        assert again.current_run(1) == again.resting_run(1) == run
        preview = add(again, preview=True)
        assert again.current_run(1) == preview
        assert again.resting_run(1) == run
