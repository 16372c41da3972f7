"""Signing in at a small provider of our own: the account is the author, strangers see nothing."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from core.store import Project, Store
from core.store.members.roles import Role
from tests.browser.conftest import PATIENCE, Server
from tests.browser.test_label_pane import open_pane
from tests.core.workspace import small
from tests.ui.pages.results_app import fitted
from tsnmf_ui.server.state import NAME_COOKIE

if TYPE_CHECKING:
    from tests.browser.provider import Provider

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)
MAREN = {"sub": "m1", "email": "maren@example.org", "name": "Maren Ott"}
RETRIES = 3  # the server closes connections that were idle for some seconds
INSIDE = '[data-testid="stTopNavLink"]'  # only those who are signed in are shown the pages
JORG = {"sub": "j2", "name": "Jörg <b>Ö</b>"}  # some providers give no address
LONG_ADDRESS = "a.rather.long.name.of.a.person@a-department-of.a-university.example.org"
JORG_ACCOUNT = f"{JORG['name']} ({JORG['sub']})"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    for package in ("authlib", "httpx"):
        pytest.importorskip(package, reason=f"Signing in needs {package}: pip install '.[login]'.")
    from tests.browser.provider import providing  # with a package that Authlib brings

    with providing(MAREN) as running:
        yield running


@pytest.fixture(scope="module")
def server(provider, tmp_path_factory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("login"))
    server.folder = server.home
    settings = server.home / ".streamlit" / "secrets.toml"
    settings.parent.mkdir()
    settings.write_text(provider.secrets(server.address, "a" * 40), encoding="utf-8")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def store(server) -> Iterator[Store]:
    with Store.open(home=server.home) as opened:
        yield opened


@pytest.fixture
def project(store):
    return with_members(store, small.project(store, labelled=0, n=60))


def with_members(store: Store, project: Project) -> Project:
    for account in (MAREN["email"], JORG_ACCOUNT):
        store.set_member(project.id, account, Role.CODER, author="admin")
    return project


def sign_in(page: Page, provider: Provider, person: dict[str, str]) -> None:
    provider.person = person
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(INSIDE).first).to_be_visible()


def sign_out(page: Page, server: Server, name: str) -> None:
    page.get_by_role("button", name=name).click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{server.address}/")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def token_of(page: Page, press: str = "1") -> str:
    """The token a label was sent with."""
    with page.expect_request("**/api/requests") as sent:
        page.keyboard.press(press)
    expect(page.locator(".label-state.saved")).to_be_visible()
    return sent.value.headers["x-token"]


def status(page: Page, server: Server, token: str, project: int, **request: object) -> int:
    """What a request is answered that no page of ours made, with the browser's cookies."""
    body = {"project": project, "client": "forged-client", "sequence": 1, "request": request}
    headers = {"x-token": token, "origin": server.address, "content-type": "application/json"}
    sent = json.dumps({**body, "author": "boss@example.org", "name": "boss"})
    address = f"{server.address}/api/requests"
    return page.request.post(address, headers=headers, data=sent, max_retries=RETRIES).status


def looks(page: Page, server: Server, token: str, project: int) -> int:
    """What such a request is answered that asks for the desk."""
    view = f"{server.address}/api/desk?project={project}&token={token}"
    return page.request.get(view, max_retries=RETRIES).status


def test_strangers_are_asked_to_sign_in_and_see_nothing(page, server, project):
    for name in ("projects", "label", "report"):
        page.goto(f"{server.address}/{name}?project={project.id}")
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        shown = page.locator("body").inner_text()
        assert "Desk" not in shown
        assert "water" not in shown.lower()
    assert page.get_by_label("Your name").count() == 0
    assert page.locator(INSIDE).count() == 0


@pytest.mark.parametrize("path", ["desk", "rows", "changes", "codebook", "events"])
def test_strangers_get_nothing_from_the_routes(server, project, path):
    query = f"project={project.id}&token=bWFyZW4.0&offset=0&run=1"
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        urllib.request.urlopen(f"{server.address}/api/{path}?{query}")
    refused.value.close()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/_stcore/upload_file/a-session/a-file"),
        ("POST", "/_stcore/upload_file/a-session/a-file"),
        ("DELETE", "/_stcore/upload_file/a-session/a-file"),
        ("GET", "/media/0123456789abcdef.csv"),
        ("GET", "/_stcore/metrics"),
    ],
)
def test_strangers_leave_nothing_here_and_fetch_nothing(server, method, path):
    request = urllib.request.Request(f"{server.address}{path}", b"", method=method)
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        urllib.request.urlopen(request)
    assert refused.value.read() == b"Sign in to go on."
    refused.value.close()


