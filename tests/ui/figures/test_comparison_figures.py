"""Figures of the Compare page: what they draw, what they say to those who cannot see them."""

from __future__ import annotations

import pandas as pd
import pytest

from core.evaluation.comparison import ComparisonEntry
from core.spec import ModelSpec
from tsnmf_ui.figures import alt_text, supervision_rates
from tsnmf_ui.figures import comparison as figures
from tsnmf_ui.pages.compare import tables


@pytest.fixture
def scores() -> pd.DataFrame:
    rows = [
        ("told", 0, 0.4, 0.3, 0.6),
        ("told", 1, 0.5, 0.3, 0.6),
        ("<b>plain", 0, 0.2, None, None),
    ]
    return pd.DataFrame(rows, columns=["candidate", "seed", "value", "low", "high"])


@pytest.fixture
def study() -> pd.DataFrame:
    rows = [
        (name, rate, number, base + rate + number / 100, rate + base, min(1.0, 2 * rate + base))
        for name, base in (("told", 0.1), ("weighted", 0.0))
        for rate in (0.1, 0.5)
        for number in (0, 1, 2)
    ]
    rows += [("NMF", 0.0, number, 0.2, 0.2, 0.0) for number in (0, 1)]
    names = ["variant", "rate", "set", "jaccard", "jaccard_rest", "coverage"]
    return pd.DataFrame(rows, columns=names)


def test_scores_have_a_dot_for_each_seed_and_a_bar_for_the_mean(scores):
    figure = figures.model_scores(scores, title="Jaccard", axis="Jaccard")
    bars, interval, dots = figure.data
    assert list(bars.x) == [pytest.approx(0.45), 0.2]
    assert list(interval.x) == [0.3, 0.6]  # of the one whose interval is known
    assert list(dots.x) == [0.4, 0.5, 0.2]
    assert figure.layout.xaxis.range[1] > 0.6
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;plain"
    assert "told 0.45" in alt_text(figure)


def test_agreement_leaves_out_what_is_unknown():
    figure = figures.agreement(["a", "b"], [[None, 0.4], [0.4, 1.0]])
    told = [note.text.removesuffix("\u00a0%") for note in figure.layout.annotations]
    assert told == ["40", "40", "100"]
    assert [tuple(cell[:2]) for cell in figure.data[1].customdata] == [(0, 1), (1, 0), (1, 1)]
    assert "b and a 40\u00a0%" in alt_text(figure)


def test_curves_have_a_band_and_models_without_labels_are_flat(study):
    figure = supervision_rates.rate_curves(study, score="jaccard", title="t", axis="y")
    lines = {trace.name: trace for trace in figure.data if trace.name}
    assert list(lines["told"].x) == [0.1, 0.5]
    assert list(lines["told"].y) == [pytest.approx(0.21), pytest.approx(0.61)]
    assert list(lines["NMF"].x) == [0.1, 0.5]
    assert list(lines["NMF"].y) == [0.2, 0.2]
    assert lines["NMF"].line.dash == "dot"
    band = figure.data[0]
    assert max(band.y) > 0.61 > min(band.y)
    assert "told from 0.21 to 0.61" in alt_text(figure)


def test_models_without_labels_stand_beside_a_few_rates(study):
    figure = supervision_rates.rate_groups(study, score="jaccard", rates=(0.1,), axis="y")
    boxes = {trace.name: trace for trace in figure.data}
    assert set(boxes["NMF"].x) == {"no labels"}
    assert set(boxes["told"].x) == {"10\u00a0%"}
    assert figure.layout.xaxis.type == "category"


def test_coverage_is_drawn_once_and_its_effect_within_each_rate(study):
    figure = supervision_rates.label_coverage(study)
    assert list(figure.data[1].y) == [pytest.approx(0.3), 1.0]
    effect = supervision_rates.coverage_effect(study, score="jaccard")
    assert [trace.name for trace in effect.data] == ["told", "weighted"]
    assert sum(effect.data[0].y) == pytest.approx(0)


@pytest.mark.parametrize(
    ("name", "values", "spread"),
    [
        ("jaccard", (0.25, 0.31), "0.25–0.31"),
        ("first", (0.6, 0.652), "60–65\u00a0%"),
        ("coherence", (-0.04, -0.001), "−0.04 to 0.00"),
        ("jaccard", (0.251, 0.252), ""),
        ("seconds", (1.0, 9.0, 2.0), "2.00\u00a0s"),
    ],
)
def test_numbers_are_told_shortly(name, values, spread):
    entry = ComparisonEntry("a", ModelSpec("nmf", 3), None, {name: values}, ())
    assert f"{spread}</" in tables.row(entry, [name], {}, 3)
    assert ("–" in tables.row(entry, [name], {}, 3)) == ("–" in spread)
