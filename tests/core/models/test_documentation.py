"""Every model has a page: what it is for, when to choose it, its equation and its paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.models import MODELS

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", list(MODELS))
def test_every_model_has_its_page_and_the_readme_leads_there(name):
    place = f"core/models/docs/{name}.md"
    page = (ROOT / place).read_text(encoding="utf-8")
    assert f"({place})" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "What it is for" in page
    assert "When to choose it" in page
    assert re.search(r"^(    |```)", page, re.MULTILINE), "an equation stands in a block"
    assert re.search(r"\*\*Papers?\.|## The papers?", page)


def test_every_option_of_a_model_is_on_its_page_or_in_its_docstring():
    for name, model in MODELS.items():
        page = (ROOT / f"core/models/docs/{name}.md").read_text(encoding="utf-8")
        for option in model().get_params():
            assert option in page + (model.__doc__ or ""), (name, option)
