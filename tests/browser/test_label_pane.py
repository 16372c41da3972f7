"""The labelling pane under real keys: nothing lost, nothing doubled, nothing taken for markup."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from core.corpus import Corpus
from core.store import CreateTopic, ProjectSettings, Store
from tests.browser.conftest import PATIENCE, Server
from tests.core.workspace import small

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)
HOSTILE = "<img src=x onerror=\"document.title='broken'\"> <b>bold</b> & 😀 water pipe"


@pytest.fixture
def store(desk_store):
    return desk_store


@pytest.fixture
def project(store):
    return small.project(store, labelled=0, n=60)


def open_pane(page: Page, server: Server, project: int, **place: object) -> None:
    query = "".join(f"&{name}={value}" for name, value in place.items())
    page.goto(f"{server.address}/label?project={project}{query}")
    expect(page.locator(".body")).to_be_visible()


def newer_desk(run: int) -> str:
    """The pane once it shows a full fit after this run; on a busy machine a preview comes first."""
    return f".desk[data-stage=resting]:not([data-run='{run}'])"


def shown(page: Page) -> int:
    return int(page.locator(".body").get_attribute("data-document"))


def labels(store: Store, project: int) -> list[tuple[int, list[int]]]:
    events = [event for event in store.events(project) if event.kind == "label"]
    return [(event.position, event.payload["permitted"]) for event in events]


# Keys at once, as from a hand that does not wait for the page.
BURST = """(keys) => keys.forEach((key) => document.body.dispatchEvent(
  new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true })))"""


def test_a_burst_of_keys_arrives_whole_and_in_order(page, desk_server, store):
    project = store.create_project("Desk", small.varied(60), ProjectSettings(), author="ann")
    for name in small.TRUTH:
        store.record(project.id, CreateTopic(name), author="ann")
    open_pane(page, desk_server, project.id, mode="in_order")
    for n in range(20):
        page.keyboard.press(str(1 + n % 3))
        page.keyboard.press("Enter")
    expect(page.locator(".title")).to_contain_text("20 of 60 labelled")
    assert labels(store, project.id) == [(n, [1 + n % 3]) for n in range(20)]


def test_several_topics_forbidden_ones_and_confidence(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    for key in ("1", "2", "Alt+3", "e"):
        page.keyboard.press(key)
    expect(page.locator(".label-state")).to_contain_text("half weight")
    said = store.annotation(project.id, 4)
    assert (said.permitted, said.forbidden, said.confidence) == ((1, 2), (3,), "unsure")


def test_undo_and_redo_survive_a_reload(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("1")
    expect(page.locator(".label-state.saved")).to_be_visible()
    page.reload()
    expect(page.locator(".label-state.saved")).to_be_visible()
    assert shown(page) == 4
    page.keyboard.press("Control+z")
    expect(page.locator(".label-state.saved")).to_have_count(0)
    assert store.annotation(project.id, 4) is None
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".label-state.saved")).to_be_visible()
    assert store.annotation(project.id, 4).permitted == (1,)


def test_a_label_counts_at_once_and_so_does_its_withdrawal(page, desk_server, store):
    project = small.project(store, n=6, labelled=0)
    open_pane(page, desk_server, project.id, mode="in_order")
    told = page.locator(".title")
    for key, sentence in (("1", "1 of 6 labelled, 5 waiting"), ("1", "0 of 6 labelled, 6 waiting")):
        page.keyboard.press(key)
        expect(told).to_contain_text(sentence)


def test_after_the_last_text_there_is_nothing_to_permit_or_forbid(page, desk_server, store):
    project = small.project(store, n=2, labelled=0)
    open_pane(page, desk_server, project.id, mode="in_order")
    page.evaluate(BURST, ["1", "Enter", "2", "Enter", "3"])
    expect(page.locator(".done")).to_contain_text("Every text is labelled.")
    expect(page.locator(".pick").first).to_be_disabled()
    expect(page.locator(".not").first).to_be_hidden()
    assert labels(store, project.id) == [(0, [1]), (1, [2])]


def test_a_label_does_not_pass_for_the_reading_of_a_newer_run(page, desk_server, project):
    def ahead(route):
        answer = route.fetch()
        told = answer.json()
        route.fulfill(json={**told, "refit": {**told["refit"], "run": told["refit"]["run"] + 1}})

    open_pane(page, desk_server, project.id, document=4)
    expect(page.locator(".line")).to_contain_text("refitted")
    run = int(page.locator(".reading").get_attribute("data-run"))
    page.route("**/api/requests", ahead, times=1)
    page.keyboard.press("1")
    expect(page.locator(".topic.on")).to_be_visible()
    expect(page.locator(f"{newer_desk(run)} .reading:not([data-run='{run}'])")).to_be_visible()


def test_two_keys_name_the_tenth_topic(page, desk_server, store, project):
    for n in range(7):
        store.record(project.id, CreateTopic(f"Further {n}"), author="ann")
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator(".topic.on")).to_contain_text("Further 6")
    assert store.annotation(project.id, 4).permitted == (10,)


def test_enter_without_a_label_does_not_leave(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("Enter")
    expect(page.locator(".line")).to_contain_text("Choose at least one topic")
    assert shown(page) == 4


def test_skip_and_back(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("s")
    expect(page.locator('.body:not([data-document="4"])')).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('.body[data-document="4"]')).to_be_visible()
    assert store.skipped(project.id) == {4}


def test_a_new_topic_from_this_text_and_a_note(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("t")
    page.keyboard.type("Street lamps 1")
    page.keyboard.press("Enter")
    expect(page.locator(".topic.on")).to_contain_text("Street lamps 1")
    page.keyboard.press("n")
    page.keyboard.type("Ask the 3rd office")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_have_text("Ask the 3rd office")
    said = store.annotation(project.id, 4)
    assert (said.permitted, said.note) == ((4,), "Ask the 3rd office")


def test_what_is_typed_before_the_field_opens_belongs_into_it(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.evaluate(BURST, ["1", "t", *"Lamps x 1", "Enter"])
    expect(page.locator(".topic.on").nth(1)).to_contain_text("Lamps x 1")
    page.evaluate(BURST, ["n", *"see 3", "Enter"])
    expect(page.locator(".note")).to_have_text("see 3")
    said = store.annotation(project.id, 4)
    assert (said.permitted, said.note) == ((1, 4), "see 3")
    assert not store.skipped(project.id)


def test_what_was_typed_for_a_text_stays_with_it_however_fast_the_next_one_is_called(
    page, desk_server, store, project
):
    open_pane(page, desk_server, project.id, mode="in_order")
    page.evaluate(
        BURST, ["1", "n", *"see 3", "Enter", "Enter", "t", *"Lamps", "Enter", "Enter", "2"]
    )
    expect(page.locator('.body[data-document="2"]')).to_be_visible()
    expect(page.locator(".topic.on")).to_contain_text("Noise")
    assert labels(store, project.id) == [(0, [1]), (0, [1]), (1, [4]), (2, [2])]
    assert [store.annotation(project.id, n).note for n in range(3)] == ["see 3", "", ""]


def test_a_free_topic_is_adopted(page, desk_server, store):
    project = small.parks_free(store)
    open_pane(page, desk_server, project.id)
    expect(page.locator(".free-topic button")).to_contain_text("F")
    expect(page.locator(".text mark.free").first).to_have_css("display", "inline")
    page.keyboard.press("f")
    page.keyboard.press("Enter")
    expect(page.locator(".topic")).to_have_count(3)
    assert store.events(project.id)[-1].payload["found"] is not None


def test_search_lists_the_matches(page, desk_server, project):
    open_pane(page, desk_server, project.id)
    page.keyboard.press("/")
    page.keyboard.type("music")
    expect(page.locator(".left h2")).to_contain_text("20 matches")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator(".left h2")).to_contain_text("Up next")


def test_the_mouse_does_it_too(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.locator(".pick", has_text="Noise").click()
    expect(page.locator(".topic.on")).to_contain_text("Noise")
    page.get_by_role("button", name="Save and next").click()
    expect(page.locator('.body:not([data-document="4"])')).to_be_visible()
    assert store.annotation(project.id, 4).permitted == (2,)


def test_help_opens_and_closes(page, desk_server, project):
    open_pane(page, desk_server, project.id)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("nothing fits")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_have_count(0)


def test_documents_are_text_never_markup(page, desk_server, store):
    corpus = Corpus(
        ids=("<i>1</i>", "2"), texts=(HOSTILE, "water pipe leak"), side={"a": ("<u>", "")}
    )
    project = store.create_project("<s>x</s>", corpus, ProjectSettings(n_free=1), author="<p>")
    open_pane(page, desk_server, project.id, document=0)
    assert page.locator(".text").text_content() == HOSTILE
    assert page.locator(".desk :is(img, i i, u, .text b, .title s)").count() == 0
    assert page.title() != "broken"


def test_a_refit_arrives_by_itself(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    expect(page.locator(".line")).to_contain_text("refitted")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.locator(".line")).to_contain_text(re.compile(r"fitted to \d+ label"))


def test_a_refit_tells_new_shares_and_leaves_the_text_as_it_is(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    expect(page.locator(".reading[data-run]")).to_be_visible()
    first = int(page.locator(".reading").get_attribute("data-run"))
    text = page.locator(".text").inner_html()
    page.keyboard.press("1")  # the text is about noise; a label is obeyed
    reading = page.locator(f"{newer_desk(first)} .reading:not([data-run='{first}'])")
    expect(reading).to_have_attribute("aria-label", "The model reads: Water 100 %")
    expect(page.locator(".topic .share").first).to_have_text("100 %")
    assert page.locator(".text").inner_html() == text


def test_a_label_survives_a_server_that_is_killed_meanwhile(page, server):
    with Store.open(home=server.home) as store:
        project = small.project(store, labelled=0)
        open_pane(page, server, project.id, document=4)
        server.stop(kill=True)
        page.keyboard.press("1")
        expect(page.locator(".line")).to_contain_text("Nothing is lost")
        server.start()
        expect(page.locator(".label-state.saved")).to_be_visible()
        assert store.annotation(project.id, 4).permitted == (1,)
        assert len(labels(store, project.id)) == 1
        page.keyboard.press("Control+z")  # undo knows nothing of restarts
        expect(page.locator(".label-state.saved")).to_have_count(0)
        assert store.annotation(project.id, 4) is None


def test_what_is_typed_survives_a_refit_and_no_key_of_it_becomes_an_act(
    page, desk_server, store, project
):
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("1")
    expect(page.locator(".label-state.saved")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.type("Ask the ")
    expect(page.locator(".line")).to_contain_text(
        re.compile(r"fitted to \d+ label")
    )  # drawn anew by a refit
    page.keyboard.type("next desk")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_have_text("Ask the next desk")
    assert shown(page) == 4
    assert store.skipped(project.id) == frozenset()


def test_a_note_without_a_label_stays_and_goes_with_the_label(page, desk_server, store, project):
    open_pane(page, desk_server, project.id, document=4)
    page.keyboard.press("n")
    page.keyboard.type("Whose pipe is this")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_have_text("Whose pipe is this")
    page.reload()
    expect(page.locator(".note")).to_have_text("Whose pipe is this")
    page.keyboard.press("1")
    expect(page.locator(".label-state.saved")).to_be_visible()
    assert store.annotation(project.id, 4).note == "Whose pipe is this"


def test_a_long_name_is_read_whole(page, desk_server, store, project):
    name = "Patient and staff survey of all departments: answers and comments on waiting times, "
    store.rename_project(project.id, f"{name}billing and communication")
    page.set_viewport_size({"width": 1280, "height": 720})
    open_pane(page, desk_server, project.id)
    title = page.locator(".title b")
    expect(title).to_contain_text("communication")
    assert title.evaluate("(each) => each.scrollHeight <= each.clientHeight + 1")
    bottom = page.locator(".title span").evaluate("(each) => each.getBoundingClientRect().bottom")
    assert bottom < page.locator(".rows").evaluate("(each) => each.getBoundingClientRect().top")
