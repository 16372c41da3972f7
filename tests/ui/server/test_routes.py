"""The routes, asked by a test client instead of a browser."""

from __future__ import annotations

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from core.store import Store
from core.workspace.refits.refit import refit
from tests.core.workspace import small
from tests.ui.jobs.fakes import Harness
from tests.ui.server.asgi import Client
from tsnmf_ui.jobs import FIT, FULL_FIT
from tsnmf_ui.label.desk import Desk
from tsnmf_ui.server import login, tokens
from tsnmf_ui.server.request_values import MAX_BODY_BYTES, RequestRefused, read_body
from tsnmf_ui.server.routes import LabelApi, routes

HOST = "127.0.0.1:8501"


@pytest.fixture
def store(tmp_path):
    with Store.open(home=tmp_path) as store:
        small.project(store)
        yield store


@pytest.fixture
def jobs():
    jobs = Harness().runner
    yield jobs
    jobs.close()


@pytest.fixture
def api(store, jobs):
    return LabelApi(Desk(store), jobs)


@pytest.fixture
def client(api):
    app = Starlette(routes=routes(lambda: api))
    return Client(app, host=HOST, origin=f"http://{HOST}", x_token=tokens.token("ann"))


def body(request, **more):
    return {
        "project": 1,
        "document": 9,
        "request": request,
        "client": "a-browser",
        "sequence": 1,
        **more,
    }


LABEL = {"kind": "label", "position": 9, "permitted": [1]}


def test_an_act_is_on_disk_before_the_answer(client, store):
    answer = client.post("/api/requests", body(LABEL))
    assert answer.status_code == 200
    assert answer.json()["label_state"]["label"]["permitted"] == [1]
    assert store.annotation(1, 9).author == "ann"


def test_an_act_sent_twice_is_done_once(client, store):
    first, second = (client.post("/api/requests", body(LABEL)).json() for _ in range(2))
    assert first["event"] == second["event"] == store.revision(1)


def test_the_desk_is_shown(client):
    view = client.get("/api/desk", params={"project": 1, "document": 9}).json()
    assert view["card"]["id"] == "d9"
    assert view["fit"]["phase"] in ("idle", "waiting")


def test_a_project_without_a_fit_is_fitted_when_opened(client, jobs):
    client.get("/api/desk", params={"project": 1})
    assert jobs.state(FIT, 1).phase == "waiting"


def test_a_fit_can_be_cancelled(client, jobs):
    jobs.request(FIT, 1)
    answer = client.post("/api/cancel", {"project": 1})
    assert answer.json()["fit"]["phase"] == "cancelled"


def test_a_fit_can_be_tried_again(client, jobs):
    answer = client.post("/api/refit", {"project": 1})
    assert (answer.json()["fit"]["kind"], jobs.state(FULL_FIT, 1).active) == (FULL_FIT, True)


def test_a_preview_that_a_server_left_is_finished_when_opened(client, store, jobs, monkeypatch):
    monkeypatch.setattr("core.workspace.refits.when_to_refit.QUICK_SECONDS", -1.0)
    refit(store, 1)
    assert client.get("/api/desk", params={"project": 1}).json()["fit"]["phase"] == "idle"
    refit(store, 1, preview=True)
    told = client.get("/api/desk", params={"project": 1}).json()
    assert (told["refit"]["preview"], told["fit"]["kind"]) == (True, FULL_FIT)
    assert jobs.state(FULL_FIT, 1).phase == "running"
    assert jobs.state(FIT, 1).phase == "idle"


def test_either_stage_of_a_fit_can_be_cancelled(client, jobs):
    jobs.request(FULL_FIT, 1)
    client.post("/api/cancel", {"project": 1})
    assert jobs.state(FULL_FIT, 1).number in jobs._cancelling


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
        client.post("/api/requests", body(LABEL), headers=headers),
        client.get("/api/desk", params={"project": 1}, headers=headers),
        client.get("/api/events", params={"project": 1}, headers=headers),
        client.post("/api/cancel", {"project": 1}, headers=headers),
        client.post("/api/refit", {"project": 1}, headers=headers),
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
    answer = client.post("/api/requests", body({**LABEL, "seen": 0}))
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
    assert client.post("/api/requests", body(LABEL)).status_code == 403
    assert client.get("/api/desk", params={"project": 1}).status_code == 200


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"project": 1}', 400),
        (b'{"request": {}}', 400),
        (b'{"project": true, "request": {}}', 400),
        (b'{"project": -1, "request": {}}', 400),
        (b'{"project": 1e99, "request": {}}', 400),
        (b'{"project": 1, "request": []}', 400),
        (b'{"project": 1, "request": {}}', 400),
        (b'{"project": 1, "mode": "sideways", "request": {}}', 400),
        (b'{"project": 1, "mode": {"a": 1}, "request": {}}', 400),
        (b'{"project": 1, "search": ["x"], "request": {}}', 400),
        (b'{"project": 1, "client": "x", "sequence": 1, "request": {}}', 400),
        (b'{"project": 7, "request": {"kind": "next"}}', 404),
        (b'{"project": 1, "request": {"kind": "skip", "position": 900}}', 404),
        (b'{"project": 1, "request": {"kind": "undo", "since": 9223372036854775808}}', 400),
        (rb'{"project": 1, "search": "\ud800", "request": {"kind": "next"}}', 400),
        (rb'{"project": 1, "mode": "saved:\ud800", "request": {"kind": "next"}}', 400),
        (b"[" * 20_000, 400),
        (b" " * (MAX_BODY_BYTES + 1), 413),
    ],
)
def test_bad_requests_get_a_sentence(client, store, sent, status):
    before = store.revision(1)
    answer = client.post("/api/requests", content=sent)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")
    assert store.revision(1) == before


