"""Which topic is open, and the list to choose it from."""

from __future__ import annotations

import streamlit as st

from tsnmf_ui import state, texts
from tsnmf_ui.results import Results
from tsnmf_ui.widgets import results_head

CHOSEN = "topics.chosen"  # the topic that is open, by what it is
VIEW = "view"
ONE = "One topic"


def open_topic(reference: int | str) -> None:
    """Show one topic in depth; for callbacks."""
    state.remember(CHOSEN, reference)
    state.remember(VIEW, ONE)


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


def listed(found: Results, order: list[int]) -> int:
    """The topics as buttons whose bars are their shares; the chosen column."""
    wanted = state.recall(CHOSEN)
    chosen = next((topic for topic in order if found.reference(topic) == wanted), order[0])
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
