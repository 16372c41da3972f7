"""After a label a preview is on screen, then the full fit; Refit from scratch asks for one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.store import CreateTopic, Label, ProjectSettings, Store
from core.workspace.refits import when_to_refit
from core.workspace.refits.refit import refit
from tests.bench.planted_texts import planted_texts
from tests.browser.conftest import PATIENCE
from tests.core.workspace import small

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

# What the pane shows from now on: the stage, the words about it, and the height of its line.
WATCH = """(desk) => {
  const line = desk.querySelector(".line");
  const told = () => (line.querySelector(".stage") || line).textContent;
  window.shown = [];
  const note = () => window.shown.push([desk.dataset.stage, told(), line.offsetHeight]);
  const everything = { attributes: true, childList: true, characterData: true, subtree: true };
  new MutationObserver(note).observe(desk, everything);
}"""


@pytest.fixture
def slow_project(desk_store: Store) -> int:
    """A corpus whose full fit takes long enough to be seen, and is said to take longer."""
    made = desk_store.create_project(
        "Slow", planted_texts(8_000), ProjectSettings(n_free=8), author="ann"
    )
    for name in small.TRUTH:
        desk_store.record(made.id, CreateTopic(name), author="ann")
    for position in range(9):
        desk_store.record(made.id, Label(position, (1 + position % 3,)), author="ann")
    refit(desk_store, made.id)
    with desk_store._database.write() as connection:
        connection.exec_driver_sql(f"UPDATE runs SET seconds = 9 WHERE project = {made.id}")
    return made.id


def test_a_label_shows_a_preview_and_then_the_full_fit(page: Page, desk_server, slow_project):
    page.goto(f"{desk_server.address}/label?project={slow_project}&document=20")
    desk = page.locator(".desk[data-stage=resting]")
    expect(desk).to_be_visible()
    run = int(desk.get_attribute("data-run") or 0)
    desk.evaluate(WATCH)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator(f".desk[data-stage=resting][data-run='{run + 2}']")).to_be_visible()
    expect(page.locator(".line .stage")).to_contain_text("refitted")
    shown = page.evaluate("window.shown")
    follows = "Preview; the full fit follows"
    previews = [told for stage, told, _ in shown if stage == "preview"]
    assert previews
    assert all(told.startswith((follows, "refitt")) for told in previews)
    assert any(told.startswith(follows) for told in previews)
    assert len({height for *_, height in shown}) == 1  # nothing below or above it moves


def test_a_preview_that_a_server_left_becomes_a_full_fit(
    page: Page, desk_server, desk_store: Store, monkeypatch
):
    monkeypatch.setattr(when_to_refit, "QUICK_SECONDS", -1.0)
    made = small.fitted(desk_store)
    assert refit(desk_store, made.id, preview=True).id == 2
    page.goto(f"{desk_server.address}/topics?project={made.id}")
    expect(page.locator(".ts-head[data-run='3']")).to_contain_text("fitted")
    run = desk_store.current_run(made.id)
    assert (run.id, run.preview) == (3, False)


@pytest.mark.parametrize("where", ["topics", "scores"])
def test_fit_afresh_makes_the_same_topics_again(
    page: Page, desk_server, desk_store: Store, where: str
):
    made = small.fitted(desk_store)
    before = desk_store.run_topics(desk_store.current_run(made.id))
    page.goto(f"{desk_server.address}/{where}?project={made.id}")
    expect(page.locator(".ts-head[data-run='1']")).to_be_visible()
    page.get_by_role("button", name="Refit from scratch").click()
    expect(page.get_by_text("The model is being refitted from scratch.")).to_be_visible()
    expect(page.locator(".ts-head[data-run='2']")).to_be_visible()
    after = desk_store.current_run(made.id)
    assert after.id == 2
    assert (desk_store.run_topics(after).topic_term == before.topic_term).all()
