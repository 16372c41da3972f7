"""What labels bring: scores by share of labelled documents, and how many labels those carry."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.values import percent
from tsnmf_ui.figures.canvas import empty_figure, percent_text, safe_text, share_ticks
from tsnmf_ui.theme import style

BAND_QUANTILES = (0.1, 0.5, 0.9)  # of the label sets: low, middle, high
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 13}}
LEGEND_BELOW = {"orientation": "h", "x": 0, "y": -0.24, "yanchor": "top", "font": {"size": 13}}


def rate_curves(table: pd.DataFrame, *, score: str, title: str, axis: str) -> go.Figure:
    """A score against the share of labelled documents: the median and a band over label sets.

    The table has variant, rate (0 for models that hear no labels), set and the score.
    """
    figure = empty_figure(title, _curves_alt(table, score), x="Texts labelled", y=axis, height=420)
    rates = sorted(rate for rate in table["rate"].unique() if rate > 0)
    for number, (name, part) in enumerate(table.groupby("variant", sort=False)):
        spread, flat = _spread(part, score), bool((part["rate"] == 0).all())
        if flat and rates:  # hears no labels: the same whatever the rate
            spread = pd.concat([spread] * 2).set_axis([rates[0], rates[-1]])
        for trace in _curve(str(name), spread, _colour(number), flat=flat):
            figure.add_trace(trace)
    figure.update_xaxes(rangemode="tozero", fixedrange=True, **share_ticks())
    figure.update_yaxes(rangemode="tozero", tickformat=".2f", fixedrange=True)
    figure.update_layout(
        showlegend=True, legend=LEGEND_ABOVE, hovermode="x unified", margin={"t": 84}
    )
    return figure


def _spread(part: pd.DataFrame, score: str) -> pd.DataFrame:
    """Low, middle and high over the label sets, a row for each rate."""
    known = part.dropna(subset=[score]).groupby("rate")[score]
    return pd.DataFrame({share: known.quantile(share) for share in BAND_QUANTILES})


def _curve(name: str, spread: pd.DataFrame, colour: str, *, flat: bool) -> list[go.Scatter]:
    x = [float(rate) for rate in spread.index]
    low, middle, high = (spread[column].tolist() for column in spread.columns)
    band = go.Scatter(
        x=[*x, *x[::-1]],
        y=[*high, *low[::-1]],
        mode="lines",
        fill="toself",
        fillcolor=f"rgba({colour},.16)",
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
    )
    line = go.Scatter(
        x=x,
        y=middle,
        name=safe_text(name),
        mode="lines" if flat else "lines+markers",
        line={"color": f"rgb({colour})", "width": 2.5, "dash": "dot" if flat else "solid"},
        marker={"size": 7},
        legendgroup=name,
        customdata=list(zip(low, high, strict=True)),
        hovertemplate="%{y:.3f} (%{customdata[0]:.3f} to %{customdata[1]:.3f})",
    )
    return [band, line]


def rate_groups(table: pd.DataFrame, *, score: str, rates: Sequence[float], axis: str) -> go.Figure:
    """The paper's third figure: models without labels beside TS-NMF at a few rates."""
    chosen = table[table["rate"].isin([0.0, *rates])].dropna(subset=[score])
    groups = ["no labels", *(percent_text(rate) for rate in rates)]
    names = list(table["variant"].unique())
    figure = empty_figure(
        "With and without labels",
        f"Boxes of the scores of {len(names)} models over label sets, by share of labels.",
        x="Texts labelled",
        y=axis,
        height=400,
    )
    for number, name in enumerate(names):
        part = chosen[chosen["variant"] == name]
        figure.add_box(
            x=[percent_text(rate) if rate else groups[0] for rate in part["rate"]],
            y=part[score].tolist(),
            name=safe_text(str(name)),
            marker={"color": f"rgb({_colour(number)})", "size": 5},
            fillcolor=f"rgba({_colour(number)},.2)",
            line={"width": 1.5},
            boxpoints="all",
            jitter=0.3,
            pointpos=0,
            hovertemplate="%{x}: %{y:.3f}",
        )
    figure.update_layout(boxmode="group", showlegend=True, legend=LEGEND_BELOW)
    figure.update_yaxes(rangemode="tozero", fixedrange=True)
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=groups, fixedrange=True
    )
    return figure


def label_coverage(table: pd.DataFrame) -> go.Figure:
    """The paper's fifth figure, left: how many of the labels the labelled documents carry."""
    supervised = table[table["rate"] > 0]
    supervised = supervised[supervised["variant"] == supervised["variant"].iloc[0]]
    spread = _spread(supervised, "coverage")
    figure = empty_figure(
        "Label coverage of the labelled texts",
        f"Line of the label coverage, from {percent(spread[0.5].iloc[0])} upwards.",
        x="Texts labelled",
        y="Share of all labels",
        height=360,
    )
    for trace in _curve("coverage", spread, _colour(0), flat=False):
        figure.add_trace(trace)
    figure.update_xaxes(rangemode="tozero", fixedrange=True, **share_ticks())
    figure.update_yaxes(range=[0, 1.05], fixedrange=True, **share_ticks())
    return figure


def coverage_effect(table: pd.DataFrame, *, score: str) -> go.Figure:
    """The fifth figure, right: within a rate, do sets that meet more labels score better?"""
    labelled = table[(table["rate"] > 0) & table[score].notna()]
    groups = labelled.groupby(["variant", "rate"])
    x = labelled["coverage"] - groups["coverage"].transform("mean")
    y = labelled[score] - groups[score].transform("mean")
    figure = empty_figure(
        "Does label coverage matter on its own?",
        f"Scatter of {len(labelled)} fits: coverage against score, both minus their rate's mean.",
        x="Label coverage minus the mean at the rate",
        y="Score minus the mean at the rate",
        height=360,
    )
    for number, name in enumerate(labelled["variant"].unique()):
        mine = labelled["variant"] == name
        figure.add_scatter(
            x=x[mine].tolist(),
            y=y[mine].tolist(),
            mode="markers",
            name=safe_text(str(name)),
            marker={"size": 8, "color": f"rgba({_colour(number)},.7)"},
            customdata=[percent_text(rate) for rate in labelled["rate"][mine]],
            hovertemplate="at %{customdata}: %{y:+.3f}<extra></extra>",
        )
    figure.update_xaxes(fixedrange=True, **share_ticks("+", "−", ""))
    figure.update_yaxes(tickformat="+.2f", fixedrange=True)
    figure.update_layout(showlegend=True, legend=LEGEND_BELOW)
    return figure


def _colour(number: int) -> str:
    """A palette colour as the numbers inside rgb()."""
    code = style.PALETTE[number % len(style.PALETTE)].lstrip("#")
    return ",".join(str(int(code[at : at + 2], 16)) for at in (0, 2, 4))


def _curves_alt(table: pd.DataFrame, score: str) -> str:
    curves = []
    for name, part in table.groupby("variant", sort=False):
        middle = part.groupby("rate")[score].median().dropna()
        if len(middle):
            curves.append(f"{name} from {middle.iloc[0]:.2f} to {middle.iloc[-1]:.2f}")
    return f"Lines of a score against the share of labelled texts: {'; '.join(curves)}."
