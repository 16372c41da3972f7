"""Similarity of topics, and what two of them share."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from core.insight.similarity import topic_similarity
from core.insight.topic_details import borderline_documents
from core.insight.topic_titles import NO_WORDS
from core.workspace import topic_facts
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import Results
from tsnmf_ui import figures
from tsnmf_ui.pages import results
from tsnmf_ui.pages.widgets import passages, results_header, selection_link
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

BORDERLINE_SEARCHED = 100  # documents looked at for those between two topics

_figures: StoreCache[Any] = StoreCache(max_entries=4)


def render(found: Results) -> None:
    """The similarity heat map on the left, the pair that was clicked on the right."""
    if len(found.topics) < 2:
        with st.container(key="panel-alike"):
            st.markdown("There is only one topic, so there is nothing to compare.")
        return
    left, right = st.columns([0.64, 0.36], gap="small")
    with left, st.container(key="panel-alike"):
        figure = _figure(found)
        points = results_header.show_clickable(figure, f"topics.alike.{found.run.id}")
        st.caption(
            "100: the same words with the same weights; 0: no word in common. "
            "Click a cell to see what two topics share."
        )
    with right, st.container(key="panel-pair"):
        _pair(found, points)
        if figures.is_large(len(found.topics), len(found.topics)):
            results_header.largest_cells(figure, of_pairs=True)


def _figure(found: Results) -> Any:
    return _figures.get(
        state.store(), found.version, lambda: figures.similarity(topic_similarity(found.topics))
    )


def _pair(found: Results, points: list[dict[str, Any]]) -> None:
    first = points[0]["customdata"][:2] if points else topic_facts.most_similar(found)
    one, other = (int(value) for value in first)
    title = "Selected pair" if points else "Most similar pair"
    names, colours = found.topics.names, results.colours(found)
    similarity = topic_facts.similarities(found, one)[other]
    st.html(
        f'<h2 class="ts-heading">{title}</h2>'
        f'<p class="ts-quiet">Similarity {100 * similarity:.0f} of 100</p>'
        f'<div class="ts-name">{passages.topic_name(names[one], colours[one])}</div>'
        f"{_words(found, one, other)}"
        f'<div class="ts-name">{passages.topic_name(names[other], colours[other])}</div>'
        f"{_words(found, other, one)}"
    )
    if one != other:
        _between(found, one, other)


def _words(found: Results, topic: int, other: int) -> str:
    """The topic's words; those that the other uses too are marked."""
    theirs = {term for term, _ in found.topics.top_terms(other, 20)}
    chips = "".join(
        f'<span class="{"ts-both" if term in theirs else ""}" style="--w:12%">{escape(term)}</span>'
        for term, _ in found.topics.top_terms(topic, 14)
    )
    chips = chips or f'<p class="ts-quiet">{NO_WORDS.capitalize()}.</p>'
    return f'<div class="ts-words" style="--c:{results.colour(found, topic)}">{chips}</div>'


def _between(found: Results, one: int, other: int) -> None:
    known = topic_facts.related_topics(state.store(), found, one, n=len(found.topics))
    both = next((each for each in known if each.topic == other), None)
    if both is not None:
        name, of = escape(found.topics.names[one]), texts.count(both.of, "text")
        st.html(
            f'<p class="ts-quiet">{both.documents:,} of the {of} about {name} '
            "are also about the other topic.</p>"
        )
    close = borderline_documents(found.topics, one, BORDERLINE_SEARCHED)
    borderline = [each.position for each in close if each.other == other]
    title = f"Between {found.topics.names[one]} and {found.topics.names[other]}"
    selection_link.offer(
        found.project,
        title,
        borderline,
        key="topics.label-pair",
        label=f"Label the {texts.count(len(borderline), 'text')} between them",
    )
