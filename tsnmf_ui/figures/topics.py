"""Topics as bars: the words of one, the sizes of all."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.topics import Topics
from tsnmf_ui.figures.drawing import blank, name_rows, plain, rows_height


def keyword_bars(topics: Topics, topic: int, *, colour: str, n: int = 10) -> go.Figure:
    """Bars of a topic's heaviest words, heaviest on top."""
    rows = topics.top_terms(topic, n)
    words = [row.term for row in rows]
    name = plain(topics.names[topic], 40)
    figure = blank(
        f"Words that make up {name}",
        _words_alt(topics.names[topic], words),
        x="Weight of the word in the topic (0 to 1)",
        height=rows_height(len(words)),
    )
    figure.add_bar(
        x=[row.weight for row in rows],
        y=list(range(len(rows))),
        customdata=[plain(word) for word in words],
        orientation="h",
        marker_color=colour,
        hovertemplate="<b>%{customdata}</b><br>weight %{x:.3f}<extra></extra>",
    )
    name_rows(figure, words)
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    return figure


def distinctive_bars(table: pd.DataFrame, name: str, *, colour: str) -> go.Figure:
    """Bars of how many times as frequent the telling words are here as in the whole corpus."""
    words = [str(term) for term in table["term"]]
    figure = blank(
        f"What sets {plain(name, 34)} apart",
        f"Bar chart of the words that set {name} apart: {', '.join(words) or 'none'}.",
        x="Times as frequent as in all texts",
        height=rows_height(len(words)),
    )
    figure.add_bar(
        x=table["lift"].tolist(),
        y=list(range(len(words))),
        customdata=[(plain(str(row.term)), row.weight) for row in table.itertuples(index=False)],
        text=[f"{lift:.1f} ×" for lift in table["lift"]],
        textposition="outside",
        cliponaxis=False,
        orientation="h",
        marker={"color": colour, "opacity": 0.55},
        hovertemplate=(
            "<b>%{customdata[0]}</b><br>%{x:.1f} times as frequent as in all texts"
            "<br>weight %{customdata[1]:.3f}<extra></extra>"
        ),
    )
    name_rows(figure, words)
    most = max(table["lift"], default=1.0)
    figure.update_xaxes(range=[0, 1.15 * most], fixedrange=True)
    return figure


def topic_shares(sizes: pd.DataFrame, *, colours: Sequence[str]) -> go.Figure:
    """Bars of the share of documents whose main topic is each, largest on top."""
    table = sizes.sort_values("share", ascending=False, kind="stable")
    n_read = int(table["of"].max()) if len(table) else 0
    figure = blank(
        f"Main topic of {n_read:,} texts",
        _shares_alt(table, n_read),
        x="Share of texts (%)",
        height=rows_height(len(table)),
    )
    figure.add_bar(
        x=[100 * share for share in table["share"]],
        y=list(range(len(table))),
        customdata=[
            (plain(str(row.name)), f"{row.documents:,}", f"{row.of:,}")
            for row in table.itertuples(index=False)
        ],
        orientation="h",
        marker_color=[colours[topic] for topic in table["topic"]],
        texttemplate="%{x:.0f} %",
        textposition="outside",
        cliponaxis=False,
        hovertemplate=(
            "<b>%{customdata[0]}</b><br>%{customdata[1]} of %{customdata[2]} texts"
            "<br>%{x:.1f} %<extra></extra>"
        ),
    )
    name_rows(figure, table["name"].tolist())
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    return figure


def _words_alt(name: str, words: list[str]) -> str:
    if not words:
        return f"The topic {name} has no words."
    return f"Bar chart of the heaviest words of {name}: {', '.join(words)}."


def _shares_alt(table: pd.DataFrame, n_read: int) -> str:
    parts = [f"{row.name} {row.share:.0%}" for row in table.itertuples(index=False)]
    return f"Bar chart of the main topic of {n_read:,} texts: {', '.join(parts)}."
