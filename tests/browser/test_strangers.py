"""A real server and pages of other sites: whichever way it is started, they reach nothing."""

from __future__ import annotations

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from core.corpus import Corpus
from core.store import Store
from tests.browser.conftest import PATIENCE, Server
from tests.core.workspace import small
from tsnmf_ui.server.state import NAME_COOKIE

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)
ROOT = Path(__file__).resolve().parents[2]
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
BINARY, NO_MASK = b"\x82", bytes(4)  # of frames of a WebSocket


class StreamlitRun(Server):
    """The app as ``streamlit run`` starts it, open to the network."""

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
        command += ["--server.port", str(self.port), "--server.address", "0.0.0.0"]
        environment = {**os.environ, "TSNMF_STUDIO_HOME": str(self.home), "PYTHONPATH": str(ROOT)}
        with (self.home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.home, env=environment
            )
        for _ in range(1_200):
            if self._healthy():
                return
            self._still_running()
        pytest.fail(f"The server did not start:\n{self.log()}")


@pytest.fixture(scope="module", params=[Server, StreamlitRun])
def started(request, tmp_path_factory) -> Iterator[Server]:
    server = request.param(tmp_path_factory.mktemp("strangers"))
    server.start()
    yield server
    server.stop()


def answer(server: Server, path: str, *headers: str) -> str:
    """The head of what a hand-written request is answered."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        lines = [f"GET {path} HTTP/1.1", *headers, "Connection: close", "", ""]
        connection.sendall("\r\n".join(lines).encode())
        received = b""
        while b"\r\n\r\n" not in received and (chunk := connection.recv(65536)):
            received += chunk
    return received.decode("latin-1")


def handshake(server: Server, host: str, origin: str | None) -> int:
    """The status a WebSocket is answered with."""
    lines = [f"Host: {host}", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    lines += [f"Sec-WebSocket-Key: {KEY}"]
    lines += [f"Origin: {origin}"] if origin else []
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        request = ["GET /_stcore/stream HTTP/1.1", *lines, "Connection: Upgrade", "", ""]
        connection.sendall("\r\n".join(request).encode())
        return int(connection.recv(4096).split()[1])


def send_frames(server: Server, frames: bytes) -> socket.socket:
    """Open a WebSocket by hand and send some bytes over it."""
    lines = [f"Host: 127.0.0.1:{server.port}", f"Origin: {server.address}"]
    lines += ["Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}"]
    request = ["GET /_stcore/stream HTTP/1.1", *lines, "Connection: Upgrade", "", ""]
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    connection.sendall("\r\n".join(request).encode())
    assert b" 101 " in connection.recv(4096)
    connection.sendall(frames)
    return connection


def test_many_messages_of_a_stranger_hold_nobody_up(started):
    git, anew = BackMsg(load_git_info=True), BackMsg()
    anew.rerun_script.SetInParent()
    both = [each.SerializeToString() for each in (git, anew)]
    frames = b"".join(BINARY + bytes([0x80 | len(each)]) + NO_MASK + each for each in both)
    with send_frames(started, frames * 2_000):
        time.sleep(1)  # until the first were read
    with urllib.request.urlopen(f"{started.address}/_stcore/health", timeout=8) as answered:
        assert answered.status == 200


def test_a_huge_message_is_refused_by_the_length_it_announces(desk_server):
    """Until all of it was there it would fill the memory, and nobody has signed in."""
    announced = (30_000_000).to_bytes(8, "big")
    with send_frames(desk_server, BINARY + b"\xff" + announced + NO_MASK) as connection:
        assert (1009).to_bytes(2, "big") in connection.recv(4096)  # “message too big”


def test_sockets_are_for_our_own_pages(started):
    port = started.port
    assert handshake(started, f"127.0.0.1:{port}", f"http://127.0.0.1:{port}") == 101
    assert handshake(started, f"localhost:{port}", f"http://localhost:{port}") == 101
    refused = [
        (f"localhost:{port}", "http://localhost:1"),
        (f"localhost:{port}", "https://evil.example"),
        (f"localhost:{port}", "https://x.streamlit.app"),
        (f"localhost:{port}", None),
        (f"evil.example:{port}", f"http://evil.example:{port}"),
    ]
    assert [handshake(started, *each) for each in refused] == [403] * len(refused)


def test_a_name_that_is_not_ours_gets_nothing(started):
    for path in ("/", "/_stcore/health", "/_stcore/host-config", "/api/desk?project=1"):
        assert " 403 " in answer(started, path, "Host: evil.example").splitlines()[0]


def test_no_other_site_may_steer_the_app(started):
    given = answer(started, "/_stcore/host-config", f"Host: localhost:{started.port}")
    head, _, body = given.partition("\r\n\r\n")
    assert "frame-ancestors 'none'" in head
    if not body:
        return
    start = body.index("{")
    assert json.loads(body[start : body.rindex("}") + 1])["allowedOrigins"] == []


@pytest.fixture
def other_site(started) -> Iterator[str]:
    """A page on another port of this machine that frames the app."""
    content = f'<iframe id="app" src="{started.address}/"></iframe>'.encode()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()
        thread.join()


def test_a_page_elsewhere_can_neither_frame_nor_open_it(started, other_site, page):
    page.goto(other_site)
    frame = page.frames[-1]
    assert "stApp" not in frame.content()
    opened = page.evaluate(
        """address => new Promise(done => {
            const socket = new WebSocket(address, ["streamlit"]);
            socket.onopen = () => done("open");
            socket.onerror = () => done("refused");
        })""",
        started.address.replace("http", "ws") + "/_stcore/stream",
    )
    assert opened == "refused"


def test_our_own_pages_work_and_break_no_rule(started, page):
    with Store.open(home=started.home) as store:
        project = small.project(store, labelled=2, n=30)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.context.add_cookies([{"name": NAME_COOKIE, "value": "ann", "url": started.address}])
    page.goto(f"{started.address}/label?project={project.id}&document=4")
    expect(page.locator(".body")).to_have_attribute("data-document", "4")
    assert [text for text in said if "Content Security Policy" in text] == []


PICTURE = "![x](http://evil.example/p.png)"


def test_names_and_error_texts_load_nothing_from_elsewhere(started, page, tmp_path):
    """Names of columns, files and projects, and sentences that repeat them, are only shown."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.add_cookies([{"name": NAME_COOKIE, "value": "ann", "url": started.address}])
    with Store.open(home=started.home) as store:
        corpus = Corpus(ids=("a", "b"), texts=("lamp", "bins"), side={PICTURE: ("n", "s")})
        store.create_project(PICTURE, corpus, author=PICTURE)
    page.goto(f"{started.address}/")
    expect(page.get_by_text(PICTURE).first).to_be_visible()
    page.get_by_role("button", name="Import").click()
    forged = tmp_path / "forged.zip"
    forged.write_bytes(b"PK")
    page.locator('input[type="file"]').set_input_files(forged)
    expect(page.get_by_text("not a project of the Studio")).to_be_visible()
    page.goto(f"{started.address}/corpus")
    broken = tmp_path / f"{PICTURE.replace('/', ':')} www.evil.example a@evil.example.csv"
    broken.write_bytes(b'id,text\n1,"never closed')
    page.locator('input[type="file"]').first.set_input_files(broken)
    expect(page.get_by_text("a quotation mark is opened")).to_be_visible()
    assert page.locator('a[href*="evil"]').count() == 0
    assert [url for url in asked if not url.startswith((started.address, "data:", "blob:"))] == []
