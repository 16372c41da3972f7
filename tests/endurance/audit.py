"""The ledger of a run held against what is on disk."""

from __future__ import annotations

from pathlib import Path

from core.store import Store
from tests.endurance import store_checks
from tests.endurance.ledger import Ledger, LogRow

ANYONE = "anyone"  # projects do not say who imported or deleted them


class Audit:
    """What a project's log and the list of projects gained, and whether the store is whole."""

    def __init__(self, home: Path, project: int) -> None:
        self.home, self.project = home, project
        self.ledger = Ledger()
        self.wrong: list[str] = []
        self._log = store_checks.LogOnlyGrows()
        rows = store_checks.new_rows(home, project, 0)
        self.revision = rows[-1].number if rows else 0
        self._originals = self._known = self._projects()[0]
        self._deleted: frozenset[int] = frozenset()
        self._checked_run = 0

    def _projects(self) -> tuple[frozenset[int], frozenset[int]]:
        """Those that are there, and those that were deleted."""
        with Store.open(home=self.home) as store:
            there, gone = store.projects(), store.projects(deleted=True)
        return frozenset(each.id for each in there), frozenset(each.id for each in gone)

    @property
    def copies(self) -> list[int]:
        """Projects that were imported and not deleted."""
        return sorted(self._known - self._deleted - self._originals)

    def compare(self) -> None:
        """Read what is new, and hold the ledger against it."""
        rows = store_checks.new_rows(self.home, self.project, self.revision)
        self.revision = rows[-1].number if rows else self.revision
        there, gone = self._projects()
        made, deleted = (there | gone) - self._known, gone - self._deleted
        self.ledger.read(rows)
        self.ledger.read(LogRow(n, "import_project", ANYONE) for n in sorted(made))
        self.ledger.read(LogRow(n, "delete_project", ANYONE) for n in sorted(deleted))
        self._known, self._deleted = self._known | made, gone
        self.wrong += self.ledger.check().sentences()

    def check_store(self, *, every_run: bool = False) -> None:
        """Nothing may write meanwhile but a server that has just started."""
        self.wrong += [*self._log.check(self.home), *store_checks.damage(self.home)]
        with Store.open(home=self.home) as store:
            for project in store.projects():
                after = 0 if every_run or project.id != self.project else self._checked_run
                self.wrong += store_checks.differences(store, project.id)
                self.wrong += store_checks.unreadable_runs(store, project.id, after)
            newest = store.resting_run(self.project)
        self._checked_run = newest.id if newest else 0
