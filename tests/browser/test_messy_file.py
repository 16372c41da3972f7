"""A messy file becomes a project: joined columns, HTML, decimal commas, misspelled labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PATIENCE, Server

pytestmark = pytest.mark.browser
expect.set_options(timeout=PATIENCE)

THEMES = {
    "Luggage": "my suitcase was lost at the airport",
    "Refund": "the bank owes me money for a fraudulent payment",
    "Insurance": "the health plan does not cover the doctor",
}
N = 60


def messy_file(path: Path) -> Path:
    lines = ["Fall-Nr;Titel;Kommentar;Note 😀;Codes;Eingang"]
    for n in range(N):
        label = list(THEMES)[n % 3]
        body = f"<p>{THEMES[label]}</p> again {n}" if n % 4 == 0 else f"{THEMES[label]}, case {n}"
        code = "Refnd" if label == "Refund" and n % 5 == 0 else label
        lines.append(f"{n:05};Title {n};{body};{n % 10},5;{code};{n % 27 + 1}. Juni 2024")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def choose(page: Page, label: str, option: str) -> None:
    field = page.get_by_test_id("stMultiSelect").filter(has_text=label)
    field.locator("input").click()
    page.keyboard.press("ArrowDown")  # opens it if the page was drawn anew below the click
    page.get_by_role("option", name=option).click()
    page.keyboard.press("Escape")
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for()


def panel(page: Page) -> Locator:
    return page.locator(".st-key-panel-columns")


def test_a_messy_file_is_read_as_its_owner_means_it(page: Page, server: Server, tmp_path: Path):
    page.goto(server.address)
    page.get_by_role("button", name="New project").click()
    file = messy_file(tmp_path / "messy.csv")
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files(file)
    expect(panel(page)).to_contain_text("Not used: Titel")
    choose(page, "Join with the text", "Titel")
    expect(panel(page)).not_to_contain_text("Not used")
    choose(page, "Likely misspellings", "Codes: Refnd (4) → Refund (16)")
    expect(panel(page)).to_contain_text("joined by choice: “Refnd” as “Refund”")
    expect(panel(page)).to_contain_text("HTML was removed from the texts of 15 rows.")
    page.get_by_role("button", name="Create project").click()
    expect(page.locator(".body")).to_be_visible()
    with server.open_store() as store:
        document = store.document(1, 4)
        assert document.text == f"Title 4\n\n{THEMES['Refund']}\nagain 4"
        assert (document.id, document.labels) == ("00004", ("Refund",))
        assert str(document.date) == "2024-06-05"
    search = page.get_by_placeholder("Search")
    search.fill("note:>8.5")
    search.press("Enter")
    expect(page.get_by_text(f"{N // 10} matches")).to_be_visible()
