"""An analyst at the labelling pane in a real browser, who presses keys at random."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from core.store.events.origin import Origin
from tests.endurance.ledger import Ledger

PATIENCE_SECONDS = 90.0  # that anything on a page may take on a busy machine
MAX_KEYED_TOPICS = 9
MAX_BATCH = 25
SEARCHED = ("bake", "fike", "goke", "luke", "moke", "pake", "rike", "sake")
KEY_HELP = 'dialog[aria-label="Keys"]'

# Tells of every request the pane sends and of every answer it gets.
WATCH_REQUESTS = """
const send = window.fetch;
window.fetch = async (address, options) => {
  if (!String(address).includes("api/requests")) return send(address, options);
  const { client, sequence, request } = JSON.parse(options.body);
  window.requestSent({ client, sequence, kind: request.kind });
  const response = await send(address, options);
  const body = await response.clone().json().catch(() => ({}));
  const sentence = body.error ?? body.conflict ?? "";
  const { status } = response;
  window.requestAnswered({ client, sequence, status, event: body.event ?? null, sentence });
  return response;
};
"""
FOCUSED_TAG = """() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.tagName;
}"""

Notify = Callable[[str], None]


class Analyst:
    """Drives one open Label page; what is pressed, sent and answered goes to the ledger."""

    def __init__(self, page: Page, ledger: Ledger, author: str, notify: Notify) -> None:
        self.page, self.ledger, self.author = page, ledger, author
        self.notify = notify  # called with “sent” and “answered” as it happens
        self.refusals: list[str] = []
        self.typed = 0
        self.n_topics = 1
        page.expose_function("requestSent", self._sent)
        page.expose_function("requestAnswered", self._answered)
        page.add_init_script(WATCH_REQUESTS)

    def open(self, address: str) -> None:
        self.page.goto(address)
        self._await_pane()

    def reload(self) -> None:
        """Requests that nobody has answered are sent again by the pane that follows."""
        self.page.reload()
        self._await_pane()

    def _await_pane(self) -> None:
        self.page.locator(".body, .done").first.wait_for()

    def _receipt(self, told: dict[str, Any]) -> tuple[str, int]:
        origin = Origin(self.author, told["client"], told["sequence"])
        return str(origin.receipt), int(told["sequence"])

    def _sent(self, told: dict[str, Any]) -> None:
        if told["kind"] != "next":
            self.ledger.send(self._receipt(told), told["kind"])
        self.notify("sent")

    def _answered(self, told: dict[str, Any]) -> None:
        if told["status"] == 200:
            self.ledger.answer(self._receipt(told), told["event"])
        elif told["status"] < 500 and told["status"] != 403:
            self.refusals.append(told["sentence"])
        self.notify("answered")

    # ---- keys

    def burst(self, draw: random.Random, n: int) -> None:
        """So many keys, as from a hand that does not wait for the page."""
        for _ in range(n):
            draw.choices(
                (self._label, self._forbid, self._skip, self._nothing_fits, self._undo, self._redo),
                weights=(70, 7, 6, 4, 8, 5),
            )[0](draw)

    def _label(self, draw: random.Random) -> None:
        """A topic, and on to the next text most of the time."""
        self._press(str(draw.randint(1, self.keyed_topics)), "label")
        if draw.random() < 0.85:
            self.page.keyboard.press("Enter")

    def _forbid(self, draw: random.Random) -> None:
        self._press(f"Alt+{draw.randint(1, self.keyed_topics)}", "label")

    def _skip(self, draw: random.Random) -> None:
        self._press("s", "skip")

    def _nothing_fits(self, draw: random.Random) -> None:
        self._press("x", "label")
        self.page.keyboard.press("Enter")

    def _undo(self, draw: random.Random) -> None:
        self._press("Control+z", "undo")

    def _redo(self, draw: random.Random) -> None:
        self._press("Control+Shift+z", "redo")

    def _press(self, key: str, kind: str) -> None:
        self.ledger.press(kind)
        self.page.keyboard.press(key)

    def note(self) -> None:
        self._type("n", f"note {self._number()}", "label")

    def new_topic(self) -> None:
        self._type("t", f"Topic {self._number()}", "create_topic", "label")

    def _type(self, key: str, text: str, *kinds: str) -> None:
        self.ledger.press(*kinds)
        self.page.keyboard.press(key)
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def _number(self) -> int:
        self.typed += 1
        return self.typed

    def label_many(self, draw: random.Random) -> None:
        """Search for texts without a label, look at the preview, and label what was found."""
        page = self.page
        page.keyboard.press("/")
        page.keyboard.type(f"is:unlabelled {draw.choice(SEARCHED)}")
        page.keyboard.press("Enter")
        page.locator(".desk[data-list^=search]").wait_for()
        self.settle()
        if not page.locator("#queue .row").count():
            return
        self.ledger.press("bulk")
        page.keyboard.press("a")
        limit = page.locator('dialog[open] [data-k="b-limit"]')
        limit.fill(str(draw.randint(2, MAX_BATCH)))
        limit.press("Tab")
        page.locator('dialog[open] [data-k^="bp"]').nth(draw.randrange(self.keyed_topics)).click()
        page.locator('dialog[open] [data-k="bulk-yes"]:enabled').click()

    def leave_list(self) -> None:
        """Back to the queue."""
        if not self.page.locator(".desk[data-list^=queue]").count():
            self.page.keyboard.press("Escape")
            self.page.locator(".desk[data-list^=queue]").wait_for()

    # ---- what the page shows

    @property
    def keyed_topics(self) -> int:
        return max(1, min(MAX_KEYED_TOPICS, self.n_topics))

    def look(self) -> None:
        """Count the topics on screen; a burst goes by this, as a hand does."""
        self.n_topics = self.page.locator("#topics .topic").count()

    @property
    def finished(self) -> bool:
        """No text is open: every one is labelled."""
        return self.page.locator(".done").count() > 0

    def await_fit(self) -> bool:
        """Wait a little for a fit to run; whether one does."""
        with suppress(PlaywrightTimeoutError):
            self.page.locator(".line [data-k=cancel]").wait_for(timeout=5_000)
            return True
        return False

    def settle(self) -> None:
        """Return when the pane has done all that was asked: help is shown in its turn.

        A key that followed a refused one is dropped, so that it is pressed again. A refused note
        or name stays in its field.
        """
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            self.page.keyboard.press("?")
            with suppress(PlaywrightTimeoutError):
                self.page.locator("dialog[open]").wait_for(timeout=2_000)
                settled = self.page.locator(f"{KEY_HELP}[open]").count()
                self.page.keyboard.press("Escape")
                self.page.locator("dialog[open]").wait_for(state="detached")
                if settled:
                    return
            self._leave_field()
        raise TimeoutError(f"The page does not go on: {self.page.locator('.line').inner_text()}")

    def _leave_field(self) -> None:
        if self.page.evaluate(FOCUSED_TAG) in ("INPUT", "TEXTAREA"):
            self.page.keyboard.press("Escape")  # leaves the field
            self.page.keyboard.press("Escape")  # and closes its form
