"""The page of definitions covers every score."""

from __future__ import annotations

import pytest

from core.errors import NotFound
from core.evaluation.metrics.definitions import definition, page, sections
from core.evaluation.scoring import SCORE_INFO


def test_every_score_has_a_section():
    assert set(sections()) == {*SCORE_INFO, "coverage", "forecast"}


def test_a_section_is_a_part_of_the_page():
    text = definition("resolved")
    assert text.startswith("**Labels resolved.**")
    assert text in page()
    assert "##" not in text


def test_an_unknown_score_is_refused():
    with pytest.raises(NotFound, match="no score called"):
        definition("luck")
