"""Events as lines: when, who, what, before and after; open the document, or restore the point."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from html import escape

import streamlit as st

from core.corpus import Document
from core.store import EditCodebook, Event, HistoryLine, WriteMemo
from core.store.history.sentences import EventText
from tsnmf_ui.pages.history.rows import HistoryRows
from tsnmf_ui.pages.widgets import passages
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

MAX_EVENT_QUOTE_CHARACTERS = 160  # letters of a document that are shown
Restore = Callable[[int], None]
BringBack = Callable[[Event], None]
OpenBatch = Callable[[int, int], None]


def show_events(
    shown: HistoryRows,
    zone: tzinfo,
    restore: Restore,
    open_batch: OpenBatch,
    bring_back: BringBack,
    *,
    may_change: bool = True,
) -> None:
    """All lines of a page; the functions are called with the event of the line."""
    for line, words in shown.lines:
        position = line.event.position
        document = None if position is None else shown.documents.get(position)
        with st.container(key=f"event-line-{line.event.id}", horizontal=True, gap="small"):
            st.html(event_html(line, words, document, zone), width="stretch")
            _open_buttons(line, open_batch)
            if may_change:
                _restore_button(line.event, restore)
            if may_change and line.event.kind == EditCodebook.kind:
                _bring_back_button(line.event, bring_back)


def _open_buttons(line: HistoryLine, open_batch: OpenBatch) -> None:
    event = line.event
    if event.position is not None and st.button(
        texts.distinct_label("Open", f"the text of event {event.id}"),
        key=f"history.open.{event.id}",
        type="tertiary",
        help="Open it on the Label page.",
    ):
        state.open_page("label", document=str(event.position))
    if event.kind == "batch":
        st.button(
            texts.distinct_label("Show events", f"of batch {event.id}"),
            key=f"history.unfold.{event.id}",
            type="tertiary",
            on_click=open_batch,
            args=(event.id, int(event.payload["count"])),
        )


def _restore_button(event: Event, restore: Restore) -> None:
    st.button(
        texts.distinct_label("Restore", f"the state after event {event.last}"),
        key=f"history.restore.{event.id}",
        type="tertiary",
        help=f"Restore the state right after this {'batch' if event.kind == 'batch' else 'event'}.",
        on_click=restore,
        args=(event.last,),
    )


def _bring_back_button(event: Event, bring_back: BringBack) -> None:
    st.button(
        texts.distinct_label("Use this entry", f"of event {event.id}"),
        key=f"history.entry.{event.id}",
        type="tertiary",
        help="Make this the topic's entry in the codebook again.",
        on_click=bring_back,
        args=(event,),
    )


def event_html(line: HistoryLine, words: EventText, document: Document | None, zone: tzinfo) -> str:
    """One line; everything that people wrote is escaped."""
    gone = "" if line.in_force else '<span class="tag">no longer in force</span>'
    return (
        f'<div class="ts-event{"" if line.in_force else " gone"}">{_moment(line.event, zone)}'
        f'<span class="who">{escape(line.event.author)}</span>'
        f'<div class="what"><b>{escape(words.what)}</b>{gone}{_document(document)}'
        f"{_change(words)}{_note(line)}</div></div>"
    )


def _moment(event: Event, zone: tzinfo) -> str:
    when = event.time.astimezone(zone)
    return (
        f'<time datetime="{event.time.isoformat()}">{when:%d %b %Y, %H:%M}'
        f"<small>event {event.id:,}</small></time>"
    )


def _document(document: Document | None) -> str:
    if document is None:
        return ""
    text = " ".join(document.text[: 2 * MAX_EVENT_QUOTE_CHARACTERS].split())[
        :MAX_EVENT_QUOTE_CHARACTERS
    ]
    return f'<span class="doc">{passages.document_id(document)} · {escape(text)}</span>'


def _change(words: EventText) -> str:
    if words.before == words.after:
        return ""
    before = f"<i>{escape(words.before)} → </i>" if words.before else ""
    return f'<div class="change">{before}{escape(words.after)}</div>'


def _note(line: HistoryLine) -> str:
    event = line.event
    note = event.payload.get("text" if event.kind == WriteMemo.kind else "note")
    title = "Memo" if event.kind == WriteMemo.kind else "Note"
    return f'<div class="note">{title}: {escape(str(note))}</div>' if note else ""
