"""The Topics page in a browser: from all topics to one, around the map, on to the Label page."""

from __future__ import annotations

import pytest

from core.store import Store
from tests.browser.conftest import Server
from tests.ui.pages.results_app import fitted

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def topics(tmp_path_factory):
    """The address of the page, on a server of its own."""
    server = Server(tmp_path_factory.mktemp("home"))
    with Store.open(home=server.home) as store:
        project = fitted(store).id
    server.start()
    yield f"{server.address}/topics?project={project}"
    server.stop()


def test_a_card_opens_its_topic_and_its_sections(topics, page):
    page.goto(topics)
    first = page.locator(".ts-card").first
    first.wait_for()
    assert first.locator(".ts-reasons li").count() >= 1
    page.get_by_role("button", name="Open").nth(1).click()
    panel = page.locator(".st-key-panel-topic")
    panel.locator(".js-plotly-plot .bars path").first.wait_for()
    panel.get_by_text("Texts", exact=True).first.click()
    panel.locator(".ts-doc-row").first.wait_for()
    panel.get_by_text("Time and groups", exact=True).first.click()
    panel.locator(".js-plotly-plot .errorbar, .js-plotly-plot .errorbars").first.wait_for(
        state="attached"
    )
    assert "view=One+topic" in page.url


def test_a_lasso_on_the_map_opens_its_documents_on_the_label_page(topics, page):
    page.goto(f"{topics}&view=Map")
    area = page.locator(".st-key-panel-docmap .nsewdrag").first
    area.wait_for()
    box = area.bounding_box()
    corners = [(0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98), (0.02, 0.05)]
    at = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*at[0])
    page.mouse.down()
    for corner in at[1:]:
        page.mouse.move(*corner, steps=6)
    page.mouse.up()
    page.locator(".st-key-panel-lasso .ts-doc-row").first.wait_for()
    page.get_by_role("button", name="Label 30 texts").click()
    page.wait_for_url("**/label?*documents=*")


def test_a_click_on_likeness_shows_the_pair(topics, page):
    page.goto(f"{topics}&view=Similarity")
    area = page.locator(".st-key-panel-alike .nsewdrag").first
    area.wait_for()
    box = area.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 1.5 / 4, box["y"] + box["height"] * 0.5 / 4)
    page.get_by_text("Selected pair").wait_for()
    assert page.locator(".st-key-panel-pair .ts-topic").count() == 2


COUNTED = """
window.opened = [];
window.EventSource = class extends EventSource {
  constructor(url) { super(url); window.opened.push(this); }
};
window.see = (seen) => {
  Object.defineProperty(document, "hidden", { value: !seen, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
LISTENING = "() => window.opened.filter((each) => each.readyState < 2).length"


def test_a_page_that_nobody_sees_holds_no_connection(topics, page):
    page.add_init_script(COUNTED)
    page.goto(topics)
    page.wait_for_function(f"({LISTENING})() === 1")
    page.evaluate("window.see(false)")
    assert page.evaluate(LISTENING) == 0
    page.evaluate("window.see(true)")
    assert page.evaluate(LISTENING) == 1
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert page.evaluate(LISTENING) == 0
