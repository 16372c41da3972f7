"""What the last refit changed: words in and out of every topic, and texts that moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from core.errors import NotFound
from core.workspace.caches.store_cache import StoreCache
from core.workspace.results import Results
from tsnmf_ui.label import refit_changes
from tsnmf_ui.server import state
from tsnmf_ui.theme import style, texts

CHANGES_TITLE = "What the last refit changed"
FREE_COLOUR = style.topic_colour(-1)  # of a topic that nobody named

_kept_changes: StoreCache[dict[str, Any]] = StoreCache(max_entries=8)


def render(found: Results) -> None:
    """Nothing where the fit before was none, or of another model; read only when it is open."""
    if found.run.outcome.change is None:
        return
    with st.container(key="refit-changes"):
        box = st.expander(CHANGES_TITLE, key="topics.changes", on_change="rerun")
    if not box.open:
        return
    with box:
        try:
            found_changes = _changes(found)
        except NotFound as error:
            st.caption(texts.escape_markdown(str(error)))
            return
        st.html(
            _table(found_changes)
            + "".join(f"<p>{escape(line)}</p>" for line in _sentences(found_changes))
        )


def _changes(found: Results) -> dict[str, Any]:
    """Fits do not change; another name of a topic makes another answer."""
    store, (project, run, *_) = state.store(), found.run_key
    return _kept_changes.get(
        store,
        found.run_key,
        lambda: refit_changes.changes(store, state.topics_of, project, run, ""),
    )


def _table(found_changes: Mapping[str, Any]) -> str:
    """Topics that events name first, then those that changed most."""
    rows = sorted(found_changes["topics"], key=_rank)
    names = ("Topic", "Words added", "Words removed", f"Top {found_changes['first']} words kept")
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
    spoken = " <small>labelled or edited</small>" if topic["touched"] else ""
    return (
        f'<tr><th scope="row"><span class="ts-topic" style="--c:{topic["colour"] or FREE_COLOUR}">'
        f"{escape(topic['name'])}</span>{spoken}</th><td>{_words(topic['gained'])}</td>"
        f"<td>{_words(topic['lost'])}</td><td>{_kept(kept, had)}</td></tr>"
    )


def _kept(kept: int, had: int) -> str:
    return f"{kept} of {had}" if had else "had no words"


def _words(words: Sequence[str]) -> str:
    return escape(", ".join(words)) or "–"


def _sentences(changes: Mapping[str, Any]) -> list[str]:
    """Topics that came and went, and the texts whose main topic is another one now."""
    gone = [
        f"{word}: {', '.join(changes[which])}."
        for word, which in (("New topics", "added"), ("Removed topics", "removed"))
        if changes[which]
    ]
    if not changes["moved"]:
        return [*gone, "No text has another main topic now."]
    return [*gone, _moved(changes)]


def _moved(changes: Mapping[str, Any]) -> str:
    """From where to where most of them went, and how many went other ways."""
    flows = [f"{flow['from']} → {flow['to']} ({flow['texts']:,})" for flow in changes["flows"]]
    rest = changes["moved"] - sum(flow["texts"] for flow in changes["flows"])
    ways = ", ".join([*flows, *([f"others ({rest:,})"] if rest else [])])
    return f"{texts.count(changes['moved'], 'text')} with another main topic now: {ways}."
