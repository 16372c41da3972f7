"""Every page for everybody: axe-core finds nothing serious, light and dark, on any page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.store import AssignTexts, DoubleCoding, Highlight, Label, WriteMemo
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
    "/history?part=Memos": ".ts-memo",
    "/history?part=Export+and+import": ".st-key-panel-codebook-in",
    "/history?part=People": ".ts-numbers",
    "/report": "iframe",
}
SERIOUS = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"], iframes: false });
  return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)} ${nodes[0].failureSummary}`);
}"""
FRAME_OF_UNTICKED_BOX = """() => {
  const box = document.querySelector('[data-testid="stCheckbox"] label:not([data-selected])');
  return getComputedStyle(box.querySelector("span + div")).borderTopColor;
}"""

FOCUSED = """() => [...document.querySelectorAll("*")]
  .map((each) => each.shadowRoot?.activeElement).find(Boolean)?.dataset.k"""
NOTHING_MOVES = """() => document.getAnimations()
  .every((each) => each.effect.getTiming().iterations === Infinity)"""
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
    code_together(desk_store, project.id)
    evaluate.evaluate(desk_store, project.id, {}, lambda share: False)
    compare(desk_store, small.comparison(project.id))
    return project


def code_together(store, project: int) -> None:
    """Texts labelled blind by two people, assigned ones, a memo, and words that say why."""
    store.record(project, DoubleCoding(1.0), author="ann")
    for position in range(6, 18):
        for author, topic in (("ann", 1 + position % 3), ("ben", 1 + position % 2)):
            store.record_label(project, Label(position, (topic,)), author=author, spoken=True)
    store.record(project, DoubleCoding(0.0), author="ann")
    store.record(project, AssignTexts("ben", (20, 21)), author="ann")
    store.record(project, WriteMemo("Ask the waterworks", 1), author="ann")
    store.record(project, Highlight(0, 1, 0, 5, "water"), author="ben")


def settle(page: Page) -> None:
    """Wait until the page is drawn and nothing fades in any more: it is pale until then."""
    page.locator('[data-testid="stStatusWidget"]').wait_for(state="detached")
    page.wait_for_function(NOTHING_MOVES)


def visit(page: Page, address: str, path: str, project: int) -> None:
    page.goto(f"{address}{path}{'&' if '?' in path else '?'}project={project}")
    page.locator(PAGES[path]).first.wait_for()
    settle(page)


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
    found += [f"new project, {problem}" for problem in in_a_new_project(page, desk_server, script)]
    assert found == []


def in_a_new_project(page: Page, server, script: str) -> list[str]:
    """What is wrong with the form of a file that was just dropped, dark and then light."""
    page.goto(f"{server.address}/corpus")
    rows = "".join(f"{each.id},<b>{each.text}</b>,{each.labels[0]}\n" for each in small.corpus())
    file = {"name": "desk.csv", "mimeType": "text/csv", "buffer": f"id,text,topic\n{rows}".encode()}
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    page.get_by_role("button", name="Create project").wait_for()
    settle(page)
    words = page.get_by_test_id("stButtonGroup").filter(has_text="Words that will count most")
    in_sight = "(each) => each.scrollWidth <= each.clientWidth"
    assert words.get_by_role("radiogroup").evaluate(in_sight)
    page.evaluate(script)
    dark = page.evaluate(SERIOUS)
    assert page.evaluate(FRAME_OF_UNTICKED_BOX).endswith("/ 0.6)")  # of the colour of the text
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => !({IS_DARK})()")
    return [*dark, *page.evaluate(SERIOUS)]


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
