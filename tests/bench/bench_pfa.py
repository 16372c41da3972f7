"""A sweep of ``pfa`` against a sweep of tomotopy's LDA on the same counts and topics, in one run.

    pip install tomotopy
    SCIKIT_LEARN_DATA=... python -m tests.bench.bench_pfa [n_topics]

Both resample the topic of every token once a sweep; tomotopy's sampler is collapsed and compiled
from C++, with one and with two workers. Ours runs on one part at a time and on all cores. Rounds
alternate, each figure is the median over rounds, and both samplers warm up before the clock runs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import fetch_20newsgroups
from sklearn.feature_extraction.text import CountVectorizer

from core.engine.gibbs.hierarchy import Hierarchy
from core.engine.gibbs.sweep import Counts, Priors, Sampler
from core.engine.kernels.threads import one_blas_thread
from tests.bench.corpora import planted

N_TERMS, WARM, SWEEPS, ROUNDS = 5000, 10, 5, 3


def newsgroups() -> tuple[str, sp.csr_array]:
    try:
        raw = fetch_20newsgroups(
            subset="all", remove=("headers", "footers", "quotes"), download_if_missing=False
        )
    except OSError:
        return twin()
    words = CountVectorizer(
        token_pattern="[a-zA-Z]{2,}", stop_words="english", max_features=N_TERMS
    )
    X = sp.csr_array(words.fit_transform(raw.data))
    return "20 Newsgroups", sp.csr_array(X[np.diff(X.indptr) > 0])


def twin() -> tuple[str, sp.csr_array]:
    """A planted corpus of about the same size, where the newsgroups are not at hand."""
    X = sp.csr_array(planted(11_000, N_TERMS, 20).X)
    X.data = np.ceil(X.data / X.data.mean())
    return "planted", X


def ours(X: sp.csr_array, n_topics: int, *, parts: bool) -> Callable[[int], None]:
    rng = np.random.default_rng(0)
    counts = Counts(
        X.indptr.astype(np.int32), X.indices.astype(np.int32), X.data.astype(np.int32), X.shape
    )
    sampler = Sampler(
        counts,
        Hierarchy.plain(X.shape[0]),
        Priors(sparsity=1 / n_topics),
        0,
        np.ones((X.shape[0], n_topics)),
        rng.uniform(size=(n_topics, X.shape[1])),
    )
    if not parts:
        sampler.parts = one_part(sampler.parts)
        sampler.blocks = one_part(sampler.blocks)
    return lambda sweeps: [sampler.sweep() for _ in range(sweeps)] and None


def one_part(parts: Any) -> Any:
    return ((parts[0][0], parts[-1][1]),)


def theirs(X: sp.csr_array, n_topics: int, workers: int) -> Callable[[int], None]:
    import tomotopy

    model = tomotopy.LDAModel(k=n_topics, seed=0)
    for row in range(X.shape[0]):
        span = slice(X.indptr[row], X.indptr[row + 1])
        tokens = np.repeat(X.indices[span], X.data[span].astype(int))
        model.add_doc([str(token) for token in tokens])
    return lambda sweeps: model.train(sweeps, workers=workers)


def seconds(train: Callable[[int], None]) -> float:
    begun = time.perf_counter()
    train(SWEEPS)
    return (time.perf_counter() - begun) / SWEEPS


def main(n_topics: int = 100) -> None:
    name, X = newsgroups()
    tokens = int(X.sum())
    print(f"{name}: {X.shape[0]:,} documents, {X.shape[1]:,} terms, {X.nnz:,} non-zeros, "
          f"{tokens:,} tokens, {n_topics} topics, {os.cpu_count()} cores")  # fmt: skip
    runs = {
        "pfa, one part": ours(X, n_topics, parts=False),
        "tomotopy LDA, 1 worker": theirs(X, n_topics, 1),
        "pfa, all cores": ours(X, n_topics, parts=True),
        "tomotopy LDA, 2 workers": theirs(X, n_topics, 2),
    }
    with one_blas_thread():
        for train in runs.values():
            train(WARM)
        times = {label: np.median([seconds(t) for _ in range(ROUNDS)]) for label, t in runs.items()}
    for label, value in times.items():
        print(f"{label:26s} {value * 1e3:8.1f} ms a sweep  {tokens / value / 1e6:6.2f} M tokens/s")
    values = list(times.values())
    alone, together = values[1] / values[0], values[3] / values[2]
    print(f"time of theirs / time of ours: {alone:.2f} alone, {together:.2f} on two cores")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
