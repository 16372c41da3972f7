"""Ivek (2014): how near newsgroups lie to their own kind, in spaces found with and without labels.

Texts are judged by their nearest neighbours (cosine, k = √n) among the training texts. Topics,
words and their idf come from the training texts alone; the weights of test texts are found with
the plain prior, for their labels are not known. Print leaves open what headers were removed, how
words were chosen and where a fit starts; every other reading of it is a variant, one change each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import PCA

from core.corpus import Corpus
from core.engine.checks import canonical_csr
from core.evaluation.metrics import accuracy, averaged_accuracy, hoyer, inter_label_sparsity
from core.evaluation.references import nearest_neighbours
from core.evaluation.splits import split_documents
from core.matrix import build_matrix
from core.models import MODELS
from core.papers.sources import NewsgroupTexts
from core.papers.supervised_vbnmf.tables import (
    AS_READ,
    BEST_MODEL,
    CURVE_TOPICS,
    OTHER_READINGS,
    PLAIN_MODEL,
    RATE_SHAPES,
    SUPERVISED_MODEL,
    changed,
)
from core.papers.trials import Settings, Trial
from core.text import TextSettings

N_TERMS, ALL_TERMS = 10_000, 1_000_000
N_STARTS, FULL_PASSES, QUICK_PASSES = 10, 60, 15
N_STARTS_WITHOUT_HEADERS = 3
TRIED_NEIGHBOURS = (5, 10, 20, 50, 106)  # tried for the row “ours, best”
TOPIC_SCALES = ("fit", "unit")  # of topics, in whose terms weights are told
VALIDATION_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class WeighedTexts:
    """Training and test texts as matrices over the same words, and their groups."""

    train: sp.csr_array
    test: sp.csr_array
    train_group: np.ndarray
    test_group: np.ndarray


@lru_cache(maxsize=1)
def weighed_texts(train: Corpus, test: Corpus, words: str, terms: str) -> WeighedTexts:
    """Words as “stems” or “written”; the 10,000 with the “largest” TF-IDF or the largest “sum”."""
    settings = TextSettings(
        preset="vbnmf_paper",
        lemmas=words == "stems",
        max_terms=N_TERMS if terms == "largest" else ALL_TERMS,
    )
    matrix = build_matrix(train, settings)
    worth = np.asarray(matrix.X.sum(axis=0)).ravel()
    kept = np.sort(np.argsort(-worth, kind="stable")[:N_TERMS])
    names = sorted({labels[0] for labels in train.labels})
    return WeighedTexts(
        train=canonical_csr(matrix.X[:, kept]),
        test=canonical_csr(build_matrix(test, like=matrix).X[:, kept]),
        train_group=_groups(train, names),
        test_group=_groups(test, names),
    )


def _groups(corpus: Corpus, names: Sequence[str]) -> np.ndarray:
    """The place of each text's label among the names."""
    return np.array([names.index(labels[0]) for labels in corpus.labels])


@dataclass(frozen=True, eq=False)
class Space:
    """Weights of training and test texts in a space, and how long its topics were."""

    train: np.ndarray
    test: np.ndarray
    length: np.ndarray | float = 1.0

    def weights(self, scale: str) -> tuple[np.ndarray, np.ndarray]:
        """On the scale the “fit” left, which is print's, or of topics of “unit” length."""
        length = self.length if scale == "fit" else 1.0
        return self.train / length, self.test / length


def run_newsgroups(data: NewsgroupTexts, trial: Trial) -> Mapping[str, float]:
    settings = trial.settings
    texts = weighed_texts(
        *data.parts(str(settings["headers"])), str(settings["words"]), str(settings["terms"])
    )
    if settings["model"] == BEST_MODEL:
        return _best(texts, trial)
    space = _space(texts, settings, trial.seed)
    predicted = _neighbours(space, texts.train_group, "fit")
    unit = _neighbours(space, texts.train_group, "unit")
    found = {
        "micro": accuracy(texts.test_group, predicted),
        "macro": averaged_accuracy(texts.test_group, predicted),
        "micro_unit": accuracy(texts.test_group, unit),
    }
    if settings["model"] != "pca":
        W = space.weights("fit")[0]
        indicator = texts.train_group[:, None] == np.unique(texts.train_group)
        found["inter_label"] = inter_label_sparsity(W, indicator)
        found["sparsity"] = hoyer(W)
    return found


