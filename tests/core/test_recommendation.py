"""The model chooser's answers: every combination gets a model that exists, the plain cases the
expected one."""

from __future__ import annotations

from itertools import product
from typing import get_args

import pytest

from core.fitting import ModelSpec
from core.models import MODELS
from core.recommendation import Goal, Labels, Needs, free_topics, needs_of, recommend

FLAGS = ("several", "noisy", "groups", "short", "broad")
ALL = [
    Needs(goal=goal, labels=labels, **dict(zip(FLAGS, flags, strict=True)))
    for goal, labels, *flags in product(get_args(Goal), get_args(Labels), *5 * [(True, False)])
]


def test_every_answer_is_a_model_with_options_it_knows_and_a_reason():
    for needs in ALL:
        found = recommend(needs)
        for each in (found.best, found.also):
            ModelSpec(each.model, options=each.options).estimator(3)
            assert each.why.endswith(".")
        assert found.best.model != found.also.model


def test_every_model_is_the_answer_to_something():
    named = {each.model for n in ALL for each in (recommend(n).best, recommend(n).also)}
    assert named == set(MODELS)


@pytest.mark.parametrize(
    ("needs", "model"),
    [
        (Needs(), "tsnmf"),
        (Needs(labels="many", several=False), "tsnmf"),
        (Needs(noisy=True), "ssnmf"),
        (Needs(noisy=True, labels="many", several=False), "supervised_vbnmf"),
        (Needs(goal="predict"), "ssnmf"),
        (Needs(goal="predict", several=False), "nmf_alpha"),
        (Needs(groups=True), "pfa_ssi"),
        (Needs(goal="number"), "pfa"),
        (Needs(goal="explore"), "nmf"),
        (Needs(labels="none"), "nmf"),
        (Needs(labels="none", short=True), "vbnmf"),
    ],
)
def test_plain_cases(needs, model):
    assert recommend(needs).best.model == model


def test_a_label_of_unlike_things_gets_several_topics():
    assert recommend(Needs(broad=True)).best.options == {"parts": "auto"}


def test_a_project_answers_part_of_the_question_itself():
    found = needs_of(n_docs=100, n_labelled=30, several=False, words_per_text=9, groups=True)
    assert (found.labels, found.several, found.short, found.groups) == ("many", False, True, True)
    assert (
        needs_of(n_docs=100, n_labelled=3, several=True, words_per_text=90, groups=False) == Needs()
    )


def test_a_small_corpus_is_given_few_free_topics():
    assert [free_topics(n) for n in (1, 59, 60, 149, 150, 8_000)] == [1, 1, 2, 2, 3, 3]
