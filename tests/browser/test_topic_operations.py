"""Merge, split and lock topics of the demo in a real browser, and take it all back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from core.store import Store
from tests.browser.conftest import PATIENCE

expect.set_options(timeout=PATIENCE)

MERGED = "Street lighting"


@pytest.fixture
def desk(server, page: Page) -> Page:
    """The demo with one topic open."""
    page.set_viewport_size({"width": 1280, "height": 1400})  # nothing scrolls under the head
    page.goto(server.address)
    page.get_by_role("button", name="Open the demo").click()
    page.locator(".ts-card").first.wait_for()
    page.goto(f"{server.address}/topics?project=1&view=One+topic")
    _open(page, MERGED)
    return page


def _open(page: Page, name: str) -> None:
    page.locator('[class*="st-key-topic-row-"] button', has_text=name).first.click()
    expect(page.locator(".st-key-panel-topic .ts-name")).to_have_text(name)


def _popover(page: Page, name: str) -> None:
    button = page.locator(".st-key-panel-topic [data-testid=stPopover] button", has_text=name)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for()
    expect(button).to_have_count(1)  # while a run ends, the one before may still be drawn
    button.click()


def _middle(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["y"] + box["height"] / 2


def _told(page: Page, words: str) -> None:
    expect(page.locator(".ts-outcome", has_text=words).first).to_be_visible()


def _names(server) -> list[str]:
    with Store.open(home=server.home) as store:
        return [topic.name for topic in store.topics(1)]


def _chosen_words(page: Page, pressed: str) -> Locator:
    words = page.locator('[class*="st-key-topics-words-"] [data-testid=stButtonGroup] button')
    expect(words).not_to_have_count(0)
    return words.and_(page.locator(f'[aria-pressed="{pressed}"]'))


def test_a_word_that_was_taken_out_and_brought_back_is_not_marked(desk: Page):
    _popover(desk, "Words")
    field, add = desk.get_by_label("Add a word"), desk.get_by_role("button", name="Add word")
    assert abs(_middle(field) - _middle(add)) < 12  # in one row, or a low window cuts the button
    _chosen_words(desk, "false").first.click()
    expect(_chosen_words(desk, "true")).to_have_count(1)
    desk.get_by_role("button", name="Remove").click()
    expect(desk.get_by_role("button", name="Remove")).to_have_count(0)
    desk.get_by_role("button", name="Undo").click()
    expect(desk.get_by_text("Undone: ").first).to_be_visible()
    _popover(desk, "Words")
    expect(_chosen_words(desk, "false")).to_have_count(15)
    expect(_chosen_words(desk, "true")).to_have_count(0)


def test_merge_split_lock_and_undo(server, desk: Page):
    before = _names(server)
    _popover(desk, "Merge")
    desk.get_by_label("Merge with").click()
    desk.get_by_role("option", name="Noise").click()
    desk.keyboard.press("Escape")
    desk.get_by_role("button", name="Merge topics").click()
    _told(desk, "One topic")
    assert "Noise" not in _names(server)

    desk.get_by_role("button", name="Lock", exact=True).first.click()
    _told(desk, "kept their weights exactly")

    _popover(desk, "Split")
    desk.get_by_role("button", name="Split topic").click()
    _told(desk, "in “Street lighting: ")
    assert len(_names(server)) == len(before)

    rows = desk.locator('[class*="st-key-topic-row-"] button')
    undo = desk.get_by_role("button", name="Undo")
    undo.click()
    expect(rows.filter(has_text="Street lighting: ")).to_have_count(0)
    _open(desk, MERGED)
    undo.click()
    expect(desk.get_by_role("button", name="Lock", exact=True).first).to_be_visible()
    undo.click()
    expect(rows.filter(has_text="Noise").first).to_be_visible()
    expect(desk.locator(".ts-outcome")).to_have_count(0)
    assert _names(server) == before


def test_enter_saves_the_name_of_a_topic(server, desk: Page):
    panel = desk.locator(".st-key-panel-topic [data-testid=stPopover]")
    panel.get_by_role("button", name="More", exact=True).click()
    name = desk.get_by_test_id("stPopoverBody").get_by_label("Name")
    name.fill("Street lamps")
    name.press("Enter")
    expect(desk.locator(".st-key-panel-topic .ts-name")).to_have_text("Street lamps")
    assert "Street lamps" in _names(server)
