"""Files that visitors upload: together they never fill the memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from streamlit import runtime

from tests.ui.server.asgi import Client
from tsnmf_ui.server import uploads
from tsnmf_ui.server.uploads import UPLOAD_PATH, UploadLimits

ALLOWED, REFUSED = 204, 413


@pytest.fixture
def limits(monkeypatch):
    """A tab may hold 100 bytes, all of them 150; the tab “full” holds 90."""

    async def take(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": ALLOWED})

    monkeypatch.setattr(uploads, "MAX_BYTES_OF_TAB", 100)
    monkeypatch.setattr(uploads, "MAX_BYTES_OF_ALL", 150)
    monkeypatch.setattr(uploads, "held_bytes", lambda: {"full": 90})
    return UploadLimits(take)


def put(limits: UploadLimits, tab: str, size: int | str | None, method: str = "PUT") -> int:
    headers = {} if size is None else {"content-length": str(size)}
    client = Client(limits)
    return client._ask(method, f"{UPLOAD_PATH}{tab}/f", "", b"", headers).status_code


def test_a_tab_and_all_together_hold_so_much_and_no_more(limits):
    assert put(limits, "full", 10) == put(limits, "new", 60) == ALLOWED
    assert put(limits, "full", 11) == put(limits, "new", 61) == REFUSED
    assert put(limits, "new", None) == put(limits, "new", "-5") == REFUSED
    assert put(limits, "full", 999, "DELETE") == ALLOWED
    assert not limits._arriving


def test_files_that_are_on_their_way_count(limits):
    later = UploadLimits(limits.app)

    async def second_while_first(_scope: Any, _receive: Any, send: Any) -> None:
        status = await asyncio.to_thread(put, later, "new", 20)
        await send({"type": "http.response.start", "status": status})

    first = UploadLimits(second_while_first)
    first._arriving = later._arriving
    assert put(first, "new", 50) == REFUSED
    assert put(first, "new", 40) == ALLOWED


def test_what_streamlit_holds_is_counted(monkeypatch):
    class File:
        data = b"1234567"

    class Manager:
        uploaded_file_mgr = type("Files", (), {"file_storage": {"tab": {"a": File, "b": File}}})

    assert uploads.held_bytes() == {}
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: Manager)
    assert uploads.held_bytes() == {"tab": 14}
