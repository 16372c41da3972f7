"""Comparisons on disk: whole or not at all, newest first, factors of the newest only."""

from __future__ import annotations

import pytest

from core.errors import NotFound, StoreError
from core.evaluation.comparison import compare_models
from core.store import Store
from core.store.files.checked_parts import checked_comparison
from core.store.runs import comparisons
from tests.core.evaluation.test_comparison import NMF, TSNMF, material, topics_of
from tests.core.workspace import small

pytestmark = pytest.mark.sqlite_only

ABOUT = {"kind": "models", "title": "a, b", "revision": 5, "author": "ann", "seconds": 1.5}


def kept(home, n=1, topics=()):
    about = {**ABOUT, "topic_ids": [[1, 2], []]}
    return [comparisons.save(home, 3, about, {"n": i}, topics) for i in range(n)]


def test_what_was_kept_is_found_again(tmp_path):
    assert kept(tmp_path, 2) == [1, 2]
    newest, oldest = comparisons.summaries(tmp_path, 3)
    assert (newest.number, oldest.number) == (2, 1)
    assert newest.topic_ids == ((1, 2), ())
    assert comparisons.results(tmp_path, 3, 2) == {"n": 1}
    assert comparisons.summary(tmp_path, 3, 1).title == "a, b"


def test_projects_do_not_see_one_another(tmp_path):
    kept(tmp_path)
    assert comparisons.summaries(tmp_path, 4) == []
    with pytest.raises(NotFound):
        comparisons.results(tmp_path, 4, 1)


def test_topics_of_old_comparisons_go_and_their_findings_stay(tmp_path):
    kept(tmp_path, comparisons.MAX_WITH_FACTORS + 1, [topics_of([[1, 0]])])
    assert comparisons.load_topics(tmp_path, 3, 2, 0).doc_ids == ("d0",)
    assert not comparisons.has_topics(tmp_path, 3, 1)
    with pytest.raises(NotFound, match="run it again"):
        comparisons.load_topics(tmp_path, 3, 1, 0)
    assert comparisons.results(tmp_path, 3, 1) == {"n": 0}


def test_a_damaged_one_is_left_out(tmp_path):
    kept(tmp_path, 2)
    (tmp_path / "comparisons" / "3" / "2" / "about.json").write_text("{", encoding="utf-8")
    assert [each.number for each in comparisons.summaries(tmp_path, 3)] == [1]
    with pytest.raises(NotFound):
        comparisons.summary(tmp_path, 3, 2)


def test_a_number_is_not_a_path(tmp_path):
    kept(tmp_path)
    with pytest.raises(ValueError, match="invalid literal"):
        comparisons.results(tmp_path, 3, "../3/1")


def test_half_a_comparison_is_none(tmp_path):
    kept(tmp_path)
    (tmp_path / "comparisons" / "3" / "99.partial").mkdir()
    assert [each.number for each in comparisons.summaries(tmp_path, 3)] == [1]
    comparisons.remove(tmp_path, 3, 1)
    assert comparisons.summaries(tmp_path, 3) == []


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        yield store


def compared(store) -> int:
    """A project with one comparison."""
    project = small.project(store)
    found, _ = compare_models([NMF, TSNMF], material(12, 30), seeds=(0,))
    comparisons.save(store.home, project.id, ABOUT, found.to_dict())
    return project.id


def test_comparisons_travel_with_the_project(store, tmp_path):
    project = compared(store)
    copy = store.import_project(store.export_project(project, tmp_path / "p.zip")).id
    twin = store.duplicate_project(project).id
    original = comparisons.results(store.home, project, 1)
    assert comparisons.results(store.home, copy, 1) == original
    assert comparisons.results(store.home, twin, 1) == original
    assert (
        comparisons.summary(store.home, copy, 1).made
        == comparisons.summary(store.home, project, 1).made
    )


@pytest.mark.parametrize(
    "broken",
    [
        {"documents": [[999, 0.5]]},
        {"mains": {"0": [[99, 0.5], [0, 0.5]]}},
        {"entries": []},
    ],
)
def test_a_file_cannot_speak_of_documents_that_are_not_there(store, broken):
    project = compared(store)
    [line] = comparisons.export_lines(store.home, project)
    line["found"] |= broken
    with pytest.raises(StoreError, match="do not exist"):
        checked_comparison(line, 30)
