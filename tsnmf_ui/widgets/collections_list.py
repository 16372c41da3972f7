"""Known collections: open one that is here, or fetch it once, with progress and a way out."""

from __future__ import annotations

import time
from html import escape

import streamlit as st

from tsnmf_ui import intake, state, texts
from tsnmf_ui.downloads import DOWNLOADS, Download
from tsnmf_ui.widgets import corpus_glance

COLLECTION = "corpus.collection"  # the collection that is open on the page
EVERY = 0.5  # seconds between two looks at a running download


def collections_list() -> None:
    """One button per collection."""
    corpus_glance.heading("Or a known collection")
    for name in intake.COLLECTIONS:
        running = DOWNLOADS.state(name).phase == "running"
        st.fragment(_collection, run_every=EVERY if running else None)(name, running)


def _collection(name: str, polling: bool) -> None:
    title, what, at_hand = intake.COLLECTIONS[name]
    now = DOWNLOADS.state(name)
    if (now.phase == "running") != polling:
        st.rerun()  # it has begun or ended: draw the page with, or without, looking every moment
    if now.phase == "running":
        _running(name, title, now)
        return
    if at_hand():
        if st.button(
            title,
            key=f"corpus.collection.{name}",
            width="stretch",
            on_click=state.remember,
            args=(COLLECTION, name),
        ):
            st.rerun()  # the whole page: the collection opens in place of this list
        _quiet(f"{what}.")
        return
    st.button(
        f"Fetch {title}",
        key=f"corpus.fetch.{name}",
        width="stretch",
        icon=":material/download:",
        on_click=DOWNLOADS.start,
        args=(name,),
    )
    _quiet(f"{what}. Fetched once, then kept on this machine.")
    if now.phase == "failed":
        st.html(f'<div class="ts-quiet ts-bad">{escape(now.error)}</div>')
    if now.phase == "cancelled":
        _quiet("The download was stopped; nothing was kept.")


def _running(name: str, title: str, now: Download) -> None:
    st.progress(now.share, text=f"Fetching {title}: {_told(now)}")
    st.button("Stop", key=f"corpus.stop.{name}", on_click=DOWNLOADS.cancel, args=(name,))


def _told(now: Download) -> str:
    fetched = f"{now.so_far / 1e6:.1f}"
    if now.total is None:
        return f"{fetched} MB"
    left = now.seconds_left(time.monotonic())
    rest = "" if left is None else f", about {texts.seconds(left)} left"
    return f"{fetched} of {now.total / 1e6:.1f} MB{rest}"


def _quiet(sentence: str) -> None:
    st.html(f'<div class="ts-quiet">{escape(sentence)}</div>')
