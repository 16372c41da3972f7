"""How long the queue takes for 200,000 documents after a label."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from core import Topics
from core.queue import Hints, build_neighbour_index, next_documents
from core.spec import ModelSpec

N_DOCS, N_TERMS, N_TOPICS, N_LABELLED = 200_000, 20_000, 50, 400


def ranking() -> None:
    """Once per corpus, and after every label."""
    X, chances, topics = _corpus(np.random.default_rng(0))
    labels = {50 * i: [i % N_TOPICS] for i in range(N_LABELLED)}
    print(f"| {N_DOCS:,} documents, {N_TOPICS} topics, {N_LABELLED} labels | seconds |\n|---|---|")
    neighbour_index = _timed("neighbour index, once per corpus", lambda: build_neighbour_index(X))
    hints = _timed("hints from probabilities", lambda: Hints.of(chances))
    for mode in ("mixed", "uncertain", "thin", "novel", "influential", "random"):
        _timed(
            f"line of 400, {mode}",
            lambda mode=mode: next_documents(
                topics,
                labels,
                labels=labels,
                n_docs=N_DOCS,
                mode=mode,
                limit=400,
                hints=hints,
                neighbour_index=neighbour_index,
            ),
        )


def _timed(what: str, work: Callable[[], object]):
    begun = time.perf_counter()
    result = work()
    print(f"| {what} | {time.perf_counter() - begun:.2f} |")
    return result


def _corpus(rng: np.random.Generator) -> tuple[sp.csr_array, np.ndarray, Topics]:
    """Twenty to eighty words a document, drawn from a long-tailed vocabulary."""
    n_words = rng.integers(20, 80, N_DOCS)
    words = (N_TERMS * rng.random(n_words.sum()) ** 3).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(n_words)]).astype(np.int32)
    weights = rng.random(words.size, dtype=np.float32)
    X = sp.csr_array((weights, words, starts), shape=(N_DOCS, N_TERMS))
    X.sum_duplicates()
    chances = rng.random((N_DOCS, N_TOPICS), dtype=np.float32) ** 4
    topics = Topics(
        doc_topic=chances,
        topic_term=np.eye(N_TOPICS, dtype=np.float32),
        terms=("",) * N_TOPICS,
        doc_ids=("",) * N_DOCS,
        names=tuple(f"Topic {i}" for i in range(N_TOPICS)),
        n_supervised=N_TOPICS,
        spec=ModelSpec(),
    )
    return X, chances, topics
