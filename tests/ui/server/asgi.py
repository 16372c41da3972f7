"""A client that calls an ASGI app in this process: no port, no further package."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode


@dataclass
class Answer:
    """What came back."""

    status_code: int
    body: bytes

    def json_or_text(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """Sends requests with the same headers; those of a request win, None leaves one out."""

    def __init__(self, app: Any, **headers: str) -> None:
        self.app = app
        self.headers: dict[str, str | None] = {
            name.replace("_", "-"): v for name, v in headers.items()
        }

    def get(self, path: str, params: dict[str, Any] | None = None, **more: Any) -> Answer:
        return self._ask("GET", path, urlencode(params or {}), b"", more.get("headers"))

    def post(
        self, path: str, json_body: Any = None, content: bytes | None = None, **more: Any
    ) -> Answer:
        sent = json.dumps(json_body).encode() if content is None else content
        headers = {"content-type": "application/json", **(more.get("headers") or {})}
        return self._ask("POST", path, "", sent, headers)

    def _ask(self, method: str, path: str, query: str, body: bytes, headers: Any) -> Answer:
        merged = {**self.headers, **(headers or {})}
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in merged.items() if v is not None],
        }
        return asyncio.run(self._call(scope, body))

    async def _call(self, scope: dict[str, Any], body: bytes) -> Answer:
        answer = Answer(0, b"")
        sent = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> dict[str, Any]:
            """The request, then nothing more: the client stays until it is answered."""
            message = next(sent, None)
            return message or await asyncio.get_running_loop().create_future()

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.status_code = message["status"]
            else:
                answer.body += message.get("body", b"")

        await self.app(scope, receive, send)
        return answer
