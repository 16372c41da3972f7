"""Pictures of every page, light and dark: ``python -m tests.browser.take_screenshots``.

Not a test but what the README shows. It starts the app on a home of its own, opens the demo and
looks at each page.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from core.evaluation.comparison.rates import (
    NMF_BASELINE,
    TSNMF_GUIDED,
    TSNMF_UNWEIGHTED,
    TSNMF_WEIGHTED,
)
from core.spec import ModelSpec
from core.store import Store
from core.workspace.comparisons import ComparisonRequest, compare
from tests.browser.conftest import ARGUMENTS, BROWSERS, PATIENCE, Server

OUT = Path(__file__).resolve().parents[2] / "assets" / "screenshots"
LARGEST = 250_000  # bytes of a picture
SIZE, LARGE = (1280, 800), (1920, 1080)
DRAWN = """() => !document.querySelector('[data-testid="stSkeleton"]')"""  # no widget is awaited
SETTLED = 1_500  # milliseconds for fonts, figures and toasts to come to rest


@dataclass(frozen=True)
class Shot:
    """A page as an address, and what must be there before the picture is taken."""

    name: str
    path: str
    ready: str
    size: tuple[int, int] = SIZE


SHOTS = (
    Shot("projects", "/?project=1", ".ts-project"),
    Shot("corpus", "/corpus?project=1", ".ts-seen"),
    Shot("label", "/label?project=1", ".body mark"),
    Shot("label-large", "/label?project=1", ".body mark", LARGE),
    Shot("topics", "/topics?project=1", ".ts-card .ts-quote"),
    Shot("map", "/topics?project=1&view=Labels+and+topics", ".js-plotly-plot .nsewdrag"),
    Shot("topic", "/topics?project=1&view=One+topic", ".js-plotly-plot .bars path"),
    Shot("documents", "/topics?project=1&view=Map", ".st-key-panel-docmap .nsewdrag"),
    Shot("scores", "/scores?project=1", ".js-plotly-plot .nsewdrag"),
    Shot("compare", "/compare?project=1", ".st-key-panel-figure .nsewdrag"),
    Shot("compare-words", "/compare?project=1&compared=Words", ".ts-side"),
    Shot(
        "differences",
        "/compare?project=1&compared=Where+they+differ",
        ".st-key-panel-agreement .nsewdrag",
    ),
    Shot("rates", "/compare?project=1&compared=Supervision+rates", ".js-plotly-plot .nsewdrag"),
    Shot("history", "/history?project=1", ".ts-event"),
    Shot("report", "/report?project=1", "iframe"),
)


def main(names: list[str]) -> None:
    """Take all pictures, or those that are named."""
    OUT.mkdir(parents=True, exist_ok=True)
    wanted = [shot for shot in SHOTS if not names or shot.name in names]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        path = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        _open_demo(browser, server)
        with Store.open(home=server.home) as store:
            compare_demo(store, 1)
        for theme in ("light", "dark"):
            for shot in wanted:
                sys.stdout.write(f"{_take(browser, server, shot, theme)}\n")
        browser.close()


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    server = Server(home)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _open_demo(browser: Browser, server: Server) -> None:
    with _page(browser, "light", SIZE) as page:
        page.goto(server.address)
        page.get_by_role("button", name="Open the demo").click()
        page.locator(".ts-card").first.wait_for()


def compare_demo(store: Store, project: int) -> None:
    """A comparison of three models and a few curves, so that Compare has something to show."""
    titles = {"tsnmf": "Topic-supervised NMF", "nmf": "Plain NMF", "ssnmf": "Semi-supervised NMF"}
    candidates = tuple(
        {"title": title, "spec": ModelSpec(model, n_topics=12).to_dict(), "run": None}
        for model, title in titles.items()
    )
    curves = tuple(
        {"title": each.title, "spec": each.spec.to_dict(), "supervised": each.supervised}
        for each in (TSNMF_UNWEIGHTED, TSNMF_WEIGHTED, TSNMF_GUIDED, NMF_BASELINE)
    )
    asked = ComparisonRequest(
        project=project,
        kind="models",
        title=", ".join(titles.values()),
        author="Ines",
        candidates=candidates,
        seeds=(0, 1, 2),
        judge="truth",
    )
    compare(store, asked)
    rates = {"variants": curves, "rates": (0.05, 0.2, 0.5, 0.8), "n_sets": 3}
    title = "Supervision rates, 3 sets of labels"
    compare(store, replace(asked, kind="rates", title=title, **rates))


def _take(browser: Browser, server: Server, shot: Shot, theme: str) -> str:
    with _page(browser, theme, shot.size) as page:
        page.goto(server.address + shot.path)
        page.locator(shot.ready).first.wait_for()
        if shot.name.startswith("label"):
            page.locator(".row").nth(1).click()
            page.locator(".row.here").nth(0).wait_for()
        if shot.name == "map":
            _click_a_cell(page)
        if shot.name == "report":
            inner = page.frame_locator("iframe").frame_locator("iframe")
            inner.locator(".bars").first.wait_for()
        page.mouse.move(2, 2)
        page.wait_for_function(DRAWN)
        page.wait_for_timeout(SETTLED)
        path = OUT / f"{shot.name}-{theme}.png"
        path.write_bytes(_small(page.screenshot()))
        return f"{path.name}: {path.stat().st_size / 1000:.0f} kB"


def _click_a_cell(page: Page) -> None:
    box = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.04, box["y"] + box["height"] * 0.04)
    page.locator(".ts-doc-row").first.wait_for()


@contextmanager
def _page(browser: Browser, theme: str, size: tuple[int, int]) -> Iterator[Page]:
    scheme = "dark" if theme == "dark" else "light"
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def _small(picture: bytes) -> bytes:
    """The picture with all its colours if that is small enough, else with 256 of them."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    whole, few = io.BytesIO(), io.BytesIO()
    image.save(whole, "PNG", optimize=True)
    if whole.tell() <= LARGEST:
        return whole.getvalue()
    image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        few, "PNG", optimize=True
    )
    return few.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:])
