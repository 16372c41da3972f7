"""The tables that are kept with the code: whole, told by the pages of the models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.papers import PAPERS, paper
from core.papers.trials import TrialLog, TrialSet

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "core" / "papers" / "results"
KEPT_TABLES = sorted(RESULTS.glob("*.json"))


@pytest.mark.parametrize("path", KEPT_TABLES, ids=lambda path: path.stem)
def test_kept_tables_say_how_they_were_made(path):
    values = json.loads(path.read_text("utf8"))
    assert values["command"].startswith("tsnmf-studio papers ")
    assert values["versions"]["numpy"]
    assert values["seconds"] > 0
    assert all(values["seeds"].values())
    assert all(each["fingerprint"] for each in values["data"].values())
    assert path.with_suffix(".md").exists()


@pytest.mark.parametrize("path", KEPT_TABLES, ids=lambda path: path.stem)
def test_kept_tables_are_those_of_the_kept_trials(path):
    """No number was typed in: every table can be made again from the trials beside it."""
    values, name = json.loads(path.read_text("utf8")), path.stem.removesuffix("-quick")
    log = TrialLog(RESULTS / f"{name}.trials.jsonl")
    tables = []
    for experiment in paper(name).experiments(path.stem.endswith("-quick")):
        if experiment.name not in values["data"]:  # the run was cut short
            continue
        data = values["data"][experiment.name]["fingerprint"]
        found = [log.find(experiment.name, data, trial) for trial in experiment.trials]
        tables += experiment.tables(TrialSet([trial for trial in found if trial is not None]))
    assert [table.to_dict() for table in tables] == values["tables"]


@pytest.mark.parametrize("name", PAPERS)
def test_every_page_of_a_model_leads_to_its_tables(name):
    page = (ROOT / "core" / "models" / "docs" / f"{name}.md").read_text("utf8")
    assert f"tsnmf-studio papers {name}" in page
    linked = [path for path in KEPT_TABLES if f"papers/results/{path.stem}.md" in page]
    assert linked