def _neighbours(
    space: Space, groups: np.ndarray, scale: str, size: int | None = None
) -> np.ndarray:
    W, W_new = space.weights(scale)
    classifier = nearest_neighbours(len(W))
    if size is not None:
        classifier.set_params(n_neighbors=min(size, len(W)))
    found: np.ndarray = classifier.fit(W, groups).predict(W_new)
    return found


def _best(texts: WeighedTexts, trial: Trial) -> dict[str, float]:
    """k and scale by a part of the training texts, then once on the test texts."""
    settings = {**trial.settings, "model": SUPERVISED_MODEL}
    names = [str(group) for group in texts.train_group]
    split = split_documents(names, trial.seed, (1 - VALIDATION_SHARE, VALIDATION_SHARE, 0.0))
    held_back = WeighedTexts(
        canonical_csr(texts.train[split.train]),
        canonical_csr(texts.train[split.validation]),
        texts.train_group[split.train],
        texts.train_group[split.validation],
    )
    space = _space(held_back, settings, trial.seed)
    scored = {
        (size, scale): accuracy(
            held_back.test_group, _neighbours(space, held_back.train_group, scale, size)
        )
        for size, scale in product(TRIED_NEIGHBOURS, TOPIC_SCALES)
    }
    size, scale = max(scored, key=lambda each: scored[each])
    whole = _space(texts, settings, trial.seed)
    predicted = _neighbours(whole, texts.train_group, scale, size)
    return {
        "micro": accuracy(texts.test_group, predicted),
        "macro": averaged_accuracy(texts.test_group, predicted),
        "neighbours": size,
        "unit_scale": scale == "unit",
    }


def _space(texts: WeighedTexts, settings: Settings, seed: int) -> Space:
    n_topics = int(settings["topics"])
    if settings["model"] == "pca":
        rank = min(n_topics, min(texts.train.shape) - 1)
        components = PCA(rank, svd_solver="arpack", random_state=seed).fit(texts.train)
        return Space(components.transform(texts.train), components.transform(texts.test))
    options: dict[str, Any] = {"max_iter": int(settings["passes"]), "random_state": seed}
    if settings["model"] == SUPERVISED_MODEL:
        options["label_sparsity"] = float(settings["rate_shape"])
    else:
        options["weight_shape"] = float(settings["weight_shape"])
    start = str(settings["start"])
    options["init"] = "acol" if start == "random" else start
    model = MODELS[str(settings["model"])](n_topics, **options)
    labels = None if settings["model"] == PLAIN_MODEL else texts.train_group
    factors = _random_start(texts.train, n_topics, seed) if start == "random" else None
    model.fit(texts.train, labels, start=factors)
    return Space(model.doc_topic_, model.transform(texts.test), model.topic_length_)


def _random_start(X: sp.csr_array, n_topics: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Exponential draws, which together weigh as much as the texts."""
    rng = np.random.default_rng(seed)
    W = rng.exponential(size=(X.shape[0], n_topics))
    H = rng.exponential(size=(n_topics, X.shape[1]))
    return W * (X.sum() / (W.sum(axis=0) @ H.sum(axis=1))), H


def newsgroup_trials(quick: bool) -> list[Trial]:
    """What tells most comes first, for a run may be cut short."""
    passes = QUICK_PASSES if quick else FULL_PASSES
    once = list(AS_READ.values())
    if not quick:
        best = {**AS_READ[SUPERVISED_MODEL], "model": BEST_MODEL}
        again = [settings for settings in once if settings["model"] != "pca"]
        once += [*map(changed, OTHER_READINGS), *_curves(), best]
    first = [Trial({**settings, "passes": passes}, 0) for settings in once]
    if quick:
        return first
    starts = range(1, N_STARTS)
    more = [Trial({**settings, "passes": passes}, seed) for seed in starts for settings in again]
    early = len(AS_READ) + len(OTHER_READINGS)
    return [*first[:early], *more[: len(again)], *first[early:], *more[len(again) :]]


def _curves() -> list[Settings]:
    """Figures 3, 6 and 7: a_λ against accuracy and inter-label sparsity."""
    base = AS_READ[SUPERVISED_MODEL]
    return [
        {**base, "topics": n_topics, "rate_shape": shape}
        for n_topics, shape in product(reversed(CURVE_TOPICS), RATE_SHAPES)
        if (n_topics, shape) != (base["topics"], base["rate_shape"])
    ]


def trials_without_headers() -> list[Trial]:
    return [
        Trial({**settings, "headers": "removed", "passes": FULL_PASSES}, seed)
        for seed in range(N_STARTS_WITHOUT_HEADERS)
        for settings in reversed(list(AS_READ.values()))
        if not (settings["model"] == "pca" and seed)
    ]
