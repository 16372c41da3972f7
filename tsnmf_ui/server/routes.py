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

import anyio
from starlette.background import BackgroundTask, BackgroundTasks
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from core.errors import Conflict, NotFound, StudioError
from tsnmf_ui.jobs import (
    JobRunner,
    JobState,
    cancel_fit,
    finish_preview,
    fit_state,
    refit_after_label,
)
from tsnmf_ui.jobs.event_feed import STREAM_END, Event
from tsnmf_ui.label.desk import Desk, Place, Signature
from tsnmf_ui.server import login
from tsnmf_ui.server.files import file_response
from tsnmf_ui.server.hosts import LOCAL_HOSTS, KnownHosts
from tsnmf_ui.server.origins import author_of
from tsnmf_ui.server.request_values import (
    RequestRefused,
    read_body,
    read_client,
    read_number,
    read_object,
    read_place,
)

KEEP_ALIVE_SECONDS = 15.0  # after so long without news a stream says that it is alive


class LabelApi:
    """The routes of one server, around its desk and its jobs."""

    def __init__(self, desk: Desk, jobs: JobRunner, *, hosts: KnownHosts | None = None) -> None:
        self.desk, self.jobs = desk, jobs
        self.hosts = KnownHosts.of(LOCAL_HOSTS) if hosts is None else hosts

    async def handle(self, request: Request) -> Response:
        """POST: do what the pane asks for and answer with what to show next."""
        author = author_of(request, self.hosts, writes=True)
        body = await read_body(request)
        place, asked = read_place(body), read_object(body.get("request"), "request")
        by = Signature(author, read_client(body), read_number(body.get("sequence"), "sequence"))
        try:
            answer = await anyio.to_thread.run_sync(self.desk.handle, place, asked, by)
        except Conflict as conflict:
            return await self._conflict(place, str(conflict), author)
        after = self._prefetch(place, answer, author)
        if "event" in answer:
            news = {"type": "recorded", "revision": answer["revision"], "client": by.client}
            if not answer.get("hidden"):  # else nobody is told who labelled what
                news |= {"author": author, "position": asked.get("position")}
            after.tasks.insert(0, BackgroundTask(self._publish, place.project, news))
        return JSONResponse(self._with_fit(answer), background=after)

    async def _publish(self, project: int, news: Event) -> None:
        """Others hear of it; whoever did it is answered first."""
        self.jobs.feed.publish(project, news)

    def _prefetch(self, place: Place, answer: Mapping[str, Any], author: str) -> BackgroundTasks:
        """While one card is read and the next one waits, the one after them is drawn up."""
        after = BackgroundTasks()
        if upcoming := answer.get("upcoming"):
            after.add_task(
                self.desk.look_ahead, replace(place, document=upcoming["position"]), author
            )
        return after

    async def _conflict(self, place: Place, sentence: str, author: str) -> Response:
        """Somebody else was quicker: their label, for the visitor to decide."""
        answer = await anyio.to_thread.run_sync(self.desk.view, place, author)
        present = {"conflict": sentence, "view": self._with_fit(answer)}
        return JSONResponse(present, status_code=409)

    async def show(self, request: Request) -> Response:
        """GET: what to show at a place."""
        author = author_of(request, self.hosts)
        place = read_place(request.query_params)
        answer = await anyio.to_thread.run_sync(self.desk.view, place, author)
        self._heal(place.project, answer)
        return JSONResponse(
            self._with_fit(answer), background=self._prefetch(place, answer, author)
        )

    def _heal(self, project: int, answer: Mapping[str, Any]) -> None:
        """Fit what was labelled, or left as a preview, while no server was there."""
        if answer["stale"] and self._fit(project).phase in ("idle", "done"):
            refit_after_label(self.jobs, self.desk.store, project)
        if answer["refit"] and answer["refit"]["preview"]:
            finish_preview(self.jobs, project)

    async def rows(self, request: Request) -> Response:
        """GET: a stretch of the list, without the card."""
        author = author_of(request, self.hosts)
        place = read_place(request.query_params)
        offset = read_number(request.query_params.get("offset"), "offset") or 0
        answer = await anyio.to_thread.run_sync(self.desk.rows, place, author, offset)
        return JSONResponse(answer)

    async def preview(self, request: Request) -> Response:
        """POST: what labelling a whole list would do; writes nothing."""
        author = author_of(request, self.hosts, writes=True)
        body = await read_body(request)
        place, ask = read_place(body), read_object(body.get("ask"), "label")
        answer = await anyio.to_thread.run_sync(self.desk.preview, place, ask, author)
        return JSONResponse(answer)

    async def changes(self, request: Request) -> Response:
        """GET: what a refit changed."""
        author = author_of(request, self.hosts)
        project = read_place(request.query_params).project
        run = read_number(request.query_params.get("run"), "run") or 0
        answer = await anyio.to_thread.run_sync(self.desk.changes, project, run, author)
        return JSONResponse(answer)

    async def codebook(self, request: Request) -> Response:
        """GET: what the topics mean."""
        author_of(request, self.hosts)
        project = read_place(request.query_params).project
        return JSONResponse(await anyio.to_thread.run_sync(self.desk.codebook, project))

    async def filters(self, request: Request) -> Response:
        """GET: what can be searched for."""
        author_of(request, self.hosts)
        project = read_place(request.query_params).project
        return JSONResponse(await anyio.to_thread.run_sync(self.desk.filters, project))

    async def saved(self, request: Request) -> Response:
        """GET: the saved searches and what is left of them."""
        author = author_of(request, self.hosts)
        project = read_place(request.query_params).project
        answer = await anyio.to_thread.run_sync(self.desk.saved_searches, project, author)
        return JSONResponse(answer)

    async def cancel(self, request: Request) -> Response:
        """POST: stop the fit of a project, preview or full."""
        author_of(request, self.hosts, writes=True)
        place = read_place(await read_body(request))
        cancel_fit(self.jobs, place.project)
        return JSONResponse({"fit": self._fit(place.project).to_event()})

    async def file(self, request: Request) -> Response:
        """GET: a finished file, from the disk."""
        author = author_of(request, self.hosts)
        given = request.query_params.get("file", "")
        return await anyio.to_thread.run_sync(file_response, given, author, self.desk.store)

    async def events(self, request: Request) -> Response:
        """GET: a stream of what happens in a project."""
        author = author_of(request, self.hosts)
        project = read_place(request.query_params).project
        await anyio.to_thread.run_sync(self.desk.store.project, project)
        return StreamingResponse(
            self._stream(project, lambda: login.may_act_as(request, author)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _stream(
        self, project: int, allowed: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[str]:
        """News until the server leaves, or its reader signs out."""
        queue, loop = self.jobs.feed.subscribe(project), asyncio.get_running_loop()
        forget = login.on_sign_out(lambda: loop.call_soon_threadsafe(_wake, queue))
        try:
            yield _message(self._fit(project).to_event())
            while (event := await _next_event(queue)) is not STREAM_END and allowed():
                yield _message(event) if event else ": still here\n\n"
        finally:
            forget()
            self.jobs.feed.unsubscribe(project, queue)

    def _with_fit(self, answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "fit": self._fit(answer["project"]["id"]).to_event()}

    def _fit(self, project: int) -> JobState:
        return fit_state(self.jobs, project)


async def _next_event(queue: asyncio.Queue[Event]) -> Event:
    """The next event; an empty one after a while, so that a dead connection is noticed."""
    try:
        return await asyncio.wait_for(queue.get(), KEEP_ALIVE_SECONDS)
    except TimeoutError:
        return {}


def _wake(queue: asyncio.Queue[Event]) -> None:
    """Let a stream look whether it may go on; one with news to read looks by itself."""
    if not queue.full():
        queue.put_nowait({})


def _message(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"


Handler = Callable[[LabelApi, Request], Awaitable[Response]]


def _route(path: str, method: str, handler: Handler, api: Callable[[], LabelApi]) -> Route:
    """A route that answers every refusal and every failure of the logic with one sentence."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(api(), request)
        except RequestRefused as refusal:
            return JSONResponse({"error": str(refusal)}, status_code=refusal.status)
        except NotFound as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        except StudioError as error:
            return JSONResponse({"error": str(error)}, status_code=400)

    return Route(path, endpoint, methods=[method])


def routes(api: Callable[[], LabelApi]) -> list[Route]:
    """The routes; ``api`` is asked at each request, because the server makes it when it starts."""
    return [
        _route("/api/requests", "POST", LabelApi.handle, api),
        _route("/api/desk", "GET", LabelApi.show, api),
        _route("/api/rows", "GET", LabelApi.rows, api),
        _route("/api/preview", "POST", LabelApi.preview, api),
        _route("/api/changes", "GET", LabelApi.changes, api),
        _route("/api/codebook", "GET", LabelApi.codebook, api),
        _route("/api/filters", "GET", LabelApi.filters, api),
        _route("/api/saved", "GET", LabelApi.saved, api),
        _route("/api/cancel", "POST", LabelApi.cancel, api),
        _route("/api/file", "GET", LabelApi.file, api),
        _route("/api/events", "GET", LabelApi.events, api),
    ]
