"""Two people in one project, and connections that come and go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.store import DoubleCoding, Label
from core.workspace import Workspace
from tests.browser.conftest import PATIENCE, Server
from tests.browser.test_label_pane import BURST, labels, open_pane, shown
from tests.browser.test_topics import COUNTED, LISTENING
from tests.core.workspace import small
from tests.postgresql import Cluster
from tsnmf_ui.server.state import NAME_COOKIE

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def project(desk_store):
    return small.project(desk_store, labelled=0, n=60)


@pytest.fixture
def person(chromium: Browser, desk_server) -> Iterator[Callable[[str], Page]]:
    contexts = []

    def enter(name: str) -> Page:
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        context.add_cookies([{"name": NAME_COOKIE, "value": name, "url": desk_server.address}])
        contexts.append(context)
        return context.new_page()

    yield enter
    for context in contexts:
        context.close()


def test_a_label_of_somebody_else_appears_by_itself(person, desk_server, project):
    ann, bob = person("Ann"), person("Bob")
    for page in (ann, bob):
        open_pane(page, desk_server, project.id, document=4)
    bob.keyboard.press("2")
    expect(ann.locator(".label-state.saved")).to_contain_text("Noise")
    expect(ann.locator(".label-state.saved")).to_contain_text("Bob")
    expect(ann.locator(".line")).to_contain_text("Bob has just labelled this text.")


@pytest.fixture
def two_servers(postgresql: Cluster, tmp_path: Path) -> Iterator[list[Server]]:
    """Two servers of one database and one folder."""
    address = postgresql.address_of(postgresql.take_schema())
    servers = [Server(tmp_path, address), Server(tmp_path, address)]
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.stop()


def test_labels_and_topics_reach_the_pages_of_another_server(two_servers, chromium):
    with two_servers[0].open_store() as store:
        project = small.project(store, labelled=0, n=60)
    pages = [chromium.new_page() for _ in two_servers]
    for page, server in zip(pages, two_servers, strict=True):
        page.set_default_timeout(PATIENCE)
        name = {"name": NAME_COOKIE, "value": f"Visitor of {server.port}", "url": server.address}
        page.context.add_cookies([name])
        open_pane(page, server, project.id, document=4)
    ann, bob = pages
    bob.keyboard.press("2")
    expect(ann.locator(".line")).to_contain_text("has just labelled this text.")
    expect(ann.locator(".label-state.saved")).to_contain_text("Noise")
    expect(ann.locator(".line")).to_contain_text("fitted to 1 label")
    for page in pages:
        page.close()


def test_who_looks_away_holds_no_connection_and_comes_back_to_the_news(
    person, desk_server, desk_store, project
):
    ann = person("Ann")
    ann.add_init_script(COUNTED)
    open_pane(ann, desk_server, project.id, document=4)
    ann.wait_for_function(f"({LISTENING})() === 1")
    ann.evaluate("window.see(false)")
    assert ann.evaluate(LISTENING) == 0
    desk_store.record(project.id, Label(4, (2,)), author="Bob")
    ann.evaluate("window.see(true)")
    assert ann.evaluate(LISTENING) == 1
    expect(ann.locator(".label-state.saved")).to_contain_text("Bob")


def test_nobody_replaces_a_label_they_have_not_seen(person, desk_server, desk_store, project):
    ann, bob = person("Ann"), person("Bob")
    ann.route("**/api/events*", lambda route: route.abort())  # news do not reach Ann
    for page in (ann, bob):
        open_pane(page, desk_server, project.id, document=4)
    bob.keyboard.press("2")
    expect(bob.locator(".label-state.saved")).to_be_visible()
    ann.keyboard.press("1")
    sheet = ann.get_by_role("dialog", name="Two different labels")
    expect(sheet).to_contain_text("Bob has labelled this text meanwhile.")
    assert desk_store.annotation(project.id, 4).author == "Bob"
    sheet.get_by_role("button", name="Replace with mine").click()
    expect(ann.locator(".label-state.saved").first).to_contain_text("Ann")
    said = desk_store.annotation(project.id, 4)
    assert (said.author, said.permitted) == ("Ann", (1,))


def test_keys_that_follow_a_label_that_meets_another_wait_for_the_answer(
    person, desk_server, desk_store, project
):
    ann = person("Ann")
    ann.route("**/api/events*", lambda route: route.abort())
    open_pane(ann, desk_server, project.id, document=4)
    desk_store.record(project.id, Label(4, (2,)), author="Bob")
    ann.evaluate(BURST, ["1", "Enter", "3"])  # Enter and 3 were not meant for what came instead
    sheet = ann.get_by_role("dialog", name="Two different labels")
    sheet.get_by_role("button", name="Replace with mine").click()
    expect(ann.locator(".label-state.saved").first).to_contain_text("Ann")
    assert shown(ann) == 4
    assert labels(desk_store, project.id) == [(4, [2]), (4, [1])]


# A key that is pressed while the news of somebody else's label are on their way.
WHILE_NEWS_COME = """() => {
  const ask = window.fetch;
  window.fetch = async (...given) => {
    const answer = await ask(...given);
    if (String(given[0]).startsWith("api/desk")) document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: "2", bubbles: true, composed: true, cancelable: true }));
    return answer;
  };
}"""


def test_a_key_meets_the_label_its_presser_saw(person, desk_server, desk_store, project):
    ann, bob = person("Ann"), person("Bob")
    for page in (ann, bob):
        open_pane(page, desk_server, project.id, document=4)
        expect(page.locator(".line")).to_contain_text("refitted")  # no more news but Bob's
    ann.evaluate(WHILE_NEWS_COME)
    bob.keyboard.press("2")
    sheet = ann.get_by_role("dialog", name="Two different labels")
    expect(sheet).to_contain_text("Bob has labelled this text meanwhile.")
    assert desk_store.annotation(project.id, 4).author == "Bob"  # nor is it toggled off


def test_keys_pressed_without_a_connection_arrive_when_it_is_back(
    person, desk_server, desk_store, project
):
    page = person("Ann")
    open_pane(page, desk_server, project.id, mode="in_order")
    page.context.set_offline(True)
    for key in ("1", "Enter", "2", "Enter", "3"):
        page.keyboard.press(key)
    expect(page.locator(".line")).to_contain_text("Nothing is lost")
    page.context.set_offline(False)
    expect(page.locator(".title")).to_contain_text("3 of 60 labelled")
    assert labels(desk_store, project.id) == [(0, [1]), (1, [2]), (2, [3])]


def test_a_request_that_was_never_answered_outlives_a_reload(
    person, desk_server, desk_store, project
):
    page = person("Ann")
    open_pane(page, desk_server, project.id, document=4)
    page.route("**/api/requests", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator(".line")).to_contain_text("Nothing is lost")
    page.unroute("**/api/requests")
    page.route("**/api/requests", lambda route: route.abort(), times=1)
    page.reload()
    expect(page.locator(".label-state.saved")).to_be_visible()
    assert labels(desk_store, project.id) == [(4, [1])]


def test_neither_of_two_people_sees_the_others_label_before_both_are_done(
    person, desk_server, desk_store, project
):
    desk_store.record(project.id, DoubleCoding(1.0), author="Ann")
    ann, bob = person("Ann"), person("Bob")
    for page in (ann, bob):
        open_pane(page, desk_server, project.id, document=4)
        expect(page.locator(".label-state")).to_contain_text("Two people label this text")
    ann.keyboard.press("2")
    expect(ann.locator(".label-state.saved")).to_contain_text("only you see this")
    ann.keyboard.press("Enter")
    expect(ann.locator(".top")).to_contain_text("1 of yours waits for a second person")
    bob.reload()
    expect(bob.locator(".label-state")).to_contain_text("Two people label this text")
    assert desk_store.annotations(project.id) == {}
    bob.keyboard.press("1")
    expect(bob.locator(".label-state.saved")).to_contain_text("Water")
    expect(bob.locator(".card")).not_to_contain_text("Ann")
    bob.keyboard.press("Enter")
    expect(bob.locator("[data-document='4']")).to_have_count(0)
    bob.keyboard.press("ArrowLeft")
    expect(bob.locator(".earlier")).to_contain_text("Noise")
    expect(bob.locator(".earlier")).to_contain_text("Ann")


def test_words_that_say_why_are_seen_by_others_and_become_words_of_the_topic(
    person, desk_server, desk_store, project
):
    Workspace(desk_store).refit(project.id)  # so that the model knows words
    ann, bob = person("Ann"), person("Bob")
    open_pane(ann, desk_server, project.id, document=4)
    ann.keyboard.press("2")
    expect(ann.locator(".label-state.saved")).to_be_visible()
    ann.locator(".body .text").get_by_text("music").first.dblclick()
    ann.keyboard.press("h")
    why = ann.get_by_role("list", name="Words that say why")
    expect(why).to_contain_text("musicNoise · Ann")
    open_pane(bob, desk_server, project.id, document=4)
    expect(bob.locator(".body .because")).to_have_text("music")
    expect(bob.locator(".why-list")).to_contain_text("Noise · Ann")
    bob.get_by_role("button", name="Use “music” as words of the topic").click()
    expect(bob.locator(".line")).to_contain_text("Added to Noise: music.")
    assert list(desk_store.word_rules(project.id).topics.added[2]) == ["music"]
    ann.get_by_role("button", name="Remove the highlight “music”").click()
    expect(why).to_have_count(0)
    assert desk_store.highlights(project.id) == {}


def test_texts_are_assigned_and_each_sees_what_is_left(person, desk_server, desk_store, project):
    cleo, bob = person("Cleo"), person("Bob")
    cleo.goto(f"{desk_server.address}/history?project={project.id}&part=People")
    people = cleo.get_by_role("combobox", name="People")
    for name in ("Cleo", "Bob"):
        people.fill(name)
        people.press("Enter")
    people.press("Escape")
    cleo.get_by_role("button", name="Assign at random").click()
    expect(cleo.locator(".st-key-panel-assign tbody")).to_contain_text("Bob30 of 30")
    assert len(desk_store.assignments(project.id).of("Bob")) == 30
    open_pane(bob, desk_server, project.id)
    expect(bob.locator(".left")).to_contain_text("30 assigned to you")
    assert shown(bob) in desk_store.assignments(project.id).of("Bob")
    bob.keyboard.press("1")
    bob.keyboard.press("Enter")
    expect(bob.locator(".left")).to_contain_text("29 assigned to you")
    bob.locator("#search").fill("loud")
    expect(bob.locator(".left h2")).to_contain_text("20")
    bob.locator("#search").press("Escape")
    bob.keyboard.press("g")
    bob.get_by_label("Person").fill("Cleo")
    bob.get_by_role("button", name="Assign", exact=True).click()
    expect(bob.locator(".line")).to_contain_text("20 texts")
    found = desk_store.assignments(project.id)
    assert {position for position in range(60) if position % 3 == 1} <= found.of("Cleo")
