"""The NMF-α paper on planted texts: every method, every share of labels, every table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.papers import nmf_alpha as paper_module
from core.papers import run_paper
from core.papers.nmf_alpha.tables import NEWS_METHODS, news_tables
from core.papers.trials import TrialResult, TrialSet
from tests.core.papers.planted import planted_newsgroups


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    trials = paper_module.newsgroups.news_trials(1, ["kept"], [20, 100], rank=6, updates=20)
    (each,) = paper_module.experiments(quick=True)
    made = [replace(each, read=planted_newsgroups, trials=trials)]
    paper = replace(paper_module.PAPER, experiments=lambda quick: made)
    return run_paper(paper, tmp_path_factory.mktemp("papers"))


def test_every_method_finds_the_groups_of_planted_texts(run):
    results = TrialSet(run.results["20 Newsgroups"])
    for method in NEWS_METHODS:
        (right,) = results.values("accuracy", method=method, labelled=100)
        assert right > 80, method  # chance: 25
    assert results.values("tried", method="NMF-α", labelled=100) == (9,)


def test_print_stands_beside_ours_and_sentences_follow_the_numbers(run):
    page = run.markdown()
    assert "| 20 % labelled: NMF-α | 70.1 |" in page
    assert "| 100 % labelled: Linear discriminant analysis of 200 components | 73.5 |" in page
    assert "texts with headers, footers and quotes" in page
    trials = [
        TrialResult("x", {"method": method, "headers": "stripped", "labelled": 20, "rank": 2,
                          "updates": 3}, 0, "", {"accuracy": value}, 1.0, "0")
        for method, value in (("NMF-α", 60.0), ("NMF", 50.0), ("SVM", 61.0))
    ]  # fmt: skip
    (table,) = news_tables(TrialSet(trials))
    assert "without headers" in table.title
    assert [each.holds for each in table.statements] == [True, False]


def test_a_share_of_every_group_is_labelled_and_no_text_is_in_two_parts():
    data = planted_newsgroups()
    split = paper_module.newsgroups.news_split(data.train, data.test, 0, "counts")
    assert (split.train.shape[0], split.validation.shape[0], split.test.shape[0]) == (112, 28, 60)
    known = split.labelled(25, 0)
    sizes, kept = (
        np.unique(of, return_counts=True)[1] for of in (split.train_group, split.train_group[known])
    )
    assert (abs(kept - sizes / 4) <= 0.5).all()
    assert split.labelled(100, 0).size == 112
    other = paper_module.newsgroups.news_split(data.train, data.test, 1, "counts")
    assert split.train.nnz != other.train.nnz
