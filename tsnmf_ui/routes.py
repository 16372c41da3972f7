"""The labelling pane's own routes: what to show, what was done, what has happened since.

They stand outside Streamlit's protection, so each request must come from this server's own pages
(Host and Origin), carry a token that a page was given, be small, and name things that exist.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import anyio
from starlette.background import BackgroundTask, BackgroundTasks
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from core.errors import Conflict, NotFound, StudioError
from tsnmf_ui import access, login, texts
from tsnmf_ui.desk import Desk, Place, Signature
from tsnmf_ui.feed import END, Event
from tsnmf_ui.jobs import Jobs

LARGEST = 64 * 1024  # bytes of a request
LONGEST_SEARCH = 500  # characters
LONGEST_KEY = 64
QUIET = 15.0  # seconds after which a stream says that it is alive
LOCAL = access.LOCAL


class Refused(Exception):
    """A request that is turned away, with its status and its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Api:
    """The routes of one server, around its desk and its jobs."""

    def __init__(self, desk: Desk, jobs: Jobs, *, hosts: set[str] | None = None) -> None:
        self.desk, self.jobs = desk, jobs
        self.hosts = LOCAL if hosts is None else hosts  # empty: any host, behind a proxy

    async def act(self, request: Request) -> Response:
        """POST: do one act and answer with what to show next."""
        author = self._admit(request, writes=True)
        body = await _body(request)
        place, act = _place(body), _dictionary(body.get("act"), "act")
        by = Signature(author, _client(body), _whole(body.get("sequence"), "sequence"))
        try:
            answer = await anyio.to_thread.run_sync(self.desk.act, place, act, by)
        except Conflict as conflict:
            return await self._conflict(place, str(conflict), author)
        after = self._ahead(place, answer, author)
        if "event" in answer:
            news = {"type": "act", "revision": answer["revision"], "client": by.client}
            news |= {"author": author, "position": act.get("position")}
            after.tasks.insert(0, BackgroundTask(self._tell, place.project, news))
        return JSONResponse(self._with_fit(answer), background=after)

    async def _tell(self, project: int, news: Event) -> None:
        """Others hear of it; whoever acted is answered first."""
        self.jobs.feed.publish(project, news)

    def _ahead(self, place: Place, answer: Mapping[str, Any], author: str) -> BackgroundTasks:
        """While one card is read and the next one waits, the one after them is drawn up."""
        after = BackgroundTasks()
        if upcoming := answer.get("upcoming"):
            after.add_task(
                self.desk.look_ahead, replace(place, document=upcoming["position"]), author
            )
        return after

    async def _conflict(self, place: Place, sentence: str, author: str) -> Response:
        """Somebody else was quicker: what they said, for the visitor to decide."""
        answer = await anyio.to_thread.run_sync(self.desk.view, place, author)
        present = {"conflict": sentence, "view": self._with_fit(answer)}
        return JSONResponse(present, status_code=409)

    async def show(self, request: Request) -> Response:
        """GET: what to show at a place."""
        author = self._admit(request)
        place = _place(request.query_params)
        answer = await anyio.to_thread.run_sync(self.desk.view, place, author)
        phase = self.jobs.state(place.project).phase
        if answer["stale"] and phase in ("idle", "done"):
            self.jobs.request_fit(place.project, asked=False)  # labelled while no server was there
        return JSONResponse(self._with_fit(answer), background=self._ahead(place, answer, author))

    async def rows(self, request: Request) -> Response:
        """GET: a stretch of the list, without the card."""
        author = self._admit(request)
        place = _place(request.query_params)
        offset = _whole(request.query_params.get("offset"), "offset") or 0
        answer = await anyio.to_thread.run_sync(self.desk.rows, place, author, offset)
        return JSONResponse(answer)

    async def preview(self, request: Request) -> Response:
        """POST: what labelling a whole list would do; writes nothing."""
        author = self._admit(request, writes=True)
        body = await _body(request)
        place, ask = _place(body), _dictionary(body.get("ask"), "label")
        answer = await anyio.to_thread.run_sync(self.desk.preview, place, ask, author)
        return JSONResponse(answer)

    async def changes(self, request: Request) -> Response:
        """GET: what a refit changed."""
        author = self._admit(request)
        project = _place(request.query_params).project
        run = _whole(request.query_params.get("run"), "run") or 0
        answer = await anyio.to_thread.run_sync(self.desk.changes, project, run, author)
        return JSONResponse(answer)

    async def codebook(self, request: Request) -> Response:
        """GET: what the topics mean."""
        self._admit(request)
        project = _place(request.query_params).project
        return JSONResponse(await anyio.to_thread.run_sync(self.desk.codebook, project))

    async def cancel(self, request: Request) -> Response:
        """POST: stop the fit of a project."""
        self._admit(request, writes=True)
        place = _place(await _body(request))
        self.jobs.cancel(place.project)
        return JSONResponse({"fit": self.jobs.state(place.project).to_dict()})

    async def events(self, request: Request) -> Response:
        """GET: a stream of what happens in a project."""
        self._admit(request)
        project = _place(request.query_params).project
        await anyio.to_thread.run_sync(self.desk.store.project, project)
        return StreamingResponse(
            self._news(project),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _news(self, project: int) -> AsyncIterator[str]:
        queue = self.jobs.feed.subscribe(project)
        try:
            yield _message(self.jobs.state(project).to_dict())
            while (event := await _next(queue)) is not END:
                yield _message(event) if event else ": still here\n\n"
        finally:
            self.jobs.feed.unsubscribe(project, queue)

    def _with_fit(self, answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "fit": self.jobs.state(answer["project"]["id"]).to_dict()}

    def _admit(self, request: Request, *, writes: bool = False) -> str:
        """The author of a request from one of our own pages; anything else is turned away."""
        host = request.headers.get("host", "")
        origin = request.headers.get("origin")
        if self.hosts and _hostname(host) not in self.hosts:
            raise Refused(403, "This address is not served here.")
        if (origin is None and writes) or (origin is not None and urlsplit(origin).netloc != host):
            raise Refused(403, "Requests from other sites are not accepted.")
        given = request.headers.get("x-token") or request.query_params.get("token", "")
        author = access.author_of(given)
        if author is None:
            raise Refused(403, "This page is out of date. Reload it to go on.")
        if not login.admits(request, author):
            raise Refused(403, "Sign in to go on.")
        return author


async def _next(queue: asyncio.Queue[Event]) -> Event:
    """The next event; an empty one after a while, so that a dead connection is noticed."""
    try:
        return await asyncio.wait_for(queue.get(), QUIET)
    except TimeoutError:
        return {}


def _hostname(host: str) -> str:
    return urlsplit(f"//{host}").hostname or ""


def _message(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"


async def _body(request: Request) -> dict[str, Any]:
    """The JSON of a request, refused before it is read when it is too large."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused(415, "Acts are sent as JSON.")
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > LARGEST:
            raise Refused(413, "This act is too large.")
    try:
        return _dictionary(json.loads(raw), "request")
    except (ValueError, RecursionError):
        raise Refused(400, "This request is not JSON.") from None


def _place(values: Mapping[str, Any]) -> Place:
    project = _whole(values.get("project"), "project")
    document = values.get("document")
    mode, search = values.get("mode") or "mixed", values.get("search") or ""
    if project is None:
        raise Refused(400, "A project is missing.")
    if mode not in {name for name, _, _ in texts.MODES}:
        raise Refused(400, "There is no such order of texts.")
    if not isinstance(search, str) or len(search) > LONGEST_SEARCH:
        raise Refused(400, "These search words are too long.")
    return Place(project, mode, search, _whole(document, "document"), _selection(values))


def _selection(values: Mapping[str, Any]) -> str:
    key = values.get("documents") or ""
    if not isinstance(key, str) or len(key) > LONGEST_KEY:
        raise Refused(400, "This selection is not understood.")
    return key


def _dictionary(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refused(400, f"The {what} is not understood.")
    return value


def _whole(value: Any, what: str) -> int | None:
    """A number from 0 up; addresses bring it as digits."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31:
        return value
    raise Refused(400, f"The {what} is not a number.")


def _client(body: Mapping[str, Any]) -> str | None:
    client = body.get("client")
    if client is not None and not (isinstance(client, str) and 8 <= len(client) <= 64):
        raise Refused(400, "The client is not understood.")
    return client


Handler = Callable[[Api, Request], Awaitable[Response]]


def _route(path: str, method: str, handler: Handler, api: Callable[[], Api]) -> Route:
    """A route that answers every refusal and every failure of the logic with one sentence."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(api(), request)
        except Refused as refusal:
            return JSONResponse({"error": str(refusal)}, status_code=refusal.status)
        except NotFound as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        except StudioError as error:
            return JSONResponse({"error": str(error)}, status_code=400)

    return Route(path, endpoint, methods=[method])


def routes(api: Callable[[], Api]) -> list[Route]:
    """The routes; ``api`` is asked at each request, because the server makes it when it starts."""
    return [
        _route("/api/act", "POST", Api.act, api),
        _route("/api/desk", "GET", Api.show, api),
        _route("/api/rows", "GET", Api.rows, api),
        _route("/api/preview", "POST", Api.preview, api),
        _route("/api/changes", "GET", Api.changes, api),
        _route("/api/codebook", "GET", Api.codebook, api),
        _route("/api/cancel", "POST", Api.cancel, api),
        _route("/api/events", "GET", Api.events, api),
    ]
