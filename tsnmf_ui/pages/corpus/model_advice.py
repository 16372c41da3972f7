"""Which model suits: a few questions in the analyst's terms, an answer with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TypeVar

import streamlit as st

from core.evaluation.recommendation import Goal, Labels, Needs, Suggestion, Words, recommend
from core.spec import ModelSpec
from tsnmf_ui.pages.corpus import model_catalogue
from tsnmf_ui.server import state

Answer = TypeVar("Answer", bound=str)

GOAL_CHOICES: dict[Goal, str] = {
    "teach": "Topics that follow my labels",
    "predict": "Labels for unread texts",
    "explore": "A first look",
    "number": "The number of topics",
}
LABEL_CHOICES: dict[Labels, str] = {
    "none": "None",
    "few": "A few",
    "many": "Many (a fifth of the texts or more)",
}
WORD_COUNTING: dict[Words, str] = {
    "typical": "More if it is typical of the text",
    "often": "As often as it occurs",
    "there": "Once per text",
}
TAKEN_SUGGESTION = "corpus.advice"  # the suggestion that was taken, until the model is chosen


def model_advice(start: Needs, key: str, *, grouped: bool) -> None:
    """Ask, answer, and offer to choose; ``grouped``: there are side columns to tell groups by."""
    with st.expander("Which model suits me?", icon=":material/help:"):
        found = recommend(_needs(start, key, grouped))
        best, also = found.best, found.also
        st.html(f'<div class="ts-advice">{_suggestion_html("Suggestion", best)}</div>')
        with st.container(horizontal=True):
            _take(best, key, first=True)
            _take(also, key, first=False)
        st.html(f'<div class="ts-quiet">{_suggestion_html("Alternative", also)}</div>')


def _needs(start: Needs, key: str, grouped: bool) -> Needs:
    left, right = st.columns(2)
    with left:
        goal = _one_of("What do you want?", GOAL_CHOICES, start.goal, f"{key}.goal")
        labels = _one_of(
            "How many texts are labelled, or will be?", LABEL_CHOICES, start.labels, f"{key}.labels"
        )
    with right:
        several = st.checkbox(
            "A text may be about several topics", start.several, key=f"{key}.several"
        )
        noisy = st.checkbox("Some labels may be wrong", start.noisy, key=f"{key}.noisy")
        broad = st.checkbox("A label covers different things", start.broad, key=f"{key}.broad")
        short = st.checkbox("Texts are one or two sentences", start.short, key=f"{key}.short")
        groups = grouped and st.checkbox(
            "Texts come from groups I want to compare",
            start.groups,
            key=f"{key}.groups",
            help="For example authors, regions or departments, from other columns of the file.",
        )
        words = _one_of(
            "How much should a word in a text count?", WORD_COUNTING, start.words, f"{key}.words"
        )
    return Needs(
        goal=goal,
        labels=labels,
        several=several,
        noisy=noisy,
        groups=bool(groups),
        short=short,
        broad=broad,
        words=words,
    )


def _one_of(label: str, names: Mapping[Answer, str], now: Answer, key: str) -> Answer:
    options = list(names)
    return st.radio(
        label,
        options,
        index=options.index(now),
        format_func=lambda one: names[one],
        key=key,
    )


def _suggestion_html(what: str, each: Suggestion) -> str:
    name = escape(model_catalogue.title(each.model))
    return f"{what}: <b>{name}</b>. {escape(each.why)}"


def _take(each: Suggestion, key: str, *, first: bool) -> None:
    st.button(
        f"Choose {model_catalogue.title(each.model)}",
        key=f"{key}.take.{'best' if first else 'also'}",
        type="secondary" if first else "tertiary",
        on_click=_take_suggestion,
        args=(each, key),
    )


def _take_suggestion(each: Suggestion, key: str) -> None:
    """The chooser shows the suggested model and its options; nothing is saved yet."""
    state.set_value(TAKEN_SUGGESTION, (each.model, dict(each.options)))
    state.set_value(f"{key.removesuffix('.advice')}.model", each.model)


def suggested_spec(model: str, now: ModelSpec) -> ModelSpec | None:
    """The model that is being looked at with the options that were suggested for it, if any."""
    name, options = state.get_value(TAKEN_SUGGESTION, (None, {}))
    if name != model or not options:
        return None
    before = now.options if now.model == model else {}
    return ModelSpec(model, options={**before, **options})
