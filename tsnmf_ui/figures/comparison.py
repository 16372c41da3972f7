"""Models side by side: scores with their spread, agreement, and what labels bring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from tsnmf_ui import theme
from tsnmf_ui.figures.drawing import blank, click_squares, name_rows, plain, rows_height

BAND = (0.1, 0.5, 0.9)  # of the label sets: low, middle, high
CELL = 34  # pixels, the side of the square that takes the click
SCALE = [[0.0, "rgba(47,116,192,0.03)"], [1.0, "rgba(47,116,192,1)"]]  # shows on any background
DARK = 0.78  # agreement above which a cell is dark enough for white numbers
ROOMY = 5  # models whose cells have room for a percent sign
LEGEND = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"size": 13}}
BELOW = {"orientation": "h", "x": 0, "y": -0.24, "yanchor": "top", "font": {"size": 13}}


def model_scores(table: pd.DataFrame, *, title: str, axis: str) -> go.Figure:
    """One row per model: a dot for each seed, a bar for the mean, a line for the interval.

    The table has candidate, value, and low and high of the first seed (None where unknown).
    """
    names = list(dict.fromkeys(table["candidate"]))
    mean = table.groupby("candidate", sort=False)["value"].mean()
    figure = blank(title, _scores_alt(mean, title), x=axis, height=rows_height(len(names)))
    place = {name: row for row, name in enumerate(names)}
    figure.add_bar(
        x=[float(mean[name]) for name in names],
        y=list(range(len(names))),
        orientation="h",
        marker_color="rgba(47,116,192,.28)",
        hoverinfo="skip",
        width=0.62,
    )
    for low, high, name in _intervals(table):
        figure.add_scatter(
            x=[low, high],
            y=[place[name]] * 2,
            mode="lines",
            line={"color": theme.INK, "width": 1.5},
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=table["value"].tolist(),
        y=[place[name] for name in table["candidate"]],
        mode="markers",
        marker={"size": 9, "color": theme.PRIMARY, "line": {"width": 1, "color": "#FFFFFF"}},
        customdata=[(plain(n), s) for n, s in zip(table["candidate"], table["seed"], strict=True)],
        hovertemplate="<b>%{customdata[0]}</b><br>seed %{customdata[1]}: %{x:.3f}<extra></extra>",
    )
    name_rows(figure, names)
    figure.update_xaxes(range=_reach(table), fixedrange=True)
    return figure


def _reach(table: pd.DataFrame) -> list[float]:
    """From 0, or from below where a score may be negative, to past the longest line."""
    known = [float(v) for name in ("value", "low", "high") for v in table[name].dropna()]
    return [min([0.0, *known]) * 1.06, max([0.01, *known]) * 1.06]


def agreement(names: Sequence[str], values: Sequence[Sequence[float | None]]) -> go.Figure:
    """Models × models: the share of documents whose main topics are the same. Click for a pair."""
    n = len(names)
    figure = blank(
        "How often two models give a text the same main topic",
        _agreement_alt(names, values),
        height=max(300, 130 + 44 * n),
    )
    shown = [[values[row][column] for column in range(n)] for row in range(n)]
    figure.add_heatmap(
        z=shown, colorscale=SCALE, zmin=0, zmax=1, xgap=2, ygap=2, hoverinfo="skip", showscale=False
    )
    figure.add_trace(_cells(names, shown))
    figure.update_layout(
        hovermode="closest",
        hoverdistance=-1,
        clickmode="event+select",
        annotations=[
            {
                "x": column,
                "y": row,
                "text": f"{100 * value:.0f}" + ("\u00a0%" if n <= ROOMY else ""),
                "showarrow": False,
                "font": {"color": "#FFFFFF" if value >= DARK else theme.INK},
            }
            for row, line in enumerate(shown)
            for column, value in enumerate(line)
            if value is not None
        ],
    )
    name_rows(figure, list(names), limit=26)
    figure.update_xaxes(
        tickvals=list(range(n)),
        ticktext=[plain(name, 16) for name in names],
        tickangle=0 if n <= 3 else -35,
        range=[-0.5, n - 0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
        ticks="",
    )
    figure.update_yaxes(ticks="")
    return figure


def _cells(names: Sequence[str], values: list[list[float | None]]) -> go.Scatter:
    cells = [
        (row, column)
        for row, line in enumerate(values)
        for column, value in enumerate(line)
        if value is not None
    ]
    return click_squares(
        cells,
        CELL,
        customdata=[(r, c, _pair_words(names, r, c)) for r, c in cells],
        hovertemplate="%{customdata[2]}<extra></extra>",
    )


def _pair_words(names: Sequence[str], row: int, column: int) -> str:
    if row == column:
        return f"<b>{plain(names[row])}</b><br>with itself, from other seeds"
    return f"<b>{plain(names[row])}</b> and <b>{plain(names[column])}</b>"


def rate_curves(table: pd.DataFrame, *, score: str, title: str, axis: str) -> go.Figure:
    """A score against the share of labelled documents: the median and a band over label sets.

    The table has variant, rate (0 for models that hear no labels), set and the score.
    """
    figure = blank(title, _curves_alt(table, score), x="Texts labelled", y=axis, height=420)
    rates = sorted(rate for rate in table["rate"].unique() if rate > 0)
    for number, (name, part) in enumerate(table.groupby("variant", sort=False)):
        spread, flat = _spread(part, score), bool((part["rate"] == 0).all())
        if flat and rates:  # hears no labels: the same whatever the rate
            spread = pd.concat([spread] * 2).set_axis([rates[0], rates[-1]])
        for trace in _curve(str(name), spread, _colour(number), flat=flat):
            figure.add_trace(trace)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", fixedrange=True)
    figure.update_yaxes(rangemode="tozero", tickformat=".2f", fixedrange=True)
    figure.update_layout(showlegend=True, legend=LEGEND, hovermode="x unified", margin={"t": 84})
    return figure


def _spread(part: pd.DataFrame, score: str) -> pd.DataFrame:
    """Low, middle and high over the label sets, a row for each rate."""
    known = part.dropna(subset=[score]).groupby("rate")[score]
    return pd.DataFrame({share: known.quantile(share) for share in BAND})


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
        name=plain(name),
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
    groups = ["no labels", *(_percent(rate) for rate in rates)]
    names = list(table["variant"].unique())
    figure = blank(
        "With and without labels",
        f"Boxes of the scores of {len(names)} models over label sets, by share of labels.",
        x="Texts labelled",
        y=axis,
        height=400,
    )
    for number, name in enumerate(names):
        part = chosen[chosen["variant"] == name]
        figure.add_box(
            x=[_percent(rate) if rate else groups[0] for rate in part["rate"]],
            y=part[score].tolist(),
            name=plain(str(name)),
            marker={"color": f"rgb({_colour(number)})", "size": 5},
            fillcolor=f"rgba({_colour(number)},.2)",
            line={"width": 1.5},
            boxpoints="all",
            jitter=0.3,
            pointpos=0,
            hovertemplate="%{x}: %{y:.3f}",
        )
    figure.update_layout(boxmode="group", showlegend=True, legend=BELOW)
    figure.update_yaxes(rangemode="tozero", fixedrange=True)
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=groups, fixedrange=True
    )
    return figure


def _percent(rate: float) -> str:
    return f"{100 * rate:.0f}\u00a0%"


def coverage(table: pd.DataFrame) -> go.Figure:
    """The paper's fifth figure, left: how many of the labels the labelled documents carry."""
    told = table[table["rate"] > 0]
    told = told[told["variant"] == told["variant"].iloc[0]]
    spread = _spread(told, "coverage")
    figure = blank(
        "Labels met among the labelled texts",
        f"Line of the share of labels met, from {spread[0.5].iloc[0]:.0%} upwards.",
        x="Texts labelled",
        y="Share of all labels",
        height=360,
    )
    for trace in _curve("coverage", spread, _colour(0), flat=False):
        figure.add_trace(trace)
    figure.update_xaxes(tickformat=".0%", rangemode="tozero", fixedrange=True)
    figure.update_yaxes(tickformat=".0%", range=[0, 1.05], fixedrange=True)
    return figure


