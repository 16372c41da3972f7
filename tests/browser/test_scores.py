"""Scores arrive by themselves, explain themselves, and other starts can be tried."""

from __future__ import annotations

import pytest

from core.store import Store
from tests.ui.pages.results_app import fitted

pytestmark = pytest.mark.browser


def test_scores_are_counted_behind_the_page_and_arrive_on_it(server, page):
    with Store.open(home=server.home) as store:
        project = fitted(store, n=60).id  # fitted, but nobody has counted its scores
    page.goto(f"{server.address}/scores?project={project}")
    numbers = page.locator(".ts-numbers")
    numbers.wait_for()
    assert "Main topic correct" in numbers.inner_text()
    assert "first scored run" in page.locator(".ts-verdict").inner_text()
    row = page.locator(".ts-scores details").first
    row.locator("summary").click()
    assert row.locator("p").is_visible()
    assert "share of judged documents" in row.locator("p").inner_text()
    page.get_by_role("button", name="Try 5 random starts").click()
    page.locator(".ts-seeds").wait_for()
    assert "Across 5 fits from other starts" in page.locator(".ts-seeds").inner_text()
    page.get_by_role("button", name="Label topics with few labels").click()
    page.wait_for_url("**/label?**mode=thin**")
    page.get_by_role("radio", name="Few labels", checked=True).wait_for()
