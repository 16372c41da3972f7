"""What the analyst does on other pages, in a second tab: restore, import, delete.

None of it has a receipt: a click that a killed server has not answered is not repeated. It is
acknowledged when the page says so.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from tests.endurance.server_lives import ServerLives

LOOK_AGAIN_MS = 500  # whether the server is still alive
CLICK_AGAIN_MS = 15_000  # a click is lost when the page is being drawn anew under it
MAX_LOOKS = 180
MAX_CLICKS = 6
COLLEAGUE_WON = "Somebody has changed the project meanwhile."


class PageVisits:
    """One tab; ``clicked`` is called at the click that decides, and then the server may die."""

    def __init__(self, page: Page, lives: ServerLives, clicked: Callable[[], None]) -> None:
        self.page, self.lives, self.clicked = page, lives, clicked
        self.address = lives.address

    def restore(self, project: int, draw: random.Random) -> bool:
        """A point of the first page of the history; whether the page said that it is done."""
        self.page.goto(f"{self.address}/history?project={project}")
        lines = self.page.locator('[class*="st-key-history-restore-"] button:visible')
        lines.first.wait_for()
        line = lines.nth(draw.randrange(lines.count()))
        confirm = self.page.locator(".st-key-history-confirm button")
        unneeded = self.page.get_by_text("Nothing has changed since this event.")
        _click_until(lambda: line.dispatch_event("click"), confirm.or_(unneeded))
        return not unneeded.count() and self._decide(confirm.click, "Restored. You can undo this.")

    def import_labels(self, project: int, file: Path) -> bool:
        self.page.goto(f"{self.address}/history?project={project}&part=Export+and+import")
        labels = self.page.get_by_role("region", name="File of labels")
        labels.locator("input[type=file]").set_input_files(file)
        do = self.page.locator(".st-key-history-import-do button")
        do.wait_for()
        return do.is_enabled() and self._decide(do.click, "One undo reverts them all")

    def import_project(self, file: Path) -> bool:
        self.page.goto(self.address)
        field = self.page.locator("input[type=file]")
        button = self.page.get_by_role("button", name="Import").first
        _click_until(button.click, field, state="attached")
        return self._decide(
            lambda **_: field.set_input_files(file), "was imported with its history."
        )

    def delete_project(self, project: int) -> bool:
        self.page.goto(self.address)
        card = self.page.locator(f".st-key-project-card-{project}")
        delete = self.page.locator(f".st-key-projects-delete-{project} button")
        _click_until(card.get_by_role("button", name="More").click, delete)
        return self._decide(delete.click, "was deleted.")

    def _decide(self, click: Callable[..., None], sentence: str) -> bool:
        """The click that does it; true once the page says the sentence, false if it can not.

        It cannot if the server was killed, or if the colleague was quicker.
        """
        self.clicked()
        with suppress(PlaywrightTimeoutError):
            click(timeout=CLICK_AGAIN_MS)
        answer, refused = (self.page.get_by_text(said).first for said in (sentence, COLLEAGUE_WON))
        for _ in range(MAX_LOOKS):
            with suppress(PlaywrightTimeoutError):
                answer.or_(refused).first.wait_for(timeout=LOOK_AGAIN_MS)
                return bool(answer.count())
            if self.lives.dead:
                return False
        said = self.page.get_by_role("alert").all_inner_texts()
        raise TimeoutError(f"The page never said: {sentence} It says: {' '.join(said)}")


def _click_until(click: Callable[[], None], wanted: Locator, state: str = "visible") -> None:
    for _ in range(MAX_CLICKS):
        click()
        with suppress(PlaywrightTimeoutError):
            wanted.wait_for(state=state, timeout=CLICK_AGAIN_MS)  # type: ignore[arg-type]
            return
    raise TimeoutError("The page does not take a click.")
