"""SSNMF against the authors' package ``ssnmf``, in one run.

    pip install --no-deps ssnmf==1.0.3
    SCIKIT_LEARN_DATA=... python -m tests.bench.bench_ssnmf

20 Newsgroups as in the paper: 13 subgroups in 5 classes, 5,388 documents, 5,000 terms, 13 topics.
Both start from the same factors and take the printed steps; runs alternate, every time is a median
per update with the objective computed, every figure a ratio of two of them.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import fetch_20newsgroups
from sklearn.feature_extraction.text import TfidfVectorizer

from core.models.ssnmf import SSNMF
from tests.bench.corpora import planted
from tests.bench.timing import settle

CLASSES = {
    "Computers": ("comp.graphics", "comp.sys.mac.hardware", "comp.windows.x"),
    "Sciences": ("sci.crypt", "sci.electronics", "sci.space"),
    "Politics": ("talk.politics.guns", "talk.politics.mideast"),
    "Religion": ("alt.atheism", "soc.religion.christian"),
    "Recreation": ("rec.autos", "rec.sport.baseball", "rec.sport.hockey"),
}
PER_CLASS, N_DOCS, N_TERMS, N_TOPICS = 1796, 5388, 5000, 13
STRENGTH = {"FF": 100.0, "FD": 10.0, "DF": 100.0, "DD": 1000.0}  # λ of the paper's table
MODEL = {"FF": 3, "FD": 4, "DF": 5, "DD": 6}  # their numbers
LOSS = {"F": "frobenius", "D": "i_divergence"}
THEIR_UPDATES, OUR_UPDATES, RUNS = 2, 100, 5
clock = time.perf_counter


@dataclass(frozen=True)
class Task:
    """Documents with a class each, split into what is taught and what is asked."""

    name: str
    X: sp.csr_array
    y: np.ndarray
    X_test: sp.csr_array
    y_test: np.ndarray


def newsgroups(seed: int = 0) -> Task:
    kind = {group: j for j, groups in enumerate(CLASSES.values()) for group in groups}
    try:
        raw = fetch_20newsgroups(
            subset="all",
            categories=sorted(kind),
            remove=("headers", "footers", "quotes"),
            download_if_missing=False,
        )
    except OSError:
        return twin()
    rng = np.random.default_rng(seed)
    label = np.array([kind[raw.target_names[t]] for t in raw.target])
    drawn = [rng.permutation(np.flatnonzero(label == j))[:PER_CLASS] for j in range(len(CLASSES))]
    order = rng.permutation(np.concatenate(drawn))
    train, test = order[:N_DOCS], order[-len(order) // 5 :]
    words = TfidfVectorizer(
        token_pattern="[a-zA-Z]+", stop_words="english", min_df=5, max_df=0.7, max_features=N_TERMS
    )
    X = words.fit_transform([raw.data[i] for i in train])
    X_test = words.transform([raw.data[i] for i in test])
    return Task("20 Newsgroups", sp.csr_array(X), label[train], sp.csr_array(X_test), label[test])


def twin() -> Task:
    """A planted corpus of the same size, where the newsgroups are not at hand."""
    bench = planted(N_DOCS + 1000, N_TERMS, N_TOPICS)
    label = np.array([bench.names.index(row[0]) % len(CLASSES) for row in bench.labels])
    X = bench.X.astype(np.float64)
    return Task("planted", X[:N_DOCS], label[:N_DOCS], X[N_DOCS:], label[N_DOCS:])


def rival_class() -> Any:
    """Their module imports torch, which these models never touch."""
    try:
        import torch  # noqa: F401
    except ImportError:
        sys.modules["torch"] = ModuleType("torch")
    from ssnmf.ssnmf import SSNMF_N

    return SSNMF_N


def start(task: Task, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = (task.X.shape[0], N_TOPICS), (N_TOPICS, task.X.shape[1]), (len(CLASSES), N_TOPICS)
    return tuple(rng.uniform(size=shape) for shape in shapes)  # type: ignore[return-value]


def rival(task: Task, dense: np.ndarray, pair: str) -> Any:
    W, H, B = start(task)
    Y = np.eye(len(CLASSES))[task.y].T
    return rival_class()(
        dense, N_TOPICS, modelNum=MODEL[pair], A=H.T.copy(), S=W.T.copy(), B=B, Y=Y,
        lam=STRENGTH[pair], tol=-np.inf,
    )  # fmt: skip


def ours(pair: str, updates: int, solver: str = "mu") -> SSNMF:
    return SSNMF(
        N_TOPICS,
        x_loss=LOSS[pair[0]],
        y_loss=LOSS[pair[1]],
        label_strength=STRENGTH[pair],
        solver=solver,
        max_iter=updates,
        tol=0.0,
    )


def their_objective(model: Any, pair: str) -> float:
    x = model.fronorm(model.X, model.A, model.S, model.W) ** 2 if pair[0] == "F" else model.Idiv(
        model.X, model.A, model.S, model.W
    )  # fmt: skip
    y = model.fronorm(model.Y, model.B, model.S, model.L) ** 2 if pair[1] == "F" else model.Idiv(
        model.Y, model.B, model.S, model.L
    )  # fmt: skip
    return float(x + model.lam * y)


def peak(work: Any) -> float:
    """Megabytes allocated at the highest point."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def their_seconds(model: Any) -> float:
    begun = clock()
    model.mult(numiters=THEIR_UPDATES)
    return (clock() - begun) / THEIR_UPDATES


