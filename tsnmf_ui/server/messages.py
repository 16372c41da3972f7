"""What the browser of a page may send over its WebSocket, and how fast.

Streamlit acts on every message in the loop that serves everybody: a rerun begins a thread, and a
question about the Git folder of the app runs a program while all else waits. So two thousand
messages of two bytes, from somebody who has not signed in, kept the server from answering for most
of a minute. What no page of ours sends is dropped here; what else comes faster than anybody clicks
has to wait.
"""

from __future__ import annotations

import time
from typing import Any

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.web.server.starlette import starlette_server

MESSAGES_AT_ONCE = 15  # a page that opens sends a few
MESSAGES_PER_SECOND = 10.0  # as many as a key that is held down may draw anew
SENT_BY_PAGES = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
OPERATIONS_OF_PAGES = ("deferred_file", "dataframe_chunk")
MAX_FRAGMENT_ID = 200  # characters; one that is not known goes into the log as it is


def limit_size() -> None:
    """Refuse a message by the length it announces, before the server has the memory for it.

    Streamlit takes in what it may send, 200 MB, and only then refuses more than 25. To be called
    before the server starts; with ``streamlit run`` it has started.
    """
    starlette_server.get_max_message_size_bytes = get_max_widget_state_size_bytes


class MessageLimits:
    """ASGI middleware that hands on what pages send, as fast as people click."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            receive = _limited(receive)
        await self.app(scope, receive, send)


def _limited(receive: Receive) -> Receive:
    pace = _Pace(MESSAGES_AT_ONCE, MESSAGES_PER_SECOND)

    async def receiving() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            await pace.wait()
            if _is_of_a_page(message.get("bytes")):
                return message

    return receiving


class _Pace:
    """Lets so many through at once, and after them so many in a second."""

    def __init__(self, at_once: int, per_second: float) -> None:
        self._interval = 1 / per_second
        self._allowance = (at_once - 1) * self._interval
        self._due = 0.0  # when the next one would come if all came evenly

    async def wait(self) -> None:
        now = time.monotonic()
        self._due = max(self._due, now - self._allowance)
        left = self._due - now
        self._due += self._interval
        if left > 0:
            await anyio.sleep(left)


def _is_of_a_page(data: Any) -> bool:
    """Whether a page of ours sends such a message; Streamlit ends a socket whose are damaged."""
    message = BackMsg()
    try:
        message.ParseFromString(data or b"")
    except Exception:  # noqa: BLE001 - as Streamlit reads it, whatever reads protobufs here
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS_OF_PAGES
    known = kind in SENT_BY_PAGES or not data  # text: Streamlit ends the socket
    return known and len(message.rerun_script.fragment_id) <= MAX_FRAGMENT_ID
