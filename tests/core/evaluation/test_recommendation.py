"""The model chooser's answers: every combination gets a model that exists, the plain cases the
expected one."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from core.evaluation.recommendation import (
    Goal,
    Labels,
    Needs,
    Words,
    free_topics,
    needs_of,
    recommend,
)
from core.models import MODELS
from core.spec import ModelSpec

FLAGS = ("several", "noisy", "groups", "short", "broad")
ALL = [
    Needs(goal=goal, labels=labels, words=words, **dict(zip(FLAGS, flags, strict=True)))
    for goal, labels, words, *flags in product(
        get_args(Goal), get_args(Labels), get_args(Words), *5 * [(True, False)]
    )
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


@pytest.mark.parametrize(
    ("needs", "model", "options"),
    [
        (Needs(goal="explore", words="often"), "lda", {}),
        (Needs(goal="explore", words="there"), "pfa", {"data": "binary"}),
        (Needs(goal="number", words="there"), "pfa", {"data": "binary"}),
        (Needs(groups=True, words="there"), "pfa_ssi", {"data": "binary"}),
        (Needs(goal="predict", words="often"), "ssnmf", {"x_loss": "i_divergence"}),
        (Needs(noisy=True, words="often"), "ssnmf", {"x_loss": "i_divergence"}),
        (Needs(words="often"), "tsnmf", {}),  # what labels teach outweighs how words are counted
    ],
)
def test_what_a_word_counts_decides_between_models_of_counts_and_of_weights(needs, model, options):
    best = recommend(needs).best
    assert (best.model, dict(best.options)) == (model, options)


def test_beside_labels_a_model_that_counts_as_asked_is_named():
    often, there = (recommend(Needs(words=words)).also for words in ("often", "there"))
    assert (often.model, dict(often.options)) == ("pfa_ssi", {})
    assert (there.model, dict(there.options)) == ("pfa_ssi", {"data": "binary"})
    quick = recommend(Needs(goal="explore", words="often")).also
    assert (quick.model, quick.options["loss"]) == ("nmf", "i_divergence")


def test_every_answer_about_words_has_its_reason():
    for needs in ALL:
        told = recommend(needs).best.why
        usual = recommend(replace(needs, words="typical")).best.why
        known = "plain counts" in usual and needs.words == "often"  # said already
        assert (told != usual) == (needs.words != "typical" and not known)


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
