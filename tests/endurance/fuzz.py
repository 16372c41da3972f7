"""Damaged files of every kind: each ends in a value or in one sentence, and nothing else.

    python -m tests.endurance.fuzz --cases 20000

A case is a number: the same number damages the same file in the same way. ``--first`` begins at
another one, which is how a single case is looked at again.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import logging
import shutil
import sqlite3
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from random import Random

from core import FittedModel
from core.errors import StudioError
from core.loading import preview, read_corpus, read_vectors
from core.report import read_report
from core.store import Store
from core.store.files.codebook_files import read_codebook
from core.store.files.label_files import read_labels
from core.store.maintenance.backup_format import MANIFEST, UNREADABLE
from core.store.maintenance.checks import check_store
from core.store.maintenance.restore import restore
from core.store.private_files import DATABASE
from core.store.runs import comparisons, evaluations
from core.store.tables import metadata
from core.workspace.reports import logo_field
from tests.core.loading.test_loading import HEADER, ROWS, SAME, csv_bytes, zip_bytes
from tests.endurance.mutations import mutated
from tests.endurance.old_workbook import xls_bytes
from tests.endurance.seed_files import (
    CORPUS,
    backup_bytes,
    model_bytes,
    picture_bytes,
    project_files,
    report_bytes,
    vector_bytes,
)
from tsnmf_ui.pages.report.present.screens import OVER_TIME, screens_of, trends_figure

SEED = 20_240_613


def presented(data: bytes) -> object:
    """Read a report and draw what Present shows of it."""
    described = read_report(data)
    screens = screens_of(described, live=False)
    if any(screen.kind == OVER_TIME for screen in screens):
        trends_figure(described)
    return screens


def hashed_anew(data: bytes) -> bytes:
    """A backup whose manifest says the truth about the damaged members, as a forger's would."""
    out = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            about, members = json.loads(old.read(MANIFEST)), {}
            for name in old.namelist():
                if name != MANIFEST:
                    content = old.read(name)
                    members[name] = [len(content), hashlib.sha256(content).hexdigest()]
                    new.writestr(name, content)
            new.writestr(MANIFEST, json.dumps({**about, "members": members}))
    except (*UNREADABLE, zlib.error, OSError, UserWarning):
        return data
    return out.getvalue()


def content_of(home: Path) -> dict[str, object]:
    """What a store holds, row by row and file by file, but for what no two databases share."""
    raw = sqlite3.connect(home / DATABASE)
    names = (table.name for table in metadata.sorted_tables if table.name != "schema_version")
    rows: dict[str, object] = {
        name: sorted(map(repr, raw.execute(f"SELECT * FROM {name}"))) for name in names
    }
    raw.close()
    files = (path for path in home.rglob("*") if path.is_file())
    beside = {str(path.relative_to(home)): path.read_bytes() for path in files}
    return rows | {name: each for name, each in beside.items() if "studio." not in name}


@dataclass
class Outcomes:
    """What came of the cases, by kind of file; ``wrong`` names those that ended otherwise."""

    values: Counter[str] = field(default_factory=Counter)
    sentences: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)


