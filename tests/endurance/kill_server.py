"""Label by keyboard in a real browser while the server is killed at random moments.

    python -m tests.endurance.kill_server --events 10000 --seed 0

A colleague restores, deletes and imports meanwhile. Every act that was acknowledged must be on the
log once, every other at most once; after every kill the log must have grown only, the tables must
say what it says, and every run must be readable.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, BROWSERS
from tests.endurance.endurance_run import EnduranceRun, Settings, endure

EVENTS_PER_KILL = 40


def table(run: EnduranceRun) -> str:
    """What there was to see, as Markdown."""
    ledger, counts = run.audit.ledger, run.counts
    found = ledger.check()
    rows: dict[str, float] = {
        "events": ledger.recorded,
        "kills": run.lives.kills,
        "kills while a fit was seen running": counts["killed during a fit"],
        "acknowledged": ledger.acknowledged,
        "lost": len(found.lost),
        "doubled": len(found.doubled),
        "foreign": len(found.foreign),
        "other faults": len(run.wrong) - len(found.sentences()),
        "restores": counts["restore"],
        "topics deleted": counts["delete_topic"],
        "label files imported": counts["import_labels"],
        "bulk labels": ledger.answered("bulk"),
        "projects imported": counts["import_project"],
        "projects deleted": counts["delete_project"],
        "of these on other pages": counts["on other pages"],
        "requests refused": len(run.analyst.refusals),
        "keys without a request": ledger.unsent,
        "rows on the log": run.audit.revision,
        "seconds": round(run.seconds),
        "slowest restart (s)": round(max(run.lives.restarts[1:], default=0.0), 1),
        "slowest page (s)": round(run.slowest_page, 1),
    }
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {n:,} |" for name, n in rows.items())])


@contextmanager
def _folder(home: Path | None) -> Iterator[Path]:
    if home is not None:
        home.mkdir(parents=True, exist_ok=True)
        yield home
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@contextmanager
def _chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit("There is no Chromium on this machine.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def _settings(chosen: argparse.Namespace) -> Settings:
    kills = chosen.events // EVENTS_PER_KILL if chosen.kills is None else chosen.kills
    return Settings(
        events=chosen.events,
        kills=kills,
        seed=chosen.seed,
        n_docs=chosen.documents,
        seconds=chosen.seconds,
    )


def main() -> int:
    """Run by hand, and say what came of it."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    asked.add_argument("--events", type=int, default=10_000)
    asked.add_argument("--kills", type=int, help=f"one in {EVENTS_PER_KILL} events if left out")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--documents", type=int, default=500)
    asked.add_argument("--seconds", type=float, default=10_800.0, help="stop after so long")
    asked.add_argument("--home", type=Path, help="an empty folder, which is kept")
    chosen = asked.parse_args()
    settings = _settings(chosen)
    signal.signal(signal.SIGTERM, lambda *_: settings.stop.set())
    with _folder(chosen.home) as home, _chromium() as browser:
        run = endure(home, browser, settings)
    print(table(run))
    if settings.stop.is_set():
        print("Told to stop.")
    print("\n".join(run.wrong) or "Nothing was lost, nothing doubled.")
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
