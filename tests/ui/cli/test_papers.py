"""``tsnmf-studio papers``: tables on the standard output and in a folder, sentences on mistakes."""

from __future__ import annotations

import json

import pytest

from core.papers import run_paper
from core.papers.running import Experiment, Paper
from core.papers.sources import ReutersTexts
from core.papers.tables import PaperRow, PaperTable
from core.papers.trials import Trial
from tests.core.papers.planted import planted_corpus
from tsnmf_ui import cli
from tsnmf_ui.cli import paper_figures, papers


@pytest.fixture
def small_paper(monkeypatch):
    """A paper whose only number is how many texts there are."""

    def tables(results):
        return [PaperTable("Texts", [PaperRow("texts", 8.0, results.values("texts"))])]

    experiment = Experiment(
        "texts",
        lambda: ReutersTexts(planted_corpus(10)),
        [Trial({}, 0)],
        lambda data, trial: {"texts": len(data.corpus)},
        tables,
    )
    paper = Paper("tsnmf", "A small paper", lambda quick: [experiment])
    monkeypatch.setattr(papers, "paper", lambda name: paper)
    return paper


@pytest.mark.usefixtures("small_paper")
def test_tables_are_printed_and_written(tmp_path, capsys):
    out = tmp_path / "results"
    assert cli.main(["papers", "tsnmf", "--results", str(out)]) == 0
    said = capsys.readouterr()
    assert "| texts | 8.000 | 10.000 | 1 | +2.000 |" in said.out
    assert "1 trial in" in said.err
    assert (out / "tsnmf.md").read_text("utf8") == said.out[:-1]
    assert cli.main(["papers", "tsnmf", "--results", str(out), "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["tables"][0]["rows"][0]["difference"] == 2


@pytest.mark.usefixtures("small_paper")
def test_a_run_is_cut_short_by_the_clock(tmp_path, capsys):
    out = ["--results", str(tmp_path / "results"), "--minutes"]
    assert cli.main(["papers", "tsnmf", *out, "0", "--quiet"]) == 0
    assert "0 trials of 1" in capsys.readouterr().out
    assert cli.main(["papers", "tsnmf", *out, "9", "--quiet"]) == 0
    assert "1 trial, " in capsys.readouterr().out


def test_curves_are_drawn_of_trials_at_rates_of_labels(tmp_path):
    scores = dict.fromkeys(("jaccard_shares", "resolved_shares", "jaccard_unlabelled"), 0.5)
    fits = [
        Trial({"rate": rate, "weight": "weighted", "start": "labels"}, seed)
        for rate in (0.1, 0.5)
        for seed in (0, 1)
    ]
    experiment = Experiment(
        "curves",
        lambda: ReutersTexts(planted_corpus(4)),
        fits,
        lambda data, trial: scores,
        lambda results: [],
    )
    run = run_paper(Paper("curves", "Curves", lambda quick: [experiment]), tmp_path)
    written = paper_figures.write_figures(run, tmp_path)
    assert written[0].name == "curves-jaccard.html"
    assert "TS-NMF, weighted" in written[0].read_text("utf8")
    table = paper_figures.rate_table(run.results["curves"])
    assert table["rate"].tolist() == [0.1, 0.1, 0.5, 0.5]


def shown_by(shown, accuracy=1.0):
    experiment = Experiment(
        "Texts by date",
        lambda: ReutersTexts(planted_corpus(4)),
        [Trial({"start": "random"}, 0)],
        lambda data, trial: {"accuracy": accuracy} | shown,
        lambda results: [],
    )
    return Paper("maps", "Maps", lambda quick: [experiment])


def test_classes_by_topic_are_a_heat_map_of_the_app(tmp_path):
    shown = {
        "keywords": [["tax", "vote"], ["goal"]],
        "classes": ["Politics", "Sport"],
        "class_shares": [[0.9, 0.2], [0.1, 0.8]],
    }
    (path,) = paper_figures.write_figures(run_paper(shown_by(shown), tmp_path), tmp_path)
    assert path.name == "maps-texts-by-date-classes.html"
    page = path.read_text("utf8")
    assert "learnt by the model" in page
    assert "tax, vote" in page


def test_nodes_and_their_parents_are_heat_maps_of_the_app(tmp_path):
    shown = {
        "names": ["hockey", "space"],
        "similarity": [[1.0, 0.1], [0.1, 1.0]],
        "above": ["rec", "sci"],
        "to_above": [[0.9, 0.2], [0.1, 0.7]],
    }
    drawn = paper_figures.heat_maps(run_paper(shown_by(shown), tmp_path))
    assert sorted(drawn) == ["texts-by-date-nodes", "texts-by-date-parents"]
    assert drawn["texts-by-date-parents"].data[0].z[0][0] == 0.9


def test_a_corpus_that_is_not_there_is_told_with_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    assert cli.main(["papers", "ssnmf", "--quick", "--results", str(tmp_path / "results")]) == 1
    said = capsys.readouterr().err
    assert "20 Newsgroups is not on this machine" in said
    assert "fetch_20newsgroups" in said


def test_an_unknown_paper_is_wrong_usage(capsys):
    assert cli.main(["papers", "lda"]) == 2
    assert "tsnmf" in capsys.readouterr().err


def test_a_run_is_the_same_from_python(small_paper, tmp_path):
    assert run_paper(small_paper, tmp_path).tables[0].rows[0].ours == (10.0,)
