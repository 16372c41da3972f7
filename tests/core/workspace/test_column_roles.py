"""A column kept with the texts becomes truth, date or no group later, and goes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from core.corpus import Corpus
from core.errors import StudioError
from core.evaluation.progress import comparison_key
from core.store import ProjectSettings, Store
from core.workspace.caches.measures import facts_of
from core.workspace.column_roles import change_role
from core.workspace.labels import plan_from_column
from core.workspace.refits.inputs import truth_of
from core.workspace.reports.material import report_material
from core.workspace.results import results_of, true_labels
from core.workspace.searches import find_in_project
from tests.core.workspace import small

SEEN = ("2024-01-05", "6 January 2024", "", "07.02.2024", "2025", "soon")
TEAM = ("north", "South", "north; South", "", "North", "south")


def corpus() -> Corpus:
    return replace(
        small.corpus(6), dates=(), side={"seen on": SEEN, "team": TEAM, "note": tuple("abcdef")}
    )


@pytest.fixture
def project(store: Store):
    return store.create_project("Desk", corpus(), ProjectSettings(), author="ann")


def test_truth_follows_the_column_and_goes_back(store, project):
    assert truth_of(store, project) is None
    taken = change_role(store, project, "team", "truth")
    truth = truth_of(store, taken)
    assert truth.names == ("South", "north")  # spellings joined, two labels in one cell
    assert truth.indicator().toarray().tolist()[2] == [1, 1]
    assert truth.labelled.tolist() == [True, True, True, False, True, True]
    assert true_labels(store, taken).names == ("South", "north")
    assert set(facts_of(store, taken).classes) == {"seen on", "note"}
    back = change_role(store, taken, "team", "group")
    assert back.settings == project.settings
    assert truth_of(store, back) is None
    assert set(facts_of(store, back).classes) == {"seen on", "team", "note"}


def test_the_labels_of_the_file_are_the_truth_again_afterwards(store):
    project = store.create_project("Desk", corpus(), ProjectSettings(truth=True), author="ann")
    assert truth_of(store, project).names == tuple(sorted(small.TRUTH))
    taken = change_role(store, project, "team", "truth")
    assert truth_of(store, taken).names == ("South", "north")
    back = change_role(store, taken, "team", "kept")
    assert truth_of(store, back).names == tuple(sorted(small.TRUTH))


def test_dates_of_a_column_are_searched_and_charted(store, project):
    with pytest.raises(StudioError, match="no dates"):
        find_in_project(store, project, "date:2024")
    dated = change_role(store, project, "seen on", "date")
    assert find_in_project(store, dated, "date:2024-01").positions.tolist() == [0, 1]
    assert find_in_project(store, dated, "-date:2024").positions.tolist() == [2, 4, 5]
    assert facts_of(store, dated).days[3] == np.datetime64(date(2024, 2, 7))
    assert find_in_project(store, dated, "seen_on:soon").positions.tolist() == [5]


def test_one_column_at_a_time_is_the_truth(store, project):
    first = change_role(store, project, "team", "truth")
    second = change_role(store, first, "note", "truth")
    assert second.settings.column_roles == {"note": "truth"}


@pytest.mark.parametrize(
    ("column", "role", "said"),
    [("town", "truth", "no column"), ("team", "date", "is a date"), ("team", "text", "one of")],
)
def test_what_cannot_be_is_one_sentence(store, project, column, role, said):
    with pytest.raises(StudioError, match=said):
        change_role(store, project, column, role)
    assert store.project(project.id).settings == project.settings


def test_it_travels_with_the_project(store, project, tmp_path):
    change_role(store, project, "team", "truth")
    copied = store.duplicate_project(project.id)
    twin = store.import_project(store.export_project(project.id, tmp_path / "p.zip"))
    assert copied.settings.column_roles == twin.settings.column_roles == {"team": "truth"}


def test_values_of_a_column_become_labels(store, project):
    plan = plan_from_column(store, project.id, "team")
    assert set(plan.new_topics("keep")) == {"north", "South"}
    assert len(plan.chosen("keep")) == 5
    assert plan.silent == 1


def test_reports_and_score_curves_follow(store):
    fitted = small.fitted(store)
    before = results_of(store, fitted)
    assert report_material(store, before).groups == ("district",)
    taken = change_role(store, fitted, "district", "truth")
    now = replace(before, project=taken)
    material = report_material(store, now)
    assert (material.groups, material.labels.names) == ((), ("North", "South"))
    later = replace(before.run, settings=taken.settings.to_dict())
    assert comparison_key(later, "truth") != comparison_key(before.run, "truth")
