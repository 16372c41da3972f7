"""What only a browser can show: a click on the heat map, figures inside the preview, a download."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.store import Store
from core.workspace import Workspace
from tests.core.workspace import small
from tests.ui.pages.results_app import fitted

pytestmark = pytest.mark.browser


@pytest.fixture
def project(server) -> int:
    with Store.open(home=server.home) as store:
        return fitted(store).id


def test_a_click_on_the_heat_map_opens_the_documents_behind_the_cell(server, project, page):
    page.goto(f"{server.address}/topics?project={project}&view=Labels+and+topics")
    area = page.locator(".js-plotly-plot .nsewdrag").first
    area.wait_for()
    box = area.bounding_box()
    # Three labels down, four topics across, every label on its own topic along the diagonal.
    page.mouse.click(box["x"] + box["width"] * 0.5 / 4, box["y"] + box["height"] * 0.5 / 3)
    page.locator(".ts-doc-row").first.wait_for()
    cell = page.locator(".st-key-panel-cell")
    topic = cell.locator(".ts-topic").inner_text()
    assert f"LABELLED {topic.upper()}" in cell.inner_text().upper()
    assert topic.lower()[:4] in cell.locator(".ts-text").first.inner_text()


def test_the_report_is_previewed_and_downloaded(server, project, page):
    page.goto(f"{server.address}/report?project={project}")
    preview = page.frame_locator("iframe").frame_locator("iframe")
    preview.locator(".bars li").first.wait_for()
    assert preview.locator("h1").inner_text() == "Desk"
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == "desk.html"
    assert "<h1>Desk</h1>" in Path(waiting.value.path()).read_text(encoding="utf-8")


def test_the_report_is_presented_with_the_arrow_keys(server, project, page):
    page.goto(f"{server.address}/report?project={project}&present=1")
    page.locator('[data-screen="0"] .ts-p-title').wait_for()
    page.locator(".st-key-present-on button:enabled").wait_for()  # it listens to the keys
    page.keyboard.press("ArrowRight")
    page.locator('[data-screen="1"]').wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator('[data-screen="0"]').wait_for()
    assert not page.get_by_test_id("stTopNavLink").first.is_visible()


def test_new_texts_are_read_by_the_model_and_the_table_comes_from_the_disk(server, page):
    with Workspace.open(home=server.home) as workspace:
        project = small.project(workspace.store).id
        workspace.refit(project)
    page.goto(f"{server.address}/corpus?project={project}")
    table = b"id,message\nn1,the pipe and the tap leak\nn2,music at night\n"
    chooser = page.locator('[class*="st-key-new-texts-file"] input[type="file"]')
    chooser.set_input_files({"name": "june.csv", "mimeType": "text/csv", "buffer": table})
    page.get_by_role("button", name="Find topics and labels").click()
    link = page.get_by_role("link", name="All texts with topics and labels")
    with page.expect_download() as waiting:
        link.click()
    assert waiting.value.suggested_filename == "june-topics.csv"
    written = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    assert len(written.splitlines()) == 3
    assert "Water" in written
