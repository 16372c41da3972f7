"""The supervised vbNMF paper on planted texts: every model, every reading, every table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.papers import run_paper
from core.papers import supervised_vbnmf as paper_module
from core.papers.supervised_vbnmf.tables import (
    AS_READ,
    BEST_MODEL,
    OTHER_READINGS,
    PLAIN_MODEL,
    RATE_SHAPES,
    SUPERVISED_MODEL,
    changed,
)
from core.papers.trials import Trial, TrialResult, TrialSet
from tests.core.papers.planted import planted_newsgroups


def small(settings):
    return {**settings, "topics": 6, "passes": 15}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    once = [
        *AS_READ.values(),
        *map(changed, OTHER_READINGS),
        {**AS_READ[SUPERVISED_MODEL], "model": BEST_MODEL},
    ]
    trials = list({str(small(s)): Trial(small(s), 0) for s in once}.values())
    trials.append(Trial(small(AS_READ[SUPERVISED_MODEL]), 1))
    (each,) = paper_module.experiments(quick=True)
    made = [replace(each, read=planted_newsgroups, trials=trials, tables=lambda results: [])]
    paper = replace(paper_module.PAPER, experiments=lambda quick: made)
    return run_paper(paper, tmp_path_factory.mktemp("papers"))


def test_every_space_puts_texts_near_their_own_kind(run):
    for trial in run.results["20 Newsgroups"]:
        assert trial.values["micro"] > 0.7, trial.settings  # chance: a quarter
        assert trial.values["macro"] > 0.7
        assert trial.values.get("inter_label", 1) > 0


def test_labels_decide_which_topics_a_label_uses(run):
    results = TrialSet(run.results["20 Newsgroups"])
    supervised, plain = (
        results.values("inter_label", **small(AS_READ[model]))
        for model in (SUPERVISED_MODEL, PLAIN_MODEL)
    )
    assert min(supervised) > min(plain)


def test_the_best_is_chosen_without_the_test_texts(run):
    (trial,) = TrialSet(run.results["20 Newsgroups"]).of(model=BEST_MODEL).trials
    assert trial.values["neighbours"] in paper_module.newsgroups.TRIED_NEIGHBOURS
    assert trial.values["unit_scale"] in (0, 1)


def test_words_and_idf_are_those_of_the_training_texts():
    data = planted_newsgroups()
    texts = paper_module.newsgroups.weighed_texts(data.train, data.test, "stems", "sum")
    assert texts.train.shape[1] == texts.test.shape[1]
    other = paper_module.newsgroups.weighed_texts(data.train, data.test.rows([0]), "stems", "sum")
    assert (texts.test[[0]] != other.test[[0]]).nnz == 0  # whatever texts come along


def result_of(settings, seed, **values):
    return TrialResult("20 Newsgroups", settings, seed, "", values, 1.0, "0")


def test_print_stands_beside_ours_and_sentences_follow_the_numbers():
    base = AS_READ[SUPERVISED_MODEL]
    trials = [
        result_of({**AS_READ["pca"], "passes": 1}, 0, micro=0.6, macro=0.59),
        result_of({**AS_READ[PLAIN_MODEL], "passes": 1}, 0, micro=0.5, macro=0.49, inter_label=0.3),
        *(
            result_of({**base, "rate_shape": shape}, seed, micro=0.7 + seed / 10, inter_label=value)
            for shape, value in zip(RATE_SHAPES, (0.4, 0.7, 0.2), strict=True)
            for seed in (0, 1)
        ),
    ]
    accuracy, variants, curves = paper_module.tables.newsgroup_tables(TrialSet(trials))
    page = accuracy.markdown()
    assert "| Supervised vbNMF (100): micro | 0.7141 | 0.7500 ± 0.0707 | 2 | +0.0359 |" in page
    assert "| Best start: micro | 0.7418 | 0.8000 | 1 | +0.0582 |" in page
    assert [each.holds for each in accuracy.statements] == [True, True]
    assert len(variants.rows) == len(OTHER_READINGS) + 5
    assert "not run" in variants.markdown()
    assert "| 0.400 → 0.700 → 0.200 | yes |" in curves.markdown()
    assert curves.statements[0].ours.endswith("over 6 fits")
    assert not curves.statements[0].holds


def test_headers_are_removed_and_nothing_else_where_print_says_so():
    whole, without = "20 Newsgroups", "Headers removed"
    full = {each.name: each for each in paper_module.experiments(quick=False)}
    assert set(full) == {whole, without}
    assert full[without].read.args == (("headers",),)
    assert {trial.settings["headers"] for trial in full[without].trials} == {"removed"}
    trials = [result_of({**AS_READ[PLAIN_MODEL], "headers": "removed"}, 0, micro=0.5, macro=0.4)]
    (table,) = full[without].tables(TrialSet(trials))
    assert "| vbNMF (40): macro | 0.5393 | 0.4000 | 1 | -0.1393 |" in table.markdown()
