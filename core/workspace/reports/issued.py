"""The reports of a project that were made, in ``reports/<project>/issued.json``.

The next report says what changed since the last one of another run. A file that is missing or
cannot be read costs no more than that sentence.
"""

from __future__ import annotations

import json
from pathlib import Path

from core.report import ReportSnapshot
from core.store import Store
from core.values import whole_file

MAX_REMEMBERED = 20  # newest reports, one for each run
MAX_BYTES = 20_000_000


def remember_report(store: Store, project: int, snapshot: ReportSnapshot) -> None:
    """Keep what this report showed; a later report of the same run takes its place."""
    others = [each for each in issued_reports(store, project) if each.run != snapshot.run]
    kept = [each.to_dict() for each in [*others, snapshot][-MAX_REMEMBERED:]]
    with whole_file(_path(store, project)) as file:
        file.write(json.dumps(kept).encode())


def last_report(store: Store, project: int, run: int) -> ReportSnapshot | None:
    """The newest report of an earlier run."""
    earlier = [each for each in issued_reports(store, project) if each.run < run]
    return earlier[-1] if earlier else None


def issued_reports(store: Store, project: int) -> list[ReportSnapshot]:
    """Oldest first."""
    path = _path(store, project)
    try:
        if path.stat().st_size > MAX_BYTES:
            return []
        return [ReportSnapshot.from_dict(each) for each in json.loads(path.read_bytes())]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []


def _path(store: Store, project: int) -> Path:
    return Path(store.home) / "reports" / str(int(project)) / "issued.json"
