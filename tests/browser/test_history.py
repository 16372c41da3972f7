"""History in a browser: two people, a file of labels, a restore, and a name that stays."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from core.store import Label
from tests.browser.conftest import PATIENCE
from tests.core.workspace import small

pytestmark = pytest.mark.browser


@pytest.fixture
def project(desk_store) -> int:
    made = small.project(desk_store)
    desk_store.record(made.id, Label(0, (2,)), author="ben")
    return made.id


def history(server, project: int, **more: str) -> str:
    extra = "".join(f"&{name}={value}" for name, value in more.items())
    return f"{server.address}/history?project={project}{extra}"


def labels(store, project: int) -> dict[int, tuple[int, ...]]:
    return {p: note.permitted for p, note in store.annotations(project).items()}


def test_a_point_is_restored_under_the_name_given_and_taken_back(
    desk_server, desk_store, project, page, chromium
):
    page.goto(history(desk_server, project))
    page.locator(".ts-event").nth(9).wait_for()
    page.locator('[data-testid="stPopover"] button').first.click()
    page.get_by_label("Your name").fill("Maren Ott")
    page.get_by_role("button", name="Save name").click()
    page.get_by_role("button", name="Maren Ott").wait_for()
    page.keyboard.press("Escape")
    asked = page.get_by_text("6 texts lose their labels.")
    for _ in range(4):  # a click is lost when the page is being drawn anew under it
        page.locator(".st-key-history-restore-3 button:visible").dispatch_event("click")
        with suppress(PlaywrightTimeoutError):
            asked.wait_for(timeout=PATIENCE / 3)
            break
    expect(asked).to_be_visible()
    page.locator(".st-key-history-confirm button").click()
    page.get_by_text("Restored the state after event 3").wait_for()
    assert labels(desk_store, project) == {}
    assert desk_store.events(project, newest_first=True, limit=1)[0].author == "Maren Ott"
    page.locator(".st-key-history-undo button:visible").click()
    page.get_by_text("Undone: restored the state after event 3").wait_for()
    assert len(labels(desk_store, project)) == 6
    tab = page.context.new_page()  # the browser remembers the name
    tab.goto(history(desk_server, project, who="ben"))
    tab.get_by_role("button", name="Maren Ott").wait_for()
    tab.locator(".ts-event").first.wait_for()
    assert tab.locator(".ts-event").count() == 1
    other = chromium.new_context()
    other.set_default_timeout(PATIENCE)
    stranger = other.new_page()
    stranger.goto(history(desk_server, project))
    stranger.locator(".ts-event").first.wait_for()
    assert stranger.get_by_role("button", name="Maren Ott").count() == 0
    other.close()


def test_a_name_given_where_people_are_told_apart_stays(desk_server, project, page):
    page.goto(history(desk_server, project, part="People"))
    asked = page.locator(".st-key-panel-double")
    asked.get_by_label("Your name").fill("Maren Ott")
    asked.get_by_role("button", name="Save name").click()
    page.get_by_role("button", name="Maren Ott").wait_for()
    page.get_by_role("button", name="Save share").wait_for()
    page.wait_for_function("document.cookie.includes('ts_name=')", timeout=15_000)
    page.reload()
    page.get_by_role("button", name="Maren Ott").wait_for()


def test_labels_come_in_by_file_and_a_disagreement_is_settled(
    desk_server, desk_store, project, page, tmp_path
):
    file = tmp_path / "theirs.csv"
    file.write_text("id,labels\nd0,Parks\nd9,Trees\nzz,Water\n", encoding="utf-8")
    page.goto(history(desk_server, project, part="Export+and+import"))
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV").click()
    assert len(Path(waiting.value.path()).read_text("utf-8-sig").splitlines()) == 7
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text("1 text is labelled differently here.").wait_for()
    page.get_by_text("Take theirs where we differ").click()
    page.get_by_role("button", name="Import 2 labels").click()
    page.get_by_text("One undo reverts them all").wait_for()
    assert labels(desk_store, project)[9] == (4,)
    page.goto(history(desk_server, project, part="People"))
    page.get_by_text("Noise", exact=False).first.wait_for()
    # By event, not by place: rows may still move while the page is being drawn.
    page.locator('[class*="st-key-people-take-0-"] button').first.dispatch_event("click")
    page.get_by_text("Settled. You can undo this.").wait_for()
    assert labels(desk_store, project)[0] == (1,)
    page.locator(".st-key-people-open-0 button").first.wait_for(state="detached")


def test_a_line_leads_to_its_document(desk_server, project, page):
    page.goto(history(desk_server, project))
    page.locator(".ts-event").nth(9).wait_for()
    page.locator(".st-key-history-open-10 button").first.dispatch_event("click")
    page.wait_for_url("**/label?**document=0**")
