"""All topics over time and by class."""

from __future__ import annotations

import streamlit as st

from tsnmf_ui import figures, topic_facts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import results_head

TIME = "Over time"
FIRST = 3  # topics drawn unless told otherwise


def draw(found: Results) -> None:
    """Choose time or a class column, then look."""
    by, columns = topic_facts.period(found), topic_facts.class_columns(found)
    if by is None and not columns:
        with st.container(key="panel-trends"):
            st.markdown(
                "The texts of this corpus carry neither dates nor classes. Choose a date "
                "column or side columns when you read a file on the Corpus page."
            )
        return
    options = ([TIME] if by else []) + [f"By {column}" for column in columns]
    chosen = results_head.choice("Against", tuple(options), "topics.against")
    with st.container(key="panel-trends"):
        if by is not None and chosen == TIME:
            _time(found, by)
        else:
            wanted = chosen.removeprefix("By ")
            _classes(found, wanted if wanted in columns else columns[0])


def _time(found: Results, by: str) -> None:
    largest = topic_facts.order(found, "Largest")
    left, right = st.columns([0.76, 0.24], vertical_alignment="bottom")
    topics = left.multiselect(
        "Topics",
        largest,
        default=largest[:FIRST],
        format_func=lambda topic: found.topics.names[topic],
        key=f"topics.lines.{found.run.id}",
        max_selections=12,
    )
    periods = topic_facts.readable_periods(found)
    period = right.selectbox(
        "Count by", periods, index=periods.index(by) if by in periods else 0, key="topics.period"
    )
    if not topics:
        st.markdown("Choose at least one topic.")
        return
    table = topic_facts.trend(found, period)
    drawn = figures.over_time(table, topics, colours=found.colours, period=period)
    results_head.show(drawn, key="topics.lines-figure")
    bands = "Bands reach as far as a share may be off, nineteen times in twenty. "
    st.caption(
        f"A text counts for its main topic. {bands if len(topics) <= figures.BANDED else ''}"
        "Point at a dot for the number of texts behind it."
    )


def _classes(found: Results, column: str) -> None:
    table = topic_facts.classes(found, column)
    results_head.show(figures.class_map(table, column=column), key="topics.class-map")
    st.caption(f"Read along a row: of the texts of one {column}, the share of each main topic.")
    topic = st.selectbox(
        "One topic, with how far each share may be off",
        topic_facts.order(found, "Largest"),
        format_func=lambda each: found.topics.names[each],
        key=f"topics.class-topic.{found.run.id}",
        width=420,
    )
    drawn = figures.by_class(table, topic, colour=found.colours[topic], column=column)
    results_head.show(drawn, key="topics.class-bars")
