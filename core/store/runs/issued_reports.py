"""The reports of a project that were made, in ``reports/<project>/issued.json``.

The next report says what changed since the last one of another run. They travel with the project:
in its file, in a backup and with a copy. A file that is missing or cannot be read costs no more
than that sentence.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from core.loading.project_parts import MAX_REPORT_LINES
from core.values import whole_file

MAX_BYTES = 20_000_000
UNREADABLE_REPORTS = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class IssuedTopic:
    """A topic as a report showed it."""

    name: str
    share: float
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IssuedReport:
    """A report that was made: when, of what, and how large its topics were."""

    made: datetime
    run: int
    n_documents: int
    n_labelled: int
    score: str  # how often the main topic was correct, as it was written; empty without
    topics: Mapping[str, IssuedTopic]  # by key

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "made": self.made.isoformat()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> IssuedReport:
        """ValueError, KeyError or TypeError if these are no values of a report."""
        topics = {
            str(key): IssuedTopic(
                str(each["name"]), float(each["share"]), tuple(map(str, each["words"]))
            )
            for key, each in dict(values["topics"]).items()
        }
        return cls(
            datetime.fromisoformat(values["made"]),
            int(values["run"]),
            int(values["n_documents"]),
            int(values["n_labelled"]),
            str(values["score"]),
            topics,
        )


def remember(home: Path, project: int, report: IssuedReport) -> None:
    """Keep what this report showed; a later report of the same run takes its place."""
    others = [each for each in issued(home, project) if each.run != report.run]
    _write(home, project, [*others, report])


def last_before(home: Path, project: int, run: int) -> IssuedReport | None:
    """The newest report of an earlier run."""
    earlier = [each for each in issued(home, project) if each.run < run]
    return earlier[-1] if earlier else None


def issued(home: Path, project: int) -> list[IssuedReport]:
    """Oldest first."""
    path = _path(home, project)
    try:
        if path.stat().st_size > MAX_BYTES:
            return []
        return [IssuedReport.from_dict(each) for each in json.loads(path.read_bytes())]
    except UNREADABLE_REPORTS:
        return []


def clear(home: Path, project: int) -> None:
    """Forget the reports of a project."""
    _path(home, project).unlink(missing_ok=True)


def copy(home: Path, project: int, other: int) -> None:
    """Copy the reports of a project to its copy."""
    if _path(home, project).is_file():
        _path(home, other).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_path(home, project), _path(home, other))


def import_lines(home: Path, project: int, given: Iterable[Mapping[str, Any]]) -> None:
    """Keep reports that came with a project and were checked, oldest first."""
    known = [IssuedReport.from_dict(line) for line in given]
    if known:
        _write(home, project, known)
    else:
        clear(home, project)


def _write(home: Path, project: int, reports: list[IssuedReport]) -> None:
    kept = [each.to_dict() for each in reports[-MAX_REPORT_LINES:]]  # one for each run
    with whole_file(_path(home, project)) as file:
        file.write(json.dumps(kept).encode())


def _path(home: Path, project: int) -> Path:
    return Path(home) / "reports" / str(int(project)) / "issued.json"
