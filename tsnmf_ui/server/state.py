"""What a visitor has open. The only module that touches Streamlit's session state.

Sessions die with the tab, so they hold ids and view state only; everything that matters is in
the store, and the open project is in the address bar.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Any, Literal
from urllib.parse import unquote
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.errors import NotFound
from core.store import Project, Run, Store
from core.store.members.personal_store import PersonalStore
from core.store.members.roles import Role
from core.topics import Topics
from core.workspace import machine_user
from core.workspace.projects import is_number
from core.workspace.results import topics_of_run
from tsnmf_ui import jobs
from tsnmf_ui.server import access, login
from tsnmf_ui.server.hosts import LOCAL_HOSTS
from tsnmf_ui.theme import texts

PROJECT = "project"  # the name in the address bar and in the session
NAME_COOKIE = "ts_name"  # keeps the name of a visitor where there is no login
_AUTHOR = "author"
_JUST_NAMED = "author.just-named"  # the browser has not been told yet to keep the name
_MESSAGES = "messages"
_PAGES = "pages"
Kind = Literal["success", "info", "warning", "error"]


@cache  # not Streamlit's, which any visitor can have emptied
def server_store() -> Store:
    """The one store of this server; its home and address come from the environment."""
    return Store.open()


def store() -> Store:
    """The store as the visitor may use it; without login that is the server's."""
    if login.configured() or login_configured():
        require_sign_in()  # a button of a tab that is still open acts before its page is drawn
        return access.personal_store(server_store(), author())
    return server_store()


def role(project: int) -> Role | None:
    """The visitor's role in a project; without login everybody is an owner."""
    found = store()
    return found.role(project) if isinstance(found, PersonalStore) else Role.OWNER


def require_role(project: int, needed: Role) -> None:
    """Refuse what the visitor may not do in a project; what belongs to none is open to all."""
    found = store()
    if isinstance(found, PersonalStore) and project != jobs.NO_PROJECT:
        found.require(project, needed)


def may_change(project: int) -> bool:
    """Whether the visitor may label and change things in a project."""
    return (role(project) or 0) >= Role.CODER


def is_owner(project: int) -> bool:
    return role(project) is Role.OWNER


def project_id() -> int | None:
    """The open project: the address bar wins, the session remembers it across pages."""
    asked = st.query_params.get(PROJECT)
    if asked is not None and is_number(asked):
        st.session_state[PROJECT] = int(asked)
    current: int | None = st.session_state.get(PROJECT)
    if current is not None and asked != str(current):
        st.query_params[PROJECT] = str(current)
    return current


def open_project(project: int) -> None:
    """Make a project the open one, here and in the address bar."""
    st.session_state[PROJECT] = project
    st.query_params[PROJECT] = str(project)


def close_project() -> None:
    """Forget the open project, as after deleting it."""
    st.session_state.pop(PROJECT, None)
    st.query_params.pop(PROJECT, None)


def address_query() -> dict[str, str]:
    """The part of the address that follows the visitor from page to page."""
    current = project_id()
    return {} if current is None else {PROJECT: str(current)}


def project() -> Project | None:
    """The open project, or None when nothing is open or it is gone."""
    current = project_id()
    if current is None:
        return None
    try:
        return store().project(current)
    except NotFound:
        close_project()
        return None


def require_project() -> Project:
    """The open project; without one, say what to do and draw nothing further.

    If it shows a preview that an earlier server left, the full fit is requested, unless the visitor
    may only read; the Label page does it for readers, too.
    """
    current = project()
    if current is None:
        with st.container(key="empty-state"):
            st.markdown(texts.NEED_PROJECT)
            if st.button(texts.TO_PROJECTS, key="empty-state-projects", type="primary"):
                open_page("projects")
        st.stop()
    left_over = current.last_run is not None and current.last_run.preview
    if left_over and may_change(current.id):
        jobs.finish_preview(jobs.service(), current.id)
    return current


def set_pages(pages: Mapping[str, StreamlitPage]) -> None:
    """The navigation tells which pages there are, so that ``open_page`` can reach them by name."""
    st.session_state[_PAGES] = dict(pages)


