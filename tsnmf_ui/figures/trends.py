"""Topics over time and by class: shares with their denominators and how far they may be off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pandas as pd
import plotly.graph_objects as go

from core.values import percent
from tsnmf_ui.figures.canvas import (
    empty_figure,
    height_for_rows,
    label_rows,
    percent_text,
    safe_text,
)
from tsnmf_ui.figures.heat import Grid, heat_map
from tsnmf_ui.theme import style

MAX_BANDS = 1  # topics up to which bands can be told apart: they overlap, and the lines are lost
DATE_FORMATS = {"day": "%-d %b %Y", "week": "%-d %b %Y", "month": "%B %Y", "year": "%Y"}


def over_time(
    table: pd.DataFrame, topics: Sequence[int], *, colours: Sequence[str], period: str
) -> go.Figure:
    """A line per topic with the band of its 95 % interval; a period without documents is a gap."""
    parts = {topic: table[table["topic"] == topic] for topic in topics}
    one = safe_text(str(parts[topics[0]]["name"].iloc[0]), 40) if len(topics) == 1 else ""
    figure = empty_figure(
        f"Share of texts about {one} by {period}" if one else f"Topics by {period}",
        _time_alt(parts, period),
        x=f"{period.capitalize()} of the text",
        y=f"Share of the {period}'s texts (%)",
        height=320 if one else 430,
    )
    for topic in topics:
        _add_line(figure, parts[topic], colours[topic], period, banded=len(topics) <= MAX_BANDS)
    figure.update_yaxes(rangemode="tozero", fixedrange=True, ticksuffix=" ")
    figure.update_xaxes(fixedrange=True, showgrid=False)
    figure.update_layout(showlegend=len(topics) > 1, hovermode="closest")
    return figure


def _add_line(
    figure: go.Figure, part: pd.DataFrame, colour: str, period: str, *, banded: bool
) -> None:
    name = safe_text(str(part["name"].iloc[0]), 40)
    known = part[part["of"] > 0]
    x = [start.isoformat() for start in part["start"]]
    if banded:
        days = [start.isoformat() for start in known["start"]]
        figure.add_scatter(
            x=[*days, *reversed(days)],
            y=[*(100 * known["high"]).tolist(), *(100 * known["low"]).tolist()[::-1]],
            fill="toself",
            fillcolor=_faint(colour),
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
            mode="lines",
        )
    figure.add_scatter(
        x=x,
        y=[None if share != share else 100 * share for share in part["share"].tolist()],
        name=name,
        mode="lines+markers",
        line={"color": colour, "width": 2.2},
        marker={"size": 6},
        text=[_hover_text(row, period) for row in part.itertuples(index=False)],
        hovertemplate=f"<b>{name}</b><br>%{{text}}<extra></extra>",
    )


def by_class(
    table: pd.DataFrame, topic: int, *, colour: str, column: str, overall: float
) -> go.Figure:
    """One topic: its share in every class as a dot with its interval, that in all as a line."""
    part = _largest_first(table[table["topic"] == topic])
    name = safe_text(str(part["name"].iloc[0]), 40) if len(part) else ""
    figure = empty_figure(
        f"{name} by {safe_text(column, 30)}",
        _class_alt(part, column),
        x="Share of the group's texts (%)",
        height=height_for_rows(len(part)),
    )
    share, low, high = (100 * part[each] for each in ("share", "low", "high"))
    figure.add_scatter(
        x=share.tolist(),
        y=list(range(len(part))),
        mode="markers",
        marker={"color": colour, "size": 10},
        error_x={
            "type": "data",
            "array": (high - share).tolist(),
            "arrayminus": (share - low).tolist(),
            "color": colour,
            "thickness": 1.6,
            "width": 5,
        },
        text=[
            f"<b>{safe_text(_class_name(row[0]))}</b><br>{_shares(row[3:])}"
            for row in part.to_numpy().tolist()
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    figure.add_vline(x=100 * overall, line={"dash": "dot", "width": 1.5, "color": style.INK})
    figure.add_annotation(
        x=100 * overall,
        y=1,
        yref="paper",
        yanchor="bottom",
        text=f"all {percent_text(overall)}",
        showarrow=False,
        font={"size": 12},
    )
    label_rows(figure, [_class_name(value) for value in part["class"]])
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    return figure


def class_map(table: pd.DataFrame, *, column: str) -> go.Figure:
    """All topics in all classes: rows are classes and sum to one."""
    wide = table.pivot(index="class", columns="topic", values="share").loc[table["class"].unique()]
    named = dict(zip(table["topic"], table["name"], strict=True))
    rows = [_class_name(name) for name in wide.index]
    columns = [str(named[topic]) for topic in wide.columns]
    hover_texts = {
        (_class_name(row[0]), int(row[1])): _shares(row[3:])
        for row in table[["class", "topic", "name", "share", "low", "high", "documents", "of"]]
        .to_numpy()
        .tolist()
    }
    order = [int(topic) for topic in wide.columns]

    def hover(i: int, j: int) -> str:
        named = f"<b>{safe_text(rows[i])}</b> × <b>{safe_text(columns[j])}</b>"
        return f"{named}<br>{hover_texts[rows[i], order[j]]}"

    values = wide.to_numpy()
    grid = Grid(
        values=values.tolist(),
        rows=rows,
        columns=columns,
        title=f"Main topics by {safe_text(column, 30)}",
        alt=f"Heat map of {len(columns)} topics in {len(rows)} groups of {column}.",
        x="Topic",
        y=safe_text(column, 30).capitalize(),
        bar="Share of<br>the group",
        darkest=max(0.2, float(values.max(initial=0.0))),
    )
    return heat_map(grid, hover=hover)


def _largest_first(part: pd.DataFrame) -> pd.DataFrame:
    """By share; classes that are numbers, such as ratings, stay in their own order."""
    named = part["class"].astype(str)
    if pd.to_numeric(named[named != ""], errors="coerce").notna().all():
        return part
    return part.sort_values("share", ascending=False, kind="stable")


def _class_name(value: object) -> str:
    """A group's name; texts without a value have none."""
    return str(value) or "(none)"


