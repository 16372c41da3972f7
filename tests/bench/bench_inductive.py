"""Topics that appear as they are met: the first labels of an analyst who starts with nothing.

    NLTK_DATA=... TSNMF_BENCH_DATA=... python -m tests.bench.bench_inductive

Texts are labelled in a random order with their true labels; a topic is created when its first text
is met, beside three free topics, and the model is fitted after every label. *Previews* go on from
fit to fit, as a preview does; *resting* is the full fit that takes a preview's place. Scores are
taken on unlabelled texts about a topic that has been met: how often the right one is first among
the named topics, and how often among all topics.

With ``--new-first`` whoever labels looks for topics that have no label yet, so each is met once
before any is met again; with ``--named`` all topics have their names from the beginning. With
``--resting`` no previews are made, so only the fits that are scored are.
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


def labelling_order(corpus: Corpus, seed: int, new_first: bool) -> list[int]:
    """Documents that carry labels by chance, or those first that are about something new."""
    order = np.random.default_rng(seed).permutation(len(corpus.ids))
    chance = [int(i) for i in order if corpus.labels[i]]
    if not new_first:
        return chance
    met: set[str] = set()
    new = []
    for i in chance:
        if not met & set(corpus.labels[i]):
            new.append(i)
            met |= set(corpus.labels[i])
    return new + [i for i in chance if i not in set(new)]


def supervision_of(corpus: Corpus, labelled: list[int], named: bool) -> Supervision:
    """All labels, or those that were met, in their order."""
    met = list(dict.fromkeys(label for i in labelled for label in corpus.labels[i]))
    met = list(corpus.label_names) if named else met
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


def measured(name: str, corpus: Corpus, chosen: argparse.Namespace) -> Iterator[dict[str, object]]:
    matrix = matrix_of(corpus)
    for seed in range(chosen.seeds):
        order = labelling_order(corpus, seed, chosen.new_first)[: max(chosen.marks)]
        chain: Topics | None = None
        for n in chosen.marks if chosen.resting else range(1, len(order) + 1):
            y = supervision_of(corpus, order[:n], chosen.named)
            spec = ModelSpec("tsnmf", y.n_labels + N_FREE)
            chain = None if chosen.resting else fit(matrix, y, spec, start=chain)
            if n not in chosen.marks:
                continue
            ways = {"resting": fit(matrix, y, spec)}
            if chain is not None:
                ways["previews"] = chain
            for way, topics in ways.items():
                named, first = scores(corpus, topics, order[:n])
                yield {"corpus": name, "labels": n, "way": way, "named": named, "first": first}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--corpora", nargs="+", choices=[*CORPORA], default=[*CORPORA])
    options.add_argument("--seeds", type=int, default=10)
    options.add_argument("--marks", nargs="+", type=int, default=MARKS)
    for flag in ("--new-first", "--named", "--resting"):
        options.add_argument(flag, action="store_true")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1, user_api="blas")
    warm()
    for name in chosen.corpora:
        table = pd.DataFrame(measured(name, CORPORA[name](), chosen))
        for measure in ("named", "first"):
            cells = table.groupby(["way", "labels"])[measure].mean().unstack("labels")
            print(f"\n**{name}: right {measure}**\n\n{markdown(cells.round(3))}", flush=True)


if __name__ == "__main__":
    main()
