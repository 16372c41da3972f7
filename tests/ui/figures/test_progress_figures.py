"""Figures of the Scores page: what is drawn, and what is said for those who cannot see it."""

from __future__ import annotations

import pandas as pd

from tsnmf_ui import figures
from tsnmf_ui.figures import progress


def history(**changes) -> pd.DataFrame:
    table = {
        "labelled": [10, 20, 30],
        "value": [0.4, 0.5, 0.6],
        "low": [0.3, 0.4, 0.5],
        "high": [0.5, 0.6, 0.7],
        "finished": ["then"] * 3,
        "model": ["tsnmf"] * 3,
        "like": [True, True, True],
        "range": ["40 %", "50 %", "60 %"],
    }
    return pd.DataFrame({**table, **changes})


AHEAD = pd.DataFrame(
    {
        "labelled": [30, 55, 80],
        "more": [0, 25, 50],
        "expected": [0.6, 0.7, 0.75],
        "low": [0.6, 0.6, 0.65],
        "high": [0.6, 0.8, 0.85],
    }
)
EARLIER = pd.DataFrame(
    {
        "labelled": [10],
        "more": [25],
        "expected": [0.5],
        "low": [0.4],
        "high": [0.6],
        "then": [35],
        "happened": [0.55],
    }
)
COVERED = pd.DataFrame(
    {
        "name": ["<b>Bins</b>", "Roads"],
        "labelled": [1, 9],
        "fair": [6.0, 4.0],
        "lack": [5.0, 0.0],
        "share": [0.6, 0.4],
    }
)


def test_scores_are_drawn_by_labels_with_a_band():
    figure = progress.score_by_labels(history(), title="Main topic correct", share=True)
    assert list(figure.data[-1].x) == [10, 20, 30]
    assert figure.data[1].fill == "tonexty"
    assert figure.layout.yaxis.tickformat == ".2~%"
    assert "0.40 with 10, 0.60 with 30" in figures.alt_text(figure)


def test_scores_without_intervals_have_no_band():
    bare = history(low=[None] * 3, high=[None] * 3).astype({"low": float, "high": float})
    assert len(progress.score_by_labels(bare, title="Coherence").data) == 1


def test_the_axis_of_a_share_ends_at_all():
    allowed = progress.score_by_labels(
        history(), title="Main topic correct", share=True
    ).layout.yaxis
    assert (allowed.autorangeoptions.minallowed, allowed.autorangeoptions.maxallowed) == (0, 1.02)
    other = progress.score_by_labels(history(), title="Coherence").layout.yaxis
    assert other.autorangeoptions.maxallowed is None  # NPMI goes below 0


def test_fits_with_other_settings_stand_apart_without_a_line():
    figure = progress.score_by_labels(history(like=[False, True, True]), title="Main topic correct")
    assert figure.data[0].mode == "markers"
    assert list(figure.data[0].x) == [10]
    assert list(figure.data[-1].x) == [20, 30]


def test_labels_taken_back_do_not_bend_the_line_back():
    figure = progress.score_by_labels(history(labelled=[20, 30, 20]), title="Main topic correct")
    assert list(figure.data[-1].x) == [20, 30]
    assert figure.data[-1].y[0] == history()["value"].iloc[-1]


def test_no_score_yet_is_said():
    empty = history().iloc[:0]
    figure = progress.score_by_labels(empty, title="Main topic correct")
    assert "no fit has a score yet" in figures.alt_text(figure)


def test_a_forecast_continues_the_past():
    past = pd.DataFrame({"labelled": [10, 30], "now": [0.4, 0.6]})
    figure = progress.forecast(past, AHEAD, EARLIER)
    names = [trace.name for trace in figure.data if trace.showlegend is not False]
    assert names == ["earlier forecasts", "so far", "forecast"]
    assert list(figure.data[-1].y) == [0.6, 0.7, 0.75]
    between = "between 65\u00a0% and 85\u00a0%"
    assert f"80 labels: forecast 75\u00a0%, {between}" in figures.alt_text(figure)


def test_coverage_shows_the_fair_number_and_who_lacks():
    figure = progress.coverage(COVERED, colours=["#111111", "#222222"])
    assert list(figure.data[0].x) == [1, 9]
    assert list(figure.data[1].x) == [6.0, 4.0]
    assert "Bins</b> 5" in figures.alt_text(figure)
    assert "<b>" not in figure.layout.yaxis.ticktext[0]
