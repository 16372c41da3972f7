"""The figures of a paper, drawn from its trials by the app's own functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from core.papers import PaperRun
from core.papers.trials import TrialResult
from tsnmf_ui.figures import rate_curves

RATE_FIGURES = {  # file: score, title, axis
    "jaccard": ("jaccard_shares", "Agreement of topics and labels", "Weighted Jaccard"),
    "resolved": ("resolved_shares", "Topics resolved", "Share of the labels"),
    "jaccard-unlabelled": (
        "jaccard_unlabelled",
        "Agreement on texts without a label",
        "Weighted Jaccard",
    ),
}


def write_figures(run: PaperRun, folder: Path) -> list[Path]:
    """One page each, in the folder; none of a paper that has no curves."""
    trials = [trial for part in run.results.values() for trial in part]
    table = rate_table(trials)
    if table.empty:
        return []
    written = []
    for name, (score, title, axis) in RATE_FIGURES.items():
        figure = rate_curves(
            table.rename(columns={"seed": "set"}), score=score, title=title, axis=axis
        )
        path = folder / f"{run.file_name}-{name}.html"
        figure.write_html(path, include_plotlyjs=True)
        written.append(path)
    return written


def rate_table(trials: Sequence[TrialResult]) -> pd.DataFrame:
    """A row for each fit at a rate of labelled texts: variant, rate, seed and its scores."""
    return pd.DataFrame(
        [
            {"variant": _variant(trial), "rate": trial.settings["rate"], "seed": trial.seed}
            | dict(trial.values)
            for trial in trials
            if "rate" in trial.settings and "weight" in trial.settings
        ]
    )


def _variant(trial: TrialResult) -> str:
    start = "" if trial.settings["start"] == "labels" else ", random start"
    return f"TS-NMF, {trial.settings['weight']}{start}"
