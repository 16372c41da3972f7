"""Cho & Saul (2011): 20 Newsgroups in few dimensions, then a linear machine on the labelled texts.

A trial is a split of the training texts: four fifths to learn from, a fifth to validate by, and a
share of the first that keep their labels. Every reduction sees all texts to learn from; linear
discriminant analysis and the machine see the labelled ones. λ and the machine's C are those that
classify the validation texts best. Test texts are the same in all trials. Words are counted and
texts have unit length: print does not name its weights, and with TF-IDF the machine on all words
is better than anything printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from core.corpus import Corpus
from core.engine.checks import canonical_csr
from core.engine.products import square_root
from core.evaluation.metrics import accuracy
from core.evaluation.references import DISCRIMINANT_COMPONENTS
from core.evaluation.splits import split_documents
from core.matrix import build_matrix
from core.models import CNMF, SSNMF, NMFAlpha
from core.papers.nmf_alpha.tables import (
    CHEAP_METHODS,
    DEAR_METHODS,
    LDA_ALL_WORDS,
    N_TERMS,
    OUR_BEST,
    SVM_TFIDF,
    WITH_TFIDF,
)
from core.papers.sources import NewsgroupTexts
from core.papers.trials import Trial
from core.text import TextSettings

NEWS_WORDS = TextSettings(
    preset="ssnmf_paper",
    stop_words=False,
    min_documents=1,
    max_share=1.0,
    max_terms=N_TERMS,
)
VALIDATION_SHARE = 0.2
WORD_COSTS = (0.1, 1.0, 10.0)  # C of the machine on all words
SPACE_COSTS = (1.0, 10.0, 100.0)  # C of the machine on the reduced texts
TRIED_PENALTIES = (0.1, 1.0, 10.0)  # of the regression that gives the discriminants of all words
TRIED_STRENGTHS = (0.1, 1.0, 10.0)  # λ of NMF-α
LEE_STRENGTHS = (0.1, 1.0, 10.0)  # λ of Lee et al.

Reduction = Callable[[sp.csr_array], Any]


@dataclass(frozen=True, eq=False)
class NewsSplit:
    """Texts of one trial as matrices over the words of those to learn from, and their groups."""

    train: sp.csr_array
    validation: sp.csr_array
    test: sp.csr_array
    train_group: np.ndarray
    validation_group: np.ndarray
    test_group: np.ndarray

    def labelled(self, percent: int, seed: int) -> np.ndarray:
        """Texts that keep their labels, as many per cent of every group."""
        share = percent / 100
        return split_documents(self.train_group.tolist(), seed, (share, 1 - share, 0.0)).train


@lru_cache(maxsize=2)
def news_split(train: Corpus, test: Corpus, seed: int, weighting: str) -> NewsSplit:
    groups = _groups(train)
    shares = (1 - VALIDATION_SHARE, VALIDATION_SHARE, 0.0)
    split = split_documents(groups.tolist(), seed, shares)
    words = replace(NEWS_WORDS, weighting=weighting)
    matrix = build_matrix(train.rows(split.train.tolist()), words)
    validation = train.rows(split.validation.tolist())
    return NewsSplit(
        train=matrix.X,
        validation=build_matrix(validation, like=matrix).X,
        test=build_matrix(test, like=matrix).X,
        train_group=groups[split.train],
        validation_group=groups[split.validation],
        test_group=_groups(test),
    )


def _groups(corpus: Corpus) -> np.ndarray:
    return np.array([labels[0] for labels in corpus.labels])


def news_trials(
    n_splits: int, headers: Sequence[str], shares: Sequence[int], **size: int
) -> list[Trial]:
    """The cheap methods of a split first, for a run may be cut short."""
    cases = [
        *product(headers, shares, CHEAP_METHODS),
        *product(headers, shares, DEAR_METHODS),
    ]
    return [
        Trial({"method": method, "headers": kept, "labelled": percent, **size}, seed)
        for seed in range(n_splits)
        for kept, percent, method in cases
    ]


def run_news(data: NewsgroupTexts, trial: Trial) -> Mapping[str, float]:
    """Test accuracy of the λ and C that are best on the validation texts."""
    settings, seed = trial.settings, trial.seed
    weighting = "tfidf" if settings["method"] in WITH_TFIDF else "counts"
    split = news_split(*data.parts(str(settings["headers"])), seed, weighting)
    known = split.labelled(int(settings["labelled"]), seed)
    found = [
        _classified(split, known, space, strength)
        for strength, space in _spaces(split, known, trial)
    ]
    best = max(found, key=lambda each: each["validation"])
    return {**best, "tried": float(sum(each["tried"] for each in found))}


def _classified(
    split: NewsSplit, known: np.ndarray, space: Reduction, strength: float
) -> dict[str, float]:
    """Validation and test accuracy in per cent with the best C."""
    train, validation, test = map(
        space, (canonical_csr(split.train[known]), split.validation, split.test)
    )
    found = []
    for cost in WORD_COSTS if sp.issparse(train) else SPACE_COSTS:
        machine = LinearSVC(C=cost, dual="auto", max_iter=10_000, random_state=0)
        machine.fit(train, split.train_group[known])
        right = accuracy(split.validation_group, machine.predict(validation))
        found.append((right, machine, cost))
    right, machine, cost = max(found, key=lambda each: each[0])
    return {
        "accuracy": 100 * accuracy(split.test_group, machine.predict(test)),
        "validation": 100 * right,
        "strength": strength,
        "cost": cost,
        "tried": len(found),
    }


def _spaces(split: NewsSplit, known: np.ndarray, trial: Trial) -> Iterator[tuple[float, Reduction]]:
    """The reductions of a method, one for each λ."""
    method, rank = str(trial.settings["method"]), int(trial.settings["rank"])
    if method in ("SVM", SVM_TFIDF):
        yield 0.0, lambda X: X
    elif method == "LDA":
        yield 0.0, _discriminants(split, known)
    elif method == LDA_ALL_WORDS:
        for penalty in TRIED_PENALTIES:
            yield penalty, _regression(split, known, penalty)
    elif method in ("PCA", "NMF"):
        yield 0.0, _unlabelled(method, split, rank, int(trial.settings["updates"]), trial.seed)
    else:
        for strength, model in _taught(split, known, trial):
            yield strength, _corrected(model)


def _discriminants(split: NewsSplit, known: np.ndarray) -> Reduction:
    rank = min(DISCRIMINANT_COMPONENTS, known.size - 1, split.train.shape[1] - 1)
    steps = PCA(rank, svd_solver="arpack", random_state=0), LinearDiscriminantAnalysis()
    X = canonical_csr(split.train[known])
    space: Reduction = make_pipeline(*steps).fit(X, split.train_group[known]).transform
    return space


def _regression(split: NewsSplit, known: np.ndarray, penalty: float) -> Reduction:
    """Least squares of the groups on all words span the discriminants; the penalty regularises."""
    X, groups = canonical_csr(split.train[known]), split.train_group[known]
    indicator = (groups[:, None] == np.unique(groups)).astype(X.dtype)
    space: Reduction = Ridge(penalty, solver="sparse_cg").fit(X, indicator).predict
    return space


@lru_cache(maxsize=2)
def _unlabelled(method: str, split: NewsSplit, rank: int, updates: int, seed: int) -> Reduction:
    """The same whichever texts are labelled."""
    if method == "PCA":
        components = PCA(rank, svd_solver="arpack", random_state=seed).fit(split.train)
        space: Reduction = components.transform
        return space
    options: dict[str, Any] = {"max_iter": updates, "random_state": seed, "init": "acol"}
    return _corrected(NMFAlpha(rank, margin_strength=0.0, **options).fit(split.train))


def _corrected(model: Any) -> Reduction:
    """W (H Hᵀ)^½ of any factorisation, eq. (5)."""
    root = square_root(model.components_)
    return lambda X: model.transform(X) @ root


def _taught(split: NewsSplit, known: np.ndarray, trial: Trial) -> Iterator[tuple[float, Any]]:
    """Factorisations that see the labels, one for each λ."""
    method, rank = trial.settings["method"], int(trial.settings["rank"])
    labels: list[list[str]] = [[] for _ in split.train_group]
    for row in known.tolist():
        labels[row] = [str(split.train_group[row])]
    options: dict[str, Any] = {
        "max_iter": int(trial.settings["updates"]),
        "random_state": trial.seed,
        "init": "labels" if method == OUR_BEST else "acol",
    }
    if method == "CNMF":
        yield 0.0, CNMF(rank, **options).fit(split.train, labels)
        return
    for strength in LEE_STRENGTHS if method == "Lee" else TRIED_STRENGTHS:
        model = (
            SSNMF.lee(rank, label_strength=strength, **options)
            if method == "Lee"
            else NMFAlpha(rank, margin_strength=strength, **options)
        )
        yield strength, model.fit(split.train, labels)
