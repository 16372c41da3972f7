"""The routes, asked by a test client instead of a browser."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future

import pytest
from starlette.applications import Starlette

from core.store import Store
from tests.ui import small
from tests.ui.asgi import Client
from tsnmf_ui import access
from tsnmf_ui.desk import Desk
from tsnmf_ui.jobs import Jobs
from tsnmf_ui.routes import LARGEST, Api, routes

HOST = "127.0.0.1:8501"


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        small.project(store)
        yield store


@pytest.fixture
def jobs(store):
    jobs = Jobs(store, run=lambda job: Future(), debounce=60)
    yield jobs
    jobs.close()


@pytest.fixture
def api(store, jobs):
    return Api(Desk(store), jobs)


@pytest.fixture
def client(api):
    app = Starlette(routes=routes(lambda: api))
    return Client(app, host=HOST, origin=f"http://{HOST}", x_token=access.token("ann"))


def body(act, **more):
    return {"project": 1, "document": 9, "act": act, "client": "a-browser", "sequence": 1, **more}


LABEL = {"kind": "label", "position": 9, "permitted": [1]}


def test_an_act_is_on_disk_before_the_answer(client, store):
    answer = client.post("/api/act", body(LABEL))
    assert answer.status_code == 200
    assert answer.json()["said"]["label"]["permitted"] == [1]
    assert store.annotation(1, 9).author == "ann"


def test_an_act_sent_twice_is_done_once(client, store):
    first, second = (client.post("/api/act", body(LABEL)).json() for _ in range(2))
    assert first["event"] == second["event"] == store.revision(1)


def test_the_desk_is_shown(client):
    view = client.get("/api/desk", params={"project": 1, "document": 9}).json()
    assert view["card"]["id"] == "d9"
    assert view["fit"]["phase"] in ("idle", "waiting")


def test_a_project_without_a_fit_is_fitted_when_opened(client, jobs):
    client.get("/api/desk", params={"project": 1})
    assert jobs.state(1).phase == "waiting"


def test_a_fit_can_be_cancelled(client, jobs):
    jobs.request_fit(1)
    answer = client.post("/api/cancel", {"project": 1})
    assert answer.json()["fit"]["phase"] == "cancelled"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"host": "evil.example:8501", "origin": "http://evil.example:8501"},
        {"x-token": ""},
        {"x-token": "YW5u.0000"},
    ],
)
def test_strangers_are_turned_away(client, store, headers):
    before = store.revision(1)
    for answer in (
        client.post("/api/act", body(LABEL), headers=headers),
        client.get("/api/desk", params={"project": 1}, headers=headers),
        client.get("/api/events", params={"project": 1}, headers=headers),
        client.post("/api/cancel", {"project": 1}, headers=headers),
        client.get("/api/rows", params={"project": 1}, headers=headers),
        client.get("/api/codebook", params={"project": 1}, headers=headers),
        client.get("/api/changes", params={"project": 1, "run": 1}, headers=headers),
        client.post("/api/preview", {"project": 1, "ask": {}}, headers=headers),
    ):
        assert answer.status_code == 403
        assert answer.json()["error"].endswith(".")
    assert store.revision(1) == before


def test_somebody_elses_newer_label_is_shown_instead_of_replaced(client, store):
    store.record(1, small.Label(9, (2,)), author="bob")
    answer = client.post("/api/act", body({**LABEL, "seen": 0}))
    assert answer.status_code == 409
    assert answer.json()["conflict"] == "bob has labelled this text meanwhile."
    assert answer.json()["view"]["card"]["label"]["author"] == "bob"
    assert store.annotation(1, 9).author == "bob"


def test_rows_and_previews_are_answered(client):
    found = client.get("/api/rows", params={"project": 1, "search": "music", "offset": 4}).json()
    assert (found["offset"], len(found["queue"]), found["waiting"]) == (4, 6, 10)
    asked = {"project": 1, "search": "music", "ask": {"permitted": [2]}}
    assert client.post("/api/preview", asked).json()["count"] == 8
    assert client.get("/api/codebook", params={"project": 1}).json() == {"codebook": {}}
    assert client.get("/api/changes", params={"project": 1, "run": 1}).status_code == 404


@pytest.mark.parametrize(
    "place",
    [{"documents": "x" * 99}, {"offset": "-1"}, {"search": "x" * 501}, {"mode": "odd"}],
)
def test_places_that_make_no_sense(client, place):
    assert client.get("/api/rows", params={"project": 1, **place}).status_code == 400


def test_an_act_without_origin_is_turned_away(client):
    client.headers["origin"] = None
    assert client.post("/api/act", body(LABEL)).status_code == 403
    assert client.get("/api/desk", params={"project": 1}).status_code == 200


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"project": 1}', 400),
        (b'{"act": {}}', 400),
        (b'{"project": true, "act": {}}', 400),
        (b'{"project": -1, "act": {}}', 400),
        (b'{"project": 1e99, "act": {}}', 400),
        (b'{"project": 1, "act": []}', 400),
        (b'{"project": 1, "act": {}}', 400),
        (b'{"project": 1, "mode": "sideways", "act": {}}', 400),
        (b'{"project": 1, "search": ["x"], "act": {}}', 400),
        (b'{"project": 1, "client": "x", "sequence": 1, "act": {}}', 400),
        (b'{"project": 7, "act": {"kind": "next"}}', 404),
        (b'{"project": 1, "act": {"kind": "skip", "position": 900}}', 404),
        (b"[" * 20_000, 400),
        (b" " * (LARGEST + 1), 413),
    ],
)
def test_bad_requests_get_a_sentence(client, store, sent, status):
    before = store.revision(1)
    answer = client.post("/api/act", content=sent)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")
    assert store.revision(1) == before


def test_acts_are_json(client):
    answer = client.post("/api/act", content=b"{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "query",
    [{}, {"project": "x"}, {"project": "1", "document": "-3"}, {"project": "1", "mode": "x"}],
)
def test_bad_places_get_a_sentence(client, query):
    assert client.get("/api/desk", params=query).status_code == 400


def test_a_document_that_is_not_there(client):
    assert client.get("/api/desk", params={"project": 1, "document": 900}).status_code == 404


def test_the_stream_begins_with_the_state_and_tells_news(api):
    async def listen():
        news = api._news(1)
        first = await anext(news)
        api.jobs.feed.publish(1, {"type": "act", "revision": 5})
        second = await anext(news)
        await news.aclose()
        return first, second

    first, second = asyncio.run(listen())
    assert json.loads(first.removeprefix("data: "))["type"] == "fit"
    assert json.loads(second.removeprefix("data: ")) == {"type": "act", "revision": 5}


def test_a_stream_that_ends_leaves_nobody_behind(api):
    async def listen():
        news = api._news(1)
        await anext(news)
        await news.aclose()

    asyncio.run(listen())
    assert not api.jobs.feed._places[1]


def test_a_stream_ends_when_the_server_leaves(api):
    async def listen():
        news = api._news(1)
        await anext(news)
        api.jobs.feed.close()
        return [event async for event in news]

    assert asyncio.run(asyncio.wait_for(listen(), 10)) == []
