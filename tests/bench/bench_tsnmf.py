"""TS-NMF and NMF against the ``tsnmf`` package and scikit-learn, in one run.

    pip install --no-deps tsnmf
    NLTK_DATA=... python -m tests.bench.bench_tsnmf

Every time is the median of several runs taken in turn; every figure is a ratio of two of them.
"""

from __future__ import annotations

import time
import tracemalloc
import warnings
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.decomposition import NMF as ScikitNMF
from threadpoolctl import threadpool_info

from core import Supervision
from core.models import NMF, TSNMF
from core.workspace.refits.warm_up import warm
from tests.bench.corpora import Bench, news, planted
from tests.bench.timing import settle, timed

RUNS = 3
RATES = (0.05, 0.2, 0.5, 0.8)


def objective(X: sp.csr_array, W: np.ndarray, H: np.ndarray) -> float:
    """‖X − WH‖² in double precision, by the same formula for everybody."""
    X, W, H = X.astype(np.float64), W.astype(np.float64), H.astype(np.float64)
    cross = np.einsum("ij,ij->", X @ H.T, W)
    return float((X.data**2).sum() - 2 * cross + np.einsum("ij,ij->", W.T @ W, H @ H.T))


def reach(model: TSNMF | NMF, X: sp.csr_array, y: Supervision | None, target: float) -> float:
    """Seconds until the model's objective is at or below the target; inf if it never is."""
    model.set_params(tol=0.0, max_iter=500)
    settle()
    seconds, fitted = timed(lambda: model.fit(X, y, callback=lambda p: p.objective <= target))
    return seconds if fitted.objective_ <= target else float("inf")


def against_tsnmf(bench: Bench) -> None:
    from tsnmf import TSNMF as Rival

    print(
        "\n| labelled | tsnmf stops after | ours reaches its objective in | times sooner | passes |"
    )
    print("|---|---|---|---|---|")
    column = {name: j for j, name in enumerate(bench.names)}
    X = sp.csr_matrix(bench.X.astype(np.float64))
    n_topics = len(bench.names)
    for rate in RATES:
        y = bench.supervision(rate)
        labels = [[column[bench.names[j]] for j in row.nonzero()[0]] for row in dense_rows(y)]
        theirs, ours, passes = [], [], []
        for seed in range(RUNS):
            rival = Rival(n_components=n_topics, init="random")
            seconds, W = timed(lambda r=rival, rows=labels: r.fit_transform(X, rows))
            theirs.append(seconds)
            target = objective(bench.X, W, rival.components_)
            model = TSNMF(n_topics, guidance=0.0, random_state=seed)
            ours.append(reach(model, bench.X, y, target))
            passes.append(model.n_iter_)
        their, our = np.median(theirs), np.median(ours)
        print(f"| {rate:.0%} | {their:.2f} s | {our:.3f} s | {their / our:.0f} | {passes} |")


def dense_rows(y: Supervision) -> Iterator[np.ndarray]:
    matrix = y.permitted
    for i in range(y.n_docs):
        row = np.zeros(y.n_labels, bool)
        row[matrix.indices[matrix.indptr[i] : matrix.indptr[i + 1]]] = True
        yield row


def against_scikit_learn(bench: Bench, n_topics: int = 90) -> None:
    theirs, ours, gains = [], [], []
    X = sp.csr_matrix(bench.X)
    for seed in range(RUNS):
        rival = ScikitNMF(n_topics, solver="cd", random_state=seed)
        seconds, W = timed(lambda r=rival: r.fit_transform(X))
        target = objective(bench.X, W, rival.components_)
        theirs.append(seconds)
        ours.append(reach(NMF(n_topics, random_state=seed), bench.X, None, target))
        gains.append(given_time(bench, n_topics, seed, seconds) / target)
    their, our = np.median(theirs), np.median(ours)
    print("\n| plain NMF | seconds | times sooner | our objective ÷ theirs, given their time |")
    print("|---|---|---|---|")
    print(f"| scikit-learn cd, to its end | {their:.2f} | 1 | 1 |")
    print(f"| ours, to its objective | {our:.2f} | {their / our:.1f} | {np.median(gains):.4f} |")


