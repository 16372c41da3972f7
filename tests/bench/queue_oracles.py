"""Queues that know all true labels: with how many could the guide have what chance has with 200?

No queue can be built of them; they tell how much is left to gain. ``Central`` knows which texts
carry which label, ``Greedy`` also what each label does to the score.
"""

from __future__ import annotations

import numpy as np

from core.guide.classifier import Guide, fit_guide
from core.guide.views import Views
from tests.bench.analyst import supervision_of
from tests.bench.bench_queue import MARKS, GuideAnalyst

GREEDY_CANDIDATES = 10  # texts drawn by chance for each label given
GREEDY_SCORED = 3000  # texts that a candidate is judged by
GREEDY_MARKS = tuple(mark for mark in MARKS if mark <= 100)


class Central(GuideAnalyst):
    """Each label as often as it occurs, by the texts whose mean is nearest to the label's mean.

    A text of several labels stands for the rarest (kernel herding, as the guide sees texts).
    """

    def _label(self, n: int) -> None:
        for _ in range(n):
            self.labelled.append(self._most_central())

    def _most_central(self) -> int:
        true = self._true
        open_rows = np.setdiff1d(np.flatnonzero(true.any(axis=1)), self.labelled)
        given = true[self.labelled].sum(axis=0)
        owed = true.sum(axis=0) / (given + 0.5)
        rarest = np.where(true, -true.sum(axis=0), -np.inf).argmax(axis=1)
        label = max(set(rarest[open_rows].tolist()), key=lambda k: owed[k])
        mine = np.flatnonzero((rarest == label) & true.any(axis=1))
        seen = self._features.at(mine)
        near_all = seen.similarity(seen.mean()).ravel()
        chosen = np.intersect1d(mine, self.labelled)
        if chosen.size:
            near_chosen = seen.similarity(self._features.at(chosen)).sum(axis=1)
            near_all = near_all - near_chosen / (chosen.size + 1)
        return int(mine[np.where(np.isin(mine, chosen), -np.inf, near_all).argmax()])

    def prepare(self) -> Central:
        self._true = self.truth.permitted.toarray().astype(bool)
        views = Views.of(self.bench.X, self.bench.vectors)
        self._features = views.features(self.bench.X, self.bench.vectors)
        return self


class Greedy(GuideAnalyst):
    """Of a few texts drawn by chance the one with which the guide is right most often."""

    marks = GREEDY_MARKS

    def prepare(self) -> Greedy:
        self._true = self.truth.permitted.toarray().astype(bool)
        self._rng = np.random.default_rng(self.seed)
        asked = np.flatnonzero(self._true.any(axis=1))
        self._scored = self._rng.permutation(asked)[:GREEDY_SCORED]
        return self

    def _label(self, n: int) -> None:
        asked = np.flatnonzero(self._true.any(axis=1))
        for _ in range(n):
            open_rows = np.setdiff1d(asked, self.labelled)
            drawn = self._rng.choice(open_rows, GREEDY_CANDIDATES, replace=False)
            guides = [self._with(int(row)) for row in drawn]
            scores = [self._score(g, int(r)) for g, r in zip(guides, drawn, strict=True)]
            best = int(np.argmax(scores))
            self._guide = guides[best]
            self.labelled.append(int(drawn[best]))

    def _with(self, row: int) -> Guide:
        bench = self.bench
        guide = fit_guide(
            bench.X,
            supervision_of(bench, [*self.labelled, row]),
            self._guide,
            vectors=bench.vectors,
            descriptions=bench.names_read,
        )
        assert guide is not None
        return guide

    def _score(self, guide: Guide, row: int) -> float:
        rows = np.setdiff1d(self._scored, [*self.labelled, row])
        vectors = None if self.bench.vectors is None else self.bench.vectors[rows]
        first = guide.probabilities(self.bench.X[rows], vectors).argmax(axis=1)
        return float(self._true[rows, first].mean())
