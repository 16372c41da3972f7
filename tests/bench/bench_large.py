"""The engine alone on 215,459 abstracts: text to matrix, fits, and a refit after one more label.

    TSNMF_BENCH_DATA=folder python -m tests.bench.bench_large [--texts N] [--profile]

The abstracts are those of ``acl_anthology.jsonl.gz`` under their 60 largest venues, drawn again and
again, each time with its words drawn with replacement; 60 labels and 40 free topics, 20,000 terms,
3,000 labelled texts, through the calls that everybody uses (``build_matrix``, ``fit``).
``--profile`` says where the refit spends its time.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from core import Corpus, ModelSpec, Supervision, TextSettings, build_matrix, fit
from core.workspace.refits.warm_up import warm
from tests.bench.corpora import sampled

N_LABELS, N_TOPICS, N_LABELLED, N_TERMS = 60, 100, 3_000, 20_000
REFITS = 3

T = TypeVar("T")


def resampled(n_texts: int) -> Corpus:
    base, rng = sampled("acl_anthology", 100_000, N_LABELS), np.random.default_rng(0)
    words = [text.split() or ["nothing"] for text in base.texts]
    rows = rng.integers(len(words), size=n_texts)
    texts = (
        " ".join(words[row][i] for i in rng.integers(len(words[row]), size=len(words[row])))
        for row in rows.tolist()
    )
    labels = tuple(base.labels[row] for row in rows.tolist())
    return Corpus(ids=tuple(map(str, range(n_texts))), texts=tuple(texts), labels=labels)


def supervision_of(corpus: Corpus, n_labelled: int) -> Supervision:
    rows = [row if i < n_labelled else () for i, row in enumerate(corpus.labels)]
    return Supervision.of(rows, corpus.label_names)


def report(name: str, work: Callable[[], T]) -> T:
    """Print the seconds by the clock and of the processor, memory before, and most meanwhile."""
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is counted anew
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    most = memory("VmHWM")
    print(f"| {name} | {wall:.2f} | {cpu:.2f} | {before:.2f} | {most:.2f} |", flush=True)
    return result


def memory(name: str) -> float:
    """GiB of this process, as Linux counts them."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 2**20


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=215_459)
    parser.add_argument("--profile", action="store_true")
    told = parser.parse_args()
    warm()
    corpus = resampled(told.texts)
    held = sum(len(text) for text in corpus.texts) / 2**30
    print(f"{len(corpus):,} texts, {held:.2f} GiB of characters\n")
    print("| step | seconds | of the processor | GiB held before | most meanwhile |")
    print("|---|---|---|---|---|")
    settings = TextSettings(max_terms=N_TERMS)
    matrix = report("text to matrix", lambda: build_matrix(corpus, settings))
    print(f"| ({matrix.X.shape[1]:,} terms, {matrix.X.nnz:,} non-zeros) | | | | |")
    first, spec = supervision_of(corpus, N_LABELLED), ModelSpec("tsnmf", N_TOPICS)
    pure = ModelSpec("tsnmf", N_TOPICS, options={"guidance": 0.0})
    report("pure fit", lambda: fit(matrix, first, pure))
    topics = report("guided fit", lambda: fit(matrix, first, spec))
    for more in range(1, REFITS + 1):
        again = partial(fit, matrix, supervision_of(corpus, N_LABELLED + more), spec, start=topics)
        topics = report("guided refit, one label more", again)
    if told.profile:
        said, profile = supervision_of(corpus, N_LABELLED + REFITS + 1), cProfile.Profile()
        profile.runcall(fit, matrix, said, spec, start=topics)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
