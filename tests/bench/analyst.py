"""A simulated analyst: labels what the queue offers, with the true labels, and never errs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from core import Supervision, Topics
from core.guide.classifier import Guide
from core.models import MODELS
from core.queue import Hints, NeighbourIndex, build_neighbour_index, next_documents
from core.spec import ModelSpec
from tests.bench.corpora import Bench

STEP = 10  # labels between refits


class Analyst:
    """Labels documents of a corpus in the order that a queue mode gives."""

    def __init__(self, bench: Bench, mode: str, seed: int) -> None:
        self.bench, self.mode, self.seed = bench, mode, seed
        self.truth = Supervision.of(bench.labels, bench.names)
        self.neighbour_index: NeighbourIndex | None = (
            None if mode == "random" else build_neighbour_index(bench.X, seed, bench.vectors)
        )
        self.labelled: list[int] = []
        self._topics: Topics | None = None
        self._guide: Guide | None = None

    def at(self, marks: Sequence[int]) -> Iterator[tuple[int, Supervision]]:
        """What has been said after so many labels."""
        for mark in (m for m in marks if m <= self.bench.X.shape[0] // 2):
            while len(self.labelled) < mark:
                self._label(min(STEP, mark - len(self.labelled)))
            yield mark, self.said()

    def said(self) -> Supervision:
        return supervision_of(self.bench, self.labelled)

    def _label(self, n: int) -> None:
        n_docs = self.bench.X.shape[0]
        hints = None
        if self.mode != "random" and (self.labelled or self.bench.names_read is not None):
            hints = self._refit()
        items = next_documents(
            self._topics,
            self.labelled,
            n_docs=n_docs,
            mode=self.mode,
            limit=4 * n,
            seed=self.seed,
            labels={i: self._columns(i) for i in self.labelled},
            hints=hints,
            neighbour_index=self.neighbour_index,
        )
        fresh = [item.position for item in items if item.kind != "mislabelled"][:n]
        rest = np.setdiff1d(np.arange(n_docs), [*self.labelled, *fresh])
        drawn = np.random.default_rng(len(self.labelled)).permutation(rest)[: n - len(fresh)]
        self.labelled += [*fresh, *(int(i) for i in drawn)]

    def _columns(self, i: int) -> list[int]:
        told = self.truth.permitted
        return told.indices[told.indptr[i] : told.indptr[i + 1]].tolist()

    def _refit(self) -> Hints:
        """The app's own refit: from the last factors, with a guide that follows."""
        X, said = self.bench.X, self.said()
        model = MODELS["tsnmf"](len(self.bench.names), random_state=self.seed)
        before = self._topics
        start = None if before is None else (before.doc_topic, before.topic_term)
        bench = self.bench
        model.fit(
            X, said, start=start, guide=self._guide,
            vectors=bench.vectors, descriptions=bench.names_read,
        )  # fmt: skip
        self._guide = model.guide_
        assert self._guide is not None
        self._topics = Topics(
            doc_topic=model.doc_topic_,
            topic_term=model.components_,
            terms=("",) * X.shape[1],
            doc_ids=("",) * X.shape[0],
            names=tuple(self.bench.names),
            n_supervised=len(self.bench.names),
            spec=ModelSpec(),
        )
        return Hints.from_guide(self._guide, X, said, bench.vectors)


def supervision_of(bench: Bench, labelled: Collection[int]) -> Supervision:
    """The true labels of these documents."""
    told = set(labelled)
    rows = [row if i in told else [] for i, row in enumerate(bench.labels)]
    return Supervision.of(rows, bench.names)
