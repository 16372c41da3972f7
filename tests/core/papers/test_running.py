"""Trials that are kept and continued, tables that set ours beside print."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest

from core.errors import ModelError
from core.papers import PAPERS, paper, run_paper
from core.papers.running import Experiment, Paper
from core.papers.tables import PaperRow, PaperStatement, PaperTable, PaperWords
from core.papers.trials import Trial, TrialLog, TrialSet


@dataclass(frozen=True)
class Numbers:
    fingerprint: str = "abc"
    description: str = "Three numbers."


def made(calls, read=Numbers):
    """A paper of one experiment that notes which trials were run."""

    def run(data, trial):
        calls.append(trial.seed)
        return {"score": trial.settings["size"] + trial.seed}

    def tables(results):
        return [PaperTable("Sizes", [PaperRow("two", 2.0, results.values("score", size=2))])]

    def experiments(quick):
        trials = [Trial({"size": 2}, seed) for seed in range(2 if quick else 4)]
        return [Experiment("sizes", read, trials, run, tables)]

    return Paper("numbers", "Nobody (2020), Numbers", experiments, ("The fourth number.",))


def test_a_run_goes_on_where_it_was_and_writes_both_files(tmp_path):
    calls = []
    quick = run_paper(made(calls), tmp_path, quick=True)
    assert calls == [0, 1]
    reports = []
    full = run_paper(made(calls), tmp_path, report=lambda *each: reports.append(each))
    assert calls == [0, 1, 2, 3]
    assert reports[-1] == ("numbers: sizes", 0.75)
    kept = json.loads((tmp_path / "numbers.json").read_text("utf8"))
    assert kept == full.to_dict()
    assert kept["tables"][0]["rows"][0]["mean"] == 3.5
    assert kept["seeds"] == {"sizes": [0, 1, 2, 3]}
    assert kept["data"]["sizes"]["fingerprint"] == "abc"
    assert kept["versions"]["numpy"]
    page = (tmp_path / "numbers.md").read_text("utf8")
    assert "| two | 2.000 | 3.500 ± 1.291 | 4 | +1.500 |" in page
    assert "`tsnmf-studio papers numbers`" in page
    assert "- The fourth number." in page
    assert quick.file_name == "numbers-quick"
    assert (tmp_path / "numbers-quick.md").exists()


def test_no_trial_is_begun_when_time_is_up_and_the_tables_say_so(tmp_path):
    calls = []
    run_paper(made(calls), tmp_path, quick=True)
    run = run_paper(made(calls), tmp_path, minutes=0)
    assert calls == [0, 1]
    assert run.tables[0].rows[0].ours == (2.0, 3.0)
    assert "2 trials of 4, " in run.markdown()
    assert run_paper(made(calls), tmp_path / "new", minutes=0).tables == []
    assert " of 4" not in run_paper(made(calls), tmp_path).markdown()


def test_other_data_are_other_trials(tmp_path):
    calls = []
    run_paper(made(calls), tmp_path, quick=True)
    run_paper(made(calls, lambda: Numbers("def")), tmp_path, quick=True)
    assert calls == [0, 1, 0, 1]


def test_a_trial_that_was_cut_off_is_run_again(tmp_path):
    calls = []
    run_paper(made(calls), tmp_path, quick=True)
    path = tmp_path / "numbers.trials.jsonl"
    path.write_text(path.read_text("utf8")[:-20], "utf8")
    run_paper(made(calls), tmp_path, quick=True)
    assert calls == [0, 1, 1]
    assert TrialLog(path).find("sizes", "abc", Trial({"size": 2}, 1)).values == {"score": 3.0}


def test_results_are_chosen_by_their_settings(tmp_path):
    run = run_paper(made([]), tmp_path)
    results = TrialSet(run.results["sizes"])
    assert results.values("score", size=2) == (2, 3, 4, 5)
    assert results.values("score", size=3) == ()
    assert results.values("other", size=2) == ()
    assert results.choices("size") == (2,)
    assert results.of(size=2).median("score").seed == 1  # 2, 3, 4, 5: 3 as near as 4


def test_what_was_not_printed_or_not_run_is_said():
    rows = [PaperRow("a", None, (0.25,)), PaperRow("b", 0.5, ())]
    page = PaperTable("T", rows, [PaperStatement("up", "down", False)], notes=["So."]).markdown()
    assert "| a | – | 0.250 | 1 | – |" in page
    assert "| b | 0.500 | not run | 0 | – |" in page
    assert "| up | down | **no** |" in page
    assert page.endswith("So.")


def test_what_a_trial_shows_is_kept_beside_its_numbers(tmp_path):
    def run(data, trial):
        return {"score": 1, "topics": [["tax", "vote"]]}

    def tables(results):
        words = [PaperWords("1", each) for each in results.trials[0].shown["topics"]]
        return [PaperTable("Topics", words=words)]

    shows = Experiment("words", Numbers, [Trial({}, 0)], run, tables)
    made_run = run_paper(Paper("w", "Nobody (2020)", lambda quick: [shows]), tmp_path)
    assert "| 1 | tax, vote |" in made_run.markdown()
    assert made_run.to_dict()["tables"][0]["words"] == [{"what": "1", "words": ["tax", "vote"]}]
    (kept,) = (TrialLog(tmp_path / "w.trials.jsonl").find("words", "abc", Trial({}, 0)),)
    assert kept.values == {"score": 1.0}
    assert kept.shown == {"topics": [["tax", "vote"]]}


def test_a_truth_value_of_numpy_becomes_json():
    statement = PaperStatement("up", "up", np.bool_(True))
    assert json.dumps(PaperTable("T", (), [statement]).to_dict()["statements"])


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_has_experiments_and_quick_ones_are_fewer(name):
    found = paper(name)
    full, quick = (
        [(each.name, t) for each in found.experiments(q) for t in each.trials]
        for q in (False, True)
    )
    assert found.name == name
    assert 0 < len(quick) < len(full)


def test_an_unknown_paper_is_refused():
    with pytest.raises(ModelError, match="There is no paper “bible”"):
        paper("bible")