def our_seconds(model: SSNMF, X: sp.csr_array, task: Task) -> float:
    ends: list[float] = []
    model.fit(X, task.y, start=start(task), callback=lambda _: ends.append(clock()))
    return float(np.median(np.diff(ends)))


def seconds_per_update(task: Task, dense: np.ndarray, pair: str) -> tuple[float, float, float]:
    """Theirs; ours in double precision, step for step the same; ours as users run it."""
    theirs, same, usual = [], [], []
    single = task.X.astype(np.float32)
    for _ in range(RUNS):
        theirs.append(their_seconds(rival(task, dense, pair)))
        settle()
        for X, solver, times in ((task.X, "mu", same), (single, "monotone", usual)):
            times.append(our_seconds(ours(pair, OUR_UPDATES, solver), X, task))
    return tuple(float(np.median(times)) for times in (theirs, same, usual))  # type: ignore[return-value]


def speed(task: Task) -> None:
    dense = np.ascontiguousarray(task.X.toarray().T)
    print("\n| pair | ssnmf | same steps, double | times faster | default, single | times faster |")
    print("|---|---|---|---|---|---|")
    for x, y in product("FD", repeat=2):
        their, same, usual = seconds_per_update(task, dense, x + y)
        print(
            f"| ({x},{y}) | {their:.2f} s | {same * 1e3:.1f} ms | {their / same:.0f} "
            f"| {usual * 1e3:.1f} ms | {their / usual:.0f} |"
        )


def agreement(task: Task) -> None:
    dense = np.ascontiguousarray(task.X.toarray().T)
    print("\n| pair | objective, ssnmf | ours | apart | memory, ssnmf | ours | times less |")
    print("|---|---|---|---|---|---|---|")
    for x, y in product("FD", repeat=2):
        pair = x + y
        model = rival(task, dense, pair)
        model.mult(numiters=THEIR_UPDATES)
        fitted = ours(pair, THEIR_UPDATES).fit(task.X, task.y, start=start(task))
        their = their_objective(model, pair)
        apart = abs(fitted.objective_ / their - 1)
        most = peak(lambda p=pair: rival(task, dense, p).mult(numiters=1))
        most += dense.nbytes / 1e6  # they need the matrix dense
        least = peak(lambda p=pair: ours(p, 2).fit(task.X, task.y, start=start(task)))
        print(
            f"| ({x},{y}) | {their:.6g} | {fitted.objective_:.6g} | {apart:.1e} "
            f"| {most:.0f} MB | {least:.1f} MB | {most / least:.0f} |"
        )


def accuracy(task: Task) -> None:
    """The paper's experiment in one line per pair: 50 updates, test accuracy."""
    print("\n| pair | λ | test accuracy | seconds |")
    print("|---|---|---|---|")
    single = task.X.astype(np.float32)
    for x, y in product("FD", repeat=2):
        model = ours(x + y, 50, "monotone").set_params(random_state=0)
        begun = time.perf_counter()
        model.fit(single, task.y)
        spent = time.perf_counter() - begun
        right = np.mean(model.predict(task.X_test.astype(np.float32)) == task.y_test)
        print(f"| ({x},{y}) | {STRENGTH[x + y]:g} | {right:.2%} | {spent:.2f} |")


def main() -> None:
    task = newsgroups()
    print(f"{task.name}: {task.X.shape[0]} × {task.X.shape[1]}, {task.X.nnz} non-zeros")
    for pair in MODEL:
        ours(pair, 1).fit(task.X, task.y, start=start(task))  # compile, or load what is compiled
        ours(pair, 1).fit(task.X.astype(np.float32), task.y, start=start(task))
    accuracy(task)
    speed(task)
    agreement(task)


if __name__ == "__main__":
    main()
