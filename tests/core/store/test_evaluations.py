"""Evaluations on disk: they come back, and only what is needed stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.evaluation.progress import DocumentHits
from core.store.runs import evaluations
from tests.core.evaluation.test_progress import point

pytestmark = pytest.mark.sqlite_only

JUDGED = DocumentHits(np.array([3, 5, 8]), np.array([True, False, True]))


def test_an_evaluation_comes_back(tmp_path):
    made = point(4, 12, forecast={"now": 0.5})
    evaluations.save(tmp_path, made, 1, {"labels": [{"jaccard": np.float32(0.5)}]}, JUDGED)
    assert evaluations.history(tmp_path, 1) == [made]
    assert evaluations.tables(tmp_path, 1, 4) == {"labels": [{"jaccard": 0.5}]}
    found = evaluations.judged(tmp_path, 1, 4)
    assert found.positions.tolist() == [3, 5, 8]
    assert found.right.tolist() == [True, False, True]


def test_nothing_was_evaluated(tmp_path):
    assert evaluations.history(tmp_path, 1) == []
    assert evaluations.tables(tmp_path, 1, 1) is None
    assert evaluations.judged(tmp_path, 1, 1) is None


def test_without_documents_the_tables_are_kept(tmp_path):
    evaluations.save(tmp_path, point(1, 0), 1, {"a": float("nan")}, None)
    assert evaluations.tables(tmp_path, 1, 1) == {"a": None}
    assert evaluations.judged(tmp_path, 1, 1) is None


def test_the_later_evaluation_of_a_fit_counts_and_broken_lines_do_not(tmp_path):
    later = replace(point(1, 5), scores={"first": [0.9, 0.8, 1.0, ""]})
    for each in (point(1, 5), later):
        evaluations.save(tmp_path, each, 1, {}, None)
    with (tmp_path / "scores" / "1" / "history.jsonl").open("a") as file:
        file.write('{"run": 2, "half a li')
    assert evaluations.history(tmp_path, 1) == [later]


def test_files_of_old_fits_are_thinned(tmp_path):
    for run in range(1, 51):
        evaluations.save(tmp_path, point(run, run), 1, {}, JUDGED)
    kept = [run for run in range(1, 51) if evaluations.judged(tmp_path, 1, run)]
    assert kept == [1, 10, 20, 30, *range(31, 51)]
    assert len(evaluations.history(tmp_path, 1)) == 50


def test_a_copied_project_has_the_same_past(tmp_path):
    evaluations.save(tmp_path, point(1, 1), 1, {}, None)
    evaluations.copy(tmp_path, 1, 2)
    evaluations.copy(tmp_path, 7, 8)
    assert evaluations.history(tmp_path, 2) == [point(1, 1)]
