"""Who may do what by our routes: every route, asked by people of every role."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.applications import Starlette

from core.errors import StudioError
from core.store import Store
from core.store.members.personal_store import PersonalStore
from core.store.members.roles import Role
from tests.core.workspace import small
from tests.ui.jobs.fakes import Harness
from tests.ui.server.asgi import Answer, Client
from tsnmf_ui.jobs.event_feed import STREAM_END
from tsnmf_ui.label.desk import Desk
from tsnmf_ui.server import access, login, tokens
from tsnmf_ui.server.routes import LabelApi, routes

HOST = "127.0.0.1:8501"
ADMIN = "admin@example.org"
ROLES = {"reader": Role.READER, "coder": Role.CODER, "owner": Role.OWNER}
PEOPLE = ("stranger", *ROLES, ADMIN)
REFUSED = b'{"error":"You can read this project, but not change it."}'
LABEL = {"kind": "label", "position": 9, "permitted": [1]}

# For every route: requests, and the role that each needs. A new route fails until it is here.
REQUESTS: dict[str, list[tuple[dict[str, Any], Role]]] = {
    "/api/requests": [
        ({"document": 9, "request": {"kind": "next"}}, Role.READER),
        ({"document": 9, "request": LABEL}, Role.CODER),
        ({"document": 9, "request": {"kind": "undo"}}, Role.CODER),
        ({"document": 9, "request": {"kind": "skip", "position": 9}}, Role.CODER),
    ],
    "/api/desk": [({}, Role.READER)],
    "/api/rows": [({"search": "water"}, Role.READER)],
    "/api/preview": [({"search": "water", "ask": {"permitted": [1]}}, Role.READER)],
    "/api/changes": [({"run": 0}, Role.READER)],
    "/api/codebook": [({}, Role.READER)],
    "/api/filters": [({}, Role.READER)],
    "/api/saved": [({}, Role.READER)],
    "/api/cancel": [({}, Role.CODER)],
    "/api/refit": [({}, Role.CODER)],
    "/api/file": [({}, Role.READER)],
    "/api/events": [({}, Role.READER)],
}


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A project with members, where people sign in."""
    monkeypatch.setattr(login, "configured", lambda: True)
    monkeypatch.setattr(login, "signed_in", lambda request: {"email": request.headers["account"]})
    monkeypatch.setattr(access, "administrators", lambda: frozenset({ADMIN}))
    with Store.open(home=tmp_path) as store:
        small.project(store)
        for person, role in ROLES.items():
            store.set_member(1, person, role, author="ann")
        yield store


@pytest.fixture
def api(store, monkeypatch):
    """Its event streams end at once, but their first message is sent."""
    jobs = Harness().runner
    subscribe = jobs.feed.subscribe

    def ended(project: int) -> asyncio.Queue[Any]:
        queue = subscribe(project)
        queue.put_nowait(STREAM_END)
        return queue

    monkeypatch.setattr(jobs.feed, "subscribe", ended)
    yield LabelApi(Desk(store), jobs)
    jobs.close()


def ask(api: LabelApi, route: Any, values: dict[str, Any], person: str, project: int) -> Answer:
    app = Starlette(routes=routes(lambda: api))
    about = {"host": HOST, "origin": f"http://{HOST}", "account": person}
    client = Client(app, **about, x_token=tokens.token(person))
    if route.path == "/api/file":
        ticket = tokens.FileTicket(
            author=person, project=project, name="desk.zip", media_type="application/zip"
        )
        values = {"file": tokens.seal_ticket(ticket)}
    values = {"project": project, **values}
    if "POST" in route.methods:
        return client.post(route.path, values)
    return client.get(route.path, values)


def cases(api: LabelApi) -> list[tuple[Any, dict[str, Any], Role]]:
    found = routes(lambda: api)
    assert {each.path for each in found} == set(REQUESTS)
    return [(route, *each) for route in found for each in REQUESTS[route.path]]


def test_a_stranger_is_told_what_is_told_of_no_project(api, store):
    before = store.revision(1)
    for route, values, _ in cases(api):
        here, nowhere = (ask(api, route, values, "stranger", number) for number in (1, 900))
        assert (here.status_code, here.body) == (404, nowhere.body), route.path
        assert here.json() == {"error": "There is no such project."}
    assert store.revision(1) == before


@pytest.mark.parametrize("person", [*ROLES, ADMIN])
def test_a_member_is_answered_as_far_as_the_role_goes(api, store, person):
    role, before = ROLES.get(person, Role.OWNER), store.revision(1)
    for route, values, needed in cases(api):
        answer = ask(api, route, values, person, 1)
        refused = answer.body == REFUSED
        assert refused == (role < needed), (route.path, values, answer.body[:200])
        assert answer.status_code < 500
    assert (store.revision(1) == before) == (role < Role.CODER)


def test_a_ticket_is_worth_nothing_to_whoever_has_left(api, store):
    route = next(each for each in routes(lambda: api) if each.path == "/api/file")
    assert ask(api, route, {}, "reader", 1).status_code == 200
    store.remove_member(1, "reader", author="owner")
    assert ask(api, route, {}, "reader", 1).status_code == 404


def test_a_stream_ends_before_it_tells_news_to_whoever_has_left(store):
    jobs = Harness().runner
    api = LabelApi(Desk(store), jobs)

    async def listen():
        news = api._stream(1, "reader", lambda: access.may_read(store, "reader", 1))
        await anext(news)
        store.remove_member(1, "reader", author="owner")
        jobs.feed.publish(1, {"type": "recorded", "author": "ann"})
        return [event async for event in news]

    assert asyncio.run(asyncio.wait_for(listen(), 30)) == []
    jobs.close()


def test_without_login_nobody_is_asked_for_a_role(api, monkeypatch):
    def asked(*_given):
        raise AssertionError("a role was asked for")

    monkeypatch.setattr(login, "configured", lambda: False)
    for name in ("role_of", "roles_of", "members"):
        monkeypatch.setattr(Store, name, asked)
    monkeypatch.setattr(PersonalStore, "__init__", asked)
    for route, values, _ in cases(api):
        answer = ask(api, route, values, "anybody", 1)
        assert answer.status_code == 200 or b"no earlier run" in answer.body, route.path


@pytest.fixture
def fresh():
    access.administrators.cache_clear()
    yield
    access.administrators.cache_clear()


def test_administrators_are_named_in_the_secrets_and_the_environment(monkeypatch, fresh):
    monkeypatch.setattr(
        access.secrets_singleton, "_secrets", {"studio": {"administrators": ["Ann@Example.org"]}}
    )
    monkeypatch.setenv(access.ADMINISTRATORS_VARIABLE, " bob@example.org, ,cy ")
    assert access.administrators() == {"ann@example.org", "bob@example.org", "cy"}


def test_nobody_is_an_administrator_unless_named(monkeypatch, fresh):
    monkeypatch.setattr(access.secrets_singleton, "_secrets", {})
    monkeypatch.delenv(access.ADMINISTRATORS_VARIABLE, raising=False)
    assert access.administrators() == frozenset()


@pytest.mark.parametrize("wrong", ["ann@example.org", [1], {"ann": True}])
def test_administrators_that_are_no_list_are_refused(monkeypatch, fresh, wrong):
    monkeypatch.setattr(access.secrets_singleton, "_secrets", {"studio": {"administrators": wrong}})
    with pytest.raises(StudioError, match="list of e-mail addresses"):
        access.administrators()
