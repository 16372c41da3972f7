"""How a fit went, and how the scores went from fit to fit."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from core.descent import Trace
from tsnmf_ui import theme
from tsnmf_ui.figures.drawing import blank

STOPPED = {
    "converged": "it stopped because another step would gain nothing",
    "max_iter": "it stopped at the limit of steps",
    "cancelled": "it was cancelled",
}


def objective(trace: Trace) -> go.Figure:
    """The number the fit makes small, from the start to the end."""
    values = list(trace.objective)
    figure = blank(
        "The error that the fit makes small, step by step",
        _objective_alt(trace),
        x="Step",
        y="Objective (lower is better)",
    )
    figure.add_scatter(
        x=list(range(len(values))),
        y=values,
        mode="lines+markers" if len(values) < 40 else "lines",
        line={"color": theme.PRIMARY, "width": 2},
        marker={"size": 6},
        hovertemplate="step %{x}<br>objective %{y:.5g}<extra></extra>",
    )
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    return figure


def score_history(table: pd.DataFrame, *, name: str = "Weighted Jaccard") -> go.Figure:
    """A score after each fit; the table has run (1, 2, …), score, labelled and finished."""
    figure = blank(
        f"{name} after each fit", _history_alt(table, name), x="Fit", y=f"{name} (0 to 1)"
    )
    figure.add_scatter(
        x=table["run"].tolist(),
        y=table["score"].tolist(),
        mode="lines+markers",
        line={"color": theme.PRIMARY, "width": 2},
        marker={"size": 8},
        customdata=list(zip(table["labelled"], table["finished"], strict=True)),
        hovertemplate=(
            "fit %{x}, %{customdata[1]}<br>score %{y:.3f}"
            "<br>%{customdata[0]} texts labelled<extra></extra>"
        ),
    )
    figure.update_xaxes(tickformat="d", fixedrange=True)
    figure.update_xaxes(dtick=1 if len(table) <= 12 else None)
    figure.update_yaxes(range=[0, 1.02], fixedrange=True)
    return figure


def _objective_alt(trace: Trace) -> str:
    if not trace.objective:
        return "The fit left no trace."
    first, last = trace.objective[0], trace.objective[-1]
    return (
        f"Line of the objective over {trace.n_iter} steps, from {first:.4g} to {last:.4g}; "
        f"{STOPPED[trace.stopped]}."
    )


def _history_alt(table: pd.DataFrame, name: str) -> str:
    if table.empty:
        return f"{name}: no fit has a score yet."
    first, last = table["score"].iloc[0], table["score"].iloc[-1]
    return f"Line of {name.lower()} over {len(table)} fits, from {first:.2f} to {last:.2f}."
