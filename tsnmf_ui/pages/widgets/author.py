"""Who is working here: sign in where login is configured, otherwise a name that is asked once.

A name is kept in a cookie of the browser, so that it is there in every tab and after a restart.
Our routes never read it: they trust the token that a page was given, and that names the author.
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

import streamlit as st

from tsnmf_ui.server import login, state
from tsnmf_ui.theme import texts

NAME_FIELD = "who.name"
ASK_NAME = "What is your name? Labels and changes are kept under it."
NAMED_HELP = "Labels and changes are kept under this name."
UNNAMED_HELP = (
    "Labels and changes are kept under “{}”, the account on this computer. With a name of your "
    "own, what comes from now on is kept under it; what is there stays where it is."
)
SIGN_IN = "Sign in to see the projects. Your labels and changes are kept under your account."
SIGN_IN_ELSEWHERE = "Sign in at this address of the app:"

_JS = """
export default function ({ data }) {
  const kept = `${data.cookie}=${encodeURIComponent(data.name)}`;
  document.cookie = `${kept}; path=/; max-age=31536000; SameSite=Strict`;
}
"""


# Signing in ends on the first page: whoever came by a link is taken on to where it led.
_RETURN_JS = """
export default function ({ data }) {
  const kept = sessionStorage.getItem("ts-came-for");
  if (!data.inside) return sessionStorage.setItem("ts-came-for", location.href);
  sessionStorage.removeItem("ts-came-for");
  const first = location.pathname.endsWith("/") && !location.search;
  if (kept && first && kept !== location.href) location.replace(kept);
}
"""


@cache
def _keeper() -> Any:
    return st.components.v2.component("ts_name", html="<span hidden></span>", js=_JS)


@cache
def _return() -> Any:
    return st.components.v2.component("ts_return", html="<span hidden></span>", js=_RETURN_JS)


def require_author() -> None:
    """Let nobody past without a name, where more than this machine can reach the app."""
    if state.needs_sign_in():
        _return()(key="who-return-out", data={"inside": False}, height=1)
        with st.container(key="empty-state"):
            _way_in()
        st.stop()
    if state.login_configured():
        _return()(key="who-return-in", data={"inside": True}, height=1)
    if state.needs_name():
        with st.container(key="empty-state"):
            st.markdown(ASK_NAME)
            _form()
        st.stop()
    if not state.login_configured() and (name := state.given_name()):
        state.take_just_named()
        _keeper()(key="who-keeper", data={"name": name, "cookie": state.NAME_COOKIE}, height=1)


def ask_name(why: str) -> None:
    """Ask for a name where it is needed, but the page can be read without."""
    st.markdown(why)
    _form(place="asked")


def _way_in() -> None:
    """A button for each provider, or the way to where signing in works."""
    st.html('<div class="ts-greeting">Welcome to TS-NMF Studio</div>')
    if home := login.sign_in_origin(st.context.url):
        st.markdown(SIGN_IN_ELSEWHERE)
        st.html(f'<a class="ts-way" target="_self" href="{escape(home)}">{escape(home)}</a>')
        return
    st.markdown(SIGN_IN)
    for name in login.providers():
        button_text = (
            "Sign in" if name == login.DEFAULT_PROVIDER else f"Sign in with {name.capitalize()}"
        )
        key = "who.sign-in" if name == login.DEFAULT_PROVIDER else f"who.sign-in.{name}"
        icon = ":material/login:"
        st.button(button_text, key=key, type="primary", icon=icon, on_click=st.login, args=(name,))


def author_menu() -> None:
    """Under which name events are kept; a click changes it.

    Where a name was given while a part of the page is drawn, the whole page follows: that tells
    the browser to keep it. The form that asked may not be drawn any more.
    """
    if state.take_just_named():
        st.rerun()
    name = state.author()
    short = name if len(name) <= 18 else f"{name[:17]}…"
    with st.popover(texts.escape_markdown(short), icon=":material/person:", width="stretch"):
        if state.login_configured():
            st.html(f"Signed in as <b>{escape(name)}</b>")
            icon = ":material/logout:"
            st.button("Sign out", key="who.sign-out", icon=icon, on_click=state.sign_out)
        else:
            st.caption(
                UNNAMED_HELP.format(texts.escape_markdown(name))
                if state.is_unnamed()
                else NAMED_HELP
            )
            _form(name)


def _form(name: str = "", place: str = "who") -> None:
    """A form, so that Enter saves, too; ``place`` tells two of them on one page apart."""
    field = NAME_FIELD if place == "who" else f"{place}.name"
    with st.form(f"{place}.form", border=False):
        st.text_input("Your name", value=name, key=field, max_chars=80)
        st.form_submit_button(
            "Save name",
            key=f"{place}.save",
            type="primary" if place == "who" else "secondary",
            on_click=_named,
            args=(field,),
        )


def _named(field: str) -> None:
    if not state.set_name(str(state.get_value(field) or "")):
        state.notify("A name must be one line of visible letters.", "error")
