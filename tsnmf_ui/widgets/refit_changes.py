"""What the last refit changed: words in and out of every topic, and texts that moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from core.errors import NotFound
from tsnmf_ui import changed, state, texts, theme
from tsnmf_ui.results import Results

TITLE = "What the last refit changed"
FREE = theme.topic_colour(-1)  # of a topic that nobody named


def draw(found: Results) -> None:
    """Nothing where the fit before was none, or of another model; read only when it is open."""
    if not found.run.scores.get("change"):
        return
    with st.container(key="refit-changes"):
        box = st.expander(TITLE, key="topics.changes", on_change="rerun")
    if not box.open:
        return
    with box:
        try:
            told = _changes(found.project.id, found.run.id, found.topics.names)
        except NotFound as error:
            st.caption(texts.literal(str(error)))
            return
        st.html(_table(told) + "".join(f"<p>{escape(line)}</p>" for line in _sentences(told)))


@st.cache_resource(max_entries=8, show_spinner=False)
def _changes(project: int, run: int, names: tuple[str, ...]) -> dict[str, Any]:
    """Fits do not change; another name of a topic makes another answer."""
    return changed.changes(state.store(), state.topics_of, project, run, "")


def _table(told: Mapping[str, Any]) -> str:
    """Topics that acts spoke of first, then those that changed most."""
    rows = sorted(told["topics"], key=_rank)
    names = ("Topic", "Words in", "Words out", f"First {told['first']} words kept")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        f'<table class="ts-table ts-changes"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(map(_row, rows))}</tbody></table>"
    )


def _rank(topic: Mapping[str, Any]) -> tuple[bool, int, float]:
    kept, had = topic["kept"]
    return not topic["touched"], kept - had, topic["stability"]


def _row(topic: Mapping[str, Any]) -> str:
    kept, had = topic["kept"]
    spoken = " <small>an act spoke of it</small>" if topic["touched"] else ""
    return (
        f'<tr><th scope="row"><span class="ts-topic" style="--c:{topic["colour"] or FREE}">'
        f"{escape(topic['name'])}</span>{spoken}</th><td>{_words(topic['gained'])}</td>"
        f"<td>{_words(topic['lost'])}</td><td>{kept} of {had}</td></tr>"
    )


def _words(words: Sequence[str]) -> str:
    return escape(", ".join(words)) or "–"


def _sentences(told: Mapping[str, Any]) -> list[str]:
    """Topics that came and went, and the texts whose main topic is another one now."""
    gone = [
        f"{word}: {', '.join(told[which])}."
        for word, which in (("New", "added"), ("Gone", "removed"))
        if told[which]
    ]
    if not told["moved"]:
        return [*gone, "No text moved to another main topic."]
    return [*gone, _moved(told)]


def _moved(told: Mapping[str, Any]) -> str:
    """From where to where most of them went, and how many went other ways."""
    flows = [f"{flow['from']} → {flow['to']} ({flow['texts']:,})" for flow in told["flows"]]
    rest = told["moved"] - sum(flow["texts"] for flow in told["flows"])
    ways = ", ".join([*flows, *([f"other ways ({rest:,})"] if rest else [])])
    return f"{texts.count(told['moved'], 'text')} moved to another main topic: {ways}."
