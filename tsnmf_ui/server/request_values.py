"""Values of a request, read with care: refused with a sentence unless they make sense."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import ClientDisconnect, Request

from tsnmf_ui.label.desk import Place
from tsnmf_ui.label.place import SAVED_MODE
from tsnmf_ui.theme import texts

MAX_BODY_BYTES = 64 * 1024
MAX_SEARCH_LENGTH = 500  # characters
MAX_KEY_LENGTH = 64
MAX_MODE_LENGTH = 200


class RequestRefused(Exception):
    """A request that is turned away, with its status and its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class ProjectRequest:
    """A request about a project: whose, about which place, with which values."""

    author: str
    values: Mapping[str, Any]
    place: Place
    http: Request


async def read_body(request: Request) -> dict[str, Any]:
    """The JSON of a request, refused before it is read when it is too large."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise RequestRefused(415, "Requests are sent as JSON.")
    raw = await _whole_body(request)
    try:
        values = json.loads(raw)
        json.dumps(values, ensure_ascii=False).encode()  # half a sign: no answer could repeat it
    except (ValueError, RecursionError):
        raise RequestRefused(400, "This request is not JSON.") from None
    return read_object(values, "request")


async def _whole_body(request: Request) -> bytes:
    raw = b""
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > MAX_BODY_BYTES:
                raise RequestRefused(413, "This request is too large.")
    except ClientDisconnect:
        raise RequestRefused(400, "This request is not whole.") from None
    return raw


def read_place(values: Mapping[str, Any]) -> Place:
    """Where a visitor is, from the address or the body."""
    project = read_number(values.get("project"), "project")
    document = values.get("document")
    mode, search = values.get("mode") or "mixed", values.get("search") or ""
    if project is None:
        raise RequestRefused(400, "A project is missing.")
    if not isinstance(mode, str) or not _is_mode(mode):
        raise RequestRefused(400, "There is no such order of texts.")
    if not isinstance(search, str) or len(search) > MAX_SEARCH_LENGTH:
        raise RequestRefused(400, "These search words are too long.")
    return Place(project, mode, search, read_number(document, "document"), _selection(values))


def _is_mode(mode: str) -> bool:
    if mode.startswith(SAVED_MODE):
        return len(mode) <= MAX_MODE_LENGTH
    return mode in {name for name, _, _ in texts.QUEUE_MODE_TEXTS}


def _selection(values: Mapping[str, Any]) -> str:
    key = values.get("documents") or ""
    if not isinstance(key, str) or len(key) > MAX_KEY_LENGTH:
        raise RequestRefused(400, "This selection is not understood.")
    return key


def read_object(value: Any, what: str) -> dict[str, Any]:
    """A JSON object; ``what`` names it in the refusal."""
    if not isinstance(value, dict):
        raise RequestRefused(400, f"The {what} is not understood.")
    return value


def read_number(value: Any, what: str) -> int | None:
    """A number from 0 up; addresses bring it as digits."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31:
        return value
    raise RequestRefused(400, f"The {what} is not a number.")


def read_client(body: Mapping[str, Any]) -> str | None:
    """The browser that sent a request, as it names itself."""
    client = body.get("client")
    if client is not None and not (isinstance(client, str) and 8 <= len(client) <= 64):
        raise RequestRefused(400, "The client is not understood.")
    return client
