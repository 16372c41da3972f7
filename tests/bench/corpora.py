"""What the benchmarks run on: Reuters where NLTK's data are at hand, otherwise a planted twin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core import Supervision, TextSettings, build_matrix
from core.errors import CorpusError
from core.loading import read_reuters


@dataclass(frozen=True)
class Bench:
    """A matrix with true labels."""

    name: str
    X: sp.csr_array
    labels: list[list[str]]
    names: list[str]

    def supervision(self, rate: float, seed: int = 1) -> Supervision:
        """True labels for a random share of the documents."""
        n_docs = self.X.shape[0]
        rng = np.random.default_rng(seed)
        told = set(rng.choice(n_docs, int(rate * n_docs), replace=False).tolist())
        rows = [self.labels[i] if i in told else [] for i in range(n_docs)]
        return Supervision.of(rows, self.names)


def news() -> Bench:
    """Reuters under the paper's preset: about 8,250 documents, 2,000 terms, 90 labels."""
    try:
        corpus = read_reuters(min_characters=250)
    except CorpusError:
        return planted(8253, 2000, 90)
    matrix = build_matrix(corpus, TextSettings(preset="tsnmf_paper"))
    return Bench("Reuters", matrix.X, [list(r) for r in corpus.labels], list(corpus.label_names))


def planted(n_docs: int, n_terms: int, n_topics: int, seed: int = 0) -> Bench:
    """A corpus of the same shape: skewed topics, one or two a document, about 43 words each."""
    rng = np.random.default_rng(seed)
    words = rng.dirichlet(np.full(n_terms, 0.05), n_topics)
    odds = 1 / np.arange(1, n_topics + 1)
    odds /= odds.sum()
    rows, labels = [], []
    for _ in range(n_docs):
        mine = rng.choice(n_topics, size=1 + (rng.uniform() < 0.15), replace=False, p=odds)
        counts = rng.multinomial(70, words[mine].mean(axis=0))
        rows.append(sp.csr_array(counts[None, :].astype(np.float32)))
        labels.append([f"topic {j:03d}" for j in sorted(mine)])
    X = sp.csr_array(sp.vstack(rows))
    X.data = 1 + np.log(X.data)
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1))).ravel()
    X = sp.csr_array(sp.diags_array(1 / np.maximum(length, 1e-9)) @ X).astype(np.float32)
    return Bench("planted", X, labels, [f"topic {j:03d}" for j in range(n_topics)])
