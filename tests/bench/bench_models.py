"""Time per pass of every model against the size of the data, and I-divergence against scikit-learn.

python -m tests.bench.bench_models
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import NMF as ScikitNMF

from core import Supervision
from core.models import MODELS, NMF
from tests.bench.corpora import Bench, news, planted

TOPICS = 20
SIZES = (1, 2, 4)
PASSES = 6


def against_scikit_learn(bench: Bench, n_topics: int = 90, updates: int = 10) -> None:
    """Seconds per multiplicative update of the I-divergence, from the same start."""
    X = sp.csr_matrix(bench.X)
    rng = np.random.default_rng(0)
    W = rng.uniform(0.1, 1, (X.shape[0], n_topics)).astype(np.float32)
    H = rng.uniform(0.1, 1, (n_topics, X.shape[1])).astype(np.float32)
    rival = ScikitNMF(
        n_topics, solver="mu", beta_loss="kullback-leibler", init="custom", max_iter=updates, tol=0
    )
    begun = time.perf_counter()
    rival.fit_transform(X, W=W.copy(), H=H.copy())
    theirs = (time.perf_counter() - begun) / updates
    ours = per_pass(
        NMF(n_topics, solver="mu", loss="i_divergence", tol=0.0, max_iter=updates),
        bench.X,
        None,
        start=(W, H),
    )
    print("\n| I-divergence, one update | seconds | ratio |\n|---|---|---|")
    print(f"| scikit-learn, mu | {theirs:.3f} | 1 |")
    print(f"| ours | {ours:.4f} | {theirs / ours:.1f} |")


def per_pass(model: object, X: sp.csr_array, y: Supervision | None, **more: object) -> float:
    stamps: list[float] = []
    model.fit(X, y, callback=lambda progress: stamps.append(time.perf_counter()), **more)
    return float(np.median(np.diff(stamps)))


def counts(X: sp.csr_array) -> sp.csr_array:
    """The same cells as whole numbers, for the models that count."""
    whole = X.copy()
    whole.data = np.maximum(1, np.rint(3 * X.data / X.data.mean())).astype(np.float32)
    return whole


def growth() -> None:
    """Every model on one, two and four times as many documents."""
    benches = [planted(3000 * times, 2000, TOPICS, seed=times) for times in SIZES]
    sizes = " | ".join(f"{bench.X.nnz / 1000:.0f} k non-zeros" for bench in benches)
    print(f"\n| ms per pass, {TOPICS} topics | {sizes} | growth for 4 × the data |")
    print("|---|" + "---|" * (len(SIZES) + 1))
    for name in MODELS:
        row = [timed_model(name, bench) for bench in benches]
        cells = " | ".join(f"{1000 * seconds:.1f}" for seconds in row)
        ratio = benches[-1].X.nnz / benches[0].X.nnz
        print(f"| `{name}` | {cells} | {row[-1] / row[0]:.1f} × (data: {ratio:.1f} ×) |")


def timed_model(name: str, bench: Bench) -> float:
    X = counts(bench.X) if name.startswith("pfa") else bench.X
    model = MODELS[name](n_topics=TOPICS, tol=0.0, max_iter=PASSES, random_state=0)
    y = bench.supervision(0.2)
    model.fit(X, y)  # compile
    return per_pass(model, X, y)


def main() -> None:
    warnings.simplefilter("ignore")
    against_scikit_learn(news())
    growth()


if __name__ == "__main__":
    main()
