"""What the benchmarks run on: Reuters where NLTK's data are at hand, otherwise a planted twin."""

from __future__ import annotations

import gzip
import json
import os
import random
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from core import Corpus, Supervision, TextSettings, build_matrix
from core.engine.limits import NO_LIMITS
from core.errors import CorpusError
from core.guide.descriptions import describe_labels
from core.guide.teachers import Descriptions
from core.loading import read_reuters
from core.text.encoders import wordllama_encoder, wordllama_installed
from core.text.vectors import encode_documents


@dataclass(frozen=True)
class Bench:
    """A matrix with true labels."""

    name: str
    X: sp.csr_array
    labels: list[list[str]]
    names: list[str]
    vectors: np.ndarray | None = None  # what the documents are about, where wordllama is installed
    names_read: Descriptions | None = None  # the labels' names, by words and by meaning

    @classmethod
    def of(cls, name: str, corpus: Corpus, settings: TextSettings | None = None) -> Bench:
        """A corpus with everything that the app knows of it."""
        matrix = build_matrix(corpus, settings or TextSettings())
        if wordllama_installed():
            matrix = matrix.with_vectors(encode_documents(wordllama_encoder(), corpus.texts))
        return cls(
            name,
            matrix.X,
            [list(row) for row in corpus.labels],
            list(corpus.label_names),
            None if matrix.vectors is None else matrix.vectors.values,
            describe_labels(matrix, corpus.label_names, NO_LIMITS),
        )

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


def news_with_names() -> Bench:
    """The same with names and meaning."""
    corpus = read_reuters(min_characters=250)
    return Bench.of("Reuters", corpus, TextSettings(preset="tsnmf_paper"))


def titles() -> Bench:
    """The first lines of Reuters texts: very short texts, 90 labels."""
    corpus = read_reuters(min_characters=250)
    firsts = tuple(text.split("\n")[0] for text in corpus.texts)
    return Bench.of("Reuters titles", replace(corpus, texts=firsts))


def from_file(name: str, n_docs: int, n_labels: int) -> Bench:
    """A sample of a file with everything that the app knows of it."""
    return Bench.of(name, sampled(name, n_docs, n_labels))


def sampled(name: str, n_docs: int, n_labels: int, seed: int = 0) -> Corpus:
    """Texts of NAME.jsonl.gz in the folder ``TSNMF_BENCH_DATA``, of its most frequent labels."""
    path = Path(os.environ["TSNMF_BENCH_DATA"]) / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf8") as file:
        rows = [row for row in map(json.loads, file) if row["labels"]]
    counts = Counter(label for row in rows for label in row["labels"])
    kept = {label for label, _ in counts.most_common(n_labels)}
    rows = [row for row in rows if set(row["labels"]) <= kept]
    rows = random.Random(seed).sample(rows, min(n_docs, len(rows)))
    return Corpus(
        ids=tuple(str(i) for i in range(len(rows))),
        texts=tuple(row["text"][:2000] for row in rows),
        labels=tuple(tuple(row["labels"]) for row in rows),
    )


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
