"""Similarity of topics and of nodes, and the topics of nodes."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go

from core.insight.similarity import diagonal_order, reading_order
from core.values import percent
from tsnmf_ui.figures.canvas import percent_text, safe_text
from tsnmf_ui.figures.heat import Grid, heat_map


def similarity(table: pd.DataFrame, *, what: str = "topics", clickable: bool = True) -> go.Figure:
    """A square table of cosines, neighbours alike. The diagonal says nothing and is left blank."""
    order = reading_order(table.to_numpy())
    shown = table.iloc[order, order]
    names = [str(name) for name in shown.index]
    values = shown.to_numpy(dtype=float, copy=True)
    for i in range(len(names)):
        values[i, i] = float("nan")
    pairs = [(values[i, j], i, j) for i in range(len(names)) for j in range(i)]
    best = max(pairs, default=None)
    grid = Grid(
        values=values.tolist(),
        rows=names,
        columns=names,
        title=f"Similarity of the {what}",
        alt=_alt(best, names, what),
        x=what.capitalize(),
        y=what.capitalize(),
        bar="Similarity",
        darkest=max(0.6, best[0] if best else 0.0),
        places=(order, order),
    )
    hover = _hover(values.tolist(), names, names)
    return heat_map(grid, hover=hover, clickable=clickable)


def cross_similarity(table: pd.DataFrame, *, below: str, above: str) -> go.Figure:
    """Cosines between the nodes of one level and those of the level above."""
    rows, columns = diagonal_order(table.to_numpy())
    shown = table.iloc[rows, columns]
    left, top = [str(name) for name in shown.index], [str(name) for name in shown.columns]
    values = shown.to_numpy().tolist()
    best = table.to_numpy().max(initial=0.0)
    grid = Grid(
        values=values,
        rows=left,
        columns=top,
        title=f"Similarity of {below} and {above}",
        alt=f"Heat map of the similarity between {len(left)} {below} and {len(top)} {above}.",
        x=above.capitalize(),
        y=below.capitalize(),
        bar="Similarity",
        darkest=max(0.6, float(best)),
    )
    return heat_map(grid, hover=_hover(values, left, top))


def node_topics(table: pd.DataFrame) -> go.Figure:
    """Nodes × topics: the part of each node's weight that lies on each topic; rows sum to one."""
    rows, columns = diagonal_order(table.to_numpy())
    shown = table.iloc[rows, columns]
    nodes, topics = [str(name) for name in shown.index], [str(name) for name in shown.columns]
    values = shown.to_numpy().tolist()
    best = [f"{name}: {row.idxmax()} {percent(row.max())}" for name, row in table.iterrows()]

    def hover(i: int, j: int) -> str:
        named = f"<b>{safe_text(nodes[i])}</b> × <b>{safe_text(topics[j])}</b>"
        return f"{named}<br>{percent_text(values[i][j], 1)} of the node"

    grid = Grid(
        values=values,
        rows=nodes,
        columns=topics,
        title="Main topics of each node",
        alt=f"Heat map of nodes by topics. Strongest topic of each node: {'; '.join(best)}.",
        x="Topic",
        y="Node",
        bar="Share of<br>the node",
        darkest=max(0.3, float(table.to_numpy().max(initial=0.0))),
    )
    return heat_map(grid, hover=hover)


def _hover(values: list[list[float]], left: list[str], top: list[str]) -> Callable[[int, int], str]:
    def hover(i: int, j: int) -> str:
        if values[i][j] != values[i][j]:
            return f"<b>{safe_text(left[i])}</b>"
        pair = f"<b>{safe_text(left[i])}</b> and <b>{safe_text(top[j])}</b>"
        return f"{pair}<br>similarity {100 * values[i][j]:.0f} of 100"

    return hover


def _alt(best: tuple[float, int, int] | None, names: list[str], what: str) -> str:
    if best is None:
        return f"Heat map of the similarity of {what}; there are too few to compare."
    value, i, j = best
    return (
        f"Heat map of the similarity of {len(names)} {what}. "
        f"Most similar: {names[j]} and {names[i]}, {percent(value)}."
    )
