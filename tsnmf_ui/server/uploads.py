"""How much visitors may have uploaded: Streamlit keeps every file in memory until its tab is gone.

A request can bring a file that no page asked for, so somebody could fill the memory with them; then
the server would end for everybody. What is too much is refused before it is read.
"""

from __future__ import annotations

import os
from collections import Counter

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import runtime

UPLOAD_PATH = "/_stcore/upload_file/"
MAX_BYTES_OF_TAB = 1_000_000_000
MAX_BYTES_OF_ALL = 4_000_000_000
SHARE_OF_MEMORY = 0.25  # for the files of all visitors, where memory is short
TOO_MUCH = "Too much was uploaded and is still held. Reload the page, or try again later."


class UploadLimits:
    """ASGI middleware that refuses files beyond what may be held in memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._arriving: Counter[str] = Counter()  # bytes that are on their way, by tab

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or UPLOAD_PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return
        tab = scope["path"].partition(UPLOAD_PATH)[2].partition("/")[0]
        size = _size(Request(scope))
        if size is None or not self._fits(tab, size):
            await PlainTextResponse(TOO_MUCH, status_code=413)(scope, receive, send)
            return
        self._arriving[tab] += size
        try:
            await self.app(scope, receive, send)
        finally:
            self._arriving[tab] -= size
            self._arriving += Counter()  # forget whoever sends nothing

    def _fits(self, tab: str, size: int) -> bool:
        used = Counter(held_bytes()) + self._arriving
        return used[tab] + size <= MAX_BYTES_OF_TAB and used.total() + size <= _most_for_all()


def held_bytes() -> dict[str, int]:
    """The bytes of the files that Streamlit holds, by tab."""
    if not runtime.exists():
        return {}
    files = getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {})
    return {tab: sum(len(each.data) for each in [*own.values()]) for tab, own in [*files.items()]}


def _size(request: Request) -> int | None:
    """The bytes that are announced; a browser always tells."""
    announced = request.headers.get("content-length", "")
    return (
        int(announced)
        if announced.isascii() and announced.isdecimal() and len(announced) < 20
        else None
    )


def _most_for_all() -> int:
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # nobody says how much there is
        return MAX_BYTES_OF_ALL
    return min(MAX_BYTES_OF_ALL, int(SHARE_OF_MEMORY * memory))
