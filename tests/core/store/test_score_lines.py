"""Scores travel with a project; what makes no sense is refused."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.progress import DocumentHits
from core.store import Label, Store
from core.store.runs import evaluations, score_lines
from core.store.runs.score_lines import export_lines, import_lines
from core.workspace.refits.refit import refit
from tests.core.evaluation.test_progress import point
from tests.ui.pages.results_app import fitted

pytestmark = pytest.mark.sqlite_only

HITS = DocumentHits(np.array([3, 5, 8]), np.array([True, False, True]))
FORECAST = {"now": 0.5, "more": [25], "expected": [0.6], "low": [0.5], "high": [0.7]}


def kept(home, runs: int = 3) -> None:
    for run in range(1, runs + 1):
        evaluations.save(home, point(run, 10 * run, forecast=FORECAST), 1, {"a": 1}, HITS)


def test_scores_before_the_last_fit_come_back(tmp_path):
    kept(tmp_path)
    import_lines(tmp_path, 2, export_lines(tmp_path, 1), before=3, n_docs=9)
    assert evaluations.history(tmp_path, 2) == evaluations.history(tmp_path, 1)[:2]
    found = evaluations.judged(tmp_path, 2, 2)
    assert found.positions.tolist() == [3, 5, 8]
    assert found.right.tolist() == [True, False, True]


def test_without_a_last_fit_numbers_would_clash_so_none_are_kept(tmp_path):
    kept(tmp_path)
    import_lines(tmp_path, 2, export_lines(tmp_path, 1), before=0, n_docs=9)
    assert evaluations.history(tmp_path, 2) == []


def test_documents_of_the_newest_fits_go_along(tmp_path, monkeypatch):
    kept(tmp_path)
    monkeypatch.setattr(score_lines, "MAX_EXPORTED_DOCUMENTS", 7)
    assert [line["judged"] is not None for line in export_lines(tmp_path, 1)] == [False, True, True]


def test_what_would_be_refused_stays_behind(tmp_path):
    kept(tmp_path, 1)
    odd = point(2, 20, scores={"first": [None, None, None, ""]})
    evaluations.save(tmp_path, odd, 1, {}, None)
    assert [line["point"]["run"] for line in export_lines(tmp_path, 1)] == [1]


BROKEN = [
    ({"run": "../1"}, {}),
    ({"run": True}, {}),
    ({"labelled": -1}, {}),
    ({"like": 7}, {}),
    ({"basis": "hearsay"}, {}),
    ({"finished": "2026-05-04T09:00:00"}, {}),
    ({"scores": {"<b>": [0.5, 0.4, 0.6, ""]}}, {}),
    ({"scores": {"first": [float("nan"), 0.4, 0.6, ""]}}, {}),
    ({"scores": {"first": [0.5, None, 0.6, ""]}}, {}),
    ({"forecast": {**FORECAST, "low": []}}, {}),
    ({}, {"positions": [3, 5, 9]}),
    ({}, {"positions": [5, 3, 8]}),
    ({}, {"positions": [3, 5]}),
    ({}, {"positions": [3.5, 5, 8]}),
    ({}, {"right": [0, 1, 2]}),
]


@pytest.mark.parametrize(("changes", "hits"), BROKEN)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(tmp_path, changes, hits):
    kept(tmp_path, 1)
    [line] = export_lines(tmp_path, 1)
    line["point"] |= changes
    line["judged"] |= hits
    with pytest.raises((ValueError, TypeError, KeyError)):
        import_lines(tmp_path, 2, [line], before=9, n_docs=9)
    assert evaluations.history(tmp_path, 2) == []


def test_a_project_takes_its_scores_along(tmp_path):
    with Store.open(home=tmp_path) as store:
        project = fitted(store)
        store.record(project.id, Label(9, (1,)), author="ann")
        run = refit(store, project.id)
        for number in (1, run.id):
            evaluations.save(store.home, point(number, 6), project.id, {}, HITS)
        copy = store.import_project(store.export_project(project.id, tmp_path / "p.zip")).id
        assert [each.run for each in evaluations.history(store.home, copy)] == [1]
        assert store.current_run(copy).id == run.id
