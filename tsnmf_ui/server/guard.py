"""What every request passes before Streamlit sees it, however the server was started.

A request for a name that is not ours, or made by a page of another site, is refused here; the rest
of the server never hears of it. Where people sign in, nothing is taken in and no file is handed out
before they have.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

from tsnmf_ui.server import login
from tsnmf_ui.server.hosts import KnownHosts

UNKNOWN_HOST = "This address is not served here."
OTHER_SITE = "Requests from other sites are not accepted."
SIGN_IN = "Sign in to go on."
SIGN_OUT = "To sign out, use the button in the app."
REFUSED_SOCKET = 1008  # “policy violation”

# Uploads, downloads and figures, and what Streamlit tells about itself.
FOR_MEMBERS = ("/_stcore/upload_file/", "/media/", "/_stcore/metrics", "/_stcore/agent/")
FONTS_PATH = "/static/media/"
SIGN_OUT_PATH = "/auth/logout"
COMPONENT_PATH = "/component/"  # frames of the page's own
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "frame-ancestors {framed}; img-src 'self' data: blob:; media-src 'self' data: blob:; "
        "font-src 'self' data:; object-src 'none'; base-uri 'self'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """ASGI middleware around the whole server."""

    def __init__(self, app: ASGIApp, hosts: Callable[[], KnownHosts]) -> None:
        self.app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        sentence = refusal(HTTPConnection(scope), self._hosts())
        if sentence is None:
            await self.app(scope, receive, _with_headers(scope["path"], send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": sentence})
        else:
            answer = PlainTextResponse(sentence, status_code=403)
            await answer(scope, receive, _with_headers(scope["path"], send))


def refusal(request: HTTPConnection, hosts: KnownHosts) -> str | None:
    """Why a request is turned away; None if it is not."""
    headers = request.headers
    if len(headers.getlist("host")) != 1 or not hosts.knows(headers["host"]):
        return UNKNOWN_HOST
    if not same_origin(headers, needed=request.scope["type"] == "websocket"):
        return OTHER_SITE
    return _sign_in_refusal(request) if login.configured() else None


def _sign_in_refusal(request: HTTPConnection) -> str | None:
    """Members alone may pass some ways; the way out is open to whoever has ended the sign-in.

    Only the app's own button ends one (``login.end_sign_in``), so that no link or picture of
    another site can sign somebody out.
    """
    path = request.scope["path"]
    asked = any(part in path for part in FOR_MEMBERS) and not _is_font(path)
    if asked and login.signed_in(request) is None:
        return SIGN_IN
    if SIGN_OUT_PATH in path and login.signed_in(request) is not None:
        return SIGN_OUT
    return None


def _is_font(path: str) -> bool:
    """Whether a path is one of the fonts that ship with Streamlit: who signs in sees them, too."""
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return path.startswith(f"/{base}{FONTS_PATH}" if base else FONTS_PATH)


def same_origin(headers: Headers, *, needed: bool) -> bool:
    """Whether Origin names the host and port that the request went to.

    A browser always sends Origin with a WebSocket and with what changes something; with a plain
    page it does not.
    """
    origin = headers.get("origin")
    if origin is None:
        return not needed
    try:
        return urlsplit(origin).netloc.lower() == headers["host"].lower()
    except ValueError:  # no address, such as http://[::1
        return False


def _with_headers(path: str, send: Send) -> Send:
    """Answers that no other site can frame, and that load no picture from elsewhere."""
    framed = "'self'" if COMPONENT_PATH in path else "'none'"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value.format(framed=framed))
        await send(message)

    return sending
