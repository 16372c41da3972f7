"""The TS-NMF paper on a planted corpus: every trial, every table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import TextSettings
from core.papers import run_paper
from core.papers import tsnmf as paper_module
from core.papers.running import Experiment
from core.papers.sources import LabelledMatrix, ReutersTexts
from core.papers.trials import TrialResult, TrialSet
from core.papers.tsnmf_tables import LABEL_START, UNWEIGHTED, WEIGHTED, assignment_table, statements
from core.values import percent
from tests.core.papers.planted import planted_corpus

RATES = (0.05, 0.2, 0.7, 0.9)


def planted():
    settings = TextSettings(min_documents=1)
    return LabelledMatrix.of("planted", planted_corpus(), settings)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    trials = paper_module.reuters_trials(RATES, 2, 1)
    lengths = paper_module.length_trials((1, 180), 1)
    made = [
        Experiment(
            "planted", planted, trials, paper_module.run_reuters, paper_module.reuters_tables
        ),
        Experiment(
            "lengths",
            lambda: ReutersTexts(planted_corpus()),
            lengths,
            paper_module.run_length,
            paper_module.length_table,
        ),
    ]
    paper = replace(paper_module.PAPER, experiments=lambda quick: made)
    return run_paper(paper, tmp_path_factory.mktemp("papers"))


def test_labels_bring_the_topics_of_a_planted_corpus(run):
    ours = TrialSet(run.results["planted"]).of(start=LABEL_START, weight=WEIGHTED)
    low, high = (sum(ours.values("jaccard_shares", rate=rate)) / 2 for rate in (0.05, 0.9))
    assert high > 0.9
    assert high >= low
    assert min(ours.values("resolved_shares", rate=0.9)) == 1
    assert min(ours.values("coverage", rate=0.9)) == 1
    assert min(ours.values("jaccard_unlabelled", rate=0.9)) > 0.5


def test_every_table_is_there_and_every_cell_has_its_trials(run):
    titles = [table.title for table in run.tables]
    assert len(titles) == len(set(titles)) == 10
    empty = [row.what for table in run.tables for row in table.rows if not row.ours]
    assert all("labels of at least" in what for what in empty)  # no label has 50 texts of 160
    page = run.markdown()
    assert "LDA beats NMF" in page
    assert f"TS-NMF at {percent(0.2)}, random start and printed steps" in page
    assert "Weighted beats unweighted from 20 % to 70 %" in page


def test_short_texts_are_left_out_by_length(run):
    results = TrialSet(run.results["lengths"])
    (every,), (long,) = (results.values("texts", min_characters=size) for size in (1, 180))
    assert every == 160
    assert 0 < long < every


def results_of(curves):
    """Two trials of every rate and weight, with the Jaccard values given."""
    return TrialSet(
        [
            TrialResult(
                "x",
                {"model": "tsnmf", "start": LABEL_START, "rate": rate, "weight": weight},
                seed,
                "",
                {"jaccard_shares": value, "resolved_shares": value, "coverage": seed},
                0.0,
                "0",
            )
            for weight, curve in curves.items()
            for rate, value in zip(RATES, curve, strict=True)
            for seed in (0, 1)
        ]
    )


@pytest.mark.parametrize(
    ("weighted", "holds"),
    [((0.1, 0.5, 0.6, 0.97), [True, True, True]), ((0.1, 0.2, 0.6, 0.7), [False] * 3)],
)
def test_statements_follow_the_numbers(weighted, holds):
    unweighted = (weighted[0], 0.45, weighted[2] - (0.01 if holds[2] else -0.01), weighted[3])
    results = results_of({WEIGHTED: weighted, UNWEIGHTED: unweighted})
    found = statements(results, results, RATES)
    assert [each.holds for each in found[:3]] == holds
    assert found[3].holds


def test_a_text_is_given_whole_to_its_strongest_topics():
    W = np.array([[0.1, 0.7, 0.2], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]])
    expected = [[0, 1, 1], [0, 1, 0], [0, 0, 0]]
    assert paper_module.assigned(W, np.array([2, 2, 1])).tolist() == expected


def test_whole_texts_of_a_planted_corpus_are_those_of_its_labels():
    trial = paper_module.assignment_trials((0.9,), 1)[0]
    values = paper_module.run_assignment(planted(), trial)
    assert values["jaccard_as_labels"] > values["jaccard_one"] > 0.7
    assert values["resolved_as_labels"] == 1
    result = TrialResult("e", trial.settings, 0, "d", values, 0.0, "0")
    (table,) = assignment_table(TrialSet([result]))
    assert table.statements[0].holds
