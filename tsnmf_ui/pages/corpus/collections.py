"""Known collections: open one that is here, or fetch it once, with progress and a way out."""

from __future__ import annotations

from html import escape

import streamlit as st

from tsnmf_ui import jobs
from tsnmf_ui.pages.corpus import intake, overview
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

OPEN_COLLECTION = "corpus.collection"  # the collection that is open on the page
POLL_SECONDS = 0.5  # seconds between two looks at a running download


def collections_list() -> None:
    """One button per collection."""
    overview.heading("Or a public collection")
    for name in intake.COLLECTIONS:
        active = _download(name).active
        st.fragment(_collection, run_every=POLL_SECONDS if active else None)(name, active)


def _collection(name: str, polling: bool) -> None:
    title, what, at_hand = intake.COLLECTIONS[name]
    now = _download(name)
    if now.active != polling:
        st.rerun()  # it has begun or ended: draw the page with, or without, looking every moment
    if now.active:
        _running(name, title, now)
        return
    if at_hand():
        if st.button(
            title,
            key=f"corpus.collection.{name}",
            width="stretch",
            on_click=state.set_value,
            args=(OPEN_COLLECTION, name),
        ):
            st.rerun()  # the whole page: the collection opens in place of this list
        _note(f"{what}.")
        return
    st.button(
        f"Download {title}",
        key=f"corpus.fetch.{name}",
        width="stretch",
        icon=":material/download:",
        on_click=jobs.service().request,
        args=(jobs.download_kind(name),),
    )
    _note(f"{what}. Downloaded once, then kept on this machine.")
    if now.phase == "failed" and now.error:
        st.html(f'<div class="ts-quiet ts-bad">{escape(now.error)}</div>')
    if now.phase == "cancelled":
        _note("The download was stopped; nothing was kept.")


def _download(name: str) -> jobs.JobState:
    return jobs.service().state(jobs.download_kind(name))


def _running(name: str, title: str, now: jobs.JobState) -> None:
    left = "" if now.seconds_left is None else f", about {texts.seconds(now.seconds_left)} left"
    st.progress(now.share, text=f"Downloading {title}: {now.doing}{left}")
    st.button(
        "Stop",
        key=f"corpus.stop.{name}",
        on_click=jobs.service().cancel,
        args=(jobs.download_kind(name),),
    )


def _note(sentence: str) -> None:
    st.html(f'<div class="ts-quiet">{escape(sentence)}</div>')
