"""The files beside the database: which there are, and the project or run each belongs to.

Only files that cannot be made again at once: factors, scores, comparisons, what reports showed and
the analyst's own vectors. ``core/workspace/caches/paths.py`` lists all others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from core.store.runs.factors import AUTOMATIC_RUNS_WITH_FACTORS
from core.store.tables import projects, runs

NAMES = {
    "factors": re.compile(r"factors/(?P<project>\d{1,18})/(?P<run>\d{1,18})\.npz"),
    "scores": re.compile(
        r"scores/(?P<project>\d{1,18})/(history\.jsonl|seeds\.json|\d{1,18}-\d{1,18}\.npz)"
    ),
    "comparisons": re.compile(
        r"comparisons/(?P<project>\d{1,18})/\d{1,18}/(about\.json|found\.json|\d{1,18}\.npz)"
    ),
    "reports": re.compile(r"reports/(?P<project>\d{1,18})/issued\.json"),
    "vectors": re.compile(r"vectors/(?P<project>\d{1,18})/[0-9a-z-]{1,100}\.npz"),
}


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as its row says, as far as its file is concerned."""

    project: int
    run: int
    preview: bool
    has_factors: bool  # factors of old automatic runs are deleted

    @property
    def name(self) -> str:
        return f"factors/{self.project}/{self.run}.npz"


def owner_of(name: str) -> tuple[int, int | None] | None:
    """The project of a file and, of factors, the run; None if it is no file of a store."""
    pattern = NAMES.get(name.partition("/")[0])
    found = pattern.fullmatch(name) if pattern else None
    if found is None:
        return None
    groups = found.groupdict()
    return int(groups["project"]), int(groups["run"]) if "run" in groups else None


def files_in(home: Path, folder: str) -> Iterator[str]:
    """The names of all files in one of the folders, relative to the home, in order."""
    for place, below, names in os.walk(home / folder):
        below.sort()
        yield from ((Path(place) / name).relative_to(home).as_posix() for name in sorted(names))


def read_stored_runs(connection: Connection) -> list[StoredRun]:
    """All runs, by project, oldest first."""
    columns = select(runs.c.project, runs.c.id, runs.c.automatic, runs.c.preview)
    newest_first = connection.execute(columns.order_by(runs.c.project, runs.c.id.desc()))
    seen: dict[int, int] = {}  # automatic runs by project
    found = []
    for row in newest_first:
        seen[row.project] = seen.get(row.project, 0) + row.automatic
        kept = not row.automatic or seen[row.project] <= AUTOMATIC_RUNS_WITH_FACTORS
        found.append(StoredRun(row.project, row.id, row.preview, kept))
    return sorted(found, key=lambda each: (each.project, each.run))


def read_project_names(connection: Connection) -> dict[int, str]:
    """All projects that are complete, deleted ones too, by number."""
    rows = connection.execute(select(projects.c.id, projects.c.name).where(projects.c.n_docs > 0))
    return {row.id: row.name for row in rows}