def test_the_account_is_the_author_whatever_a_request_says(page, server, provider, store, project):
    page.context.add_cookies([{"name": NAME_COOKIE, "value": "boss", "url": server.address}])
    page.goto(f"{server.address}/label?project={project.id}&document=4")
    sign_in(page, provider, MAREN)
    expect(page.locator(".body")).to_have_attribute("data-document", "4")  # where the link led
    token = token_of(page)
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:  # it is no account
        urllib.request.urlopen(f"{server.address}/api/desk?project={project.id}&token={token}")
    refused.value.close()
    label = {"kind": "label", "position": 5, "permitted": [2], "forbidden": []}
    assert status(page, server, token, project.id, **label) == 200
    events = [event for event in store.events(project.id) if event.kind == "label"]
    assert [(event.position, event.author) for event in events] == [
        (4, "maren@example.org"),
        (5, "maren@example.org"),
    ]


def test_whoever_is_no_member_sees_nothing_of_a_project(page, server, provider, store):
    made = small.project(store, labelled=0, n=60)
    others = store.rename_project(made.id, "The board's own")  # those of a member are Desks, too
    page.goto(f"{server.address}/label?project={others.id}")
    sign_in(page, provider, MAREN)
    expect(page.get_by_text("Open a project first").first).to_be_visible()
    page.goto(server.address)
    expect(page.locator(INSIDE).first).to_be_visible()
    assert page.get_by_text(others.name, exact=True).count() == 0


def test_signing_out_counts_in_every_tab(page, server, provider, store, project):
    page.goto(f"{server.address}/history?project={project.id}")
    sign_in(page, provider, JORG)
    topics, tab = page.context.new_page(), page.context.new_page()
    # Nobody labels there, so nothing but the click reruns its page.
    still = with_members(store, fitted(store))
    topics.goto(f"{server.address}/topics?project={still.id}")
    heading = topics.get_by_text("Labels and topics").first
    expect(heading).to_be_visible()
    open_pane(tab, server, project.id, document=4)
    token, cookies = token_of(tab), page.context.cookies()
    assert store.annotation(project.id, 4).author == JORG_ACCOUNT
    way_out = f"{server.address}/auth/logout"
    assert page.request.get(way_out, max_retries=RETRIES).status == 403  # as by a picture elsewhere
    assert looks(page, server, token, project.id) == 200
    assert looks(page, server, token, still.id) == 200  # a card with the topics of a fit
    sign_out(page, server, "Jörg")
    assert provider.signed_out == 1
    tab.keyboard.press("2")
    expect(tab.get_by_role("button", name="Sign in")).to_be_visible()
    assert store.annotation(project.id, 4).permitted == (1,)
    heading.evaluate_all("found => found.forEach((each) => each.click())")  # if it is still there
    expect(topics.get_by_role("button", name="Sign in")).to_be_visible()
    assert looks(page, server, token, project.id) == 403
    sign_in(page, provider, MAREN)
    assert looks(page, server, token, project.id) == 403  # the token is somebody else's
    page.context.add_cookies(cookies)
    assert looks(page, server, token, project.id) == 403  # a cookie that was kept changes nothing
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_an_owner_adds_and_removes_members(page, server, provider, store):
    made = small.project(store, labelled=0, n=60)
    store.set_member(made.id, MAREN["email"], Role.OWNER, author="admin")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server.address}/history?project={made.id}&part=People")
    sign_in(page, provider, MAREN)
    page.get_by_label("E-mail address", exact=True).fill(LONG_ADDRESS)
    page.get_by_role("button", name="Add", exact=True).click()
    remove = page.get_by_role("button", name=f"Remove {LONG_ADDRESS[:20]}")
    expect(remove).to_be_visible()
    assert store.role_of(made.id, LONG_ADDRESS) is Role.CODER
    assert page.locator("a[href^=mailto]").count() == 0  # an address is no link
    row = page.get_by_text(LONG_ADDRESS, exact=True).bounding_box()
    assert overlap(row, remove.bounding_box())  # a long name leaves it in its line
    remove.click()
    expect(remove).to_have_count(0)
    assert LONG_ADDRESS not in {member.person for member in store.members(made.id)}


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes stand beside each other."""
    return other["y"] < one["y"] + one["height"] and one["y"] < other["y"] + other["height"]


def test_another_address_of_the_app_says_where_signing_in_works(page, server):
    page.goto(server.address.replace("127.0.0.1", "localhost"))
    link = page.get_by_role("link", name=server.address)
    expect(link).to_have_attribute("href", server.address)
