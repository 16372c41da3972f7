"""The SSNMF paper on planted texts and small matrices: every model, every table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from core.papers import groups, run_paper
from core.papers import ssnmf as paper_module
from core.papers.ssnmf_tables import NEWSGROUP_MODELS, PAIRS
from core.papers.trials import TrialSet
from tests.core.papers.planted import planted_corpus

SUBGROUPS = [name for members in groups.SSNMF_CLASSES.values() for name in members]


def planted_newsgroups():
    corpus = planted_corpus(200, 8)
    kinds = [int(labels[0].split()[1]) for labels in corpus.labels]
    return replace(corpus, labels=tuple((SUBGROUPS[kind],) for kind in kinds))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    trials = paper_module.newsgroup_trials(1, NEWSGROUP_MODELS)
    texts, numbers = paper_module.experiments(quick=True)
    made = [
        replace(texts, read=lambda: paper_module.Newsgroups(planted_newsgroups()), trials=trials),
        replace(
            numbers,
            read=partial(paper_module.made_up, 120),
            trials=paper_module.synthetic_trials(1, 100),
        ),
    ]
    paper = replace(paper_module.PAPER, experiments=lambda quick: made)
    return run_paper(paper, tmp_path_factory.mktemp("papers"))


def test_every_model_finds_the_classes_of_planted_texts(run):
    results = TrialSet(run.results["20 Newsgroups"])
    for model in NEWSGROUP_MODELS:
        assert min(results.values("accuracy", model=model)) > 60, model  # chance: 30
    for model in PAIRS:
        assert 0 < min(results.values("soft", model=model)) <= 1


def test_the_error_on_made_up_data_falls(run):
    errors = [trial.values["relative_error"] for trial in run.results["Made-up data"]]
    assert len(errors) == 16
    assert sorted(errors)[8] < 0.2


def test_print_stands_beside_ours(run):
    page = run.markdown()
    assert "| (D,F) | 81.88 |" in page
    assert "| Gaussian on X and Y: (F,F) | 0.2917 |" in page
    assert page.count("is best |") == page.count("| best is") == 4
    assert all(row.ours for table in run.tables for row in table.rows)


def test_the_error_of_the_truth_itself_is_zero():
    data = paper_module.made_up(20)
    X, Y = data.W @ data.H, data.W @ data.B.T
    for pair in PAIRS:
        assert paper_module._objective(pair, X, Y, data.W, data.H, data.B) == pytest.approx(
            0, abs=1e-6
        )


def test_groups_are_newsgroups_and_every_one_has_a_super_group():
    every = groups.group_of(groups.SUPER_GROUPS)
    assert len(every) == 20
    assert set(SUBGROUPS) <= set(every)
    assert len(SUBGROUPS) == 13


def test_a_trial_draws_its_texts_anew():
    corpus = planted_newsgroups()
    first, second = (paper_module.text_split(corpus, seed) for seed in (0, 1))
    assert len(first.train_class) == first.train.shape[0] == 120
    assert len(first.test_class) == first.test.shape[0] == 40
    assert first.train.nnz != second.train.nnz
