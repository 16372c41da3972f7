"""The PFA-SSI paper on planted links, read from a file as the real ones are."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from core.errors import CorpusError
from core.papers import pfa_ssi as paper_module
from core.papers import run_paper, sources
from core.papers.trials import TrialSet


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
    for name in paper_module.LINK_NAMES:
        (path / f"{name}_bow.jsonl.gz").write_text(lines, "utf8")
    return path


@pytest.fixture
def known_folder(folder, monkeypatch):
    monkeypatch.setenv(sources.FOLDER_VARIABLE, str(folder))


@pytest.mark.usefixtures("known_folder")
def test_links_are_symmetric_and_of_known_papers_only():
    data = paper_module.linked_papers("cora")
    dense = data.links.toarray()
    assert np.array_equal(dense, dense.T)
    assert not dense.diagonal().any()
    assert set(np.unique(dense)) == {0, 1}
    assert "90 papers" in data.description
    assert data.fingerprint != replace(data, labels=data.labels[::-1]).fingerprint


@pytest.mark.usefixtures("known_folder")
def test_side_information_helps_to_foretell_links(tmp_path):
    trials = paper_module.link_trials(1, 6, 60)
    made = [
        replace(each, trials=trials, tables=partial(paper_module.link_tables, name))
        for name, each in zip(
            paper_module.LINK_NAMES, paper_module.PAPER.experiments(True), strict=True
        )
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
        paper_module.linked_papers("cora")
