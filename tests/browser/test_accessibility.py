"""Every page for everybody: axe-core finds nothing serious, light and dark, on any page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.workspace.comparisons import compare
from core.workspace.scores import evaluate
from tests.core.workspace import small

AXE = Path(__file__).parents[1] / "ui" / "javascript" / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {  # what must be there before a page is looked at
    "/": ".ts-project",
    "/corpus": ".ts-seen",
    "/label": ".body mark",
    "/topics": ".ts-card .ts-quote",
    "/topics?view=One+topic": ".js-plotly-plot .bars path",
    "/topics?view=Labels+and+topics": ".js-plotly-plot .nsewdrag",
    "/topics?view=Map": ".st-key-panel-docmap .nsewdrag",
    "/topics?view=Time+and+groups": ".js-plotly-plot .nsewdrag",
    "/topics?view=Similarity": ".js-plotly-plot .nsewdrag",
    "/scores": ".ts-scores",
    "/compare": ".st-key-panel-figure .nsewdrag",
    "/compare?compared=Words": ".ts-side",
    "/history": ".ts-event",
    "/history?part=People": ".ts-heading",
    "/report": "iframe",
}
SERIOUS = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"], iframes: false });
  return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`);
}"""

FOCUSED = """() => [...document.querySelectorAll("*")]
  .map((each) => each.shadowRoot?.activeElement).find(Boolean)?.dataset.k"""
IS_DARK = """() => {
  const colour = getComputedStyle(document.querySelector(".stApp")).backgroundColor;
  return Number(/[0-9]+/.exec(colour)[0]) < 60;
}"""


@pytest.fixture(scope="module")
def script() -> str:
    if not AXE.exists() and os.environ.get("CI", "").lower() != "true":
        pytest.skip("axe-core is missing: run npm ci in tests/ui/javascript")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture
def project(desk_store):
    """A project with something to see on every page."""
    project = small.fitted(desk_store)
    evaluate.evaluate(desk_store, project.id, {}, lambda share: False)
    compare(desk_store, small.comparison(project.id))
    return project


def visit(page: Page, address: str, path: str, project: int) -> None:
    page.goto(f"{address}{path}{'&' if '?' in path else '?'}project={project}")
    page.locator(PAGES[path]).first.wait_for()
    page.locator('[data-testid="stStatusWidget"]').wait_for(state="detached")


def test_nothing_serious_on_any_page(page, desk_server, project, script):
    page.set_viewport_size({"width": 1280, "height": 720})
    found: list[str] = []
    for path in PAGES:
        page.emulate_media(color_scheme="light")
        visit(page, desk_server.address, path, project.id)
        assert page.locator("h1").count() == 1, path
        if path != "/":
            assert page.title().endswith(f"· {project.name} · TS-NMF Studio")
        page.evaluate(script)
        found += [f"light {path} {problem}" for problem in page.evaluate(SERIOUS)]
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(IS_DARK)
        found += [f"dark {path} {problem}" for problem in page.evaluate(SERIOUS)]
    assert found == []


def test_tab_reaches_the_topics_soon_and_names_are_not_cut(page, desk_server, project):
    """At 150 % of 1280 × 720, with many texts in the list."""
    page.set_viewport_size({"width": 853, "height": 480})
    visit(page, desk_server.address, "/label", project.id)
    page.locator("#search").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        key = page.evaluate(FOCUSED)
        if key == "t1":
            break
    assert key == "t1"
    for name in page.locator(".pick .name").all():
        assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth + 1")
