"""Same origin everywhere: other sites, other names and strangers reach nothing of the server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from streamlit import config, net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from tests.ui.server.asgi import Client
from tsnmf_ui.server import guard, lifecycle, login
from tsnmf_ui.server.guard import Guard
from tsnmf_ui.server.hosts import LOCAL_HOSTS, KnownHosts, known_hosts
from tsnmf_ui.server.messages import MessageLimits
from tsnmf_ui.server.uploads import UploadLimits

HOSTS = KnownHosts.of([*LOCAL_HOSTS, "studio.example.org", "*.team.example"])


async def behind(scope: Any, receive: Any, send: Any) -> None:
    """What stands for Streamlit: it answers everything."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("inside")(scope, receive, send)


APP = Guard(behind, lambda: HOSTS)


def socket(**headers: str) -> str:
    """What a WebSocket is answered first."""
    return first_answer([(name.encode(), value.encode()) for name, value in headers.items()])


def first_answer(pairs: list[tuple[bytes, bytes]]) -> str:
    sent: list[str] = []
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": pairs, "query_string": b""}

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message["type"])

    asyncio.run(APP(scope, receive, send))
    return sent[0]


@pytest.mark.parametrize(
    ("origin", "host", "answer"),
    [
        ("http://localhost:8501", "localhost:8501", "websocket.accept"),
        ("http://127.0.0.1:8501", "127.0.0.1:8501", "websocket.accept"),
        ("http://[::1]:8501", "[::1]:8501", "websocket.accept"),
        ("https://studio.example.org", "studio.example.org", "websocket.accept"),
        ("https://a.team.example", "a.team.example", "websocket.accept"),
        ("http://192.168.1.7:8501", "192.168.1.7:8501", "websocket.accept"),
        ("http://localhost:9999", "localhost:8501", "websocket.close"),  # another local page
        ("http://127.0.0.1:8501", "localhost:8501", "websocket.close"),
        ("http://localhost", "localhost:8501", "websocket.close"),
        ("https://evil.example", "localhost:8501", "websocket.close"),
        ("https://x.streamlit.app", "localhost:8501", "websocket.close"),
        ("null", "localhost:8501", "websocket.close"),
        (None, "localhost:8501", "websocket.close"),
        ("http://evil.example:8501", "evil.example:8501", "websocket.close"),  # a rebound name
        ("http://team.example", "team.example", "websocket.close"),
        ("http://localhost@evil.example", "localhost@evil.example", "websocket.close"),
        ("http://localhost:x", "localhost:x", "websocket.close"),
        ("http://[::1", "localhost:8501", "websocket.close"),
        ("", "", "websocket.close"),
    ],
)
def test_a_socket_opens_for_our_own_pages_only(origin, host, answer):
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    assert socket(**headers) == answer


def test_a_second_host_is_refused():
    ours = [(b"host", b"localhost:8501"), (b"origin", b"http://localhost:8501")]
    assert first_answer(ours) == "websocket.accept"
    assert first_answer([*ours, (b"host", b"evil.example")]) == "websocket.close"


@pytest.mark.parametrize(
    "path", ["/", "/label", "/_stcore/health", "/_stcore/host-config", "/api/act"]
)
def test_other_sites_and_names_are_refused_on_every_path(path):
    client = Client(APP, host="localhost:8501")
    assert client.get(path).status_code == 200
    assert client.get(path, headers={"origin": "http://localhost:8501"}).status_code == 200
    assert client.get(path, headers={"origin": "http://localhost:9000"}).status_code == 403
    assert client.get(path, headers={"host": "evil.example"}).status_code == 403
    assert client.get(path, headers={"host": None}).status_code == 403
    assert client.get(path, headers={"origin": "http://[::1"}).status_code == 403


def headers_of(path: str) -> dict[bytes, bytes]:
    seen: dict[bytes, bytes] = {}

    async def send(message: dict[str, Any]) -> None:
        seen.update(message.get("headers", []))

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
    asyncio.run(APP({**scope, "headers": [(b"host", b"localhost")]}, receive, send))
    return seen


def test_nobody_frames_the_app_and_no_picture_comes_from_elsewhere():
    policy = headers_of("/label")[b"content-security-policy"].decode()
    assert "frame-ancestors 'none'" in policy
    assert "img-src 'self' data: blob:" in policy
    assert (
        "frame-ancestors 'self'" in headers_of("/component/x")[b"content-security-policy"].decode()
    )
    assert headers_of("/label")[b"x-content-type-options"] == b"nosniff"


MEMBERS = ["/_stcore/upload_file/s/f", "/media/abc.html", "/_stcore/metrics", "/base/media/x.csv"]
MEMBERS += ["/media/static/media/x.csv"]


@pytest.mark.parametrize("path", MEMBERS)
def test_where_people_sign_in_nothing_is_taken_or_given_before(path, monkeypatch):
    client = Client(APP, host="localhost:8501", origin="http://localhost:8501")
    assert client.post(path).status_code == 200
    monkeypatch.setattr(login, "configured", lambda: True)
    monkeypatch.setattr(login, "signed_in", lambda request: None)
    assert client.post(path).status_code == 403
    assert client.get(path).json_or_text() == guard.SIGN_IN
    assert client.get("/label").status_code == 200  # the page that asks them to sign in
    assert client.get("/static/media/Sans.woff2").status_code == 200  # and its fonts
    monkeypatch.setattr(login, "signed_in", lambda request: {"email": "a@example.org"})
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/auth/logout", "/base/auth/logout", "/auth/logout/"])
def test_no_other_site_signs_anybody_out(path, monkeypatch):
    """Streamlit's way out is a plain link, which a picture on any page can follow."""
    client = Client(APP, host="localhost:8501")
    user = {"email": "a@example.org", "sub": "a", "nonce": path}
    monkeypatch.setattr(login, "configured", lambda: True)
    monkeypatch.setattr(login, "_user", lambda request: user)
    assert client.get(path).json_or_text() == guard.SIGN_OUT
    assert client.get(path).status_code == 403
    login.end_sign_in(user)  # as the app's button does before it leads there
    assert client.get(path).status_code == 200


def test_names_are_those_that_somebody_here_chose(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "desk7.example.org")
    monkeypatch.setattr(login, "host_name", lambda: "studio.example.org")
    config.set_option("server.allowedHosts", ["topics.example.org"])
    try:
        found = known_hosts()
    finally:
        config.set_option("server.allowedHosts", [])
    for name in (
        "localhost",
        "desk7",
        "desk7.local",
        "studio.example.org",
        "topics.example.org:80",
    ):
        assert found.knows(name), name
    for name in ("evil.example", "example.org", "", "desk7.evil.example", "desk7 "):
        assert not found.knows(name), name
    assert KnownHosts.of(["*"]).knows("anything.example")


def test_the_app_is_guarded_however_it_is_started():
    middleware, uploads, messages = lifecycle.app_options()["middleware"]
    assert (middleware.cls, uploads.cls, messages.cls) == (Guard, UploadLimits, MessageLimits)
    assert middleware.kwargs["hosts"]().knows("localhost:1")
    assert not middleware.kwargs["hosts"]().knows("evil.example:1")


def test_no_server_elsewhere_is_asked_for_our_address(monkeypatch):
    def called(*_: object, **__: object) -> None:
        raise AssertionError("A call went out.")

    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", called)
    lifecycle.close_side_doors()
    try:
        assert not is_url_from_allowed_origins("https://evil.example")
        assert config.get_option("client.allowedOrigins") == []
    finally:
        config.get_config_options(force_reparse=True)