class Unforeseen(logging.Handler):
    """Notes what a reader did not foresee, though the caller gets a sentence for it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(record.getMessage())


class Fuzzer:
    """Seeds of every kind, and what is done with a damaged one."""

    def __init__(self, folder: Path) -> None:
        files = project_files(folder / "seed")
        self.store = Store.open(home=folder / "store")
        table = [HEADER, *ROWS]
        self.seeds: dict[str, bytes] = {
            **{kind: SAME[kind] for kind in ("csv", "tsv", "xlsx", "jsonl", "json", "parquet")},
            "xls": xls_bytes(table),
            "utf-16": SAME["utf-16"],
            "zip of texts": zip_bytes({"a/1.txt": b"lamp", "b/2.txt": "bïns".encode()}),
            "zip with a table": SAME["zip with one table"],
            "gzip": gzip.compress(csv_bytes(table), mtime=0),
            **{f"labels as {format}": data for format, data in files.labels.items()},
            "project": files.project,
            "vectors": vector_bytes(),
            "report": report_bytes(),
            "png": picture_bytes("PNG"),
            "jpeg": picture_bytes("JPEG"),
            "model": model_bytes(folder),
            "backup": backup_bytes(folder / "seed"),
            "forged backup": backup_bytes(folder / "seed"),
            **{f"codebook as {format}": data for format, data in files.codebook.items()},
        }
        self.folder = folder
        self._restore(self.seeds["backup"])
        self.restored = content_of(folder / "restored")
        self.others = list(self.seeds.values())

    def read(self, kind: str, data: bytes, n: int) -> object:
        """Read a damaged file as the app does."""
        if kind.startswith("labels"):
            return read_labels(data, filename="labels.csv")
        if kind.startswith("codebook"):
            return read_codebook(data, filename="codebook.dat")
        if kind == "project":
            return self._import(data)
        if kind == "vectors":
            return read_vectors(data, n_docs=3, filename="file.npy")
        if kind == "report":
            return presented(data)
        if kind in ("png", "jpeg"):
            return logo_field(data)
        if kind == "model":
            return FittedModel.load(data).table(CORPUS.texts)
        if kind == "backup":
            self._restore(data)
            if content_of(self.folder / "restored") != self.restored:
                raise AssertionError("A damaged backup came back as another one.")
            return True
        if kind == "forged backup":
            return self._restore(hashed_anew(data))
        read: Callable[..., object] = preview if n % 3 == 0 else read_corpus
        return read(data, filename="file.dat")

    def _import(self, data: bytes) -> object:
        """Import it and look at it as the Projects page does; the store stays whole."""
        project = self.store.import_project(BytesIO(data))
        run = self.store.current_run(project.id)
        if run is not None:
            self.store.run_topics(run)
        self.store.projects()
        comparisons.summaries(self.store.home, project.id)
        evaluations.history(self.store.home, project.id)
        self.store.delete_project(project.id)
        return project

    def _restore(self, data: bytes) -> object:
        """Restore it and look at it as doctor and the Projects page do."""
        home, file = self.folder / "restored", self.folder / "damaged.zip"
        shutil.rmtree(home, ignore_errors=True)
        file.write_bytes(data)
        found = restore(file, home)
        faults = [each for each in check_store(home) if each.level == "problem"]
        faults = [each.sentence for each in faults if each.check != "Files"]  # some may be missing
        if faults:
            raise AssertionError(faults[0])
        with Store.open(home=home) as store:
            for project in store.projects():
                for run in store.runs(project.id):
                    if run.factors.exists():
                        store.run_topics(run)
                store.own_vectors(project.id)
                store.history(project.id)
                comparisons.summaries(home, project.id)
                evaluations.history(home, project.id)
        return found

    def case(self, n: int, kinds: list[str] | None = None) -> tuple[str, bytes]:
        """The kind and the damaged file of a case."""
        random = Random(SEED * 1_000_003 + n)
        kind = random.choice(kinds or list(self.seeds))
        return kind, mutated(self.seeds[kind], random, self.others)

    def run(self, cases: range, kinds: list[str] | None = None) -> Outcomes:
        """Try every case."""
        outcomes, unforeseen = Outcomes(), Unforeseen()
        logger = logging.getLogger("core.loading")
        logger.addHandler(unforeseen)
        try:
            for n in cases:
                self._try(n, kinds, outcomes)
                if unforeseen.seen:
                    outcomes.wrong.append(f"case {n}: {unforeseen.seen.pop()}")
        finally:
            logger.removeHandler(unforeseen)
        return outcomes

    def _try(self, n: int, kinds: list[str] | None, outcomes: Outcomes) -> None:
        kind, data = self.case(n, kinds)
        began = time.perf_counter()
        try:
            self.read(kind, data, n)
            outcomes.values[kind] += 1
        except StudioError as error:
            outcomes.sentences[kind] += 1
            if not is_sentence(str(error)):
                outcomes.wrong.append(f"case {n} ({kind}): no sentence: {error}")
        except BaseException as error:  # noqa: BLE001 (that is what is looked for)
            outcomes.wrong.append(f"case {n} ({kind}): {type(error).__name__}: {error}")
        outcomes.slowest = max(outcomes.slowest, (time.perf_counter() - began, n))


def is_sentence(text: str) -> bool:
    """One sentence for a person: no traceback, no class name, a full stop."""
    return text.endswith(".") and "Traceback" not in text and "Error(" not in text


@contextmanager
def fuzzer() -> Iterator[Fuzzer]:
    with tempfile.TemporaryDirectory() as folder:
        opened = Fuzzer(Path(folder))
        try:
            yield opened
        finally:
            opened.store.close()


def main() -> int:
    """Run by hand, and say what came of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cases", type=int, default=2_000)
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--kind", action="append", help="of file; all if left out")
    chosen = asked.parse_args()
    began = time.perf_counter()
    with fuzzer() as opened:
        outcomes = Outcomes()
        for start in range(chosen.first, chosen.first + chosen.cases, 1_000):
            stop = min(start + 1_000, chosen.first + chosen.cases)
            part = opened.run(range(start, stop), chosen.kind)
            outcomes.values += part.values
            outcomes.sentences += part.sentences
            outcomes.wrong += part.wrong
            outcomes.slowest = max(outcomes.slowest, part.slowest)
            print(
                f"{start + 1_000 - chosen.first:>7,} cases, {len(outcomes.wrong)} wrong", flush=True
            )
        table = {k: [outcomes.values[k], outcomes.sentences[k]] for k in opened.seeds}
    print(f"{time.perf_counter() - began:,.0f} s; slowest {outcomes.slowest[0]:.1f} s", flush=True)
    print("values and sentences:", json.dumps(table))
    print("\n".join(outcomes.wrong) or "Every case ended in a value or a sentence.")
    return 1 if outcomes.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
