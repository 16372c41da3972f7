"""Searches, whole lists, the codebook and five hundred labels, by keyboard in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.store import CreateTopic, ProjectSettings
from tests.browser.conftest import PATIENCE
from tests.browser.test_label_pane import labels, open_pane, shown
from tests.core.workspace import small
from tsnmf_ui.label import selections

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)
MANY = 500


@pytest.fixture
def project(desk_store):
    return small.project(desk_store, labelled=6, n=60)


def search(page: Page, words: str) -> None:
    page.keyboard.press("/")
    page.locator("#search").fill(words)


def test_five_hundred_labels_in_a_row_lose_double_and_misplace_none(page, desk_server, desk_store):
    n = MANY + 5
    project = desk_store.create_project(
        "Many", small.varied(n), ProjectSettings(n_free=1), author="ann"
    )
    for name in small.TRUTH:
        desk_store.record(project.id, CreateTopic(name), author="ann")
    open_pane(page, desk_server, project.id, mode="in_order")
    for position in range(MANY):
        page.keyboard.press(str(1 + position % 3))
        page.keyboard.press("Enter")
    told = page.locator(".title")
    expect(told).to_contain_text(f"{MANY} of {n} labelled", timeout=4 * PATIENCE)
    assert labels(desk_store, project.id) == [(i, [1 + i % 3]) for i in range(MANY)]
    assert shown(page) == MANY


def test_texts_like_this_one_and_the_way_back(page, desk_server, project):
    open_pane(page, desk_server, project.id, document=9)
    page.get_by_role("button", name="Texts like this one").click()
    expect(page.locator(".left h2")).to_contain_text("Similar texts")
    expect(page.locator(".by")).to_contain_text("By ")
    assert shown(page) == 9
    assert page.locator("#search").input_value() == 'like:"#d9"'
    rows = page.locator(".row .snippet")
    expect(rows.first).to_contain_text("water pipe")
    page.keyboard.press("Escape")
    expect(page.locator(".by")).to_have_count(0)
    page.keyboard.press("l")
    expect(page.locator(".by")).to_be_visible()
    search(page, 'like:"loud music at night" is:unlabelled')
    expect(rows.first).to_contain_text("noise night")


def test_a_search_with_filters_survives_a_reload_and_a_second_tab(page, desk_server, project):
    open_pane(page, desk_server, project.id, document=9)
    search(page, "music is:unlabelled")
    expect(page.locator(".left h2")).to_contain_text("18 matches")
    page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_have_text("music")
    here = shown(page)
    page.wait_for_url(f"**document={here}*")  # a moment after the text
    page.reload()
    expect(page.locator(".left h2")).to_contain_text("18 matches")
    assert shown(page) == here
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#search")).to_have_value("music is:unlabelled")
    expect(other.locator(f'.body[data-document="{here}"]')).to_be_visible()


def test_a_filter_that_makes_no_sense_is_answered_with_a_sentence(page, desk_server, project):
    open_pane(page, desk_server, project.id, document=9)
    search(page, "is:purple")
    expect(page.locator(".problem")).to_contain_text("is not known. There are unlabelled")


def test_a_search_by_a_column_is_saved_and_worked_through(page, desk_server, desk_store, project):
    open_pane(page, desk_server, project.id, document=9)
    page.locator("#filters").click()
    expect(page.locator("#hints")).to_contain_text("district:North, South")
    search(page, "music OR party district:south")
    expect(page.locator(".left h2")).to_contain_text("10 matches")
    page.get_by_role("button", name="Save search…").click()
    page.get_by_label("Name of the saved search").fill("Loud in the South")
    page.keyboard.press("Enter")
    expect(page.locator(".line")).to_contain_text("Saved as “Loud in the South”")
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    entry = page.locator(".menu li").first
    expect(entry).to_contain_text("9 left")  # of ten, one is labelled
    page.keyboard.press("Enter")
    expect(page.locator('.body[data-document="7"]')).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator(".left h2")).to_contain_text("8 left")
    page.reload()
    expect(page.locator("#saved .on")).to_contain_text("Loud in the South")
    assert [saved.name for saved in desk_store.saved_searches(project.id)] == ["Loud in the South"]


# What a search found is kept back until it is let go.
HOLD = """() => {
  const ask = window.fetch;
  window.fetch = async (...given) => {
    const answer = await ask(...given);
    if (String(given[0]).startsWith("api/rows")) await new Promise((go) => (window.letGo = go));
    return answer;
  };
}"""


def test_what_a_search_finds_too_late_does_not_replace_the_queue(page, desk_server, desk_store):
    project = small.project(desk_store, labelled=3, n=60)
    open_pane(page, desk_server, project.id, document=9)
    page.evaluate(HOLD)
    search(page, "music")
    page.wait_for_function("() => window.letGo")
    page.get_by_role("radio", name="In order").click()
    expect(page.locator('.body[data-document="3"]')).to_be_visible()
    page.evaluate("() => window.letGo()")
    page.keyboard.press("ArrowDown")
    expect(page.locator('.body[data-document="4"]')).to_be_visible()
    expect(page.locator(".left h2")).to_contain_text("Up next")


def test_the_list_grows_as_it_is_scrolled(page, desk_server, project):
    open_pane(page, desk_server, project.id, document=9)
    search(page, "is:unlabelled")
    expect(page.locator(".left h2")).to_contain_text("54 matches")
    expect(page.locator(".row")).to_have_count(30)
    page.locator(".rows").evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
    expect(page.locator(".row")).to_have_count(54)


def test_a_search_result_is_labelled_at_once_and_taken_back_at_once(
    page, desk_server, desk_store, project
):
    before = desk_store.annotations(project.id)
    open_pane(page, desk_server, project.id, document=9)
    search(page, "music")
    expect(page.locator(".left h2")).to_contain_text("20 matches")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Parks, allowed in all").click()
    expect(sheet.locator(".sum")).to_have_text("18 texts get this label.")
    expect(sheet).to_contain_text("2 labelled texts stay as they are.")
    sheet.get_by_role("radio", name="Replace labels").click()
    expect(sheet).to_contain_text("2 labels are replaced: 2 by ann.")
    sheet.get_by_role("button", name="Label 20 texts").click()
    expect(page.locator(".line")).to_contain_text("Labelled 20 texts.")
    assert all(desk_store.annotation(project.id, p).permitted == (3,) for p in range(1, 60, 3))
    page.keyboard.press("Control+z")
    expect(page.locator(".line")).to_contain_text("The batch was undone.")
    assert desk_store.annotations(project.id) == before


def test_a_selection_of_another_page_is_opened_by_its_address(
    page, desk_server, desk_store, project
):
    chosen = selections.Selection.of(project.id, "Circled on the map", [7, 3, 30])
    key = selections.save(desk_store.home, chosen)
    open_pane(page, desk_server, project.id, documents=key)
    expect(page.locator(".left h2")).to_contain_text("Circled on the map")
    assert shown(page) == 7
    page.keyboard.press("Escape")
    expect(page.locator(".left h2")).to_contain_text("Up next")


def test_the_codebook_is_one_key_away_and_keeps_what_is_written(
    page, desk_server, desk_store, project
):
    open_pane(page, desk_server, project.id, document=9)
    page.keyboard.press("b")
    sheet = page.get_by_role("dialog", name="Codebook")
    sheet.get_by_label("Definition").fill("Pipes and taps")
    sheet.get_by_role("button", name="Add the open text").click()
    expect(sheet.locator(".example")).to_contain_text("#d9")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    said = desk_store.codebook(project.id)[1]
    assert (said.definition, said.examples) == ("Pipes and taps", (9,))


def test_how_many_wait_is_told_once_whatever_the_order(page, desk_server, desk_store, project):
    open_pane(page, desk_server, project.id, document=9)  # the queue may be empty: copies wait once
    for mode in ("Possible mistakes", "In order"):
        page.get_by_role("radio", name=mode).click()
        expect(page.get_by_role("radio", name=mode)).to_be_checked()
        expect(page.locator(".left h2")).to_have_text("Up next")
        expect(page.locator(".title span")).to_have_text(
            re.compile(r"^6 of 60 labelled, \d+ waiting, \d+ near-copies$")
        )
    search(page, "music")
    expect(page.locator(".left h2")).to_contain_text("20 matches")
    expect(page.locator(".title span")).to_have_text("6 of 60 labelled")


def test_what_a_refit_changed_is_one_key_away(page, desk_server, desk_store, project):
    open_pane(page, desk_server, project.id, document=9)
    expect(page.locator(".desk[data-run]")).to_be_visible()
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="See changes")).to_be_visible()
    expect(page.locator(".line")).to_contain_text(
        re.compile(r"Right on \d of 7 labelled texts when left out, \d+ %")
    )
    page.keyboard.press("d")
    sheet = page.get_by_role("dialog", name="What the last refit changed")
    expect(sheet.locator("tr.touched")).to_contain_text("Noise")
    expect(sheet.locator("thead")).to_contain_text("Top 10 words kept")
    expect(sheet.locator(".lead")).to_contain_text(re.compile(r"fitted to \d+ labels"))
    expect(sheet.locator(".lead")).to_contain_text(re.compile(r"kept \d+ % of their first 20"))
    sheet.get_by_role("button", name="Undo this event").click()
    expect(page.locator(".label-state.saved")).to_have_count(0)
    assert desk_store.annotation(project.id, 9) is None
