"""A new name for a text of a free topic: the pane proposes to keep that topic, and stays quick."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.store import Label
from tests.browser.conftest import PATIENCE
from tests.browser.test_label_pane import labels, open_pane, shown
from tests.core.workspace import small

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)
PARK = 14  # a text about parks, which nobody has named


@pytest.fixture
def project(desk_store):
    """Water and Noise are named; the free topic is about parks."""
    made = small.project(desk_store, topics=2, n=60)
    for position in (at for at in range(12) if at % 3 < 2):
        desk_store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    return made


def name_a_topic(page: Page, server, project) -> str:
    """Open a text of the free topic and give it a new name; what the free topic is called."""
    open_pane(page, server, project.id, document=PARK)
    expect(page.locator(".free-topic .share")).to_have_text(re.compile(r"\d+ %"))
    free = page.locator(".free-topic b").text_content()
    page.keyboard.press("t")
    page.keyboard.type("Green")
    page.keyboard.press("Enter")
    expect(page.locator(".label-state.saved")).to_contain_text("Green")
    return free


def test_yes_keeps_the_free_topic_under_the_new_name(page, desk_server, desk_store, project):
    free = name_a_topic(page, desk_server, project)
    expect(page.locator(".proposal")).to_contain_text(f"Keep ‘{free}’ as Green?")
    page.keyboard.press("y")
    expect(page.locator(".line")).to_contain_text(f"Keep “{free}” as “Green”: done.")
    expect(page.locator(".proposal")).to_have_count(0)
    assert set(free.split(", ")) <= set(desk_store.word_rules(project.id).topics.added[3])
    assert shown(page) == PARK
    page.keyboard.press("Control+z")
    expect(page.locator(".line")).to_contain_text("The batch was undone.")
    assert not desk_store.word_rules(project.id).topics.added
    assert labels(desk_store, project.id)[-1] == (PARK, [3])  # the label stays


def test_the_next_text_takes_the_proposal_along(page, desk_server, desk_store, project):
    name_a_topic(page, desk_server, project)
    expect(page.locator(".proposal")).to_be_visible()
    page.keyboard.press("Enter")  # as ever: save and next
    expect(page.locator(f'.body:not([data-document="{PARK}"])')).to_be_visible()
    expect(page.locator(".proposal")).to_have_count(0)
    page.keyboard.press("y")  # means nothing now
    page.keyboard.press("ArrowLeft")
    expect(page.locator(f'.body[data-document="{PARK}"]')).to_be_visible()
    expect(page.locator(".proposal")).to_have_count(0)
    assert not desk_store.word_rules(project.id).topics


def test_no_is_escape_or_a_click_and_changes_nothing(page, desk_server, desk_store, project):
    name_a_topic(page, desk_server, project)
    expect(page.locator(".proposal")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".proposal")).to_have_count(0)
    expect(page.locator(".label-state.saved")).to_contain_text("Green")
    assert not desk_store.word_rules(project.id).topics


def test_another_page_opens_the_codebook_at_a_topic(page, desk_server, project):
    open_pane(page, desk_server, project.id, codebook=2)
    sheet = page.get_by_role("dialog", name="Codebook")
    expect(sheet.locator('[aria-current="true"]')).to_contain_text("Noise")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(page).not_to_have_url(re.compile("codebook"))
