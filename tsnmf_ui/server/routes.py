"""The labelling pane's own routes: what to show, what was done, what has happened since.

They stand outside Streamlit's protection, so each request must come from this server's own pages
(Host and Origin), carry a token that a page was given, be small, and name things that exist, in a
project in which its author has a role that suffices.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from starlette.background import BackgroundTask, BackgroundTasks
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from core.errors import Conflict, NotFound, StudioError
from core.store.members.roles import Role
from tsnmf_ui.jobs import (
    JobRunner,
    JobState,
    cancel_fit,
    finish_preview,
    fit_afresh,
    fit_state,
    refit_after_label,
)
from tsnmf_ui.jobs.event_feed import STREAM_END, Event
from tsnmf_ui.label.desk import Desk, Place, Signature
from tsnmf_ui.server import access, login
from tsnmf_ui.server.files import file_response
from tsnmf_ui.server.hosts import LOCAL_HOSTS, KnownHosts
from tsnmf_ui.server.origins import author_of
from tsnmf_ui.server.person_limits import PersonLimits
from tsnmf_ui.server.request_values import (
    ProjectRequest,
    RequestRefused,
    read_body,
    read_client,
    read_number,
    read_object,
    read_place,
)

KEEP_ALIVE_SECONDS = 15.0  # after so long without news a stream says that it is alive
TOO_MANY_STREAMS = "Too many pages are open under your name. Close some to go on."


NeededRole = Callable[[Mapping[str, Any]], Role]  # for a request with these values


class LabelApi:
    """The routes of one server, around its desk and its jobs."""

    def __init__(self, desk: Desk, jobs: JobRunner, *, hosts: KnownHosts | None = None) -> None:
        self.desk, self.jobs, self.limits = desk, jobs, PersonLimits()
        self.hosts = KnownHosts.of(LOCAL_HOSTS) if hosts is None else hosts

    async def handle(self, asked: ProjectRequest) -> Response:
        """POST: do what the pane asks for and answer with what to show next."""
        place, author, wish = asked.place, asked.author, _wish(asked.values)
        number = read_number(asked.values.get("sequence"), "sequence")
        by = Signature(author, read_client(asked.values), number)
        try:
            answer = await self.limits.in_thread(author, self.desk.handle, place, wish, by)
        except Conflict as conflict:
            return await self._conflict(place, str(conflict), author)
        after = self._prefetch(place, answer, author)
        if "event" in answer:
            news = {"type": "recorded", "revision": answer["revision"], "client": by.client}
            if not answer.get("hidden"):  # else nobody is told who labelled what
                news |= {"author": author, "position": wish.get("position")}
            after.tasks.insert(0, BackgroundTask(self._publish, place.project, news))
        return JSONResponse(self._with_fit(answer), background=after)

    async def _publish(self, project: int, news: Event) -> None:
        """Others hear of it; whoever did it is answered first."""
        self.jobs.feed.publish(project, news)

    def _prefetch(self, place: Place, answer: Mapping[str, Any], author: str) -> BackgroundTasks:
        """While one card is read and the next one waits, the one after them is drawn up."""
        after = BackgroundTasks()
        if upcoming := answer.get("upcoming"):
            then = replace(place, document=upcoming["position"])
            after.add_task(self.limits.in_thread, author, self.desk.look_ahead, then, author)
        return after

    async def _conflict(self, place: Place, sentence: str, author: str) -> Response:
        """Somebody else was quicker: their label, for the visitor to decide."""
        answer = await self.limits.in_thread(author, self.desk.view, place, author)
        present = {"conflict": sentence, "view": self._with_fit(answer)}
        return JSONResponse(present, status_code=409)

    async def show(self, asked: ProjectRequest) -> Response:
        """GET: what to show at a place."""
        place, author = asked.place, asked.author
        answer = await self.limits.in_thread(author, self.desk.view, place, author)
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

    async def rows(self, asked: ProjectRequest) -> Response:
        """GET: a stretch of the list, without the card."""
        offset = read_number(asked.values.get("offset"), "offset") or 0
        return await self._json(asked, self.desk.rows, asked.place, asked.author, offset)

    async def preview(self, asked: ProjectRequest) -> Response:
        """POST: what labelling a whole list would do; writes nothing."""
        label = read_object(asked.values.get("ask"), "label")
        return await self._json(asked, self.desk.preview, asked.place, label, asked.author)

    async def changes(self, asked: ProjectRequest) -> Response:
        """GET: what a refit changed."""
        run = read_number(asked.values.get("run"), "run") or 0
        return await self._json(asked, self.desk.changes, asked.place.project, run, asked.author)

    async def codebook(self, asked: ProjectRequest) -> Response:
        """GET: what the topics mean."""
        return await self._json(asked, self.desk.codebook, asked.place.project)

    async def filters(self, asked: ProjectRequest) -> Response:
        """GET: what can be searched for."""
        return await self._json(asked, self.desk.filters, asked.place.project)

    async def saved(self, asked: ProjectRequest) -> Response:
        """GET: the saved searches and what is left of them."""
        return await self._json(asked, self.desk.saved_searches, asked.place.project, asked.author)

    async def cancel(self, asked: ProjectRequest) -> Response:
        """POST: stop the fit of a project, preview or full."""
        cancel_fit(self.jobs, asked.place.project)
        return JSONResponse({"fit": self._fit(asked.place.project).to_event()})

    async def refit(self, asked: ProjectRequest) -> Response:
        """POST: fit a project once more, after a fit that failed."""
        fit_afresh(self.jobs, asked.place.project)
        return JSONResponse({"fit": self._fit(asked.place.project).to_event()})

    async def file(self, request: Request) -> Response:
        """GET: a finished file, from the disk; its ticket names the project."""
        author = author_of(request, self.hosts)
        given = request.query_params.get("file", "")
        return await self.limits.in_thread(author, file_response, given, author, self.desk.store)

    async def events(self, asked: ProjectRequest) -> Response:
        """GET: a stream of what happens in a project."""
        project, author, store = asked.place.project, asked.author, self.desk.store
        await self.limits.in_thread(author, store.project, project)
        if not self.limits.may_open_stream(author):
            raise RequestRefused(429, TOO_MANY_STREAMS)

        def allowed() -> bool:
            signed_in = login.may_act_as(asked.http, author)
            return signed_in and access.may_read(store, author, project)

        return StreamingResponse(
            self._stream(project, author, allowed),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _stream(
        self, project: int, author: str, allowed: Callable[[], bool] = lambda: True
    ) -> AsyncIterator[str]:
        """News until the server leaves, or its reader signs out or is no member any more."""
        queue, loop = self.jobs.feed.subscribe(project), asyncio.get_running_loop()
        forget = login.on_sign_out(lambda: loop.call_soon_threadsafe(_wake, queue))
        try:
            with self.limits.stream(author):
                yield _message(self._fit(project).to_event())
                while (event := await _next_event(queue)) is not STREAM_END:
                    if not await self.limits.in_thread(author, allowed):
                        break
                    yield _message(event) if event else ": still here\n\n"
        finally:
            forget()
            self.jobs.feed.unsubscribe(project, queue)

    async def read(self, request: Request, needed: NeededRole) -> ProjectRequest:
        """A request about a project, from somebody who may ask for it."""
        writes = request.method == "POST"
        author = author_of(request, self.hosts, writes=writes)
        values = await read_body(request) if writes else request.query_params
        asked = ProjectRequest(author, values, read_place(values), request)
        role = needed(values)
        project = asked.place.project
        await self.limits.in_thread(author, access.require, self.desk.store, author, project, role)
        return asked

    async def _json(
        self, asked: ProjectRequest, answer: Callable[..., dict[str, Any]], *given: Any
    ) -> Response:
        """What a thread answers, so that nobody else waits for it."""
        return JSONResponse(await self.limits.in_thread(asked.author, answer, *given))

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


def _wish(values: Mapping[str, Any]) -> dict[str, Any]:
    return read_object(values.get("request"), "request")


def _reading(_values: Mapping[str, Any]) -> Role:
    return Role.READER


def _changing(_values: Mapping[str, Any]) -> Role:
    return Role.CODER


def _changing_unless_next(values: Mapping[str, Any]) -> Role:
    """To go on to the next text changes nothing."""
    return Role.READER if _wish(values).get("kind") == "next" else Role.CODER


Endpoint = Callable[[Request], Awaitable[Response]]
Handler = Callable[[LabelApi, ProjectRequest], Awaitable[Response]]


def _route(path: str, method: str, answer: Endpoint) -> Route:
    """A route that answers every refusal and every failure of the logic with one sentence."""

    async def endpoint(request: Request) -> Response:
        try:
            return await answer(request)
        except RequestRefused as refusal:
            return JSONResponse({"error": str(refusal)}, status_code=refusal.status)
        except NotFound as error:
            return JSONResponse({"error": str(error)}, status_code=404)
        except StudioError as error:
            return JSONResponse({"error": str(error)}, status_code=400)

    return Route(path, endpoint, methods=[method])


def routes(api: Callable[[], LabelApi]) -> list[Route]:
    """The routes; ``api`` is asked at each request, because the server makes it when it starts.

    Every request about a project goes through ``LabelApi.read``, which asks for a role.
    """

    def route(path: str, method: str, handler: Handler, needed: NeededRole = _reading) -> Route:
        async def answer(request: Request) -> Response:
            return await handler(api(), await api().read(request, needed))

        return _route(path, method, answer)

    async def file(request: Request) -> Response:
        return await api().file(request)

    return [
        route("/api/requests", "POST", LabelApi.handle, _changing_unless_next),
        route("/api/desk", "GET", LabelApi.show),
        route("/api/rows", "GET", LabelApi.rows),
        route("/api/preview", "POST", LabelApi.preview),
        route("/api/changes", "GET", LabelApi.changes),
        route("/api/codebook", "GET", LabelApi.codebook),
        route("/api/filters", "GET", LabelApi.filters),
        route("/api/saved", "GET", LabelApi.saved),
        route("/api/cancel", "POST", LabelApi.cancel, _changing),
        route("/api/refit", "POST", LabelApi.refit, _changing),
        _route("/api/file", "GET", file),
        route("/api/events", "GET", LabelApi.events),
    ]
