"""The HTML report in a real browser: no error, no request, and pages that print whole."""

from __future__ import annotations

import pytest
from pypdf import PdfReader

from core.report import Privacy, write_report
from tests.core.report.material import report

pytestmark = pytest.mark.browser

POINTS_PER_INCH, PIXELS_PER_INCH = 72, 96
A4_WIDTH = 8.27 * POINTS_PER_INCH


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a report as a file, offline; what the browser complained about and asked for."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    complaints: list[str] = []

    def open_report(described):
        path = write_report(described, tmp_path / "report.html")
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text))
        page.on("request", lambda sent: complaints.append(sent.url))
        page.goto(path.as_uri())
        assert complaints == [path.as_uri()]  # the file itself, and nothing else
        return page

    yield open_report
    context.close()


def clipped(page) -> list[str]:
    """Elements that are wider than the page, or hide a part of their content."""
    return page.evaluate(
        """() => [...document.querySelectorAll("main *")]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1
                        || (e.scrollWidth > e.clientWidth + 1 && e.matches("div, table, td")))
            .map((e) => e.outerHTML.slice(0, 90))"""
    )


def test_it_opens_with_links_that_lead_somewhere(opened):
    page = opened(report())
    targets = page.evaluate(
        """() => [...document.querySelectorAll("nav a")]
            .map((a) => document.querySelector(a.getAttribute("href"))?.tagName)"""
    )
    assert len(targets) > 8
    assert set(targets) == {"H2"}
    assert page.locator("blockquote").first.is_visible()
    assert page.locator("script").count() == 0


@pytest.mark.parametrize("n_topics", [3, 60])
def test_it_prints_nothing_clipped_and_no_heading_alone(opened, tmp_path, n_topics):
    wide = Privacy(small_groups="shown")
    page = opened(report(n=240, n_topics=n_topics, privacy=wide))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 640, "height": 900})  # what fits between the margins of A4
    assert clipped(page) == []
    bars = page.locator(".bars").last.bounding_box()
    assert bars["width"] > 0.9 * page.locator("main").bounding_box()["width"] - 60
    page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True, format="A4")
    headings = set(page.locator("h2, .plate h3").all_inner_texts())
    for printed in PdfReader(tmp_path / "report.pdf").pages:
        lines = [line.strip() for line in printed.extract_text().splitlines() if line.strip()]
        assert lines, "an empty page"
        assert lines[-1] not in headings
        assert float(printed.mediabox.width) == pytest.approx(A4_WIDTH, abs=2)
