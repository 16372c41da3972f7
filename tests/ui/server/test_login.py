"""Login as it is set up: refused when it would leave the door open, read as it is meant."""

from __future__ import annotations

import pytest
from starlette.requests import Request
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.secrets import AttrDict, secrets_singleton

from core.errors import StudioError
from tsnmf_ui.server import login

PROVIDER = {
    "client_id": "studio",
    "client_secret": "s",
    "server_metadata_url": "https://id.example.org/.well-known/openid-configuration",
}
SHARED = {"redirect_uri": "https://studio.example.org/oauth2callback", "cookie_secret": "c" * 40}


@pytest.fixture
def secrets(monkeypatch):
    """Take a dictionary for the section of secrets.toml."""

    def take(**auth):
        monkeypatch.setattr(secrets_singleton, "_secrets", {"auth": AttrDict(auth)})
        login.configured.cache_clear()

    yield take
    login.configured.cache_clear()


def test_login_that_is_set_up_well_is_served(secrets, monkeypatch):
    monkeypatch.setattr(login.importlib, "import_module", lambda name: None)
    secrets(**SHARED, **PROVIDER)
    login.check_settings()
    assert login.configured()
    assert login.providers() == [login.DEFAULT_PROVIDER]


def test_providers_with_names_are_offered_by_name(secrets):
    secrets(**SHARED, google=PROVIDER, okta=PROVIDER)
    assert login.providers() == ["google", "okta"]


@pytest.mark.parametrize("missing", ["redirect_uri", "cookie_secret", "client_id"])
def test_half_a_login_is_not_served(secrets, monkeypatch, missing):
    monkeypatch.setattr(login.importlib, "import_module", lambda name: None)
    whole = {**SHARED, **PROVIDER}
    del whole[missing]
    secrets(**whole)
    with pytest.raises(StudioError, match=missing):
        login.check_settings()


def test_login_without_its_packages_is_not_served(secrets, monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(login.importlib, "import_module", absent)
    secrets(**SHARED, **PROVIDER)
    with pytest.raises(StudioError, match=r"tsnmf-studio\[login\]"):
        login.check_settings()


def test_a_file_that_cannot_be_read_is_no_open_door(monkeypatch):
    def broken(_secrets):
        raise StreamlitSecretNotFoundError("broken", error_id="failed-parsing-secrets-file")

    monkeypatch.setattr(type(secrets_singleton), "_parse", broken)
    with pytest.raises(StudioError, match="cannot be read"):
        login.check_settings()


def test_signing_in_works_at_one_address(secrets):
    secrets(**SHARED, **PROVIDER)
    assert login.sign_in_origin("http://127.0.0.1:8501/label") == "https://studio.example.org"
    assert login.sign_in_origin("https://studio.example.org/label") is None


@pytest.mark.parametrize("cookie", ["", "_streamlit_user=made-up", "_streamlit_user=\xff"])
def test_a_request_without_an_account_is_turned_away(secrets, cookie):
    secrets(**SHARED, **PROVIDER)
    headers = [(b"cookie", cookie.encode("latin-1"))]
    assert not login.may_act_as(Request({"type": "http", "headers": headers}), "ann")


@pytest.mark.parametrize(
    ("user", "name"),
    [
        ({"email": "ann@example.org", "name": "Ann", "sub": "1"}, "ann@example.org"),
        ({"email": "ann@example.org", "email_verified": False, "sub": "1"}, "1"),
        ({"email": "ann@example.org", "email_verified": "false", "sub": "1"}, "1"),
        ({"email": "ann@example.org", "email_verified": None, "sub": "1"}, "1"),
        ({"email": "ann@example.org", "email_verified": "true", "sub": "1"}, "ann@example.org"),
        (
            {
                "email": "eve@example.org",
                "email_verified": False,
                "preferred_username": "ann@example.org",
                "sub": "1",
            },
            "ann@example.org (1)",
        ),
        ({"preferred_username": "ann@example.org", "sub": "1"}, "ann@example.org"),
        ({"preferred_username": "ann", "name": "Ann", "sub": "1"}, "ann"),
        ({"email": "", "name": "Ann", "sub": "1"}, "Ann (1)"),
        ({"name": "ann@example.org", "sub": "1"}, "ann@example.org (1)"),
        ({"sub": "1"}, "1"),
    ],
)
def test_an_account_has_a_name(user, name):
    assert login.account_name(user) == name
