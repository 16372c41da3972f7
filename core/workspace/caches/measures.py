"""What is measured once and read many times: facts about documents, coherence of topics.

The fitting process writes both beside the store when it has time; a page reads them, and measures
for itself only what is missing and quick.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.errors import StudioError
from core.evaluation.metrics import topic_coherence
from core.insight.document_facts import DocumentFacts
from core.matrix import DocumentTermMatrix
from core.store import Project, Run, Store
from core.topics import Topics
from core.values import whole_file
from core.workspace.caches.corpora import corpus_of
from core.workspace.caches.paths import coherence_path, drop_older_runs, facts_path
from core.workspace.column_roles import groups_of_corpus, with_roles

MAX_COHERENCE_DOCUMENTS = 20_000  # read for coherence; more would change little
MEASURED_RUNS = 20  # newest runs whose coherence stays on disk
MAX_DOCS_MEASURED_BY_PAGE = 40_000  # documents up to which a page measures coherence itself


def facts_of(store: Store, project: Project) -> DocumentFacts:
    """Days, classes and given labels; kept in a file named by the corpus and its columns' roles."""
    path = facts_path(store, project)
    try:
        return DocumentFacts.load(path)
    except (OSError, ValueError, KeyError, StudioError):
        corpus = corpus_of(store, project.id, texts=False)
        groups = groups_of_corpus(corpus, project.settings)
        facts = DocumentFacts.of(replace(with_roles(corpus, project.settings), side=groups))
        facts.save(path)
        return facts


def coherence(topics: Topics, matrix: DocumentTermMatrix) -> np.ndarray:
    """NPMI of every topic, over an even sample of a large corpus."""
    step = -(-matrix.X.shape[0] // MAX_COHERENCE_DOCUMENTS)
    X = matrix.X if step == 1 else matrix.X[np.arange(0, matrix.X.shape[0], step)]
    return topic_coherence(topics.topic_term, X)


def write_coherence(store: Store, run: Run, topics: Topics, matrix: DocumentTermMatrix) -> None:
    """Measure and keep; nobody waits for it, and a run whose words are others is left alone."""
    if topics.terms != matrix.terms:
        return
    path = coherence_path(store, run.project, run.id)
    values = coherence(topics, matrix)
    with whole_file(path) as file:
        np.save(file, values, allow_pickle=False)
    drop_older_runs(path, keep=MEASURED_RUNS)


def read_coherence(store: Store, run: Run, n_topics: int) -> np.ndarray | None:
    """What was measured for a run, if it was."""
    try:
        values = np.load(coherence_path(store, run.project, run.id), allow_pickle=False)
    except (OSError, ValueError):
        return None
    return values if values.shape == (n_topics,) else None