def _shares(row: Sequence[float]) -> str:
    """share, low, high, documents, of: in words."""
    share, low, high, documents, of = row[:5]
    return (
        f"{percent_text(share, 1)} ({percent_text(low, 1)} to {percent_text(high, 1)})"
        f"<br>{int(documents):,} of {int(of):,} texts"
    )


def _hover_text(row: object, period: str) -> str:
    numbers = [getattr(row, name) for name in ("share", "low", "high", "documents", "of")]
    when = period_name(getattr(row, "start"), period)  # noqa: B009
    return when if not numbers[-1] else f"{when}<br>{_shares(numbers)}"


def period_name(start: date, period: str) -> str:
    """A period as people say it."""
    if period == "quarter":
        return f"Quarter {(start.month + 2) // 3} of {start.year}"
    day = start.strftime(DATE_FORMATS[period])
    return f"week of {day}" if period == "week" else day


def _faint(colour: str) -> str:
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return f"rgba({parts[0]},{parts[1]},{parts[2]},0.13)"


def _time_alt(parts: dict[int, pd.DataFrame], period: str) -> str:
    lines = []
    for part in parts.values():
        known = part[part["of"] > 0]
        if len(known):
            first, last = known["share"].iloc[0], known["share"].iloc[-1]
            lines.append(f"{known['name'].iloc[0]} from {percent(first)} to {percent(last)}")
    return f"Lines of the share of texts by {period}: {'; '.join(lines) or 'no dates'}."


def _class_alt(part: pd.DataFrame, column: str) -> str:
    shares = [
        f"{percent(share)} in {value}"
        for value, share in zip(part["class"], part["share"], strict=True)
    ]
    return f"Dots of the topic's share by {column}: {', '.join(shares) or 'no texts'}."
