"""Sign-in with OpenID Connect: whether it is set up well, and whose request this is.

Streamlit does the signing in and keeps the account in a signed cookie. Our routes read the same
cookie, so that a token alone opens nothing, and a sign-in that was ended stays ended in all tabs.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from streamlit.auth_util import (
    get_cookie_with_chunks,
    get_origin_from_redirect_uri,
    get_secrets_auth_section,
    validate_auth_credentials,
)
from streamlit.errors import StreamlitAuthError, StreamlitSecretNotFoundError
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from core.errors import StudioError

DEFAULT_PROVIDER = "default"  # how Streamlit calls the provider that has no name
SECRETS_UNREADABLE = "secrets.toml cannot be read, so nobody could be asked to sign in."
PACKAGES_MISSING = (
    'Login is set up, but its packages are not there: pip install "tsnmf-studio[login]".'
)
VERIFIED = ("true", "1")  # some providers send words or numbers for it
_SIGN_IN = ("provider", "iss", "sub", "iat", "nonce")  # together they name one sign-in
_ended: set[tuple[str, ...]] = set()
_listeners: list[Callable[[], object]] = []  # told when a sign-in ends


def on_sign_out(tell: Callable[[], object]) -> Callable[[], None]:
    """Be told when somebody signs out; returns what ends that."""
    _listeners.append(tell)
    return lambda: _listeners.remove(tell)


@cache
def configured() -> bool:
    """Whether people sign in here; settled when the server starts."""
    return bool(get_secrets_auth_section())


def check_settings() -> None:
    """Refuse to serve without the login that somebody meant to set up."""
    try:
        secrets_singleton.get("auth")
    except StreamlitSecretNotFoundError as error:
        if error.error_id != "no-secrets-found":
            raise StudioError(SECRETS_UNREADABLE) from None
    if not configured():
        return
    try:
        importlib.import_module("authlib.integrations.starlette_client")
    except ImportError:
        raise StudioError(PACKAGES_MISSING) from None
    try:
        for name in providers():
            validate_auth_credentials(name)
    except StreamlitAuthError as error:
        raise StudioError(" ".join(str(error).split())) from None


def providers() -> list[str]:
    """The ways to sign in: those that have a name in secrets.toml, or the one that has none."""
    section = get_secrets_auth_section()
    named = [name for name in section if isinstance(section[name], Mapping)]
    named = [name for name in named if "client_id" in section[name]]
    return named if named and "client_id" not in section else [DEFAULT_PROVIDER, *named]


def sign_in_origin(address: str | None) -> str | None:
    """The address at which signing in works, when the visitor is at another one."""
    home = get_origin_from_redirect_uri()
    here = urlsplit(address or "")
    return home if address and home != f"{here.scheme}://{here.netloc}" else None


def account_name(user: Mapping[str, Any]) -> str:
    """The name that a person's events are stored under, and by which they are a member.

    Nobody becomes another by an e-mail address that the provider has not checked, not even as their
    user name, or by a name they gave themselves: that has the number of the account beside it.
    """
    verified = str(user.get("email_verified", True)).lower() in VERIFIED
    if user.get("email") and verified:
        return str(user["email"])
    username = str(user.get("preferred_username") or "")
    if username and (verified or "@" not in username):
        return username
    number, name = str(user.get("sub") or "no number"), user.get("name") or username
    return f"{name} ({number})" if name else number


def end_sign_in(user: Mapping[str, Any]) -> None:
    """End a sign-in for every tab of the browser, and what is being sent to them."""
    _ended.add(_sign_in(user))
    for tell in list(_listeners):
        tell()


def sign_in_ended(user: Mapping[str, Any]) -> bool:
    return _sign_in(user) in _ended


def may_act_as(request: HTTPConnection, author: str) -> bool:
    """Whether a request may act for an author: where people sign in, only for themselves."""
    if not configured():
        return True
    user = signed_in(request)
    return user is not None and account_name(user) == author


def signed_in(request: HTTPConnection) -> Mapping[str, Any] | None:
    """The account of a request, unless it has none or its sign-in was ended."""
    user = _user(request)
    return None if user is None or sign_in_ended(user) else user


def host_name() -> str | None:
    """The name under which people open the app to sign in."""
    home = get_origin_from_redirect_uri() if configured() else None
    return urlsplit(home).hostname if home else None


def _user(request: HTTPConnection) -> Mapping[str, Any] | None:
    def kept(name: str) -> bytes | None:
        value = request.cookies.get(name, "").encode("latin-1", "replace")
        return decode_signed_value(get_cookie_secret(), name, value)

    raw = get_cookie_with_chunks(kept, USER_COOKIE_NAME)
    try:
        user = json.loads(raw) if raw else {}
    except ValueError:
        return None
    return user if user.get("is_logged_in") else None


def _sign_in(user: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(user.get(key)) for key in _SIGN_IN)
