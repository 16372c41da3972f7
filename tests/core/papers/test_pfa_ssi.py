"""The PFA-SSI paper on planted links and texts, links read from a file as the real ones are."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from core import Supervision, TextSettings, build_matrix
from core.errors import CorpusError
from core.papers import pfa_ssi as paper_module
from core.papers import run_paper, sources
from core.papers.groups import SUPER_GROUPS, group_of
from core.papers.pfa_ssi import counts, links, newsgroups
from core.papers.tables import PaperTable
from core.papers.trials import Trial, TrialResult, TrialSet
from tests.core.papers.planted import planted_corpus


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Papers of three labels that cite mostly their own kind, as JSON lines."""
    rng, path = np.random.default_rng(0), tmp_path_factory.mktemp("papers")
    kind = np.arange(90) % 3
    chance = np.where(kind[:, None] == kind, 0.25, 0.01)
    cited = rng.random(chance.shape) < chance
    rows = [
        {"id": f"p{i}", "text": f"w{i}", "labels": [f"kind {kind[i]}"], "cites": cites}
        for i in range(90)
        for cites in [[f"p{j}" for j in np.flatnonzero(cited[i])] + [f"p{i}", "elsewhere"]]
    ]
    lines = "\n".join(map(json.dumps, rows))
    for name in links.LINK_NAMES:
        (path / f"{name}_bow.jsonl.gz").write_text(lines, "utf8")
    return path


@pytest.fixture
def known_folder(folder, monkeypatch):
    monkeypatch.setenv(sources.FOLDER_VARIABLE, str(folder))


@pytest.mark.usefixtures("known_folder")
def test_links_are_symmetric_and_of_known_papers_only():
    data = links.linked_papers("cora")
    dense = data.links.toarray()
    assert np.array_equal(dense, dense.T)
    assert not dense.diagonal().any()
    assert set(np.unique(dense)) == {0, 1}
    assert "90 papers" in data.description
    assert data.fingerprint != replace(data, labels=data.labels[::-1]).fingerprint


@pytest.mark.usefixtures("known_folder")
def test_side_information_helps_to_foretell_links(tmp_path):
    trials = links.link_trials(1, 6, 60)
    made = [
        replace(each, trials=trials, tables=partial(links.link_tables, name))
        for name, each in zip(links.LINK_NAMES, links.experiments(True)[:2], strict=True)
    ]
    run = run_paper(replace(paper_module.PAPER, experiments=lambda quick: made), tmp_path)
    results = TrialSet(run.results["Cora"])
    (with_labels,) = results.values("auc", model="pfa_ssi")
    assert with_labels > 0.7
    assert results.values("log_likelihood", model="pfa_ssi")[0] < 0
    assert "| PFA-SSI: AUC | 0.808 |" in run.markdown()
    assert "At most 6 topics, 60 sweeps." in run.markdown()


def test_links_that_are_not_there_are_said_in_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv(sources.FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(CorpusError, match=r"cora_bow\.jsonl\.gz is not on this machine"):
        links.linked_papers("cora")


@pytest.mark.usefixtures("known_folder")
def test_a_label_tells_of_a_paper_without_any_known_link():
    found = {
        model: links.run_cold_start(
            links.linked_papers("cora"), Trial({"model": model, "topics": 6, "sweeps": 60}, 1)
        )["auc"]
        for model in links.MODEL_NAMES
    }
    assert found["pfa_ssi"] > 0.6
    assert found["pfa_ssi"] > found["pfa"] + 0.05, found


def test_every_pair_of_an_unknown_paper_is_held_out():
    held = links.unknown_papers(20, 0.1, 0)
    per_paper = np.diff(held.indptr)
    assert sorted(per_paper)[-2:] == [19, 19]
    assert sorted(per_paper)[:-2] == [2] * 18
    assert not held.data.any()
    assert not held.diagonal().any()


GROUPS = ("rec.autos", "rec.motorcycles", "sci.med", "sci.space")


def planted_groups(seed=0):
    corpus = planted_corpus(120, 4, seed)
    kinds = [int(labels[0].split()[1]) for labels in corpus.labels]
    return replace(corpus, labels=tuple((GROUPS[kind],) for kind in kinds))


def planted_counts(parents):
    corpus = planted_groups()
    settings = TextSettings(weighting="counts", l2=False, min_documents=1, max_share=1.0)
    nodes = Supervision.of(corpus.labels, hierarchy=[parents] if parents else [])
    return counts.GroupedCounts("planted", build_matrix(corpus, settings), nodes)


def results_of(data, run, trials):
    """Trials as a run keeps them: numbers apart from what is shown."""
    made = []
    for trial in trials:
        values = run(data, trial)
        numbers = {name: value for name, value in values.items() if np.isscalar(value)}
        shown = {name: value for name, value in values.items() if name not in numbers}
        made.append(TrialResult("e", trial.settings, trial.seed, "d", numbers, 0.0, "0", shown))
    return TrialSet(made)


def test_side_information_saves_some_of_the_loss_at_held_out_cells():
    parents = {group: (group_of(SUPER_GROUPS)[group],) for group in GROUPS}
    results = results_of(planted_counts(parents), counts.run_counts, counts.count_trials(1, 6, 80))
    table, parties = counts.count_tables("addresses", results)
    whole, with_word = table.rows[2], table.rows[5]
    assert whole.printed == pytest.approx(4.58, abs=0.01)
    assert whole.mean > 0
    assert len(with_word.ours) == 1
    assert len(parties.statements) == 2


def test_every_held_out_word_is_a_cell_with_a_word():
    X = planted_counts({}).matrix.X
    held = counts.held_out_words(X, 0.1, 0)
    assert held.nnz == round(0.1 * X.nnz)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(held.indptr))
    assert (np.asarray(X[rows, held.indices]) > 0).all()


def test_the_likelihood_of_a_count_is_poissons():
    found = counts.poisson_log_likelihood(np.array([0.0, 2.0]), np.array([0.5, 3.0]))
    assert found == pytest.approx([-0.5, np.log(9 / 2) - 3])


def test_new_texts_find_their_group_and_super_group():
    corpora = planted_groups(), planted_groups(1)
    train, test = ({"headers": corpus, "stripped": corpus} for corpus in corpora)
    data = newsgroups.LabelledGroups(train, test)
    results = results_of(data, newsgroups.run_groups, newsgroups.group_trials(1, 8, 60))
    assert min(results.values("group_shares")) > 70  # chance: 25
    assert min(results.values("super_group_shares")) > 70
    tables = newsgroups.group_tables(results)
    assert [len(table.words) for table in tables[1:3]] == [20, 7]
    assert len(tables[3].statements) == 2
    assert isinstance(tables[0], PaperTable)
