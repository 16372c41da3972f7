"""What must be true of a store at any moment, whatever was killed before."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.errors import NotFound
from core.store import Run, Store, replay
from core.store.runs.factors import AUTOMATIC_RUNS_WITH_FACTORS
from tests.endurance.ledger import LogRow

DATABASE = "studio.db"
MAX_READINGS = 50
_ROWS = (
    "SELECT id, kind, author, client, sequence, payload FROM events WHERE project = ? AND id > ?"
)
_LOG = "SELECT * FROM events WHERE project = ? ORDER BY id"


@contextmanager
def reading(home: Path) -> Iterator[sqlite3.Connection]:
    """The database as it is on disk, read beside the server."""
    with closing(sqlite3.connect(home / DATABASE, timeout=60)) as connection:
        yield connection


def new_rows(home: Path, project: int, after: int) -> list[LogRow]:
    """What the log has gained since an event."""
    with reading(home) as connection:
        found = connection.execute(_ROWS, (project, after)).fetchall()
    return [
        LogRow(
            number,
            kind,
            author,
            None if client is None else (client, sequence),
            json.loads(payload)["count"] if kind == "batch" else 0,
        )
        for number, kind, author, client, sequence, payload in found
    ]


class LogOnlyGrows:
    """Remembers every log as it was seen, and notices any change of what was on it."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, str]] = {}  # by project: rows, and their digest

    def check(self, home: Path) -> list[str]:
        with reading(home) as connection:
            numbers = [n for (n,) in connection.execute("SELECT id FROM projects")]
            found = [self._check_one(connection, project) for project in numbers]
        gone = [f"project {project} is gone" for project in self._seen if project not in numbers]
        return gone + [sentence for each in found for sentence in each]

    def _check_one(self, connection: sqlite3.Connection, project: int) -> list[str]:
        length, digest = self._seen.get(project, (0, hashlib.sha256().hexdigest()))
        now, known, total, numbered = hashlib.sha256(), "", 0, True
        for row in connection.execute(_LOG, (project,)):
            known = now.hexdigest() if total == length else known
            now.update(repr(row).encode())
            total += 1
            numbered = numbered and row[1] == total
        known = now.hexdigest() if total == length else known
        self._seen[project] = (total, now.hexdigest())
        wrong = [] if known == digest else [f"the log of project {project} has changed"]
        return wrong if numbered else [*wrong, f"the log of project {project} has a gap"]


def damage(home: Path) -> list[str]:
    """What SQLite itself finds wrong."""
    with reading(home) as connection:
        (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
    return [] if answer == "ok" else [f"integrity_check: {answer}"]


def differences(store: Store, project: int) -> list[str]:
    """Where the tables in force differ from what the log says, replayed from its beginning.

    Log and tables are read one after the other: where they differ because somebody has recorded an
    event in between, they are read again.
    """
    for _ in range(MAX_READINGS):
        revision = store.revision(project)
        found = _differences(store, project)
        if not found or store.revision(project) == revision:
            break
    return found


def _differences(store: Store, project: int) -> list[str]:
    state = replay(store.events(project))
    labelled = sum(each.labelled for each in state.annotations.values())
    pairs = {
        "labels": (state.annotations, store.annotations(project)),
        "skipped texts": (state.skipped, frozenset(store.skipped(project))),
        "topics": (state.topics, tuple(store.topics(project))),
        "word rules": (state.word_rules, store.word_rules(project)),
        "codebook": (state.codebook, store.codebook(project)),
        "counts of labelled texts": (labelled, store.project(project).n_labelled),
    }
    return [
        f"project {project}: {name} are not what the log says"
        for name, (log, tables) in pairs.items()
        if log != tables
    ]


def unreadable_runs(store: Store, project: int, after: int = 0) -> list[str]:
    """Runs after this one whose topics should be there and can not be read back."""
    newest, resting = store.current_run(project), store.runs(project)
    automatic = [run for run in resting if run.automatic][:AUTOMATIC_RUNS_WITH_FACTORS]
    found = [run for run in resting if not run.automatic or run in automatic]
    found += [newest] if newest and newest.preview else []
    faults = [(run, _fault(store, run)) for run in found if run.id > after]
    return [
        f"project {project}, run {run.id}: {fault}"
        for run, fault in faults
        if fault and not _replaced(store, run)
    ]


def _fault(store: Store, run: Run) -> str:
    try:
        n_docs = store.run_topics(run).doc_topic.shape[0]
    except Exception as error:  # noqa: BLE001 (whatever it is, the run can not be read)
        return f"{type(error).__name__}: {error}"
    return "" if n_docs == store.project(run.project).n_docs else f"has {n_docs} documents"


def _replaced(store: Store, run: Run) -> bool:
    """A preview goes when the next run comes."""
    try:
        store.run(run.project, run.id)
    except NotFound:
        return run.preview
    return False
