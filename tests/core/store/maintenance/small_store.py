"""A small store with a bit of everything: labels, batches, undo, a restore, runs, vectors."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import sqlite3
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from core.corpus import Corpus
from core.evaluation.progress import DocumentHits, EvaluatedRun
from core.spec import ModelSpec
from core.store import (
    CreateTopic,
    Label,
    MergeTopics,
    ProjectSettings,
    Restore,
    RunOutcome,
    RunScores,
    Skip,
    Store,
)
from core.store.runs import comparisons, evaluations
from core.text import DocumentVectors
from core.topics import Topics

SIZE = 150
MADE = "2026-05-01T10:00:00+00:00"
STUDY = {"points": [], "rates": [0.1], "n_sets": 1, "n_docs": SIZE, "n_labels": 1}
SEEDS = {"run": 2, "labelled": 1, "seeds": 2, "finished": MADE, "words": [0.5]}
SEEDS |= {"documents": [0.5], "scores": {"first": [0.5, 0.6]}}
POINT = {"revision": 1, "labelled": 1, "finished": MADE, "like": "k", "basis": "truth"}
POINT |= {"model": "tsnmf", "scores": {}, "forecast": None}
CORPUS = Corpus(ids=tuple(map(str, range(SIZE))), texts=tuple(f"text {i}" for i in range(SIZE)))
TOPICS = Topics(
    doc_topic=np.tile([1.0, 0.0], (SIZE, 1)),
    topic_term=np.eye(2, 3),
    terms=("x", "y", "z"),
    doc_ids=CORPUS.ids,
    names=("Waste", "Free 1"),
    keys=(1, "Free 1"),
    n_supervised=1,
    spec=ModelSpec(n_topics=2),
)


def add_run(store: Store, *, preview: bool = False, automatic: bool = True) -> int:
    return store.add_run(
        1,
        revision=store.revision(1),
        topics=TOPICS,
        outcome=RunOutcome(scores=RunScores()),
        seconds=0.5,
        settings=ProjectSettings(),
        automatic=automatic,
        preview=preview,
    ).id


def fill(home: Path) -> None:
    """The store, a copy of one that is made once."""
    shutil.copytree(_template(), home)


@lru_cache(maxsize=1)
def _template() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _make(folder)
    return folder


def _make(home: Path) -> None:
    with Store.open(home=home) as store:
        store.create_project("Desk", CORPUS, author="ann")
        for name in ("Waste", "Roads", "Lights"):
            store.record(1, CreateTopic(name), author="ann")
        store.record(1, Label(0, (1,), (2,), note="why"), author="ann")
        store.record_batch(1, "Many", [Label(i, (2, 3)) for i in range(120)], author="ben")
        store.record(1, Skip(140), author="ann")
        store.undo(1, author="ben")
        store.redo(1, author="ben")
        store.record(1, MergeTopics((3,), 2), author="ann")
        store.record(1, Restore(120), author="cat")
        store.undo(1, author="cat")
        store.record(1, Label(141, nothing_fits=True), author="ann")
        add_run(store)
        add_run(store, automatic=False)
        store.save_own_vectors(1, DocumentVectors(values=np.eye(SIZE, 4), source="mine"))
        store.create_project("Empty", CORPUS, author="ann")
    for run in (1, 2):
        point = EvaluatedRun.from_dict({**POINT, "run": run})
        hits = DocumentHits(np.arange(3), np.array([True, False, True]))
        evaluations.save(home, point, 1, {"judged": 3}, hits)
    evaluations.save_seeds(home, 1, SEEDS)
    about = {"kind": "rates", "title": "t", "revision": 1, "author": "ann", "seconds": 1.0}
    comparisons.save(home, 1, {**about, "topic_ids": [[1]]}, STUDY, [TOPICS])


def change(home: Path, statement: str) -> None:
    """Change the database behind the Studio's back."""
    raw = sqlite3.connect(home / "studio.db")
    with raw:
        raw.execute(statement)
    raw.close()


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder, by name, with a hash of its content."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
