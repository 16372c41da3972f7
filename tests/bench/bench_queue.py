"""The queue beside chance, by the guide alone: ``python -m tests.bench.bench_queue``.

No topics are fitted, so a corpus takes a minute where ``bench_labelling`` takes hours: enough to
choose between queues, not to tell what topics are worth. A new guide after every ten labels, with
names and, where ``wordllama`` is installed, meaning; prints the share of unlabelled texts whose
likeliest label is true. Data as for ``bench_labelling``.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from typing import Self

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from core import Topics
from core.guide.classifier import fit_guide
from core.queue import Hints
from core.spec import ModelSpec
from tests.bench.analyst import Analyst
from tests.bench.bench_labelling import CORPORA, TARGET, labels_needed
from tests.bench.corpora import Bench

MARKS = (0, 1, 3, 10, 25, 50, 100, 150, TARGET)
DRAWS = 8  # by chance
CHOSEN_ON = ("newsgroups", "intents", "titles", "reuters", "demo")


class GuideAnalyst(Analyst):
    """Labels what the queue offers by the guide; its probabilities stand for topics."""

    marks: Sequence[int] = MARKS  # labels after which it is scored

    def prepare(self) -> Self:
        """What is looked up once, before the first label."""
        return self

    def _refit(self) -> Hints:
        bench, said = self.bench, self.said()
        self._guide = fit_guide(
            bench.X, said, self._guide, vectors=bench.vectors, descriptions=bench.names_read
        )
        self._topics = Topics(
            doc_topic=self._guide.probabilities(bench.X, bench.vectors),
            topic_term=np.zeros((len(bench.names), 1)),
            terms=("",),
            doc_ids=("",) * bench.X.shape[0],
            names=tuple(bench.names),
            n_supervised=len(bench.names),
            spec=ModelSpec(),
        )
        return Hints.from_guide(self._guide, bench.X, said, bench.vectors)

    def curve(self) -> pd.Series:
        """The share that is right after each number of labels."""
        true = self.truth.permitted.toarray().astype(bool)
        found = {}
        for labels, _ in self.at(self.marks):
            self._refit()
            assert self._topics is not None
            asked = true.any(axis=1)
            asked[self.labelled] = False
            rows = np.flatnonzero(asked)
            found[labels] = true[rows, self._topics.doc_topic[rows].argmax(axis=1)].mean()
        return pd.Series(found)


def mean_curve(
    bench: Bench, mode: str, seeds: Sequence[int], analyst: type[GuideAnalyst] = GuideAnalyst
) -> pd.Series:
    curves = [analyst(bench, mode, seed).prepare().curve() for seed in seeds]
    return pd.concat(curves, axis=1).mean(axis=1)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--corpora", nargs="+", choices=[*CORPORA], default=CHOSEN_ON)
    options.add_argument("--seeds", nargs="+", type=int, default=[10, 11, 12, 13])
    options.add_argument("--oracle", action="store_true", help="queues that know all labels")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    threadpool_limits(1, user_api="blas")
    print(f"| by chance / by the queue | {' | '.join(map(str, MARKS))} | labels for chance's |")
    print("|---" * (len(MARKS) + 2) + "|")
    for name in chosen.corpora:
        bench = CORPORA[name]()
        chance = mean_curve(bench, "random", range(DRAWS))
        if chosen.oracle:
            oracles(name, bench, float(chance.iloc[-1]))
            continue
        queue = mean_curve(bench, "mixed", chosen.seeds)
        cells = [f"{chance[mark]:.3f} / {queue[mark]:.3f}" for mark in chance.index]
        needed = labels_needed(queue, chance.iloc[-1])
        print(f"| {name} | {' | '.join(cells)} | {needed:.0f} |", flush=True)


def oracles(name: str, bench: Bench, target: float) -> None:
    """Rows of what queues that know all true labels reach, one seed: a bound, not a choice."""
    from tests.bench.queue_oracles import Central, Greedy  # they extend what stands here

    for about, analyst in (("central", Central), ("greedy", Greedy)):
        curve = mean_curve(bench, "random", [0], analyst)
        cells = [f"{curve[mark]:.3f}" if mark in curve else "" for mark in MARKS]
        needed = f"{labels_needed(curve, target):.0f}"
        print(f"| {name}, {about} | {' | '.join(cells)} | {needed} |", flush=True)


if __name__ == "__main__":
    main()
