"""Who is working here: sign in where login is configured, otherwise a name that is asked once.

A name is kept in a cookie of the browser, so that it is there in every tab and after a restart.
Our routes never read it: they trust the token that a page was given, and that names the author.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from tsnmf_ui import state, texts

FIELD = "who.name"
ASK = "What is your name? Labels and changes are kept under it."
SIGN_IN = "Sign in to see the projects. Your labels are kept under your name."

_JS = """
export default function ({ data }) {
  const kept = `${data.cookie}=${encodeURIComponent(data.name)}`;
  document.cookie = `${kept}; path=/; max-age=31536000; SameSite=Strict`;
}
"""


@cache
def _keeper() -> Any:
    return st.components.v2.component("ts_name", html="<span hidden></span>", js=_JS)


def gate() -> None:
    """Let nobody past without a name, where more than this machine can reach the app."""
    if state.must_sign_in():
        with st.container(key="empty-state"):
            st.markdown(SIGN_IN)
            st.button("Sign in", key="who.sign-in", type="primary", on_click=st.login)
        st.stop()
    if state.must_name():
        with st.container(key="empty-state"):
            st.markdown(ASK)
            _form()
        st.stop()
    if not state.signs_in() and (name := state.given_name()):
        _keeper()(key="who-keeper", data={"name": name, "cookie": state.NAME_COOKIE}, height=1)


def who() -> None:
    """Under which name acts are kept; a click changes it."""
    name = state.author()
    short = name if len(name) <= 18 else f"{name[:17]}…"
    with st.popover(texts.literal(short), icon=":material/person:", width="stretch"):
        if state.signs_in():
            st.markdown(f"Signed in as {texts.literal(name)}.")
            st.button("Sign out", key="who.sign-out", on_click=st.logout)
        else:
            st.caption("Labels and changes are kept under this name.")
            _form(name)


def _form(name: str = "") -> None:
    st.text_input("Your name", value=name, key=FIELD, max_chars=80)
    if st.button("Save name", key="who.save", type="primary", on_click=_named):
        st.rerun()  # the whole page, so that the browser is told to remember


def _named() -> None:
    if not state.call_me(str(state.recall(FIELD) or "")):
        state.tell("A name is one line of visible letters.", "error")
