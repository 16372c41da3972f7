"""Which topic is open, and the list to choose it from."""

from __future__ import annotations

import streamlit as st

from tsnmf_ui import state, texts, topic_facts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import results_head

CHOSEN = "topics.chosen"  # the topic that is open, by what it is
VIEW = "view"
ONE = "One topic"


def open_topic(reference: int | str) -> None:
    """Show one topic in depth; for callbacks."""
    choose(reference)
    state.remember(VIEW, ONE)


def choose(*references: int | str) -> None:
    """The topic to stay with: the first of these that there is, as a fit may bring one later."""
    state.remember(CHOSEN, references)


def open_later(reference: int | str) -> None:
    """The same from the middle of a page: a drawn widget cannot be changed before a rerun."""
    state.remember("topics.next", reference)
    st.rerun()


def arrive() -> None:
    """Before anything is drawn: go where ``open_later`` asked to go."""
    wanted = state.recall("topics.next")
    if wanted is not None:
        state.forget("topics.next")
        open_topic(wanted)


def listed(found: Results) -> int:
    """The topics as buttons whose bars are their shares; the chosen column.

    A hand may be on its way to one of them, so a refit moves none.
    """
    order = topic_facts.in_place(found)
    chosen = _chosen(found, order)
    with st.container(height=640, border=False, gap="xxsmall"):
        for topic in order:
            share = texts.percent(found.sizes[topic].share)
            st.button(
                f"{texts.literal(found.topics.names[topic])} :gray[{share}]",
                key=f"topic-row-{topic}",
                width="stretch",
                help=", ".join(word.term for word in found.topics.top_terms(topic, 6)) or None,
                on_click=open_topic,
                args=(found.reference(topic),),
            )
        st.html(results_head.row_styles(found, chosen))  # last, where its gap shifts nothing
    return chosen


def _chosen(found: Results, order: list[int]) -> int:
    """The column of the topic that was chosen; at first, or when it is gone, the first one.

    What was wished for is kept: a fit may still bring it. Until then a topic that an act took
    away is open as the run has it.
    """
    gone = {number: topic for topic, number in enumerate(found.run.topic_ids)}
    columns = gone | {found.reference(topic): topic for topic in order}
    wishes = state.recall(CHOSEN, ())
    wanted = next((each for each in wishes if each in columns), None)
    if wanted is None:
        wanted = found.reference(order[0])
        choose(*wishes, wanted)
    return columns[wanted]
