"""The figures of a paper, drawn from its trials by the app's own functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.papers import PaperRun
from core.papers.trials import TrialResult, TrialSet
from tsnmf_ui.figures import association, cross_similarity, rate_curves, similarity

AS_IN_PRINT = "random"  # the start of the fits of SSNMF that are drawn
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
    """One page each, in the folder; none of a paper that has neither curves nor heat maps."""
    written = []
    for name, figure in {**curves(run), **heat_maps(run)}.items():
        path = folder / f"{run.file_name}-{name}.html"
        figure.write_html(path, include_plotlyjs=True)
        written.append(path)
    return written


def curves(run: PaperRun) -> dict[str, go.Figure]:
    """Scores by the rate of labelled texts, a file name each."""
    table = rate_table([trial for part in run.results.values() for trial in part])
    if table.empty:
        return {}
    table = table.rename(columns={"seed": "set"})
    return {
        name: rate_curves(table, score=score, title=title, axis=axis)
        for name, (score, title, axis) in RATE_FIGURES.items()
    }


def heat_maps(run: PaperRun) -> dict[str, go.Figure]:
    """Classes by topic of the fit of median accuracy; how alike nodes are, of the first fit."""
    found: dict[str, go.Figure] = {}
    for experiment, part in run.results.items():
        name = experiment.lower().replace(" ", "-")
        started = [trial for trial in part if trial.settings.get("start") == AS_IN_PRINT]
        learnt = [trial for trial in started if "class_shares" in trial.shown]
        if learnt:
            found[f"{name}-classes"] = _classes(TrialSet(learnt).median("accuracy"))
        nodes = [trial.shown for trial in part if "similarity" in trial.shown]
        if nodes:
            found |= {f"{name}-{what}": drawn for what, drawn in _nodes(nodes[0]).items()}
    return found


def _classes(trial: TrialResult) -> go.Figure:
    shown = trial.shown
    shares = pd.DataFrame(shown["class_shares"], index=shown["classes"])
    shares.columns = [f"Topic {place + 1}" for place in range(shares.shape[1])]
    words = [", ".join(keywords) for keywords in shown["keywords"]]
    return association(shares, words=words, clickable=False, learned=True)


def _nodes(shown: Mapping[str, Any]) -> dict[str, go.Figure]:
    names = shown["names"]
    alike = pd.DataFrame(shown["similarity"], index=names, columns=names)
    drawn = {"nodes": similarity(alike, what="nodes", clickable=False)}
    if "to_above" in shown:
        above = pd.DataFrame(shown["to_above"], index=names, columns=shown["above"])
        drawn["parents"] = cross_similarity(above, below="nodes", above="parents")
    return drawn


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
