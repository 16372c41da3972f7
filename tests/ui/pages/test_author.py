"""Who acts: the signed-in user, the name that was given, or this machine's user."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.store import Store
from tests.core.workspace import small
from tsnmf_ui.server import login, state


def page():
    import streamlit as st

    from tsnmf_ui.pages.widgets import author
    from tsnmf_ui.server import state

    author.require_author()
    author.author_menu()
    st.text(state.author())


class User(dict):
    """What st.user is once login is configured."""

    @property
    def is_logged_in(self) -> bool:
        return bool(self)


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "machine")


def run() -> AppTest:
    app = AppTest.from_function(page, default_timeout=30).run()
    assert not app.exception
    return app


def test_alone_on_a_machine_its_user_is_enough():
    assert run().text[0].value == "machine"


def test_a_given_name_is_kept_and_tidied():
    app = run()
    app.text_input(key="who.name").set_value("  Maren   Ott ")
    app.button(key="who.save").click().run()
    assert app.text[0].value == "Maren Ott"


def test_enter_saves_the_name():
    name = run().text_input(key="who.name")
    assert name.form_id  # Enter in a form presses its button


@pytest.mark.parametrize("name", ["", "   ", "a\u200bb", "\u202eevil"])
def test_what_is_no_name_is_not_taken(name):
    assert state.clean_name(name) == ""
    app = run()
    app.text_input(key="who.name").set_value(name)
    app.button(key="who.save").click().run()
    assert app.text[0].value == "machine"


def test_the_browsers_cookie_brings_the_name_back(monkeypatch):
    context = SimpleNamespace(cookies={"ts_name": "J%C3%B6rg"})
    monkeypatch.setattr(st, "context", context)
    assert run().text[0].value == "Jörg"


def test_open_to_a_network_a_name_is_asked_first(monkeypatch):
    usual = st.get_option
    monkeypatch.setattr(
        st, "get_option", lambda name: "0.0.0.0" if name == "server.address" else usual(name)
    )
    app = run()
    assert not app.text
    app.text_input(key="who.name").set_value("Maren")
    app.button(key="who.save").click().run()
    assert app.text[0].value == "Maren"


def test_with_login_strangers_see_nothing_but_the_way_in(monkeypatch):
    monkeypatch.setattr(st, "user", User())
    app = run()
    assert app.button(key="who.sign-in").label == "Sign in"
    assert not app.text


def test_with_login_the_account_is_the_author_and_no_name_counts(monkeypatch):
    monkeypatch.setattr(st, "user", User(email="maren@example.org"))
    monkeypatch.setattr(st, "context", SimpleNamespace(cookies={"ts_name": "somebody"}))
    app = run()
    assert app.text[0].value == "maren@example.org"
    assert app.button(key="who.sign-out").label == "Sign out"


def test_whoever_gave_no_name_is_told_what_the_account_is():
    app = run()
    assert "kept under “machine”, the account on this computer" in app.caption[0].value
    app.text_input(key="who.name").set_value("Maren").run()
    app.button(key="who.save").click().run()
    assert app.caption[0].value == "Labels and changes are kept under this name."


def acting_page():
    import streamlit as st

    from tsnmf_ui.pages.widgets import author
    from tsnmf_ui.server import state

    author.require_author()
    st.button("Delete", key="act", on_click=lambda: state.store().delete_project(1))


def test_a_tab_that_is_still_open_does_nothing_once_its_person_has_signed_out(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(st, "user", User(email="ann"))
    monkeypatch.setattr(login, "_ended", set())
    with Store.open(home=tmp_path) as store:
        monkeypatch.setattr(state, "server_store", lambda: store)
        small.project(store)
        app = AppTest.from_function(acting_page, default_timeout=30).run()
        login.end_sign_in(st.user)
        app.button(key="act").click().run()
        assert not app.exception
        assert [each.key for each in app.button] == ["who.sign-in"]
        assert [each.id for each in store.projects()] == [1]