def open_page(name: str, **more: str) -> None:
    """Open another page of the walk (``"label"``), taking the open project along.

    ``more`` goes into the address too, as ``documents=key`` does for a selection.

    A page that is tested alone has nowhere to go, and stays.
    """
    pages = st.session_state.get(_PAGES, {})
    if name in pages:
        st.switch_page(pages[name], query_params={**address_query(), **more})


def current_run(project: Project) -> Run | None:
    """The run whose topics are shown."""
    return store().current_run(project.id)


def topics_of(run: Run, names: tuple[str, ...] | None = None) -> Topics:
    """The topics of one run; ``names`` are those the topics have now, where they are known."""
    return topics_of_run(store(), run, names)


def author() -> str:
    """Who acts: the signed-in user where login is configured, else the name they gave.

    Alone on a machine nobody has to give a name: that machine's user is enough.
    """
    if login_configured():
        return login.account_name(st.user)
    return given_name() or machine_user()


def login_configured() -> bool:
    """Whether login is configured; then nobody chooses a name."""
    return getattr(st.user, "is_logged_in", None) is not None


def needs_sign_in() -> bool:
    return login_configured() and (not st.user.is_logged_in or login.sign_in_ended(st.user))


def require_sign_in() -> None:
    """Go no further once signed out; when it was in another tab, draw the page that says so."""
    if needs_sign_in():
        if st.user.is_logged_in:
            st.rerun()
        st.stop()  # the browser is on its way out: drawing anew would call it back


def sign_out() -> None:
    """End the sign-in here and in the browser's other tabs, then leave."""
    login.end_sign_in(st.user)
    st.logout()


def needs_name() -> bool:
    """Whether others than this machine's user can be here, and this visitor has no name yet."""
    alone = st.get_option("server.address") in LOCAL_HOSTS
    return not (login_configured() or alone or given_name())


def is_unnamed() -> bool:
    """Whether a visitor goes by the name of the machine's user, as everybody there would."""
    return not (login_configured() or given_name())


def is_account(name: str) -> bool:
    """Whether a name is that of the machine's user, which stands for whoever gave none."""
    return not login_configured() and name == machine_user()


def given_name() -> str:
    """The name the visitor gave, in this tab or, kept by the browser, in an earlier one."""
    kept: str | None = st.session_state.get(_AUTHOR)
    return kept or clean_name(unquote(st.context.cookies.get(NAME_COOKIE, "")))


def set_name(name: str) -> bool:
    """Take a name from now on; False when it is none."""
    tidy = clean_name(name)
    if tidy:
        st.session_state[_AUTHOR] = tidy
        st.session_state[_JUST_NAMED] = True
    return bool(tidy)


def take_just_named() -> bool:
    """Whether a name was given that the browser has not been told to keep; asked once."""
    return bool(st.session_state.pop(_JUST_NAMED, False))


def clean_name(name: str) -> str:
    """One line of visible letters, or nothing."""
    tidy = " ".join(name.split())
    return tidy if tidy.isprintable() and len(tidy) <= 80 else ""


def time_zone() -> tzinfo:
    """The visitor's time zone, as their browser tells it."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def local_time(when: datetime) -> str:
    """A point in time as the visitor's clock shows it."""
    return f"{when.astimezone(time_zone()):%d %b %Y, %H:%M}"


def set_value(key: str, value: Any) -> None:
    """Keep view state for this tab."""
    st.session_state[key] = value


def get_value(key: str, default: Any = None) -> Any:
    """View state of this tab."""
    return st.session_state.get(key, default)


def clear_values(*keys: str) -> None:
    """Drop view state of this tab."""
    for key in keys:
        st.session_state.pop(key, None)


def notify(sentence: str, kind: Kind = "success") -> None:
    """Show a message once, on whatever page is drawn next."""
    st.session_state.setdefault(_MESSAGES, []).append((kind, sentence))


def show_messages() -> None:
    """Show the messages that are waiting, once."""
    for kind, sentence in st.session_state.pop(_MESSAGES, []):
        if kind == "success":
            st.toast(sentence, icon=":material/check:")
        else:
            getattr(st, kind)(sentence)
