"""The SSNMF paper on planted texts and small matrices: every model, every table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from core.papers import groups, run_paper
from core.papers import ssnmf as paper_module
from core.papers.ssnmf import made_up, newsgroups
from core.papers.ssnmf.tables import ABSOLUTE, CLASSIFIERS, NMF_SVM, PAIRS, RANDOM_START
from core.papers.trials import TrialSet
from tests.core.papers.planted import planted_corpus

SUBGROUPS = [name for members in groups.SSNMF_CLASSES.values() for name in members]


def planted_newsgroups():
    corpus = planted_corpus(200, 8)
    kinds = [int(labels[0].split()[1]) for labels in corpus.labels]
    return replace(corpus, labels=tuple((SUBGROUPS[kind],) for kind in kinds))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    planted = newsgroups.Newsgroups(planted_newsgroups())
    texts, numbers, search = paper_module.experiments(quick=False)
    made = [
        replace(texts, read=lambda: planted, trials=newsgroups.newsgroup_trials(1)),
        replace(
            numbers,
            read=partial(made_up.made_up, 60),
            trials=made_up.synthetic_trials(1, 60),
        ),
        replace(search, read=lambda: planted, trials=newsgroups.search_trials(1)),
    ]
    paper = replace(paper_module.PAPER, experiments=lambda quick: made)
    return run_paper(paper, tmp_path_factory.mktemp("papers"))


def test_every_model_finds_the_classes_of_planted_texts(run):
    results = TrialSet(run.results["20 Newsgroups"])
    for model in (*PAIRS, NMF_SVM, *CLASSIFIERS):
        assert min(results.values("accuracy", model=model)) > 60, model  # chance: 30
    for model in PAIRS:
        assert len(results.values("soft_all", model=model)) == 2  # two starts
        assert 0 < min(results.values("soft_all", model=model)) <= 1


def test_the_error_on_made_up_data_falls(run):
    errors = [trial.values["relative_error"] for trial in run.results["Made-up data"]]
    assert len(errors) == 16 + 12
    assert sorted(errors)[14] < 0.2


def test_numbers_that_lose_their_sign_are_further_from_the_truth_than_zeros(run):
    results = TrialSet(run.results["Made-up data"])
    lost = results.of(negative=ABSOLUTE, noise=1)
    clipped = TrialSet([t for t in results.of(noise=1).trials if "negative" not in t.settings])
    for pair in PAIRS:
        (far,), (near,) = (each.values("relative_error", pair=pair) for each in (lost, clipped))
        assert far > 1.3 * near


def test_every_tol_and_strength_of_print_is_tried(run):
    found, *others = run.results["Search for tol and λ"]
    assert len(found.values) == 9
    assert len(others) == 3
    assert "0.0001, 100" in found.values


def test_classes_share_a_topic_in_parts_that_sum_to_one(run):
    fits = TrialSet(run.results["20 Newsgroups"]).of(model="D,F", start=RANDOM_START)
    fit = fits.median("accuracy")
    assert len(fit.shown["keywords"]) == newsgroups.N_TOPICS
    columns = zip(*fit.shown["class_shares"], strict=True)
    assert all(sum(column) == pytest.approx(1, abs=1e-3) for column in columns)


def test_print_stands_beside_ours(run):
    page = run.markdown()
    assert "| (D,F), random start | 81.88 |" in page
    assert "| Gaussian on X and Y: (F,F) | 0.2917 |" in page
    assert page.count("is best |") == page.count("| best is") == 4 + 3
    assert all(row.ours for table in run.tables for row in table.rows)


def test_the_error_of_the_truth_itself_is_zero():
    data = made_up.made_up(20)
    X, Y = data.W @ data.H, data.W @ data.B.T
    for pair in PAIRS:
        assert made_up._objective(pair, X, Y, data.W, data.H, data.B) == pytest.approx(0, abs=1e-6)


def test_groups_are_newsgroups_and_every_one_has_a_super_group():
    every = groups.group_of(groups.SUPER_GROUPS)
    assert len(every) == 20
    assert set(SUBGROUPS) <= set(every)
    assert len(SUBGROUPS) == 13


def test_a_trial_draws_its_texts_anew():
    corpus = planted_newsgroups()
    first, second = (newsgroups.text_split(corpus, seed) for seed in (0, 1))
    assert [len(part) for part in first.classes] == [120, 40, 40]
    assert [part.shape[0] for part in first.matrices] == [120, 40, 40]
    assert first.train.nnz != second.train.nnz
