"""Topics beside topics: which are alike, and what tells two of them apart."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from core.portrait import borderline_documents
from tsnmf_ui import figures, texts, topic_facts
from tsnmf_ui.results import Results, Version
from tsnmf_ui.widgets import passages, results_head, selection_link

SENT = 100  # documents looked at for those between two topics


def draw(found: Results) -> None:
    """The map of likeness on the left, the pair that was clicked on the right."""
    if len(found.topics) < 2:
        with st.container(key="panel-alike"):
            st.markdown("There is one topic only, so there is nothing to compare it with.")
        return
    left, right = st.columns([0.64, 0.36], gap="small")
    with left, st.container(key="panel-alike"):
        points = results_head.show_clickable(
            _figure(found.version, found), f"topics.alike.{found.run.id}"
        )
        st.caption(
            "100 would be the same words with the same weights, 0 no word in common. "
            "Click a cell to see what two topics share."
        )
    with right, st.container(key="panel-pair"):
        _pair(found, points)


@st.cache_resource(max_entries=4, show_spinner=False)
def _figure(version: Version, _found: Results) -> Any:
    return figures.similarity(topic_facts.similarity(_found))


def _pair(found: Results, points: list[dict[str, Any]]) -> None:
    first = points[0]["customdata"][:2] if points else topic_facts.most_alike(found)
    one, other = (int(value) for value in first)
    told = "The pair you chose" if points else "The two that are most alike"
    names, colours = found.topics.names, found.colours
    likeness = topic_facts.likeness(found, one)[other]
    st.html(
        f'<div class="ts-heading">{told}</div>'
        f'<p class="ts-quiet">Likeness {100 * likeness:.0f} of 100</p>'
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
    return f'<div class="ts-words" style="--c:{found.colours[topic]}">{chips}</div>'


def _between(found: Results, one: int, other: int) -> None:
    known = topic_facts.company(found, one, n=len(found.topics))
    both = next((each for each in known if each.topic == other), None)
    if both is not None:
        name, of = escape(found.topics.names[one]), texts.count(both.of, "text")
        st.html(
            f'<p class="ts-quiet">{both.documents:,} of the {of} that speak of {name} '
            "speak of both.</p>"
        )
    close = borderline_documents(found.topics, one, SENT)
    torn = [each.position for each in close if each.other == other]
    title = f"Between {found.topics.names[one]} and {found.topics.names[other]}"
    selection_link.offer(
        found.project,
        title,
        torn,
        key="topics.label-pair",
        label=f"Label the {texts.count(len(torn), 'text')} between them",
    )
