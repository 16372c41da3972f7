"""Every page in both themes: it draws, nothing failed, nothing sticks out, buttons can be read."""

from __future__ import annotations

import pytest

from core.store import Store
from core.store.demo import create_demo
from tests.browser.conftest import PATIENCE, Server
from tests.browser.take_screenshots import SHOTS
from tsnmf_ui import worker
from tsnmf_ui.palette import contrast

pytestmark = pytest.mark.browser
PAGES = [shot for shot in SHOTS if shot.name != "label-large"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("home"))
    with Store.open(home=server.home) as store:
        worker.refit(store, create_demo(store).id)
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


def hexadecimal(colour: str) -> str:
    """rgb(14, 20, 27) as #0E141B."""
    parts = colour[colour.index("(") + 1 : -1].split(",")[:3]
    return "#" + "".join(f"{int(part):02X}" for part in parts)


@pytest.mark.parametrize("shot", PAGES, ids=lambda shot: shot.name)
def test_a_page_looks_right(demo, visitor, shot):
    visitor.goto(demo.address + shot.path)
    visitor.locator(shot.ready).first.wait_for()
    assert visitor.locator('[data-testid="stException"], [data-testid="stAlert"]').count() == 0
    wide = "document.querySelector('[data-testid=stMain]').scrollWidth"
    assert visitor.evaluate(wide) <= 1280
    filled = visitor.locator('[data-testid="stBaseButton-primary"]:enabled')
    for button in filled.all():
        look = "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
        text, ground = map(hexadecimal, button.evaluate(look))
        assert contrast(text, ground) >= 4.5
