"""Which topic is open, and the list to choose it from."""

from __future__ import annotations

import streamlit as st

from core.insight.topic_titles import first_words
from core.supervision import TopicKey
from core.workspace.results import Results
from tsnmf_ui.pages.topics import topic_table
from tsnmf_ui.pages.widgets import results_header
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

CHOSEN_TOPIC = "topics.chosen"  # the topic that is open, by what it is
VIEW_KEY = "view"
ONE_TOPIC_VIEW = "One topic"


def open_topic(key: TopicKey) -> None:
    """Show one topic in depth; for callbacks."""
    choose(key)
    state.set_value(VIEW_KEY, ONE_TOPIC_VIEW)


def choose(*keys: TopicKey) -> None:
    """The topic to stay with: the first of these that there is, as a fit may bring one later."""
    state.set_value(CHOSEN_TOPIC, keys)


def open_later(key: TopicKey) -> None:
    """The same from the middle of a page: a drawn widget cannot be changed before a rerun."""
    state.set_value("topics.next", key)
    st.rerun()


def open_requested() -> None:
    """Before anything is drawn: go where ``open_later`` asked to go."""
    wanted = state.get_value("topics.next")
    if wanted is not None:
        state.clear_values("topics.next")
        open_topic(wanted)


def choose_from_list(found: Results) -> int:
    """The topics as buttons whose bars are their shares; the chosen column.

    A hand may be on its way to one of them, so a refit moves none.
    """
    order = topic_table.stable_order(found)
    chosen = _chosen(found, order)
    with st.container(height=640, border=False, gap="xxsmall"):
        for topic in order:
            share = texts.percent(found.sizes[topic].share)
            st.button(
                f"{texts.escape_markdown(found.topics.names[topic])} :gray[{share}]",
                key=f"topic-row-{topic}",
                width="stretch",
                help=texts.escape_markdown(first_words(found.topics, topic, 6)),
                on_click=open_topic,
                args=(found.topics.keys[topic],),
            )
        st.html(results_header.row_styles(found, chosen))  # last, where its gap shifts nothing
    return chosen


def _first_words(found: Results, topic: int) -> str:
    return ", ".join(word.term for word in found.topics.top_terms(topic, 6))


def _chosen(found: Results, order: list[int]) -> int:
    """The column of the topic that was chosen; at first, or when it is gone, the first one.

    What was wished for is kept: a fit may still bring it. Until then a topic that an event took
    away is open as the run has it.
    """
    wishes = state.get_value(CHOSEN_TOPIC, ())
    columns = (found.topics.column(key) for key in wishes)
    column = next((each for each in columns if each is not None), None)
    if column is None:
        column = order[0]
        choose(*wishes, found.topics.keys[column])
    return column