def test_a_request_that_is_cut_off_is_refused():
    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    headers = [(b"content-type", b"application/json")]
    request = Request({"type": "http", "method": "POST", "headers": headers}, gone)
    with pytest.raises(RequestRefused, match="not whole"):
        asyncio.run(read_body(request))


def test_acts_are_json(client):
    answer = client.post("/api/requests", content=b"{}", headers={"content-type": "text/plain"})
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
        news = api._stream(1, "ann")
        first = await anext(news)
        api.jobs.feed.publish(1, {"type": "recorded", "revision": 5})
        second = await anext(news)
        await news.aclose()
        return first, second

    first, second = asyncio.run(listen())
    assert json.loads(first.removeprefix("data: "))["type"] == "fit"
    assert json.loads(second.removeprefix("data: ")) == {"type": "recorded", "revision": 5}


def test_a_stream_that_ends_leaves_nobody_behind(api):
    async def listen():
        news = api._stream(1, "ann")
        await anext(news)
        await news.aclose()

    asyncio.run(listen())
    assert not api.jobs.feed._subscribers[1]


def test_a_stream_ends_when_the_server_leaves(api):
    async def listen():
        news = api._stream(1, "ann")
        await anext(news)
        api.jobs.feed.close()
        return [event async for event in news]

    assert asyncio.run(asyncio.wait_for(listen(), 10)) == []


def test_a_stream_ends_when_its_reader_signs_out(api):
    """At once, not with the next news, and nothing more is told."""
    signed_in = [True]

    async def listen():
        news = api._stream(1, "ann", lambda: signed_in[0])
        await anext(news)
        signed_in.clear()
        signed_in.append(False)
        login.end_sign_in({"sub": "ann"})  # each stream looks for itself
        return [event async for event in news]

    assert asyncio.run(asyncio.wait_for(listen(), 10)) == []
    assert not login._listeners


def offered(store: Store, **changed) -> str:
    """The ticket of a file that a page offers to ann."""
    path = store.home / "cache" / "table.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"id,topic\n" * 200_000)
    about = {"author": "ann", "name": "Täbelle.csv", "media_type": "text/csv", "path": str(path)}
    about["project"] = 1
    return tokens.seal_ticket(tokens.FileTicket(**{**about, **changed}))


def test_a_file_is_sent_from_the_disk_to_whom_it_was_offered(client, store):
    answer = client.get("/api/file", params={"file": offered(store)})
    assert answer.status_code == 200
    assert answer.body == b"id,topic\n" * 200_000
    exported = client.get("/api/file", params={"file": offered(store, path="", project=1)})
    assert exported.body.startswith(b"PK")


def test_labels_are_written_to_the_disk_and_sent_from_there(client, store):
    asked = {"path": "", "project": 1, "labels": "csv", "texts": True}
    answer = client.get("/api/file", params={"file": offered(store, **asked)})
    assert answer.status_code == 200
    first = answer.body.decode("utf-8-sig").splitlines()[1]
    assert first.startswith('"d0","water pipe burst')
    alone = client.get("/api/file", params={"file": offered(store, **{**asked, "texts": False})})
    assert b"water pipe burst" not in alone.body


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"author": "bob"}, 403),
        ({"path": "/etc/passwd"}, 403),
        ({"path": "{home}/../outside"}, 403),
        ({"path": "{home}/cache/gone.csv"}, 404),
        ({"path": "", "project": 9}, 404),
        ({"path": "", "project": 9, "labels": "csv"}, 404),
    ],
)
def test_no_other_file_is_sent(client, store, changed, status):
    if "path" in changed:
        changed = {**changed, "path": changed["path"].format(home=store.home)}
    answer = client.get("/api/file", params={"file": offered(store, **changed)})
    assert answer.status_code == status
    assert "error" in answer.json()


def test_a_file_needs_a_token_a_known_host_and_this_site(client, store):
    asked = {"file": offered(store)}
    for headers in ({"x-token": None}, {"host": "evil.test"}, {"origin": "http://evil.test"}):
        assert client.get("/api/file", params=asked, headers=headers).status_code == 403
    made_up = {"file": tokens.token("ann")}  # a token is no ticket
    assert client.get("/api/file", params=made_up).status_code == 403


def test_a_file_needs_the_sign_in_of_its_author(client, store, monkeypatch):
    monkeypatch.setattr(login, "may_act_as", lambda request, author: False)
    assert client.get("/api/file", params={"file": offered(store)}).status_code == 403
