"""What people of every role see on every page, where people sign in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.store import Label, Store, WriteMemo
from core.store.members.roles import Role
from tests.core.workspace import small
from tests.ui.pages.results_app import html
from tests.ui.pages.test_author import User
from tsnmf_ui import jobs
from tsnmf_ui.pages.navigation import PAGES
from tsnmf_ui.server import access, state
from tsnmf_ui.theme import texts

ADMIN = "admin@example.org"
ROLES = {"reader@x.org": Role.READER, "coder@x.org": Role.CODER, "owner@x.org": Role.OWNER}
READER, CODER, OWNER = ROLES
STRANGER = "stranger@x.org"
VIEWS = [(name, {}) for name in PAGES] + [
    ("history", {"part": "Memos"}),
    ("history", {"part": "Export and import"}),
    ("history", {"part": "People"}),
    ("topics", {"view": "One topic"}),
    ("compare", {"compared": "Runs"}),
    ("report", {"present": "1"}),
]
# What a reader finds to press: ways to look at something, and what concerns no open project.
HARMLESS = (
    *("projects.new", "projects.demo", "projects.open.", "projects.duplicate.", "who."),
    *("corpus.new", "topics.open.", "topic-row-", "scores.thin", "history.open."),
    *("memos.open.", "people.open.", "report.present.", "present."),
)


@pytest.fixture
def asked(recorded_jobs):
    """What people asked the runner for; as on a server, it asks for their role."""
    with jobs.serving(recorded_jobs, state.require_role):
        yield recorded_jobs


@pytest.fixture
def shared(tmp_path, monkeypatch, asked):
    """ann's fitted project with members, in the store of a server with login."""
    monkeypatch.setattr(access, "administrators", lambda: frozenset({ADMIN}))
    with Store.open(home=tmp_path) as store:
        monkeypatch.setattr(state, "server_store", lambda: store)
        small.fitted(store)
        store.record(1, WriteMemo("A memo", None), author="ann")
        store.record(1, Label(0, (2,)), author="ben")
        for person, role in ROLES.items():
            store.set_member(1, person, role, author="ann")
        yield store


@pytest.fixture
def visit(shared, monkeypatch) -> Callable[..., AppTest]:
    """A page of the project as a person sees it."""

    def page(name: str) -> None:
        from tsnmf_ui.pages.navigation import PAGES
        from tsnmf_ui.server import state

        state.show_messages()
        PAGES[name]()

    def opened(person: str, name: str, **address: str) -> AppTest:
        monkeypatch.setattr(st, "user", User(email=person))
        app = AppTest.from_function(page, default_timeout=120, args=(name,))
        for key, value in {"project": "1", **address}.items():
            app.query_params[key] = value
        app.run()
        assert not app.exception, (name, app.exception)
        return app

    return opened


def shown(app: AppTest) -> str:
    """All that a page says."""
    kinds = (app.markdown, app.caption, app.text, app.warning, app.error, app.info, app.expander)
    words = [str(getattr(each, "value", each)) for kind in kinds for each in kind]
    return "\n".join([html(app), *words])


def keys(app: AppTest) -> set[str]:
    return {str(each.key) for each in app.button}


def test_a_stranger_sees_nothing_of_a_project_on_any_page(visit, shared):
    for name, address in VIEWS:
        app = visit(STRANGER, name, **address)
        page = shown(app)
        assert not any(word in page for word in ("Desk", "pipe", "Water", "ann")), (name, page)
        assert "project" not in app.query_params or name in ("projects", "report")


def test_a_reader_finds_nothing_to_press_that_changes_something(visit, shared):
    before = (shared.revision(1), shared.members(1), shared.project(1).settings)
    for name, address in VIEWS:
        app = visit(READER, name, **address)
        assert "Open a project first" not in shown(app), name
        others = {key for key in keys(app) if not key.startswith(HARMLESS)}
        assert others == set(), (name, address)
    assert (shared.revision(1), shared.members(1), shared.project(1).settings) == before


@pytest.mark.parametrize(
    ("person", "found"),
    [(READER, set()), (CODER, {"history.undo"}), (OWNER, {"history.undo", "members.add"}),
     (ADMIN, {"history.undo", "members.add"})],
)  # fmt: skip
def test_each_role_finds_what_it_may_do(visit, person, found):
    app = visit(person, "history", part="People")
    assert keys(app) & {"history.undo", "members.add"} == found
    assert "Members" in shown(app)


def test_a_reader_who_presses_all_the_same_is_refused(visit, shared):
    """As with a page that was open when the role was taken away."""
    app, before = visit(CODER, "history"), shared.revision(1)
    shared.set_member(1, CODER, Role.READER, author="ann")
    app.button(key="history.undo").click().run()
    assert shared.revision(1) == before
    assert [each.value for each in app.error] == [texts.escape_markdown(texts.READ_ONLY)]


@pytest.mark.parametrize("role", [Role.READER, None])
def test_nobody_starts_work_by_a_page_from_before_they_lost_their_role(visit, shared, asked, role):
    app = visit(CODER, "topics")
    asked.requested.clear()
    if role is None:
        shared.remove_member(1, CODER, author="ann")
    else:
        shared.set_member(1, CODER, role, author="ann")
    app.button(key="results.afresh").click().run()
    assert asked.requested == []
    assert len(app.exception) == 1  # on a server it is one sentence: lifecycle.script_failed


@pytest.mark.parametrize(("person", "fits"), [(READER, 0), (CODER, 1)])
def test_whoever_may_only_read_asks_for_no_fit_of_a_preview(
    shared, asked, monkeypatch, person, fits
):
    project = shared.project(1)
    assert project.last_run is not None
    left = replace(project, last_run=replace(project.last_run, preview=True))
    monkeypatch.setattr(st, "user", User(email=person))
    monkeypatch.setattr(state, "project", lambda: left)
    assert state.require_project() is left
    assert asked.requested == [(jobs.FULL_FIT, 1, None)] * fits


def test_an_owner_adds_changes_and_removes_members(visit, shared):
    app = visit(OWNER, "history", part="People")
    app.text_input(key="members.person").set_value(" New@X.org ")
    app.button(key="members.add").click().run()
    assert shared.role_of(1, "new@x.org") is Role.CODER
    app.selectbox(key="members.role.1.new@x.org").set_value(Role.READER).run()
    assert shared.role_of(1, "new@x.org") is Role.READER
    app.button(key="members.remove.new@x.org").click().run()
    assert shared.role_of(1, "new@x.org") is None
    assert not app.exception


def test_the_last_owner_cannot_leave(visit, shared):
    shared.remove_member(1, "ann", author=OWNER)
    app = visit(OWNER, "history", part="People")
    app.button(key=f"members.remove.{OWNER}").click().run()
    assert "needs an owner" in app.error[0].value
    app.selectbox(key=f"members.role.1.{OWNER}").set_value(Role.READER).run()
    assert shared.role_of(1, OWNER) is Role.OWNER


def test_only_owners_rename_and_delete(visit):
    for person, menu in ((READER, False), (CODER, False), (OWNER, True), (ADMIN, True)):
        assert (
            {"projects.rename.1", "projects.delete.1"} <= keys(visit(person, "projects"))
        ) is menu


def test_without_login_there_are_no_members(shared, monkeypatch):
    """No role is asked for, and no panel is drawn."""
    for name in ("role_of", "roles_of", "members"):
        monkeypatch.setattr(Store, name, lambda *_: pytest.fail("a role was asked for"))
    assert state.role(1) is Role.OWNER
    assert state.may_change(1)
    assert state.store() is shared
