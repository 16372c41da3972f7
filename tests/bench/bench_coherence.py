"""How coherent may topics be that are about the labels? ``python -m tests.bench.bench_coherence``

NPMI of the ten heaviest words, the corpus itself for reference, of three models label by label:
pure and guided TS-NMF after some labels drawn by chance, and *true labels*, the topics of a fit to
which the true labels of all texts were told. Once over the labels whose topic has words in all
three, and once over those of them for which both fitted topics are about their label: own weighted
Jaccard, on texts nobody labelled, above the threshold of the TS-NMF paper. Data as for
``bench_labelling``.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from core import Supervision
from core.evaluation.metrics import match_topics, topic_coherence
from core.evaluation.metrics.matching import RESOLVED_THRESHOLD
from core.models import MODELS
from tests.bench.analyst import Analyst
from tests.bench.bench_labelling import CORPORA, markdown
from tests.bench.bench_queue import CHOSEN_ON
from tests.bench.corpora import Bench
from tests.bench.rivals import Answer, guided, pure

MARKS = (100, 200, 400)
NAMES = ("pure", "guided", "true labels")


def of_true_labels(bench: Bench) -> np.ndarray:
    """NPMI of each label's topic where every text has told its labels."""
    truth = Supervision.of(bench.labels, bench.names)
    model = MODELS["tsnmf"](len(bench.names), guidance=0, random_state=0).fit(bench.X, truth)
    return topic_coherence(model.components_, bench.X)


def own_jaccard(bench: Bench, said: Supervision, answer: Answer) -> np.ndarray:
    """How far each label's own topic is about it, on texts nobody labelled."""
    truth = Supervision.of(bench.labels, bench.names).indicator()
    rows = np.flatnonzero(~said.labelled)
    matching = match_topics(answer.by_label, truth, label_names=bench.names, rows=rows)
    return np.diag(matching.similarity)


def measured(bench: Bench, seeds: int) -> Iterator[pd.DataFrame]:
    """A row for every label, a frame for every draw."""
    true = of_true_labels(bench)
    for seed in range(seeds):
        for labels, said in Analyst(bench, "random", seed).at(MARKS):
            answers = {"pure": pure(bench, said, seed), "guided": guided(bench, said, seed)}
            found = pd.DataFrame({"labels": labels, "true labels": true, "about": True})
            for name, answer in answers.items():
                assert answer.topic_term is not None
                found[name] = topic_coherence(answer.topic_term, bench.X)
                found["about"] &= own_jaccard(bench, said, answer) > RESOLVED_THRESHOLD
            yield found


def summary(name: str, table: pd.DataFrame, seeds: int) -> pd.DataFrame:
    """Means over the labels that have words in all three, and over those that are found."""
    table = table.dropna(subset=list(NAMES))
    mean = table.groupby("labels")[list(NAMES)].mean()
    about = table[table.about].groupby("labels")[list(NAMES)].mean()
    both = mean.join(about, rsuffix=", found").round(3)
    both["found"] = (table.groupby("labels").about.sum() / seeds).round(1)
    both.index = pd.Index([f"{name}, {labels}" for labels in both.index])
    return both


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--corpora", nargs="+", choices=[*CORPORA], default=CHOSEN_ON)
    options.add_argument("--seeds", type=int, default=4)
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1, user_api="blas")
    tables = []
    for name in chosen.corpora:
        bench = CORPORA[name]()
        tables.append(summary(name, pd.concat(measured(bench, chosen.seeds)), chosen.seeds))
    print(markdown(pd.concat(tables)))


if __name__ == "__main__":
    main()
