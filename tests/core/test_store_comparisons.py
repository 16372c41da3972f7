"""Comparisons on disk: whole or not at all, newest first, factors of the newest only."""

from __future__ import annotations

import pytest

from core.errors import NotFound
from core.store import comparisons
from tests.core.test_comparison import topics_of

ABOUT = {"kind": "models", "title": "a, b", "revision": 5, "author": "ann", "seconds": 1.5}


def kept(home, n=1, topics=()):
    about = {**ABOUT, "topic_ids": [[1, 2], []]}
    return [comparisons.keep(home, 3, about, {"n": i}, topics) for i in range(n)]


def test_what_was_kept_is_found_again(tmp_path):
    assert kept(tmp_path, 2) == [1, 2]
    newest, oldest = comparisons.listed(tmp_path, 3)
    assert (newest.number, oldest.number) == (2, 1)
    assert newest.topic_ids == ((1, 2), ())
    assert comparisons.found(tmp_path, 3, 2) == {"n": 1}
    assert comparisons.one(tmp_path, 3, 1).title == "a, b"


def test_projects_do_not_see_one_another(tmp_path):
    kept(tmp_path)
    assert comparisons.listed(tmp_path, 4) == []
    with pytest.raises(NotFound):
        comparisons.found(tmp_path, 4, 1)


def test_topics_of_old_comparisons_go_and_their_findings_stay(tmp_path):
    kept(tmp_path, comparisons.KEPT + 1, [topics_of([[1, 0]])])
    assert comparisons.topics_of(tmp_path, 3, 2, 0).doc_ids == ("d0",)
    assert not comparisons.has_topics(tmp_path, 3, 1)
    with pytest.raises(NotFound, match="run it again"):
        comparisons.topics_of(tmp_path, 3, 1, 0)
    assert comparisons.found(tmp_path, 3, 1) == {"n": 0}


def test_a_damaged_one_is_left_out(tmp_path):
    kept(tmp_path, 2)
    (tmp_path / "comparisons" / "3" / "2" / "about.json").write_text("{", encoding="utf-8")
    assert [each.number for each in comparisons.listed(tmp_path, 3)] == [1]
    with pytest.raises(NotFound):
        comparisons.one(tmp_path, 3, 2)


def test_a_number_is_not_a_path(tmp_path):
    kept(tmp_path)
    with pytest.raises(ValueError, match="invalid literal"):
        comparisons.found(tmp_path, 3, "../3/1")


def test_half_a_comparison_is_none(tmp_path):
    kept(tmp_path)
    (tmp_path / "comparisons" / "3" / "99.partial").mkdir()
    assert [each.number for each in comparisons.listed(tmp_path, 3)] == [1]
    comparisons.remove(tmp_path, 3, 1)
    assert comparisons.listed(tmp_path, 3) == []
