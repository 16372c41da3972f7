"""Scores of a run as the second process counts them, done in this one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import Cancelled
from core.evaluation import held_out
from core.spec import ModelSpec
from core.store import CreateTopic, Label, Store
from core.store.runs import evaluations
from core.workspace.refits.refit import refit
from core.workspace.scores import evaluate, score_history
from tests.core.workspace import small


def on(share: float) -> bool:
    return False


def fitted(store: Store, *, labelled: int = 6, n: int = 60, truth: bool = True, model: str = ""):
    made = small.project(store, labelled=labelled, n=n)
    settings = replace(made.settings, truth=truth)
    if model:
        settings = replace(settings, spec=ModelSpec(model, n_topics=3))
    store.update_settings(made.id, settings)
    refit(store, made.id)
    return store.project(made.id)


def scored(store: Store, project) -> evaluations.EvaluatedRun:
    evaluate.evaluate(store, project.id, {}, on)
    return evaluations.history(store.home, project.id)[-1]


def test_with_a_truth_unlabelled_documents_are_judged(store):
    project = fitted(store)
    point = scored(store, project)
    assert (point.basis, point.labelled) == ("truth", 6)
    assert point.scores["first"][3] == "on 54 texts"
    assert {"jaccard", "coherence", "diversity", "adherence"} <= set(point.scores)
    tables = evaluations.tables(store.home, project.id, point.run)
    assert [row["label"] for row in tables["labels"]] == sorted(small.TRUTH)
    assert [row["labelled"] for row in tables["coverage"]] == [2, 2, 2]


def test_without_a_truth_labels_are_kept_aside(store):
    point = scored(store, fitted(store, labelled=30, truth=False))
    assert point.basis == "held_out"
    assert point.scores["first"][3] == "on 30 texts"
    assert point.forecast["more"] == [25, 50, 100]


def test_few_labels_without_a_truth_give_no_score_but_the_rest(store):
    project = fitted(store, truth=False)
    point = scored(store, project)
    assert point.value("first") is None
    assert point.value("adherence") == 1.0
    assert evaluations.judged(store.home, project.id, point.run) is None


def test_a_second_fit_is_held_against_the_first(store):
    project = fitted(store)
    scored(store, project)
    for position in range(6, 18):
        store.record(project.id, Label(position, (1 + position % 3,)), author="ann")
    refit(store, project.id)
    point = scored(store, project)
    verdict = score_history(store, store.project(project.id)).verdict
    assert (verdict.kind, verdict.reference.run) == ("same", 1)
    assert verdict.noise.source == "assumed"
    assert "kept_words" in point.scores


def test_other_starts_that_are_tried_later_change_the_verdict_at_once(store):
    project = fitted(store)
    scored(store, project)
    for position in range(6, 18):
        store.record(project.id, Label(position, (1 + position % 3,)), author="ann")
    run = refit(store, project.id)
    scored(store, project)
    assert score_history(store, store.project(project.id)).verdict.noise.source == "assumed"
    found = {"run": run.id, "labelled": 18, "seeds": 5, "words": [1.0], "documents": [1.0]}
    shaky = {"first": [0.2, 0.9, 0.4, 0.8, 0.3]}
    evaluations.save_seeds(store.home, project.id, {**found, "scores": shaky})
    noise = score_history(store, store.project(project.id)).verdict.noise
    assert noise.source == "starts"
    assert noise.spread > 0.1


def test_another_model_is_not_held_against_the_first(store):
    project = fitted(store)
    scored(store, project)
    settings = replace(project.settings, spec=ModelSpec(options={"guidance": 0}))
    store.update_settings(project.id, settings)
    store.record(project.id, Label(9, (1,)), author="ann")
    refit(store, project.id)
    scored(store, project)
    assert score_history(store, store.project(project.id)).verdict is None


def test_labels_given_after_the_fit_do_not_count(store):
    project = fitted(store)
    store.record(project.id, Label(30, (1,)), author="ann")
    store.record(project.id, CreateTopic("Late"), author="ann")
    assert scored(store, project).scores["first"][3] == "on 54 texts"


def test_a_model_whose_topics_belong_to_no_label(store):
    project = fitted(store, labelled=30, truth=False, model="nmf")
    point = scored(store, project)
    assert point.value("first") > 0.8
    assert "adherence" not in point.scores


def test_other_seeds_are_compared_with_one_another(store):
    project = fitted(store)
    heard = []
    evaluate.over_seeds(store, project.id, {"seeds": 3}, lambda share: heard.append(share))
    found = evaluations.seeds(store.home, project.id)
    assert (found["seeds"], len(found["words"]), len(found["scores"]["first"])) == (3, 3, 3)
    assert heard == sorted(heard)


@pytest.mark.parametrize("work", [evaluate.evaluate, evaluate.over_seeds])
def test_what_is_cancelled_leaves_nothing(store, work):
    project = fitted(store)
    with pytest.raises(Cancelled):
        work(store, project.id, {}, lambda share: True)
    assert evaluations.history(store.home, project.id) == []
    assert evaluations.seeds(store.home, project.id) is None


def test_before_the_first_fit_there_is_nothing_to_score(store):
    project = small.project(store)
    assert evaluate.evaluate(store, project.id, {}, on) is None
    assert evaluate.over_seeds(store, project.id, {}, on) is None


def listening(real, heard: list):
    def fit(matrix, supervision, *given, **options):
        heard.append(supervision.names)
        return real(matrix, supervision, *given, **options)

    return fit


@pytest.mark.parametrize("work", [evaluate.evaluate, evaluate.over_seeds])
def test_groups_of_texts_are_told_to_every_fit(store, monkeypatch, work):
    project = fitted(store, labelled=30, truth=False)
    spec = ModelSpec("pfa_ssi", n_topics=3, options={"max_iter": 10})
    settings = replace(project.settings, spec=spec, levels=("district",))
    store.update_settings(project.id, settings)
    refit(store, project.id)
    heard = []
    for module in (evaluate, held_out):
        monkeypatch.setattr(module, "fit", listening(module.fit, heard))
    work(store, project.id, {"seeds": 2}, on)
    assert heard
    assert {names[-1] for names in heard} == {"district: South"}