def given_time(bench: Bench, n_topics: int, seed: int, seconds: float) -> float:
    end = time.perf_counter() + seconds
    model = NMF(n_topics, random_state=seed, tol=0.0, max_iter=10_000)
    model.fit(bench.X, callback=lambda progress: time.perf_counter() >= end)
    return model.objective_


def refit(bench: Bench) -> None:
    """One more label, from the last factors; and the memory of a fit."""
    print(
        "\n| model, labelled | full fit | refit, one label more | passes | objective ÷ full fit |"
    )
    print("|---|---|---|---|---|")
    for guidance, name in ((0.0, "pure"), ("auto", "guided")):
        for rate in RATES:
            refit_at(bench, rate, guidance, name)
    memory(bench, len(bench.names))


def refit_at(bench: Bench, rate: float, guidance: float | str, name: str) -> None:
    model = TSNMF(len(bench.names), guidance=guidance, random_state=0)
    after = one_more(bench, rate)
    first = clone(model).fit(bench.X, bench.supervision(rate))
    known = {"start": (first.doc_topic_, first.components_), "guide": first.guide_}
    rows = []
    settle()
    for _ in range(RUNS):
        full, cold = timed(lambda: clone(model).fit(bench.X, after))
        again_seconds, again = timed(lambda: clone(model).fit(bench.X, after, **known))
        rows.append((full, again_seconds))
    full, seconds = np.median(rows, axis=0)
    ratio = again.objective_ / cold.objective_
    print(
        f"| {name}, {rate:.0%} | {full * 1000:.0f} ms | {seconds * 1000:.0f} ms "
        f"| {again.n_iter_} | {ratio:.4f} |"
    )


def one_more(bench: Bench, rate: float) -> Supervision:
    y = bench.supervision(rate)
    rows = [[bench.names[j] for j in np.flatnonzero(row)] for row in dense_rows(y)]
    position = rows.index([])
    rows[position] = bench.labels[position]
    return Supervision.of(rows, bench.names)


def memory(bench: Bench, n_topics: int) -> None:
    y = bench.supervision(0.2)
    tracemalloc.start()
    model = TSNMF(n_topics, guidance=0.0, random_state=0, max_iter=3).fit(bench.X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    X = bench.X
    held = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    held += model.doc_topic_.nbytes + model.components_.nbytes
    print(
        f"\nMemory of a fit: peak {peak / 1e6:.1f} MB, {peak / held:.2f} × the bytes of X, W and H"
    )


def growth() -> None:
    """Time per pass against size."""
    print(
        "\n| documents | topics | non-zeros | ms per pass | active topics | ns per unit of work |"
    )
    print("|---|---|---|---|---|---|")
    for times, topics in [(1, 40), (2, 40), (4, 40), (8, 40), (1, 80), (1, 160)]:
        X = planted(4000 * times, 2000, 40, seed=times).X
        model = NMF(topics, random_state=0, tol=0.0, max_iter=5)
        stamps: list[float] = []
        model.fit(X, callback=lambda p, s=stamps: s.append(time.perf_counter()))
        seconds = float(np.median(np.diff(stamps)))
        active = float((model.doc_topic_ > 0).sum(axis=1).mean())
        work = X.nnz * topics + X.shape[0] * topics * active
        print(
            f"| {X.shape[0]:,} | {topics} | {X.nnz:,} | {seconds * 1000:.1f} "
            f"| {active:.1f} | {seconds / work * 1e9:.3f} |"
        )


def main() -> None:
    warnings.simplefilter("ignore")
    warm()
    bench = news()
    X = bench.X
    print(f"{bench.name}: {X.shape[0]:,} documents × {X.shape[1]:,} terms, {X.nnz:,} non-zeros")
    print("BLAS:", {(lib["internal_api"], lib["num_threads"]) for lib in threadpool_info()})
    NMF(len(bench.names), max_iter=2).fit(X)  # the pool's threads exist before anything is timed
    against_tsnmf(bench)
    against_scikit_learn(bench)
    refit(bench)
    growth()


if __name__ == "__main__":
    main()
