"""All memos of a project in one place: on the project, on topics, and the notes of labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import streamlit as st

from core.store import Memo, Project
from tsnmf_ui.pages.widgets.memos import memo_html, memos
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

MAX_LISTED = 200
NO_MEMOS = "No memos yet. Write one here, on a topic (Topics), or as a note on a text (Label)."


class _Listed(NamedTuple):
    memo: Memo
    about: str
    position: int | None = None


def memo_list(project: Project) -> None:
    """Search, the list newest first, and a new memo on the project."""
    with st.container(key="panel-memos"):
        words = st.text_input("Find in memos and notes", key="memos.words", max_chars=200)
        found = [each for each in _all(project.id) if _matches(each, words)]
        if not found:
            st.markdown("No memo holds these words." if words.strip() else NO_MEMOS)
        for each in found[:MAX_LISTED]:
            _line(each)
        if len(found) > MAX_LISTED:
            st.caption(f"and {len(found) - MAX_LISTED:,} more")
    with st.container(key="panel-project-memos"):
        st.html('<h2 class="ts-heading">Memos on the project</h2>')
        memos(project, None, key="history.memos")


def _line(each: _Listed) -> None:
    with st.container(horizontal=True, vertical_alignment="top"):
        st.html(memo_html(each.memo, each.about), width="stretch")
        if each.position is not None and st.button(
            texts.distinct_label("Open", f"the text of event {each.memo.event}"),
            key=f"memos.open.{each.memo.event}",
            type="tertiary",
        ):
            state.open_page("label", document=str(each.position))


def _all(project: int) -> list[_Listed]:
    store = state.store()
    names = {topic.id: topic.name for topic in store.topics(project)}
    listed = [
        _Listed(each, "Project" if each.topic is None else names[each.topic])
        for each in store.memos(project)
    ]
    return sorted([*listed, *_notes(project)], key=lambda each: -each.memo.event)


def _notes(project: int) -> Iterator[_Listed]:
    noted = [each for each in state.store().annotations(project).values() if each.note]
    documents = state.store().documents(project, [each.position for each in noted])
    for label, document in zip(noted, documents, strict=True):
        memo = Memo(
            event=label.event, topic=None, text=label.note, author=label.author, time=label.time
        )
        yield _Listed(memo, f"Text {document.id}", label.position)


def _matches(each: _Listed, words: str) -> bool:
    """Every word, anywhere in the memo, its subject or its author."""
    held = f"{each.about} {each.memo.text} {each.memo.author}".casefold()
    return all(word in held for word in words.casefold().split())
