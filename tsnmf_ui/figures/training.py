"""How a fit went."""

from __future__ import annotations

import plotly.graph_objects as go

from core.engine.descent import Trace
from tsnmf_ui.figures.canvas import empty_figure
from tsnmf_ui.theme import style

STOP_REASONS = {
    "converged": "it stopped because it had converged",
    "max_iter": "it stopped at the step limit",
    "cancelled": "it was cancelled",
}


def objective(trace: Trace) -> go.Figure:
    """The number the fit makes small, from the start to the end."""
    values = list(trace.objective)
    figure = empty_figure(
        "Objective at each step",
        _objective_alt(trace),
        x="Step",
        y="Objective (lower is better)",
    )
    figure.add_scatter(
        x=list(range(len(values))),
        y=values,
        mode="lines+markers" if len(values) < 40 else "lines",
        line={"color": style.PRIMARY, "width": 2},
        marker={"size": 6},
        hovertemplate="step %{x}<br>objective %{y:.5g}<extra></extra>",
    )
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    return figure


def _objective_alt(trace: Trace) -> str:
    if not trace.objective:
        return "The fit left no trace."
    first, last = trace.objective[0], trace.objective[-1]
    return (
        f"Line of the objective over {trace.n_iter} steps, from {first:.4g} to {last:.4g}; "
        f"{STOP_REASONS[trace.stopped]}."
    )
