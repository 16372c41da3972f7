"""The label page under a stopwatch: ``python -m tests.bench.bench_ui [sizes]``.

A real Chromium drives a real server on planted texts. Times are taken in the page, from the key
event to the frame after the next card is drawn, so they hold everything a person waits for.
Prints Markdown tables. Browser, server and fit share the machine: the load is printed, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from core.spec import ModelSpec
from core.store import CreateTopic, Label, Project, ProjectSettings, Store
from core.workspace.refits.refit import outline, refit
from tests.bench.planted_texts import TOPICS, planted_texts
from tests.browser.conftest import ARGUMENTS, BROWSERS, Server
from tsnmf_ui.pages.navigation import PAGES

SIZES = (300, 8_000, 200_000)
ACTS = 100  # labels, of which the first are not counted:
WARM = 10  # server and browser have just begun
READER = 60  # milliseconds until the next key: a very quick reader
QUERIES = 40  # searches timed
REFITS = 6  # labels followed until the topics are there
TABS = 10
PATIENCE = 120_000  # milliseconds anything may take before the bench gives up
LABELLED = 200  # documents labelled beforehand
ENDLESS = ModelSpec(model="pfa", options={"max_iter": 20_000})  # the most a project may ask for

ANSWERED = "(query) => window.__bench.answers.some(([list]) => list.endsWith(query))"
# The page says when; asking it at every frame would cost it every frame.
SHOWN = """(n) => new Promise((done) => {
  const { times, told } = window.__bench;
  if (times.length > n) done();
  else told.push(done);
})"""
FITS = ("fits", "rests")  # times to the first new topics, and to those of the full fit
WATCH = """() => {
  if (window.__bench) return;
  window.__bench = {
    from: null, times: [], told: [], ask: null, answers: [], fit: null, fits: [],
    rest: null, rests: [],
  };
  const bench = window.__bench;
  const desk = () => [...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)
    .map((root) => root.querySelector('.desk')).find(Boolean) || document.querySelector('.desk');
  const painted = (then) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => then(performance.now());
    channel.port2.postMessage(0);
  });
  const root = desk();
  const place = () => root.querySelector('.body')?.dataset.document;
  let shown = place(), run = root.dataset.run, list = root.dataset.list;
  window.addEventListener('keydown', (event) => { // before the page's own listener
    if (event.key === '1') bench.from = bench.fit = bench.rest = event.timeStamp;
  }, true);
  root.addEventListener('input', (event) => { bench.ask = event.timeStamp; }, true);
  new MutationObserver(() => {
    if (place() !== shown) {
      shown = place();
      if (bench.from !== null) {
        const from = bench.from;
        bench.from = null;
        painted((now) => {
          bench.times.push(now - from);
          bench.told.splice(0).forEach((done) => done());
        });
      }
    }
    if (root.dataset.run !== run) {
      run = root.dataset.run;
      const { fit, rest } = bench; // the first topics after a key, and those of the full fit
      const resting = root.dataset.stage === 'resting';
      if (fit !== null) painted((now) => bench.fits.push(now - fit));
      if (rest !== null && resting) painted((now) => bench.rests.push(now - rest));
      bench.fit = null;
      if (resting) bench.rest = null;
    }
    if (root.dataset.list !== list) {
      list = root.dataset.list;
      const from = bench.ask;
      if (from !== null) painted((now) => bench.answers.push([list, now - from]));
    }
  }).observe(root, { subtree: true, childList: true, attributes: true });
}"""


@dataclass(frozen=True)
class Bench:
    """A server with a project of each size, and a browser before it."""

    server: Server
    browser: Browser
    projects: dict[int, int]
    busy: int  # project whose fit never ends

    def open(self, path: str, ready: str) -> Page:
        context = self.browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(self.server.address + path)
        page.wait_for_selector(ready)
        return page

    def desk(self, size: int, mode: str = "uncertain") -> Page:
        page = self.open(f"/label?project={self.projects[size]}&mode={mode}", ".body")
        page.wait_for_selector(".desk[data-run]")
        page.evaluate(WATCH)
        return page


def main(sizes: Sequence[int], home: Path | None) -> None:
    with bench(sizes, home) as it:
        say("## The label page in a browser", f"Load of the machine: {os.getloadavg()}.")
        acts_table(it, sizes)
        refit_table(it, [size for size in sizes if size >= 8_000])
        search_table(it, sizes)
        pages_table(it, sizes)
        memory_table(it, max(sizes))
        say(f"Load of the machine at the end: {os.getloadavg()}.")


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


@contextmanager
def bench(sizes: Sequence[int], kept: Path | None) -> Iterator[Bench]:
    """Everything made anew, or what an earlier bench has left in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        home = kept or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        projects, busy = prepare(home, sizes)
        server = Server(home)
        server.start()
        try:
            with sync_playwright() as playwright:
                path = next(filter(None, map(shutil.which, BROWSERS)))
                browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
                yield Bench(server, browser, projects, busy)
                browser.close()
        finally:
            server.stop()


