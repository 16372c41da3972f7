"""Two models compared in their own process, seen in a table, and one made current."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from core.store import Store
from core.store.projects.demo import create_demo
from core.workspace.refits.refit import refit
from tests.browser.conftest import PATIENCE

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)


@pytest.fixture
def project(server) -> int:
    with Store.open(home=server.home) as store:
        made = create_demo(store)
        refit(store, made.id)
        return made.id


def test_two_models_are_compared_and_one_is_made_current(server, project, page):
    page.goto(f"{server.address}/compare?project={project}")
    page.get_by_role("button", name="Compare", exact=True).click()
    verdict = page.locator(".ts-verdict")
    expect(verdict).to_contain_text("Topic-supervised NMF matches", timeout=4 * PATIENCE)
    rows = page.locator(".st-key-panel-table [class*='st-key-score-row-']")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("in use")
    rows.nth(1).get_by_role("button", name="Make current").click()
    expect(page.locator(".st-key-panel-undo")).to_contain_text("Plain NMF is now the model")
    expect(rows.nth(1)).to_contain_text("in use")
    with Store.open(home=server.home) as store:
        assert store.current_run(project).spec.model == "nmf"
    page.get_by_role("button", name="Undo").click()
    expect(rows.nth(0)).to_contain_text("in use")
    documents_of_a_pair_go_to_the_label_page(page)
    page.goto(f"{server.address}/compare?project={project}")
    page.locator(".st-key-compare-chosen").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete this comparison").click()
    expect(page.get_by_text("No comparisons yet")).to_be_visible()


def documents_of_a_pair_go_to_the_label_page(page):
    page.get_by_text("Where they differ", exact=True).click()
    area = page.locator(".st-key-panel-agreement .nsewdrag").first
    area.wait_for()
    box = area.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.25)
    panel = page.locator(".st-key-panel-apart")
    expect(panel.locator(".ts-heading")).to_contain_text("Topic-supervised NMF and Plain NMF")
    panel.get_by_role("button", name="Label these").click()
    page.wait_for_url("**/label?**documents=**")
