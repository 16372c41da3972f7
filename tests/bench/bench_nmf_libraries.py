"""Plain NMF against libraries written in C++: seconds until we have the objective they reach.

    apt install r-cran-rcppml; pip install pyplanc
    OPENBLAS_NUM_THREADS=1 NLTK_DATA=... python -m tests.bench.bench_nmf_libraries [runs]

RcppML calls itself the fastest NMF in any language. It runs in R, with as many threads as there
are cores; the clock runs inside R, so reading the matrix and starting R are not counted. PLANC's
``anlsbpp`` and ``hals`` are its two quickest algorithms; its own threads and those of its BLAS get
in each other's way, hence one thread for BLAS, which ours takes anyway. A rival is given so many
passes; ours runs until its objective is within a thousandth of what the rival reached. All end in
one of many local minima, which differ by as much; what ours ends at is printed, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from scipy.io import mmread, mmwrite

from core.models.nmf import NMF
from tests.bench.bench_tsnmf import objective, reach
from tests.bench.corpora import Bench, news
from tests.bench.timing import timed

N_TOPICS = 90
CLOSE = 1.001  # of the rival's objective
RCPPML_PASSES = (25, 100)
PLANC_PASSES = {"anlsbpp": (10, 30), "hals": (100, 300)}
RCPPML = """
library(Matrix); library(RcppML)
told <- commandArgs(TRUE)
setRcppMLthreads(as.integer(told[4]))
X <- as(readMM(file.path(told[1], "X.mtx")), "CsparseMatrix")
seconds <- system.time(
  fitted <- nmf(X, as.integer(told[2]), tol = 0, maxit = as.integer(told[3]), verbose = FALSE,
    seed = as.integer(told[5]))
)["elapsed"]
W <- fitted$w %*% diag(fitted$d)
writeMM(as(W, "sparseMatrix"), file.path(told[1], "W.mtx"))
writeMM(as(fitted$h, "sparseMatrix"), file.path(told[1], "H.mtx"))
cat(seconds)
"""


def rcppml(X: sp.csr_matrix, passes: int, seed: int) -> tuple[float, float]:
    """Seconds in R and the objective reached."""
    with tempfile.TemporaryDirectory() as folder:
        mmwrite(Path(folder) / "X.mtx", X)
        script = Path(folder) / "fit.R"
        script.write_text(RCPPML)
        told = [str(value) for value in (folder, N_TOPICS, passes, os.cpu_count(), seed + 1)]
        done = subprocess.run(
            ["Rscript", str(script), *told], check=True, capture_output=True, text=True
        )
        W, H = (mmread(Path(folder) / name).toarray() for name in ("W.mtx", "H.mtx"))
    return float(done.stdout.split()[-1]), objective(X, W, H)


def planc(X: sp.csr_matrix, passes: int, seed: int, algorithm: str) -> tuple[float, float]:
    import pyplanc

    rng = np.random.default_rng(seed)
    terms = sp.csc_matrix(X.T)
    start = {
        "Winit": np.asfortranarray(rng.random((terms.shape[0], N_TOPICS))),
        "Hinit": np.asfortranarray(rng.random((terms.shape[1], N_TOPICS))),
    }
    cores = os.cpu_count() or 1
    seconds, found = timed(lambda: pyplanc.nmf(terms, N_TOPICS, passes, algorithm, cores, **start))
    return seconds, objective(X, found.H, found.W.T)


def rivals(X: sp.csr_matrix, n_runs: int) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    if shutil.which("Rscript"):
        for passes in RCPPML_PASSES:
            yield f"RcppML, {passes} passes", [rcppml(X, passes, seed) for seed in range(n_runs)]
    for algorithm, budgets in PLANC_PASSES.items():
        for passes in budgets:
            runs = [planc(X, passes, seed, algorithm) for seed in range(n_runs)]
            yield f"PLANC {algorithm}, {passes} passes", runs


def compare(bench: Bench, n_runs: int) -> None:
    X = sp.csr_matrix(bench.X.astype(np.float64))
    print("| library | its seconds | objective | ours, to within 0.1 % of it | times sooner |")
    print("|---|---|---|---|---|")
    for name, runs in rivals(X, n_runs):
        ours = [
            reach(NMF(N_TOPICS, random_state=seed), bench.X, None, CLOSE * target)
            for seed, (_, target) in enumerate(runs)
        ]
        their, reached = np.median(runs, axis=0)
        our = float(np.median(ours))
        row = f"| {name} | {their:.2f} | {reached:.0f} | {our:.2f} | {their / our:.0f} |"
        print(row, flush=True)


def main() -> None:
    warnings.simplefilter("ignore")
    bench = news()
    NMF(N_TOPICS, max_iter=2).fit(bench.X)  # compiled before anything is timed
    print(
        f"{bench.name}: {bench.X.shape[0]:,} documents, {N_TOPICS} topics, {os.cpu_count()} cores"
    )
    compare(bench, int(sys.argv[1]) if len(sys.argv) > 1 else 3)
    for init in ("nndsvd", "labels"):
        seconds, model = timed(
            partial(NMF(N_TOPICS, init=init, tol=0.0, random_state=0).fit, bench.X)
        )
        print(f"ours, to its end from {init}: {seconds:.2f} s, {model.objective_:.0f}")


if __name__ == "__main__":
    main()
