"""A guide in a fit: what it says of the documents fitted, and of documents elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from core.engine.estimator import FitInputs
from core.engine.factorisation import Problem
from core.engine.groups import Layout
from core.guide.classifier import Guide, fit_guide
from core.guide.pricing import Guidance, TopicChances, taught_labels
from core.guide.starts import guided_topics
from core.guide.teachers import Descriptions
from core.guide.uncovered import UncoveredChance, cover_evidence, uncovered_chance
from core.supervision import LabelledWeight, Supervision


@dataclass(frozen=True)
class GuideSource:
    """What a guide is learnt from besides documents and labels."""

    earlier: Guide | None
    vectors: np.ndarray | None
    descriptions: Descriptions | None

    def learn(self, inputs: FitInputs, n_topics: int) -> Guided:
        X, supervision = inputs.X, inputs.supervision
        guide = fit_guide(
            X, supervision, self.earlier, vectors=self.vectors, descriptions=self.descriptions
        )
        if guide is None:
            return Guided(silent=np.ones(supervision.n_labels, bool))
        by_label, taught = guide.probabilities(X, self.vectors), taught_labels(guide)
        evidence = cover_evidence(by_label, taught)
        carries = np.diff(supervision.permitted.indptr) > 0
        left_out = cover_evidence(guide.left_out[carries[guide.positions]], taught)
        others = evidence.at(~supervision.labelled)
        uncovered = uncovered_chance(guide.uncovered, left_out, others)
        likely = TopicChances.of(guide, uncovered, by_label, n_topics, evidence)
        return Guided(guide, uncovered, likely, silent=~guide.taught)


@dataclass(frozen=True)
class Guided:
    """What a guide says of the documents of a fit; without one, nothing."""

    guide: Guide | None = None
    uncovered: UncoveredChance | None = None
    likely: TopicChances | None = None  # the chance of each topic in each document
    silent: np.ndarray | None = None  # labels that nothing tells of; None: the fit is not guided

    def prices(self, inputs: FitInputs, guidance: Guidance) -> np.ndarray | None:
        """What a unit of each topic costs a document; labels are followed at any price."""
        if self.guide is None or self.likely is None:
            return None
        prices = self.likely.prices(inputs.X, self.guide, guidance)
        prices[inputs.supervision.labelled] = 0
        return prices

    def without_documents(self) -> Guided:
        """What is needed for documents beyond those it was learnt from."""
        guide = self.guide and replace(self.guide, inverse=np.empty((0, 0)))
        return replace(self, guide=guide, likely=None)

    def mask(self, mask: np.ndarray) -> np.ndarray:
        """Nobody may use a topic that nothing tells of: it would become a catch-all."""
        if self.silent is not None:
            mask[:, np.flatnonzero(self.silent)] = False
        return mask

    def begun(self, inputs: FitInputs) -> np.ndarray | None:
        """Where the topics of labels begin, in a fit that does not start from earlier ones."""
        if self.silent is None or inputs.start is not None:
            return None
        X, labels = inputs.X, inputs.supervision.permitted
        if self.guide is None or self.likely is None:
            return np.zeros((self.silent.size, X.shape[1]), X.dtype)
        return guided_topics(X, self.guide, self.likely.whole(), labels)

    def examples(self, layout: Layout) -> np.ndarray | None:
        """How many documents teach each part of a label's topic."""
        if self.guide is None:
            return None
        return np.repeat(self.guide.examples, layout.sizes[: self.guide.examples.size])

    def named(self, used: np.ndarray, H: np.ndarray, layout: Layout) -> np.ndarray:
        """A topic that no document uses shows the words of its label's description, or none.

        The words that it began with would be those of documents that other topics explain.
        """
        if self.silent is None:
            return H
        written = None if self.guide is None else self.guide.descriptions
        for topic, columns in enumerate(map(list, layout.columns)):
            if used[columns].any():
                continue
            named = topic < self.silent.size
            H[columns] = written.unit_row(topic) if named and written is not None else 0
        return H


NOT_GUIDED = Guided()


def prices_of(
    X: sp.csr_array,
    guided: Guided,
    n_topics: int,
    guidance: Guidance,
    vectors: np.ndarray | None = None,
) -> np.ndarray | None:
    """What a unit of each topic costs documents beyond those that the guide was learnt from."""
    if guided.guide is None or guided.uncovered is None:
        return None
    by_label = guided.guide.probabilities(X, vectors)
    likely = TopicChances.of(guided.guide, guided.uncovered, by_label, n_topics)
    return likely.prices(X, guided.guide, guidance)


@dataclass(frozen=True)
class GuidedRules:
    """How documents that this process does not hold get their mask, weight and prices."""

    guided: Guided
    layout: Layout
    guidance: Guidance
    labelled_weight: LabelledWeight

    def __call__(self, X: sp.csr_array, supervision: Supervision) -> Problem:
        n_topics, spread = len(self.layout.sizes), self.layout.spread
        price = prices_of(X, self.guided, n_topics, self.guidance)
        if price is not None:
            price[supervision.labelled] = 0
        return Problem(
            self.layout,
            spread(self.guided.mask(supervision.topic_mask(n_topics))),
            supervision.row_weight(self.labelled_weight, n_topics),
            None if price is None else spread(price),
        )
