"""Every page in both themes: it draws, nothing failed, nothing sticks out, buttons can be read."""

from __future__ import annotations

import pytest

from core.store import Store
from core.store.projects.demo import create_demo
from core.workspace.refits.refit import refit
from tests.browser.conftest import PATIENCE, Server
from tests.browser.take_screenshots import SHOTS, compare_demo
from tsnmf_ui.theme.palette import contrast

pytestmark = pytest.mark.browser
PAGES = [shot for shot in SHOTS if shot.name != "label-large"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("home"))
    with Store.open(home=server.home) as store:
        refit(store, create_demo(store).id)
        compare_demo(store, 1)
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module", params=["light", "dark"])
def visitor(chromium, request):
    context = chromium.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme=request.param
    )
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


# Text and ground of an element as the screen shows them, whatever notation they are in.
LOOK = """element => ["color", "backgroundColor"].map(
  name => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.fillStyle = getComputedStyle(element)[name];
    pen.fillRect(0, 0, 1, 1);
    const parts = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    return "#" + parts.map(part => part.toString(16).padStart(2, "0")).join("");
  })"""


def buttons_can_be_read(visitor) -> int:
    """Check every filled button; how many there were."""
    filled = visitor.locator('[data-testid="stBaseButton-primary"]:enabled').all()
    for button in filled:
        assert contrast(*button.evaluate(LOOK)) >= 4.5
    return len(filled)


@pytest.mark.parametrize("shot", PAGES, ids=lambda shot: shot.name)
def test_a_page_looks_right(demo, visitor, shot):
    visitor.goto(demo.address + shot.path)
    visitor.locator(shot.ready).first.wait_for()
    assert visitor.locator('[data-testid="stException"], [data-testid="stAlert"]').count() == 0
    wide = "document.querySelector('[data-testid=stMain]').scrollWidth"
    assert visitor.evaluate(wide) <= 1280
    buttons_can_be_read(visitor)


def test_buttons_in_a_box_above_the_page_can_be_read(demo, visitor):
    visitor.goto(f"{demo.address}/topics?project=1")
    visitor.get_by_role("button", name="New topic").click()
    visitor.get_by_role("button", name="Create topic").wait_for()
    assert buttons_can_be_read(visitor) == 1
