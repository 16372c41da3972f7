"""What one person may ask for at a time: others are answered all the same."""

from __future__ import annotations

import asyncio
import threading

from starlette.applications import Starlette

from core.store import Store
from tests.core.workspace import small
from tests.ui.jobs.fakes import Harness
from tests.ui.server.asgi import Client
from tsnmf_ui.label.desk import Desk
from tsnmf_ui.server import tokens
from tsnmf_ui.server.person_limits import MAX_STREAMS_PER_PERSON, PersonLimits
from tsnmf_ui.server.routes import LabelApi, routes

HOST = "127.0.0.1:8501"
SERVER_THREADS = 40  # that requests share, if nobody limits them


def test_one_persons_slow_requests_leave_threads_to_others(tmp_path, monkeypatch):
    done, jobs = threading.Event(), Harness().runner
    with Store.open(home=tmp_path) as store:
        small.project(store)
        api = LabelApi(Desk(store), jobs)
        monkeypatch.setattr(api.desk, "rows", lambda *_: {"done": done.wait(60)})
        app = Starlette(routes=routes(lambda: api))

        async def ask(person: str, path: str) -> int:
            scope = {"type": "http", "method": "GET", "path": path, "query_string": b"project=1"}
            headers = {"host": HOST, "x-token": tokens.token(person)}
            scope["headers"] = [(k.encode(), v.encode()) for k, v in headers.items()]
            return (await Client(app)._call(scope, b"")).status_code

        async def everybody() -> tuple[int, set[int]]:
            slow = [asyncio.create_task(ask("bob", "/api/rows")) for _ in range(SERVER_THREADS + 5)]
            await asyncio.sleep(0)
            quick = await asyncio.wait_for(ask("ann", "/api/codebook"), 30)
            assert not any(each.done() for each in slow)
            done.set()
            return quick, set(await asyncio.gather(*slow))

        assert asyncio.run(everybody()) == (200, {200})
        assert not api.limits._threads  # nobody is kept in mind for nothing
        jobs.close()


def test_a_person_has_so_many_streams_and_no_more(tmp_path):
    limits, jobs = PersonLimits(), Harness().runner
    with Store.open(home=tmp_path) as store:
        small.project(store)
        api = LabelApi(Desk(store), jobs)
        api.limits = limits
        app = Starlette(routes=routes(lambda: api))
        client = Client(app, host=HOST, origin=f"http://{HOST}", x_token=tokens.token("bob"))

        async def one_too_many() -> list[int]:
            open_streams = [api._stream(1, "bob") for _ in range(MAX_STREAMS_PER_PERSON)]
            for news in open_streams:
                await anext(news)
            allowed = [limits.may_open_stream(person) for person in ("ann", "bob")]
            refused = await asyncio.to_thread(client.get, "/api/events", {"project": 1})
            for news in open_streams:
                await news.aclose()
            return [*allowed, refused.status_code, limits.may_open_stream("bob")]

        assert asyncio.run(one_too_many()) == [True, False, 429, True]
        assert not limits._streams
        jobs.close()
