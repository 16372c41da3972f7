"""Topics as bars: the words of one, the sizes of all."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.insight.topic_titles import NO_WORDS
from core.topics import Topics
from core.values import percent
from tsnmf_ui.figures.canvas import (
    empty_figure,
    height_for_rows,
    label_rows,
    percent_text,
    safe_text,
)


def keyword_bars(topics: Topics, topic: int, *, colour: str, n: int = 10) -> go.Figure:
    """Bars of a topic's heaviest words, heaviest on top."""
    rows = topics.top_terms(topic, n)
    words = [row.term for row in rows]
    name = safe_text(topics.names[topic], 40)
    figure = empty_figure(
        f"Top words of {name}",
        _words_alt(topics.names[topic], words),
        x="Weight of the word in the topic (0 to 1)",
        height=height_for_rows(len(words)),
    )
    figure.add_bar(
        x=[row.weight for row in rows],
        y=list(range(len(rows))),
        customdata=[safe_text(word) for word in words],
        orientation="h",
        marker_color=colour,
        hovertemplate="<b>%{customdata}</b><br>weight %{x:.3f}<extra></extra>",
    )
    label_rows(figure, words)
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    return figure if words else _without_words(figure)


def distinctive_bars(table: pd.DataFrame, name: str, *, colour: str) -> go.Figure:
    """Bars of how many times as frequent distinctive words are here as in the whole corpus."""
    words = [str(term) for term in table["term"]]
    figure = empty_figure(
        f"Distinctive words of {safe_text(name, 34)}",
        f"Bar chart of the distinctive words of {name}: {', '.join(words) or 'none'}.",
        x="Times as frequent as in all texts",
        height=height_for_rows(len(words)),
    )
    figure.add_bar(
        x=table["lift"].tolist(),
        y=list(range(len(words))),
        customdata=[
            (safe_text(str(row.term)), row.weight) for row in table.itertuples(index=False)
        ],
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
    label_rows(figure, words)
    most = max(table["lift"], default=1.0)
    figure.update_xaxes(range=[0, 1.15 * most], fixedrange=True)
    return figure if words else _without_words(figure)


def _without_words(figure: go.Figure) -> go.Figure:
    """Says so instead of showing empty axes."""
    note = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False}
    figure.add_annotation(text=NO_WORDS.capitalize(), **note)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure


def topic_shares(sizes: pd.DataFrame, *, colours: Sequence[str]) -> go.Figure:
    """Bars of the share of documents whose main topic is each, largest on top."""
    table = sizes.sort_values("share", ascending=False, kind="stable")
    n_read = int(table["of"].max()) if len(table) else 0
    figure = empty_figure(
        f"Main topic of {n_read:,} texts",
        _shares_alt(table, n_read),
        x="Share of texts (%)",
        height=height_for_rows(len(table)),
    )
    figure.add_bar(
        x=[100 * share for share in table["share"]],
        y=list(range(len(table))),
        customdata=_share_hovers(table),
        orientation="h",
        marker_color=[colours[topic] for topic in table["topic"]],
        text=[percent_text(share) for share in table["share"]],
        textposition="outside",
        cliponaxis=False,
        hovertemplate=(
            "<b>%{customdata[0]}</b><br>%{customdata[1]} of %{customdata[2]} texts"
            "<br>%{customdata[3]}<extra></extra>"
        ),
    )
    label_rows(figure, table["name"].tolist())
    figure.update_xaxes(rangemode="tozero", fixedrange=True)
    return figure


def _share_hovers(table: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    columns = (table[name].tolist() for name in ("name", "documents", "of", "share"))
    return [
        (safe_text(name), f"{documents:,}", f"{of:,}", percent_text(share, 1))
        for name, documents, of, share in zip(*columns, strict=True)
    ]


def _words_alt(name: str, words: list[str]) -> str:
    if not words:
        return f"The topic {name} has {NO_WORDS}."
    return f"Bar chart of the top words of {name}: {', '.join(words)}."


def _shares_alt(table: pd.DataFrame, n_read: int) -> str:
    columns = zip(table["name"], table["share"], strict=True)
    parts = [f"{name} {percent(share)}" for name, share in columns]
    return f"Bar chart of the main topic of {n_read:,} texts: {', '.join(parts)}."
