"""What is measured once and read many times: facts about documents, coherence of topics.

The fitting process writes both beside the store when it has time; a page reads them, and measures
for itself only what is missing and quick.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np

from core.errors import StudioError
from core.facts import Facts
from core.matrix import DocumentTermMatrix
from core.metrics import topic_coherence
from core.store import Project, Run, Store
from core.topics import Topics

ENOUGH = 20_000  # documents that say well enough whether words occur together
SOON = 40_000  # documents up to which a page measures coherence itself


def facts_of(store: Store, project: Project) -> Facts:
    """Days, classes and given labels; kept in a file named by what the corpus holds."""
    path = Path(store.home) / "cache" / f"{project.fingerprint}-{project.n_docs}.facts.npz"
    try:
        return Facts.load(path)
    except (OSError, ValueError, KeyError, StudioError):
        facts = Facts.of(store.corpus(project.id, texts=False))
        facts.save(path)
        return facts


def coherence(topics: Topics, matrix: DocumentTermMatrix) -> np.ndarray:
    """NPMI of every topic, over an even sample of a large corpus."""
    step = -(-matrix.X.shape[0] // ENOUGH)
    X = matrix.X if step == 1 else matrix.X[np.arange(0, matrix.X.shape[0], step)]
    return topic_coherence(topics.topic_term, X)


def coherence_path(store: Store, run: Run) -> Path:
    return Path(store.home) / "cache" / "coherence" / f"{run.project}-{run.id}.npy"


def write_coherence(store: Store, run: Run, topics: Topics, matrix: DocumentTermMatrix) -> None:
    """Measure and keep; nobody waits for it, and a run whose words are others is left alone."""
    if topics.terms != matrix.terms:
        return
    path = coherence_path(store, run)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
    with partial.open("wb") as file:
        np.save(file, coherence(topics, matrix), allow_pickle=False)
    os.replace(partial, path)
    for older in path.parent.glob(f"{run.project}-*.npy"):
        number = older.stem.rpartition("-")[2]
        if number.isdecimal() and int(number) < run.id - 20:
            older.unlink(missing_ok=True)


def read_coherence(store: Store, run: Run, n_topics: int) -> np.ndarray | None:
    """What was measured for a run, if it was."""
    try:
        values = np.load(coherence_path(store, run), allow_pickle=False)
    except (OSError, ValueError):
        return None
    return values if values.shape == (n_topics,) else None
