"""The score on texts left out, beside that of an earlier run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.spec import ModelSpec
from core.store import Label, RunOutcome, RunScores, Store
from core.topics import Topics
from core.workspace.refits.refit import refit
from core.workspace.scores.left_out_trend import left_out_of, left_out_trend
from tests.core.workspace import small


@pytest.fixture
def project(store):
    return small.fitted(store)


def run_with(store: Store, project, right: int, of: int, labelled: int, **spec):
    """A run of the first topics that scored so much."""
    topics: Topics = store.run_topics(store.run(project.id, 1))
    scores = RunScores(left_out_right=right, left_out_of=of, n_labelled=labelled)
    return store.add_run(
        project.id,
        revision=store.revision(project.id),
        topics=replace(topics, spec=ModelSpec(**spec)) if spec else topics,
        outcome=RunOutcome(scores=scores),
        seconds=0.1,
        settings=project.settings,
    )


def label(store: Store, project, *positions: int) -> None:
    for position in positions:
        store.record(project.id, Label(position, (1 + position % 3,)), author="ann")


def test_a_fit_counts_what_its_guide_gets_right(store, project):
    found = left_out_of(store.current_run(project.id).outcome.scores)
    assert (found.of, found.alone) == (6, 0)
    assert found.right == 6


def test_a_model_without_a_guide_has_none(store, project):
    store.update_settings(project.id, replace(project.settings, spec=ModelSpec("nmf", n_topics=3)))
    assert left_out_trend(store, refit(store, project.id)) is None


def test_too_few_are_compared_with_nothing(store, project):
    label(store, project, 6)
    found = left_out_trend(store, run_with(store, project, 2, 4, 4))
    assert (found.now.missing, found.before, found.direction) == (1, None, None)


def test_the_trend_looks_back_over_five_labels_if_it_can(store, project):
    for at, (right, labelled) in enumerate([(4, 10), (6, 14), (7, 16)]):
        label(store, project, 6 + at)
        run_with(store, project, right, 10, labelled)
    label(store, project, 20)
    found = left_out_trend(store, run_with(store, project, 9, 10, 19))
    assert (found.direction, found.labelled_before, found.before.share) == ("up", 14, 0.6)


def test_another_model_and_another_fit_of_the_same_labels_are_no_step(store, project):
    label(store, project, 6)
    run_with(store, project, 1, 10, 12, model="tsnmf", n_topics=4, options={"guidance": 0.5})
    label(store, project, 7)
    run_with(store, project, 2, 10, 13)
    found = left_out_trend(store, run_with(store, project, 9, 10, 13))
    assert found.labelled_before == 6  # the first fit, of the same model and fewer labels


def test_a_run_of_labels_that_were_undone_is_no_step(store, project):
    label(store, project, 6)
    run_with(store, project, 1, 10, 12)
    store.undo(project.id, author="ann")
    label(store, project, 7)
    found = left_out_trend(store, run_with(store, project, 9, 10, 18))
    assert found.labelled_before == 6
