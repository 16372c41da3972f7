"""Members on the History page: who may read, label and own the project, where people sign in."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from core.errors import StudioError
from core.store import Project
from core.store.members.roles import ProjectMember, Role
from tsnmf_ui.server import state
from tsnmf_ui.theme import texts

PERSON_FIELD, ROLE_FIELD = "members.person", "members.role"
ROLE_NAMES = {Role.READER: "Reader", Role.CODER: "Coder", Role.OWNER: "Owner"}
MEMBERS_HELP = (
    "Readers see everything and change nothing. Coders label, and change topics, settings and "
    "texts. Owners also choose the members, and rename or delete the project. Nobody else sees it, "
    "except administrators."
)


def member_form(project: Project) -> None:
    """Who has which role; owners can change it. Without login there are no members."""
    if not state.login_configured():
        return
    with st.container(key="panel-members", gap="small"):
        st.html('<h2 class="ts-heading">Members</h2>')
        st.caption(MEMBERS_HELP)
        members = state.store().members(project.id)
        if not state.is_owner(project.id):
            _table(members)
            return
        for n, member in enumerate(members):
            _member(project.id, member, n)
        _new_member(project.id)


def _table(members: list[ProjectMember]) -> None:
    rows = "".join(
        f"<tr><td>{escape(each.person)}</td><td>{ROLE_NAMES[each.role]}</td></tr>"
        for each in members
    )
    head = "<thead><tr><th>Person</th><th>Role</th></tr></thead>"
    st.html(f'<table class="ts-table">{head}<tbody>{rows}</tbody></table>')


def _member(project: int, member: ProjectMember, n: int) -> None:
    key = f"members.role.{project}.{member.person}"
    state.set_value(key, member.role)  # what is stored, also when a change was refused
    row = st.container(
        key=f"member-row-{n}", horizontal=True, vertical_alignment="center", gap="small"
    )
    with row:
        st.html(escape(member.person), width="stretch")
        st.selectbox(
            f"Role of {texts.plain_label(member.person)}",
            list(ROLE_NAMES),
            format_func=ROLE_NAMES.__getitem__,
            key=key,
            label_visibility="collapsed",
            width=120,
            on_change=_change_role,
            args=(project, member.person, key),
        )
        st.button(
            texts.distinct_label("Remove", member.person),
            key=f"members.remove.{member.person}",
            type="tertiary",
            on_click=_remove,
            args=(project, member.person),
        )


def _new_member(project: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "E-mail address",
            key=PERSON_FIELD,
            max_chars=200,
            help="The one with which they sign in; it stands in their menu at the top right.",
        )
        st.selectbox(
            "Role",
            list(ROLE_NAMES),
            index=1,
            format_func=ROLE_NAMES.__getitem__,
            key=ROLE_FIELD,
            width=120,
        )
        st.button("Add", key="members.add", on_click=_add, args=(project,))


def _add(project: int) -> None:
    person, role = str(state.get_value(PERSON_FIELD) or ""), state.get_value(ROLE_FIELD)
    if _attempt(lambda: _set(project, person, role), f"{person.strip()} is a member now."):
        state.set_value(PERSON_FIELD, "")


def _change_role(project: int, person: str, key: str) -> None:
    role = Role(state.get_value(key))
    _attempt(lambda: _set(project, person, role), f"{person}: {ROLE_NAMES[role].lower()} now.")


def _set(project: int, person: str, role: Role) -> None:
    state.store().set_member(project, person, role, author=state.author())


def _remove(project: int, person: str) -> None:
    store, author = state.store(), state.author()
    done = f"{person} is no member any more. Their labels stay."
    _attempt(lambda: store.remove_member(project, person, author=author), done)


def _attempt(change: Callable[[], None], done: str) -> bool:
    try:
        change()
    except StudioError as error:
        state.notify(texts.escape_markdown(str(error)), "error")
        return False
    state.notify(texts.escape_markdown(done))
    return True
