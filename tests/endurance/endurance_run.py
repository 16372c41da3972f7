"""One analyst at a real browser, one colleague at a time, one server that dies again and again."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError

from core.store import Store
from core.workspace import machine_user
from tests.browser.conftest import PATIENCE
from tests.endurance.analyst import Analyst
from tests.endurance.audit import Audit
from tests.endurance.colleague import Errand
from tests.endurance.killer import Killer
from tests.endurance.page_visits import PageVisits
from tests.endurance.random_errands import RandomErrands, create_projects, source_of
from tests.endurance.server_lives import ServerLives

STEPS = {"burst": 80, "note": 5, "topic": 4, "many": 4, "reload": 3, "visit": 2}  # how often each
KEYS_PER_BURST = (4, 14)
MAX_TOPICS = 12
EVENTS_PER_LINE = 500  # of what is printed on the way


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How long to go on, and from which seed."""

    events: int
    kills: int
    seed: int = 0
    n_docs: int = 500
    seconds: float = 3_600.0
    stop: threading.Event = field(default_factory=threading.Event)  # after the present step


class EnduranceRun:
    """Steps of keys, errands and kills; after each the ledger is held against the log."""

    def __init__(self, home: Path, browser: Browser, settings: Settings) -> None:
        self.home, self.settings = home, settings
        self.draw = random.Random(settings.seed)
        self.counts: Counter[str] = Counter()
        self.seconds = self.slowest_page = 0.0
        self.projects = create_projects(home, settings.n_docs)
        self.audit = Audit(home, self.projects.main)
        self.errands = RandomErrands(home, self.projects, self.draw)
        (home / "errands").mkdir()
        self.kill_at = sorted(self.draw.sample(range(settings.events), settings.kills))
        self.lives = ServerLives(home)
        self.killer = Killer(self.lives)
        self.context = browser.new_context(viewport={"width": 1280, "height": 800})
        self.context.set_default_timeout(PATIENCE)
        page, self.second_tab = self.context.new_page(), self.context.new_page()
        self.analyst = Analyst(page, self.audit.ledger, machine_user(), self.killer.notify)

    @property
    def events(self) -> int:
        return self.audit.ledger.recorded

    @property
    def wrong(self) -> list[str]:
        return self.audit.wrong

    def run(self) -> None:
        """Until there are enough events and kills, the time is over, or something is wrong."""
        began = time.monotonic()
        self.lives.start()
        self.analyst.open(f"{self.lives.address}/label?project={self.projects.main}")
        while not self.wrong and (self.kill_at or self.events < self.settings.events):
            before, self.seconds = self.events, time.monotonic() - began
            if self.seconds > self.settings.seconds or self.settings.stop.is_set():
                break
            try:
                self.step()
            except (TimeoutError, PlaywrightError) as error:
                self.wrong.append(f"{type(error).__name__}: {error}")
            if self.events // EVENTS_PER_LINE > before // EVENTS_PER_LINE:
                done = f"{self.events:,} events, {self.lives.kills} kills"
                print(f"{done}, {self.seconds:,.0f} s", flush=True)
        self.seconds = time.monotonic() - began
        self.lives.kill()
        self.audit.check_store(every_run=True)

    def close(self) -> None:
        """No process is left."""
        self.lives.close()
        self.context.close()

    # ---- one step

    def step(self) -> None:
        """Some keys, perhaps a colleague meanwhile, perhaps a kill; then hold all to the ledger."""
        self.analyst.look()
        what = self.draw.choices(tuple(STEPS), weights=tuple(STEPS.values()))[0]
        moment = self.arm(visit=what == "visit")
        errand = self.send_colleague()
        if moment == "idle":
            self.killer.kill()
        self.do(what)
        if moment:
            self.die_and_revive(moment)
        if what == "reload":
            self.analyst.reload()
        self.settle()
        if errand is not None:
            self.finish_errand(errand)
        self.audit.compare()

    def arm(self, *, visit: bool) -> str:
        """The moment at which the server will die in this step; empty if it will not."""
        if not self.kill_at or self.events < self.kill_at[0]:
            return ""
        self.kill_at.pop(0)
        return self.killer.arm(self.draw, visit=visit)

    def do(self, what: str) -> None:
        """Keys of one kind: what is typed into a field follows nothing that can be refused."""
        if what == "visit":
            self.visit()
        elif what == "note":
            self.analyst.note()
        elif what == "topic" and self.analyst.n_topics < MAX_TOPICS:
            self.analyst.new_topic()
        elif what == "many" and not self.lives.dead:
            self.analyst.label_many(self.draw)
        else:
            self.analyst.burst(self.draw, self.draw.randint(*KEYS_PER_BURST))

    def die_and_revive(self, moment: str) -> None:
        """Check what the dead server left behind, before or after another one has opened it."""
        if moment == "fit":
            self.counts["killed during a fit"] += self.analyst.await_fit()
        self.killer.finish()
        before = self.draw.random() < 0.5
        if before:
            self.audit.check_store()
        self.lives.start()
        if not before:
            self.audit.check_store()

    def settle(self) -> None:
        """The pane has done all that was asked, and shows its queue."""
        began = time.monotonic()
        self.analyst.settle()
        self.slowest_page = max(self.slowest_page, time.monotonic() - began)
        self.analyst.leave_list()

    # ---- the colleague, and other pages

    def send_colleague(self) -> Errand | None:
        finished = self.analyst.finished
        errand = self.errands.errand(self.audit.revision, self.audit.copies, finished=finished)
        if errand is not None:
            self.audit.ledger.attempt(source_of(errand.kind, errand.author))
            self.lives.send(errand)
        return errand

    def finish_errand(self, errand: Errand) -> None:
        self.lives.await_errand()
        if errand.answer.exists():
            self.acknowledge(errand.kind, errand.author)

    def acknowledge(self, kind: str, author: str) -> None:
        self.counts[kind] += 1
        self.audit.ledger.acknowledge(source_of(kind, author))

    def visit(self) -> None:
        """Something on another page, in a second tab."""
        kind = self.errands.visit(self.audit.copies)
        self.audit.ledger.attempt(source_of(kind, self.analyst.author))
        if self.visit_page(kind):
            self.counts["on other pages"] += 1
            self.acknowledge(kind, self.analyst.author)
        self.second_tab.goto("about:blank")

    def visit_page(self, kind: str) -> bool:
        """Whether the page said that it is done."""
        visits = PageVisits(self.second_tab, self.lives, partial(self.killer.notify, "clicked"))
        file = self.home / "errands" / ("side.zip" if kind == "import_project" else "labels.csv")
        if kind == "restore":
            return visits.restore(self.projects.main, self.draw)
        if kind == "delete_project":
            return visits.delete_project(self.draw.choice(self.audit.copies))
        if kind == "import_project":
            with Store.open(home=self.home) as store:
                store.export_project(self.projects.side, file)
            return visits.import_project(file)
        file.write_text(self.errands.table(), encoding="utf-8")
        return visits.import_labels(self.projects.main, file)


def endure(home: Path, browser: Browser, settings: Settings) -> EnduranceRun:
    """Run to the end; no process is left, however it ends."""
    run = EnduranceRun(home, browser, settings)
    try:
        run.run()
    finally:
        run.close()
    return run
