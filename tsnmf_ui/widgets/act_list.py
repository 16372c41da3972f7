"""Acts as lines: when, who, what, before and after; open the document, or restore the point."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from html import escape

import streamlit as st

from core.act_words import ActWords
from core.corpus import Document
from core.store import Event, HistoryLine
from tsnmf_ui import state
from tsnmf_ui.past import Shown

QUOTE = 160  # letters of a document that are shown
Restore = Callable[[int], None]
Unfold = Callable[[int, int], None]


def act_list(shown: Shown, zone: tzinfo, restore: Restore, unfold: Unfold) -> None:
    """All lines of a page; ``restore`` and ``unfold`` are called with the event of the line."""
    for line, words in shown.lines:
        position = line.event.position
        document = None if position is None else shown.documents.get(position)
        with st.container(key=f"act-line-{line.event.id}", horizontal=True, gap="small"):
            st.html(line_html(line, words, document, zone), width="stretch")
            _buttons(line, restore, unfold)


def _buttons(line: HistoryLine, restore: Restore, unfold: Unfold) -> None:
    event = line.event
    if event.position is not None and st.button(
        "Open", key=f"history.open.{event.id}", type="tertiary", help="Open it on the Label page."
    ):
        state.go("label", document=str(event.position))
    if event.kind == "batch":
        st.button(
            "Show acts",
            key=f"history.unfold.{event.id}",
            type="tertiary",
            on_click=unfold,
            args=(event.id, int(event.payload["count"])),
        )
    st.button(
        "Restore",
        key=f"history.restore.{event.id}",
        type="tertiary",
        help="Put everything back to how it was right after this act.",
        on_click=restore,
        args=(event.id,),
    )


def line_html(line: HistoryLine, words: ActWords, document: Document | None, zone: tzinfo) -> str:
    """One line; everything that people wrote is escaped."""
    gone = "" if line.stands else '<span class="tag">no longer in force</span>'
    return (
        f'<div class="ts-act{"" if line.stands else " gone"}">{_moment(line.event, zone)}'
        f'<span class="who">{escape(line.event.author)}</span>'
        f'<div class="what"><b>{escape(words.what)}</b>{gone}{_document(document)}'
        f"{_change(words)}{_note(line)}</div></div>"
    )


def _moment(event: Event, zone: tzinfo) -> str:
    when = event.time.astimezone(zone)
    return (
        f'<time datetime="{event.time.isoformat()}">{when:%d %b %Y, %H:%M}'
        f"<small>act {event.id:,}</small></time>"
    )


def _document(document: Document | None) -> str:
    if document is None:
        return ""
    text = " ".join(document.text[: 2 * QUOTE].split())[:QUOTE]
    return f'<span class="doc">{escape(document.id)} · {escape(text)}</span>'


def _change(words: ActWords) -> str:
    if words.before == words.after:
        return ""
    before = f"<i>{escape(words.before)} → </i>" if words.before else ""
    return f'<div class="change">{before}{escape(words.after)}</div>'


def _note(line: HistoryLine) -> str:
    note = line.event.payload.get("note")
    return f'<div class="note">Note: {escape(str(note))}</div>' if note else ""
