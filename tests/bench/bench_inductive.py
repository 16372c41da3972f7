"""Topics that appear as they are met: the first labels of an analyst who starts with nothing.

    NLTK_DATA=... TSNMF_BENCH_DATA=... python -m tests.bench.bench_inductive

Texts are labelled in a random order with their true labels; a topic is created when its first text
is met, beside three free topics, and the model is fitted after every label. *Previews* go on from
fit to fit, as a preview does; *resting* is the full fit that takes a preview's place. Scores are
taken on unlabelled texts about a topic that has been met: how often the right one is first among
the named topics, and how often among all topics.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from core import Corpus, DocumentTermMatrix, ModelSpec, Supervision, Topics, build_matrix, fit
from core.loading import read_demo, read_newsgroups
from core.text.encoders import wordllama_encoder, wordllama_installed
from core.text.vectors import encode_documents
from core.workspace.refits.warm_up import warm
from tests.bench.bench_labelling import markdown
from tests.bench.corpora import sampled

MARKS = (1, 3, 8, 16, 33, 48)
N_FREE = 3
CORPORA = {
    "demo": read_demo,
    "newsgroups": lambda: read_newsgroups("train", min_characters=100),
    "intents": lambda: sampled("clinc150", 6000, 77),
    "packages": lambda: sampled("debian_packages", 6000, 50),
}


def matrix_of(corpus: Corpus) -> DocumentTermMatrix:
    matrix = build_matrix(corpus)
    if not wordllama_installed():
        return matrix
    return matrix.with_vectors(encode_documents(wordllama_encoder(), corpus.texts))


def supervision_of(corpus: Corpus, labelled: list[int]) -> Supervision:
    """Labels in the order in which they were met."""
    met = list(dict.fromkeys(label for i in labelled for label in corpus.labels[i]))
    rows: list[list[str]] = [[] for _ in corpus.ids]
    for i in labelled:
        rows[i] = list(corpus.labels[i])
    return Supervision.of(rows, met)


def scores(corpus: Corpus, topics: Topics, labelled: list[int]) -> tuple[float, float]:
    """The right label first among the named topics, and among all."""
    names = topics.names[: topics.n_supervised]
    rest = np.setdiff1d(np.arange(len(corpus.ids)), labelled)
    known = [i for i in rest if set(corpus.labels[i]) & set(names)]
    named = topics.doc_topic[known][:, : len(names)].argmax(axis=1)
    best = topics.doc_topic[known].argmax(axis=1)
    right = [names[k] in corpus.labels[i] for i, k in zip(known, named, strict=True)]
    first = [k < len(names) and ok for k, ok in zip(best, right, strict=True)]
    return float(np.mean(right)), float(np.mean(first))


def measured(name: str, corpus: Corpus, seeds: int) -> Iterator[dict[str, object]]:
    matrix = matrix_of(corpus)
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(len(corpus.ids))
        order = [int(i) for i in order if corpus.labels[i]][: MARKS[-1]]
        chain: Topics | None = None
        for n in range(1, len(order) + 1):
            y = supervision_of(corpus, order[:n])
            spec = ModelSpec("tsnmf", y.n_labels + N_FREE)
            chain = fit(matrix, y, spec, start=chain)
            if n not in MARKS:
                continue
            for way, topics in (("previews", chain), ("resting", fit(matrix, y, spec))):
                named, first = scores(corpus, topics, order[:n])
                yield {"corpus": name, "labels": n, "way": way, "named": named, "first": first}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--corpora", nargs="+", choices=[*CORPORA], default=[*CORPORA])
    options.add_argument("--seeds", type=int, default=10)
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1, user_api="blas")
    warm()
    for name in chosen.corpora:
        table = pd.DataFrame(measured(name, CORPORA[name](), chosen.seeds))
        for measure in ("named", "first"):
            cells = table.groupby(["way", "labels"])[measure].mean().unstack("labels")
            print(f"\n**{name}: right {measure}**\n\n{markdown(cells.round(3))}", flush=True)


if __name__ == "__main__":
    main()
