"""Curves of score against number of labels, with bands, as one self-contained page per corpus."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

TITLES = {
    "jaccard": "Weighted Jaccard",
    "resolved": "Labels resolved",
    "first": "First label is true",
    "f1_micro": "Micro F1",
    "f1_macro": "Macro F1",
    "npmi": "Coherence (NPMI)",
}
COLOURS = {
    "guided": "0, 114, 178",
    "pure": "86, 180, 233",
    "ssnmf": "0, 158, 115",
    "package": "204, 121, 167",
    "logistic": "120, 120, 120",
}


def draw(table: pd.DataFrame, out: Path) -> list[Path]:
    """One page per corpus: the queue in full lines, chance in dotted ones."""
    return [_page(name, part, out) for name, part in table.groupby("corpus", sort=False)]


def _page(corpus: str, table: pd.DataFrame, out: Path) -> Path:
    figure = make_subplots(2, 3, subplot_titles=list(TITLES.values()))
    for place, measure in enumerate(TITLES):
        row, column = place // 3 + 1, place % 3 + 1
        for (model, mode), part in table.groupby(["model", "mode"], sort=False):
            if model in COLOURS and part[measure].notna().any():
                for trace in _traces(str(model), str(mode), part, measure, legend=place == 2):
                    figure.add_trace(trace, row=row, col=column)
        figure.update_xaxes(title_text="labelled documents", type="log", row=row, col=column)
    figure.update_layout(
        title=f"{corpus}: scores on unlabelled documents; bands are one standard error",
        template="plotly_white",
        width=1300,
        height=800,
    )
    path = out / f"{corpus}.html"
    figure.write_html(path, include_plotlyjs=True)
    return path


def _traces(
    model: str, mode: str, part: pd.DataFrame, measure: str, *, legend: bool
) -> list[go.Scatter]:
    groups = part.groupby("labels")[measure]
    mean, error = groups.mean(), groups.sem().fillna(0)
    x, name = list(mean.index), f"{model}, {mode}"
    line = {"color": f"rgb({COLOURS[model]})", "dash": "dot" if mode == "random" else "solid"}
    band = go.Scatter(
        x=[*x, *x[::-1]],
        y=[*(mean + error), *(mean - error)[::-1]],
        fill="toself",
        fillcolor=f"rgba({COLOURS[model]}, 0.15)",
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
    )
    middle = go.Scatter(
        x=x, y=mean, name=name, line=line, mode="lines+markers", legendgroup=name, showlegend=legend
    )
    return [band, middle]