def coverage_effect(table: pd.DataFrame, *, score: str) -> go.Figure:
    """The fifth figure, right: within a rate, do sets that meet more labels score better?"""
    told = table[(table["rate"] > 0) & table[score].notna()]
    groups = told.groupby(["variant", "rate"])
    x = told["coverage"] - groups["coverage"].transform("mean")
    y = told[score] - groups[score].transform("mean")
    figure = blank(
        "Does meeting more labels help by itself?",
        f"Scatter of {len(told)} fits: coverage against score, both less their rate's mean.",
        x="Share of labels met, less the mean at the rate",
        y="Score, less the mean at the rate",
        height=360,
    )
    for number, name in enumerate(told["variant"].unique()):
        mine = told["variant"] == name
        figure.add_scatter(
            x=x[mine].tolist(),
            y=y[mine].tolist(),
            mode="markers",
            name=plain(str(name)),
            marker={"size": 8, "color": f"rgba({_colour(number)},.7)"},
            customdata=told["rate"][mine].tolist(),
            hovertemplate="at %{customdata:.0%}: %{y:+.3f}<extra></extra>",
        )
    figure.update_xaxes(tickformat="+.0%", fixedrange=True)
    figure.update_yaxes(tickformat="+.2f", fixedrange=True)
    figure.update_layout(showlegend=True, legend=BELOW)
    return figure


def _colour(number: int) -> str:
    """A palette colour as the numbers inside rgb()."""
    code = theme.PALETTE[number % len(theme.PALETTE)].lstrip("#")
    return ",".join(str(int(code[at : at + 2], 16)) for at in (0, 2, 4))


def _intervals(table: pd.DataFrame) -> list[tuple[float, float, str]]:
    known = table.dropna(subset=["low", "high"]).drop_duplicates("candidate")
    rows: list[Any] = list(zip(known["low"], known["high"], known["candidate"], strict=True))
    return [(float(low), float(high), str(name)) for low, high, name in rows]


def _scores_alt(mean: pd.Series, title: str) -> str:
    told = ", ".join(f"{name} {value:.2f}" for name, value in mean.items())
    return f"Bar chart, {title}: {told or 'nothing to show'}."


def _agreement_alt(names: Sequence[str], values: Sequence[Sequence[float | None]]) -> str:
    told = [
        f"{names[row]} and {names[column]} {values[row][column]:.0%}"
        for row in range(len(names))
        for column in range(row)
        if values[row][column] is not None
    ]
    return f"Heat map of the agreement between models: {'; '.join(told) or 'one model only'}."


def _curves_alt(table: pd.DataFrame, score: str) -> str:
    told = []
    for name, part in table.groupby("variant", sort=False):
        middle = part.groupby("rate")[score].median().dropna()
        if len(middle):
            told.append(f"{name} from {middle.iloc[0]:.2f} to {middle.iloc[-1]:.2f}")
    return f"Lines of a score against the share of labelled texts: {'; '.join(told)}."
