"""Models compared on a project, refused before they start, and made the project's model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.errors import NotFound
from core.spec import ModelSpec
from core.store import Label, MergeTopics
from core.store.runs import comparisons
from core.workspace import topic_facts, topic_operations
from core.workspace.comparisons import compare, refusals_of, use_candidate, use_run
from core.workspace.refits.refit import refit
from core.workspace.results import results_of
from tests.core.workspace import small
from tests.core.workspace.small import comparison, fitted


def made(store, project, *models, **changed) -> int:
    return compare(store, comparison(project.id, *models, **changed))


def test_counts_are_read_where_a_model_needs_them(store):
    project = small.project(store)
    quick = ModelSpec("lda", 4, 0, {"max_iter": 3}).to_dict()
    both = (*comparison(1, "nmf").candidates, {"title": "lda", "spec": quick, "run": None})
    number = made(store, project, candidates=both, seeds=(0,))
    found = comparisons.results(store.home, project.id, number)
    assert [entry["title"] for entry in found["entries"]] == ["nmf", "lda"]


def test_rates_are_studied_on_the_truth(store):
    project = small.project(store)
    variant = {"title": "told", "spec": ModelSpec("tsnmf").to_dict(), "supervised": True}
    asked = comparison(project.id, kind="rates", variants=(variant,), rates=(0.2, 0.5), n_sets=2)
    number = compare(store, asked)
    assert len(comparisons.results(store.home, project.id, number)["points"]) == 4


def test_a_candidate_becomes_the_model_of_the_project(store):
    project = fitted(store)
    number = made(store, project, "nmf", "tsnmf")
    run = use_candidate(store, project, number, 0, author="ann", title="A run")
    assert store.current_run(project.id).id == run.id
    assert store.project(project.id).settings.spec == ModelSpec("nmf", 4)
    assert refit(store, project.id).spec.model == "nmf"  # labels refit it from here on


def test_free_topics_follow_a_model_whose_labels_own_topics(store):
    project = fitted(store)
    number = made(store, project, "nmf", "tsnmf")
    use_candidate(store, project, number, 1, author="ann", title="A run")
    settings = store.project(project.id).settings
    assert (settings.spec.n_topics, settings.n_free) == (None, 1)


def test_the_model_in_use_is_the_fit_that_is_on_screen(store):
    """Its first seed is: else one model has one score on Compare and another on Scores."""
    project = small.project(store, labelled=0)
    for position, topic in enumerate((3, 1, 2, 2, 3, 1)):
        store.record(project.id, Label(position, (topic,)), author="ann")
    shown = store.run_topics(refit(store, project.id))
    number = made(store, project, "tsnmf", "nmf", seeds=(0,))
    same = comparisons.load_topics(store.home, project.id, number, 0)
    order = [same.columns[key] for key in shown.label_keys]
    assert sorted(order) == [0, 1, 2]
    assert np.array_equal(same.doc_topic[:, order], shown.doc_topic[:, :3])
    run = use_candidate(store, project, number, 0, author="ann", title="The same")
    assert run.topic_ids == (1, 2, 3)


def test_a_run_comes_back_with_its_settings(store):
    project = fitted(store)
    first = store.current_run(project.id)
    number = compare(store, comparison(project.id, "nmf", "tsnmf"))
    use_candidate(store, project, number, 0, author="ann", title="A run")
    back = use_run(store, store.project(project.id), first.id, author="ann", title="A run")
    assert back.spec == first.spec
    assert store.current_run(project.id).topic_ids == first.topic_ids
    assert store.project(project.id).settings == project.settings
    assert [event.kind for event in store.events(project.id)][-2:] == ["use_run", "use_run"]


def test_a_run_made_current_knows_of_every_act_it_knew_before(store):
    project = fitted(store)
    assert store.current_run(project.id).revision == store.revision(project.id)
    number = made(store, project, "nmf", "tsnmf")
    use_candidate(store, project, number, 0, author="ann", title="Plain NMF")
    assert store.current_run(project.id).revision == store.revision(project.id)
    assert store.events(project.id)[-1].payload == {"title": "Plain NMF"}
    assert store.count_changes(project.id, after=project.revision) == 0
    store.record(project.id, Label(9, (1,)), author="ann")
    assert store.count_changes(project.id, after=project.revision) == 1


def test_topics_that_are_gone_cannot_become_current(store):
    project = fitted(store)
    number = made(store, project, seeds=(0,))
    for path in store.home.rglob("comparisons/**/*.npz"):
        path.unlink()
    with pytest.raises(NotFound, match="run it again"):
        use_candidate(store, project, number, 0, author="ann", title="A run")


def test_what_cannot_work_is_refused_before_it_starts(store):
    project = small.project(store, labelled=0)
    assert refusals_of(store, comparison(project.id, "tsnmf", "nmf")) == [
        "tsnmf learns from labels, and no text is labelled yet."
    ]
    assert refusals_of(store, comparison(project.id, "lda", "nmf")) == []


def test_a_run_made_current_again_shows_no_change_and_no_verdict_of_the_time(store):
    """The verdicts and changes on Topics are of the refit that rests, or there are none."""
    project = small.fitted(store)
    store.record(project.id, MergeTopics((3,), 2), author="ann")
    merged = refit(store, project.id)
    assert merged.outcome.change is not None
    assert topic_operations.last_verdicts(store, project.id)
    again = use_run(store, store.project(project.id), merged.id, author="ann", title="A run")
    assert (again.outcome.change, again.outcome.verdicts) == (None, ())
    assert again.outcome.scores == merged.outcome.scores
    assert topic_operations.last_verdicts(store, project.id) == []
    found = results_of(store, store.project(project.id))
    assert topic_facts.changes(store, found) is None


def test_verdicts_go_when_a_fit_knows_further_labels(store):
    """What they say of texts and words is of the topics as they were."""
    project = small.fitted(store)
    store.record(project.id, MergeTopics((3,), 2), author="ann")
    refit(store, project.id)
    store.record(project.id, Label(20, (1,)), author="ann")
    assert topic_operations.last_verdicts(store, project.id)
    refit(store, project.id)
    assert topic_operations.last_verdicts(store, project.id) == []


def test_verdicts_on_another_model_are_not_shown(store):
    project = small.fitted(store)
    store.record(project.id, MergeTopics((3,), 2), author="ann")
    refit(store, project.id)
    assert topic_operations.last_verdicts(store, project.id)
    settings = replace(project.settings, spec=ModelSpec(options={"guidance": 0}))
    store.update_settings(project.id, settings)
    refit(store, project.id)
    assert topic_operations.last_verdicts(store, project.id) == []
