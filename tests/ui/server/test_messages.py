"""Messages over a WebSocket: only what pages send, and no faster than people click."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tsnmf_ui.server import messages
from tsnmf_ui.server.messages import MESSAGES_AT_ONCE, MESSAGES_PER_SECOND, MessageLimits

CONNECT, LEAVE = {"type": "websocket.connect"}, {"type": "websocket.disconnect"}


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(messages, "time", made)
    monkeypatch.setattr(messages, "anyio", made)
    return made


def handed_on(*sent: dict[str, Any]) -> list[dict[str, Any]]:
    """What the app hears of messages that arrive at once."""
    heard: list[dict[str, Any]] = []
    arriving = iter([CONNECT, *sent, LEAVE])

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        while not heard or heard[-1] != LEAVE:
            heard.append(await receive())

    async def receive() -> dict[str, Any]:
        return next(arriving)

    asyncio.run(MessageLimits(app)({"type": "websocket"}, receive, None))
    assert heard[0] == CONNECT
    return heard[1:-1]


def frame(data: bytes) -> dict[str, Any]:
    return {"type": "websocket.receive", "bytes": data}


def of_kind(kind: str, **values: Any) -> dict[str, Any]:
    message = BackMsg()
    if kind in ("rerun_script", "file_urls_request", "backend_operation_request"):
        getattr(message, kind).SetInParent()
        for name, value in values.items():
            setattr(message.rerun_script, name, value)
    else:
        setattr(message, kind, True)
    return frame(message.SerializeToString())


def operation(name: str) -> dict[str, Any]:
    message = BackMsg()
    getattr(message.backend_operation_request, name).SetInParent()
    return frame(message.SerializeToString())


def test_only_what_a_page_sends_is_handed_on(clock):
    sent = [of_kind("rerun_script", query_string="project=1"), of_kind("stop_script")]
    sent += [of_kind("app_heartbeat"), of_kind("file_urls_request"), operation("deferred_file")]
    dropped = [of_kind("load_git_info"), of_kind("clear_cache"), of_kind("set_run_on_save")]
    dropped += [of_kind("debug_shutdown_runtime"), operation("install_skills")]
    dropped += [operation("dismiss_skills_nudge"), of_kind("backend_operation_request")]
    assert handed_on(*sent, *dropped) == sent


def test_a_fragment_with_a_long_name_is_not_written_to_the_log(clock):
    short = of_kind("rerun_script", fragment_id="a" * 64)
    assert handed_on(of_kind("rerun_script", fragment_id="a" * 1_000_000), short) == [short]


def test_what_is_no_message_ends_the_socket_as_before(clock):
    damaged = [frame(b"\xff\xff\xff"), {"type": "websocket.receive", "text": "a"}]
    assert handed_on(*damaged) == damaged


def test_more_than_anybody_clicks_has_to_wait(clock):
    before = clock.now
    anew = of_kind("rerun_script")
    assert len(handed_on(*[anew] * MESSAGES_AT_ONCE)) == MESSAGES_AT_ONCE
    assert clock.now == pytest.approx(before)
    more = int(20 * MESSAGES_PER_SECOND)
    assert len(handed_on(*[anew] * (MESSAGES_AT_ONCE + more))) == MESSAGES_AT_ONCE + more
    assert clock.now - before == pytest.approx(20)


def test_what_is_dropped_counts(clock):
    before = clock.now
    assert handed_on(*[of_kind("load_git_info")] * 1_000) == []
    assert clock.now - before > 90


def test_requests_are_left_alone():
    given: list[Any] = []

    async def app(_scope: Any, receive: Any, _send: Any) -> None:
        given.append(receive)

    async def receive() -> None:
        """Never asked."""

    asyncio.run(MessageLimits(app)({"type": "http"}, receive, None))
    assert given == [receive]
