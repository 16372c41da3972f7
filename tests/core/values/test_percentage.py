"""Shares are written by one function, which rounds none to nothing and none to all."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import core
import tsnmf_ui
from core.report.formats import html
from core.values import percent
from tsnmf_ui.theme import texts

HOME = "percentage.py"
# A format with a percent sign in Python or in a figure's template: {x:.0%}, {x:.1f} %, %{y:.0%}.
# The width of a bar in a style sheet ("width:{…:.1f}%") is no text; neither is "%Y" of a date.
OWN_FORMAT = re.compile(r"\.\d+%[\"'}]|\.\d+f\}(\\u00a0| )%")


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (0.0025, "<1 %"), (0.314, "31 %"), (0.997, ">99 %"), (1, "100 %")],
)
def test_a_small_share_is_not_nothing_and_a_large_one_not_all(share, text):
    shown = percent(share).replace("\u00a0", " ")
    assert shown == text


def test_digits_move_the_smallest_share_that_is_told():
    assert percent(0.0025, 1) == "0.2\u00a0%"
    assert percent(0.0002, 1) == "<0.1\u00a0%"
    assert percent(0.9999, 1) == ">99.9\u00a0%"


def test_an_error_of_rounding_is_no_share():
    assert percent(float(np.sum([0.1] * 10))) == "100\u00a0%"
    assert percent(1e-12) == "0\u00a0%"


def test_pages_and_reports_use_it():
    assert texts.percent is html.percent is percent


def test_no_other_place_writes_shares_by_itself():
    folders = [Path(str(package.__file__)).parent for package in (core, tsnmf_ui)]
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    own = [
        f"{path.name}: {line.strip()}"
        for path in files
        if path.name != HOME
        for line in path.read_text("utf-8").splitlines()
        if OWN_FORMAT.search(line)
    ]
    assert own == []