def prepare(home: Path, sizes: Sequence[int]) -> tuple[dict[int, int], int]:
    """Projects as an analyst would have them: topics named, some texts labelled, fitted once."""
    rows, projects = [], {}
    with Store.open(home=home) as store:
        known = {project.name: project.id for project in store.projects()}
        for size in sizes:
            if f"{size:,} texts" in known:
                projects[size] = known[f"{size:,} texts"]
                continue
            begun = time.perf_counter()
            corpus = planted_texts(size)
            written = time.perf_counter()
            project = create(store, f"{size:,} texts", corpus)
            created = time.perf_counter()
            refit(store, project.id)
            outline(store, project.id).join()
            fitted = time.perf_counter()
            projects[size] = project.id
            times = (written - begun, created - written, fitted - created)
            rows.append([f"{size:,}", *(f"{seconds:.1f} s" for seconds in times)])
        settings = ProjectSettings(n_free=3, spec=ENDLESS)
        busy = known.get("Busy")
        busy = busy or create(store, "Busy", planted_texts(8_000, seed=1), settings).id
    head = ["documents", "texts made up", "project with index", "first matrix, fit and outline"]
    table("Getting ready", head, rows)
    return projects, busy


def create(
    store: Store, name: str, corpus: Any, settings: ProjectSettings | None = None
) -> Project:
    chosen = settings or ProjectSettings(n_free=3)
    project = store.create_project(name, corpus, chosen, author="bench")
    for n in range(TOPICS):
        store.record(project.id, CreateTopic(f"Topic {n + 1}"), author="bench")
    told = [
        Label(position, (int(corpus.labels[position][0].split()[1]),))
        for position in range(0, len(corpus), max(10, len(corpus) // LABELLED))
    ]
    store.record_batch(project.id, "Labels", told, author="bench")
    return project


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    say("", f"**{title}**", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}")
    for row in rows:
        say(f"| {' | '.join(row)} |")


def spread(times: Sequence[float]) -> tuple[str, str]:
    if not len(times):
        return "–", "–"
    return f"{np.percentile(times, 50):.0f} ms", f"{np.percentile(times, 95):.0f} ms"


def acts_table(it: Bench, sizes: Sequence[int]) -> None:
    rows = []
    for size in sizes:
        idle = label_times(it, size)
        with a_fit_running(it):
            busy = label_times(it, size)
        rows.append([f"{size:,}", *spread(idle), *spread(busy)])
    title = "Label key to next card painted (topic key and Enter, one after the other)"
    table(title, ["documents", "idle p50", "p95", "while a fit runs p50", "p95"], rows)


def label_times(it: Bench, size: int) -> list[float]:
    """The key of a topic, then Enter; the clock stops when the next card is on the screen."""
    page = it.desk(size)
    for n in range(ACTS):
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.evaluate(SHOWN, n)
        page.wait_for_timeout(READER)
    times: list[float] = page.evaluate("() => window.__bench.times")
    page.context.close()
    return times[WARM:]


@contextmanager
def a_fit_running(it: Bench) -> Iterator[None]:
    """Another project's fit holds the worker and its cores for as long as it takes."""
    page = it.open(f"/label?project={it.busy}", ".body")
    page.keyboard.press("1")  # a fit that was cancelled starts again with the next label
    page.wait_for_selector(".line [data-k=cancel]")
    try:
        yield
    finally:
        running = page.locator(".line [data-k=cancel]")
        if running.count():
            running.click()
            running.wait_for(state="detached")
        else:
            say("(The fit in the background ended before the measurement did.)")
        page.context.close()


def refit_table(it: Bench, sizes: Sequence[int]) -> None:
    rows = []
    for size in sizes:
        page = it.desk(size)
        for n in range(REFITS):
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_function("(n) => window.__bench.rests.length > n", arg=n)
            page.wait_for_timeout(300)
        first, resting = (page.evaluate(f"() => window.__bench.{name}") for name in FITS)
        rows.append([f"{size:,}", *spread(first), *spread(resting)])
        page.context.close()
    names = ["documents", "first p50", "p95", "full fit p50", "p95"]
    table("Label key to refreshed topics on screen", names, rows)


def searches(size: int) -> list[str]:
    """Common beginnings, common and rare words, phrases, and every filter."""
    corpus = planted_texts(min(size, 300))
    rng = np.random.default_rng(3)
    words = " ".join(corpus.texts).replace(".", "").lower().split()
    common = sorted(set(words), key=words.count, reverse=True)[:40]
    found = [word[:2] for word in common[:8]] + [word[:3] for word in common[8:14]]
    found += common[:6] + [str(word) for word in rng.choice(words, 8)]
    pairs = [f'"{words[i]} {words[i + 1]}"' for i in rng.integers(0, len(words) - 1, 6)]
    filters = ["is:unlabelled", "topic:1 score:>60", "label:2", "date:2025-03", "is:labelled -zz"]
    return [*found, *pairs, *filters, f"{common[0]} is:unlabelled date:>2025"][:QUERIES]


def search_table(it: Bench, sizes: Sequence[int]) -> None:
    rows = []
    for size in sizes:
        page = it.desk(size)
        for query in searches(size):
            page.keyboard.press("/")
            page.locator("#search").fill(query)
            page.wait_for_function(
                "(query) => window.__bench.answers.some(([list]) => list.endsWith(query))",
                arg=query,
            )
        typed = [ms for _, ms in page.evaluate("() => window.__bench.answers")]
        server = page.evaluate(
            "() => performance.getEntriesByType('resource')"
            ".filter((e) => e.name.includes('api/rows')).map((e) => e.duration)"
        )
        rows.append([f"{size:,}", *spread(server), *spread(typed)])
        page.context.close()
    head = ["documents", "answer p50", "p95", "last key to list painted p50", "p95"]
    table("Search (the second pair includes 120 ms of waiting for the next key)", head, rows)


def pages_table(it: Bench, sizes: Sequence[int]) -> None:
    rows = []
    for name in PAGES:
        row = [name]
        for size in sizes:
            first, whole = page_time(it, name, size)
            row += [f"{first:.0f} ms", f"{whole:.0f} ms"]
        rows.append(row)
    head = ["page", *(f"{size:,}: {what}" for size in sizes for what in ("first paint", "ready"))]
    table("Opening a page in a new tab", head, rows)


def page_time(it: Bench, name: str, size: int) -> tuple[float, float]:
    context = it.browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    begun = time.perf_counter()
    page.goto(f"{it.server.address}/{name}?project={it.projects[size]}")
    page.wait_for_selector('.stApp[data-test-script-state="notRunning"]')
    whole = (time.perf_counter() - begun) * 1000
    first: float = page.evaluate(
        "() => (performance.getEntriesByName('first-contentful-paint')[0] || {}).startTime || 0"
    )
    context.close()
    return first, whole


def memory_table(it: Bench, size: int) -> None:
    before = memory(it)
    pages = [it.desk(size) for _ in range(TABS)]
    with_tabs = memory(it)
    for page in pages:
        page.context.close()
    names = ("server", "worker")
    rows = [
        [name, f"{before.get(name, 0):.0f} MB", f"{with_tabs.get(name, 0):.0f} MB"]
        for name in names
    ]
    title = f"Memory on {size:,} documents (proportional set size)"
    table(title, ["process", "before", f"with {TABS} open tabs"], rows)


def memory(it: Bench) -> dict[str, float]:
    """Of the server and of the processes it has started."""
    assert it.server.process is not None
    server = it.server.process.pid
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return {"server": size_of(server), "worker": sum(size_of(int(child)) for child in children)}


def size_of(process: int) -> float:
    """Megabytes that would be freed with the process."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    told = next(line for line in lines if line.startswith("Pss:"))
    return int(told.split()[1]) / 1024


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--home", type=Path, help="a folder to keep the projects in")
    given = parser.parse_args()
    main(given.sizes, given.home)
