"""Memos on a topic or on the project: what was noted, by whom, and room for another."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.errors import StudioError
from core.store import Memo, Project, WriteMemo
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

WHAT_MEMOS_ARE = "Short notes for everybody in the project. The model does not read them."


def memos(project: Project, topic: int | None, *, key: str) -> None:
    """The memos on a topic, or on the project where none is named, and a field for a new one."""
    found = [each for each in state.store().memos(project.id) if each.topic == topic]
    may_change = state.may_change(project.id)
    for memo in found:
        with st.container(horizontal=True, vertical_alignment="top", key=f"{key}-{memo.event}"):
            st.html(memo_html(memo), width="stretch")
            if may_change:
                _remove_button(project.id, memo, key)
    if not may_change:
        return
    field = f"{key}.text"
    st.text_area("New memo", key=field, max_chars=4_000, height=80, help=WHAT_MEMOS_ARE)
    st.button("Save the memo", key=f"{key}.save", on_click=_save, args=(project.id, topic, field))


def _remove_button(project: int, memo: Memo, key: str) -> None:
    st.button(
        texts.distinct_label("Remove", f"the memo of event {memo.event}"),
        key=f"{key}.remove.{memo.event}",
        type="tertiary",
        on_click=_remove,
        args=(project, memo),
    )


def memo_html(memo: Memo, about: str = "") -> str:
    """One memo; everything that people wrote is escaped."""
    title = f"<b>{escape(about)}</b> " if about else ""
    when = f"{memo.time.day} {memo.time:%B %Y}"
    return (
        f'<div class="ts-memo">{title}{escape(memo.text)}'
        f'<div class="ts-quiet">{escape(memo.author)}, {when}</div></div>'
    )


def _remove(project: int, memo: Memo) -> None:
    _write(project, WriteMemo("", memo.topic, memo.event))


def _save(project: int, topic: int | None, field: str) -> None:
    if _write(project, WriteMemo(str(state.get_value(field, "")), topic)):
        state.set_value(field, "")


def _write(project: int, memo: WriteMemo) -> bool:
    try:
        state.store().record(project, memo, author=state.author())
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return False
    state.notify(f"The memo was {'saved' if memo.text else 'removed'}. You can undo this.")
    return True
