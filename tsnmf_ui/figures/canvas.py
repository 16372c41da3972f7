"""What every figure is drawn on: the house layout, a sentence for the blind, words made safe."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.values import percent
from tsnmf_ui.theme import style

ROW_HEIGHT = 30  # pixels per bar
SHARE_TICKS = ".2~%"  # of an axis: 0.5% is not rounded to 1%
TICK_NUMBERS = sorted({*range(101), *(half / 2 for half in range(40))})  # that an axis may show


def safe_text(text: str, limit: int = 60) -> str:
    """A name as it is: Plotly reads tags in its texts, so they are escaped; long ones are cut."""
    text = " ".join(text.split())
    short = text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
    return html.escape(short, quote=False)


def share_ticks(*signs: str) -> dict[str, Any]:
    """Percentages along an axis, written as everywhere else: “60 %”, with signs if asked for."""
    sign = signs[0] if signs else ""
    shown = [f"{each}{number:g}" for number in TICK_NUMBERS for each in signs or ("",)]
    aliases = {f"{number}%": f"{number}\u00a0%" for number in shown}
    return {"tickformat": f"{sign}{SHARE_TICKS}", "labelalias": aliases}


def percent_text(share: float, digits: int = 0) -> str:
    """A share as everywhere else; its < and > are escaped, as Plotly reads tags in its texts."""
    return html.escape(percent(share, digits), quote=False)


def empty_figure(
    title: str, alt: str, *, x: str | None = None, y: str | None = None, height: int = 320
) -> go.Figure:
    """An empty figure in the house look; ``alt`` says in a sentence what will be seen."""
    look: dict[str, Any] = style.layout(title=title, x=x, y=y)
    figure = go.Figure(layout=look)
    figure.update_layout(
        height=height, meta={"alt": alt}, showlegend=False, barcornerradius=4, dragmode=False
    )
    figure.update_layout(title={"xref": "container", "x": 0, "xanchor": "left", "pad": {"l": 4}})
    figure.update_xaxes(title_font_size=13, tickfont_size=13)
    figure.update_yaxes(title_font_size=13, tickfont_size=13)
    return figure


def height_for_rows(n_rows: int, *, least: int = 180) -> int:
    """Tall enough for n bars under a title and above an axis."""
    return max(least, 110 + ROW_HEIGHT * n_rows)


def label_rows(figure: go.Figure, names: list[str], *, limit: int = 28) -> None:
    """Names down the side, the first one on top."""
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[safe_text(name, limit) for name in names],
        range=[len(names) - 0.5, -0.5],
        fixedrange=True,
        showgrid=False,
        zeroline=False,
    )


def click_squares(cells: Sequence[tuple[int, int]], side: int, **about: Any) -> go.Scatter:
    """Unseen squares over (row, column) cells: they take the click, and frame the chosen cell.

    ``side`` is in pixels; the number under a frame stays readable.
    """
    return go.Scatter(
        x=[column for _, column in cells],
        y=[row for row, _ in cells],
        mode="markers",
        marker={
            "symbol": "square-open",
            "size": side,
            "opacity": 0,
            "color": style.PALETTE[1],
            "line_width": 3,
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 0}},
        **about,
    )
