"""The whole walk: upload, create, label by keyboard, refit, topics, scores, restart."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, Server
from tests.core.workspace import small

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

MESSAGE_ON_TOP = """() => {
  const message = document.querySelector('[data-testid="stToast"]')?.getBoundingClientRect();
  return message && message.top >= 0 && message.bottom < 90;
}"""


@pytest.fixture(params=["sqlite", "postgresql"])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """On each database."""
    address = None
    if request.param == "postgresql":
        cluster = request.getfixturevalue("postgresql")
        address = cluster.address_of(cluster.take_schema())
    server = Server(tmp_path, address)
    server.start()
    yield server
    server.stop()


def table(path):
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text", "topic"])
        rows.writerows((d.id, d.text, d.labels[0]) for d in small.corpus(60))
    return path


def go(page: Page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").filter(has_text=name).click()


def create(page: Page, server: Server, path) -> None:
    page.goto(server.address)
    page.get_by_role("button", name="New project").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(path)
    page.get_by_role("button", name="Create project").click()
    page.wait_for_function(MESSAGE_ON_TOP)  # below, it covered the keys
    expect(page.locator(".body")).to_be_visible()


def label(page: Page, times: int) -> None:
    """Permit the first topic, wait until it is saved, move on; all by keyboard."""
    for _ in range(times):
        here = page.locator(".body").get_attribute("data-document")
        page.keyboard.press("1")
        expect(page.locator(".label-state.saved")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator(f'.body:not([data-document="{here}"])')).to_be_visible()


def test_from_a_file_to_topics_and_back_after_a_restart(page, server, tmp_path):
    create(page, server, table(tmp_path / "texts.csv"))
    label(page, 3)
    expect(page.locator(".line")).to_contain_text("fitted to 3 labels")
    with server.open_store() as store:
        before = store.annotations(1)
        assert len(before) == 3

    go(page, "Topics")
    expect(page.get_by_text("Water").first).to_be_visible()
    go(page, "Scores")
    expect(page.get_by_text("resolved").first).to_be_visible()

    server.stop(kill=True)
    server.start()
    page.goto(f"{server.address}/label?project=1")
    expect(page.locator(".title")).to_contain_text("3 of 60 labelled")
    with server.open_store() as store:
        assert store.annotations(1) == before
    more_texts(page, server, tmp_path / "june.csv", before)


def more_texts(page: Page, server: Server, path, labels) -> None:
    """Another file joins the project: seen before, counted after, and taken back."""
    path.write_text("id,text\nd0,water again\nn1,a new park bench\nn2,loud <b>music</b>\n")
    go(page, "Corpus")
    panel = page.locator(".st-key-panel-add-texts")
    panel.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(path)
    expect(panel).to_contain_text("New texts: 2.")
    panel.get_by_text("Update", exact=True).click()
    panel.get_by_role("button", name="Add 2 texts and update 1").click()
    expect(panel).to_contain_text("Added 2 texts")
    with server.open_store() as store:
        assert (store.project(1).n_docs, store.document(1, 61).text) == (62, "loud music")
        assert store.annotations(1) == labels
    panel.get_by_role("button", name="Undo").click()
    expect(panel).not_to_contain_text("Added 2 texts")
    with server.open_store() as store:
        assert (store.project(1).n_docs, store.document(1, 0).text) == (
            60,
            small.corpus(60).texts[0],
        )
