"""All topics over time and by class."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from core.workspace import topic_facts
from core.workspace.results import Results
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.topics import topic_table
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

OVER_TIME = "Over time"
TOPICS_DRAWN_AT_FIRST = 3  # topics drawn unless told otherwise


def render(found: Results) -> None:
    """Choose time or a class column, then look."""
    by, columns = (
        topic_facts.period(state.store(), found),
        topic_facts.class_columns(state.store(), found),
    )
    if by is None and not columns:
        with st.container(key="panel-trends"):
            st.markdown(
                "These texts have no dates or other columns. Choose such columns when you read a "
                "file on the Corpus page."
            )
        return
    options = ([OVER_TIME] if by else []) + [f"By {column}" for column in columns]
    chosen = results_header.choice("Against", tuple(options), "topics.against")
    with st.container(key="panel-trends"):
        if by is not None and chosen == OVER_TIME:
            _time(found, by)
        else:
            wanted = chosen.removeprefix("By ")
            _classes(found, wanted if wanted in columns else columns[0])


def _time(found: Results, by: str) -> None:
    largest = topic_table.order(found, "Largest")
    left, right = st.columns([0.76, 0.24], vertical_alignment="bottom")
    topics = left.multiselect(
        "Topics",
        largest,
        default=largest[:TOPICS_DRAWN_AT_FIRST],
        format_func=lambda topic: found.topics.names[topic],
        key=f"topics.lines.{found.run.id}",
        max_selections=12,
    )
    periods = topic_facts.readable_periods(state.store(), found)
    period = right.selectbox(
        "Group by", periods, index=periods.index(by) if by in periods else 0, key="topics.period"
    )
    if not topics:
        st.markdown("Choose at least one topic.")
        return
    table = topic_facts.trend(state.store(), found, period)
    drawn = figures.over_time(table, topics, colours=results.colours(found), period=period)
    results_header.show(drawn, key="topics.lines-figure")
    band = "Band: 95 % interval. " if len(topics) <= figures.MAX_BANDS else ""
    st.caption(
        f"Each text counts for its main topic. {band}"
        f"Hover over a dot for its 95 % interval and the number of texts."
        f"{texts.escape_markdown(not_counted(found))}"
    )


def not_counted(found: Results) -> str:
    """Which texts a chart over time leaves out; begins with a blank, empty if it has them all."""
    undated, without_topic, unread = topic_facts.not_counted_over_time(state.store(), found)
    why = [f"{texts.count(undated, 'text')} without a date"] if undated else []
    why += [f"{texts.count(without_topic, 'text')} without a topic"] if without_topic else []
    why += [f"{texts.count(unread, 'text')} added since the fit"] if unread else []
    listed = " and ".join(filter(None, [", ".join(why[:-1]), *why[-1:]]))
    return f" Not counted: {listed}." if why else ""


def class_bars(found: Results, topic: int, column: str) -> go.Figure:
    """One topic in the groups of a column."""
    return figures.by_class(
        topic_facts.classes(state.store(), found, column),
        topic,
        colour=results.colour(found, topic),
        column=column,
        overall=found.sizes[topic].share,
    )


def several_values(found: Results, column: str) -> str:
    """That a text can be in several groups; begins with a blank, empty if it cannot."""
    if not topic_facts.splits_values(state.store(), found, column):
        return ""
    return " A text with several values counts in each of them."


def _classes(found: Results, column: str) -> None:
    table = topic_facts.classes(state.store(), found, column)
    drawn = figures.class_map(table, column=column)
    results_header.show(drawn, key="topics.class-map")
    st.caption(
        f"Each row: share of each main topic among the texts of one "
        f"{texts.escape_markdown(column)}, in percent. "
        f"{texts.escape_markdown(figures.unnumbered_cells(drawn))}"
        f"{texts.escape_markdown(several_values(found, column))}"
    )
    topic = st.selectbox(
        "One topic, with 95 % intervals",
        topic_table.order(found, "Largest"),
        format_func=lambda each: found.topics.names[each],
        key=f"topics.class-topic.{found.run.id}",
        width=420,
    )
    results_header.show(class_bars(found, topic, column), key="topics.class-bars")
