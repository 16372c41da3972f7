"""Haddock et al. (2020): tables 2, 4 and 8, the four loss pairs on made-up data and on newsgroups.

Table 2: the model whose losses belong to the noise should come nearest to the truth. Numbers below
zero, which Gaussian noise makes, count as zero here: the print does not say what it does. Tables
4 and 8: thirteen newsgroups in five classes; the words and their idf are those of the training
texts alone. A trial draws the texts, the split and the start anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy.sparse as sp
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC

from core.corpus import Corpus
from core.engine.losses import LossName
from core.evaluation.metrics import accuracy, score_p
from core.evaluation.splits import equal_groups, split_documents
from core.loading import read_newsgroups
from core.matrix import build_matrix
from core.models import MODELS
from core.papers.groups import SSNMF_CLASSES, group_of
from core.papers.running import Experiment, Paper
from core.papers.ssnmf_tables import NEWSGROUP_MODELS, PAIRS, newsgroup_tables, synthetic_tables
from core.papers.trials import Settings, Trial
from core.supervision import Supervision
from core.text import TextSettings
from core.values import count

LOSS: Mapping[str, LossName] = {"F": "frobenius", "D": "i_divergence"}
PRINTED_OPTIONS = {
    "F,F": (1e-4, 100.0),
    "F,D": (1e-4, 10.0),
    "D,F": (1e-3, 100.0),
    "D,D": (1e-3, 1000.0),
}
CLASS_SIZE, N_TOPICS, UPDATES, NMF_UPDATES = 1796, 13, 50, 400
RANK, MATRIX_SIZE, DENSITY = 5, 500, 0.5  # of the made-up matrices
SYNTHETIC_UPDATES, QUICK_UPDATES = 100_000, 200
DIVISOR_SHIFT = 1e-10  # print adds “a small positive value to all entries of divisors”
NOISE = {1: ("N", "N"), 2: ("N", "Po"), 3: ("Po", "N"), 4: ("Po", "Po")}  # on X, on Y
EXPERIMENT_PAIR = {1: "F,F", 2: "F,D", 3: "D,F", 4: "D,D"}  # whose objective is the error


@dataclass(frozen=True)
class Newsgroups:
    """Texts of the thirteen subgroups."""

    corpus: Corpus

    @property
    def fingerprint(self) -> str:
        return self.corpus.fingerprint

    @property
    def description(self) -> str:
        return (
            f"20 Newsgroups without headers, footers and quotes, {count(len(self.corpus), 'text')} "
            "of thirteen subgroups in five classes."
        )


@dataclass(frozen=True)
class TextSplit:
    """Training and test texts of one trial as matrices, with classes and subgroups."""

    train: sp.csr_array
    test: sp.csr_array
    train_class: list[str]
    test_class: list[str]
    train_group: list[str]


def newsgroups() -> Newsgroups:
    """All texts of the subgroups, of both parts of the collection, without headers and quotes.

    Texts of which nothing is left stay: only with them has the smallest class the printed 1,796.
    """
    corpus, class_of = read_newsgroups("all", min_characters=0), group_of(SSNMF_CLASSES)
    rows = [row for row, labels in enumerate(corpus.labels) if labels[0] in class_of]
    return Newsgroups(corpus.rows(rows))


@lru_cache(maxsize=1)
def text_split(corpus: Corpus, seed: int) -> TextSplit:
    """As many texts of every class, 60 % of them to learn from, 20 % to judge by."""
    groups, class_of = [labels[0] for labels in corpus.labels], group_of(SSNMF_CLASSES)
    rows = equal_groups([class_of[group] for group in groups], CLASS_SIZE, seed)
    split = split_documents([groups[row] for row in rows], seed)
    train, test = rows[split.train].tolist(), rows[split.test].tolist()
    matrix = build_matrix(corpus.rows(train), TextSettings(preset="ssnmf_paper"))
    return TextSplit(
        train=matrix.X,
        test=build_matrix(corpus.rows(test), like=matrix).X,
        train_class=[class_of[groups[row]] for row in train],
        test_class=[class_of[groups[row]] for row in test],
        train_group=[groups[row] for row in train],
    )


def newsgroup_trials(n_trials: int, models: Sequence[str]) -> list[Trial]:
    return [Trial({"model": model}, seed) for seed in range(n_trials) for model in models]


def run_newsgroups(data: Newsgroups, trial: Trial) -> Mapping[str, float]:
    split = text_split(data.corpus, trial.seed)
    name = str(trial.settings["model"])
    if name in PRINTED_OPTIONS:
        return _ssnmf_scores(split, name, trial.seed)
    if name == "NMF + SVM":
        return _nmf_scores(split, trial.seed)
    classifier = MultinomialNB() if name == "Multinomial NB" else LinearSVC(random_state=trial.seed)
    classifier.fit(split.train, split.train_class)
    return {"accuracy": 100 * accuracy(split.test_class, classifier.predict(split.test))}


def _ssnmf_scores(split: TextSplit, pair: str, seed: int) -> dict[str, float]:
    tol, strength = PRINTED_OPTIONS[pair]
    x_loss, y_loss = (LOSS[letter] for letter in pair.split(","))
    model = MODELS["ssnmf"](
        N_TOPICS,
        x_loss=x_loss,
        y_loss=y_loss,
        label_strength=strength,
        max_iter=UPDATES,
        tol=tol,
        random_state=seed,
    ).fit(split.train, split.train_class)
    right = accuracy(split.test_class, model.predict(split.test))
    return {"accuracy": 100 * right, **_clustering(model.doc_topic_, split.train_group)}


def _nmf_scores(split: TextSplit, seed: int) -> dict[str, float]:
    model = MODELS["nmf"](
        N_TOPICS, solver="mu", init="acol", max_iter=NMF_UPDATES, tol=1e-4, random_state=seed
    ).fit(split.train)
    classifier = LinearSVC(random_state=seed).fit(model.doc_topic_, split.train_class)
    right = accuracy(split.test_class, classifier.predict(model.transform(split.test)))
    return {"accuracy": 100 * right, **_clustering(model.doc_topic_, split.train_group)}


def _clustering(W: np.ndarray, groups: Sequence[str]) -> dict[str, float]:
    return {kind: score_p(W, groups, kind=kind).mean for kind in ("hard", "soft")}


@dataclass(frozen=True)
class MadeUp:
    """The true factors of table 2, the same in all trials."""

    W: np.ndarray
    H: np.ndarray
    B: np.ndarray

    @property
    def fingerprint(self) -> str:
        return f"made-up-{len(self.W)}x{RANK}-seed-0"

    @property
    def description(self) -> str:
        size = len(self.W)
        return f"Made-up data: {size} documents, {size} terms, {size} targets, rank {RANK}."


def made_up(size: int = MATRIX_SIZE) -> MadeUp:
    rng = np.random.default_rng(0)
    H = rng.uniform(size=(RANK, size))
    W, B = (_half_empty(rng, size) for _ in range(2))
    return MadeUp(W, H, B)


def _half_empty(rng: np.random.Generator, size: int) -> np.ndarray:
    values = rng.uniform(size=size * RANK)
    values[rng.permutation(values.size)[: round((1 - DENSITY) * values.size)]] = 0
    return values.reshape(size, RANK)


def synthetic_trials(n_starts: int, updates: int) -> list[Trial]:
    return [
        Trial({"noise": noise, "pair": pair, "updates": updates}, seed)
        for seed in range(n_starts)
        for noise in NOISE
        for pair in PAIRS
    ]


def run_synthetic(data: MadeUp, trial: Trial) -> Mapping[str, float]:
    """Relative error (10): the objective of the noise against the truth, after and before."""
    noise, settings = int(trial.settings["noise"]), trial.settings
    true_X, true_Y = data.W @ data.H, data.W @ data.B.T
    rng = np.random.default_rng([noise, trial.seed])
    paired = noise in (2, 3)  # Gaussian noise beside Poisson has the variance 1 / 2r
    variance = 1 / (2 * RANK) if paired else 1.0
    X, Y = (
        _noisy(truth, kind, variance, rng)
        for truth, kind in zip((true_X, true_Y), NOISE[noise], strict=True)
    )
    start = _random_start(X, Y, trial.seed)
    model = _fitted(X, Y, settings, start)
    pair = EXPERIMENT_PAIR[noise]
    after = _objective(
        pair, true_X, true_Y, model.doc_topic_, model.components_, model.label_topic_
    )
    return {"relative_error": after / _objective(pair, true_X, true_Y, *start)}


def _noisy(truth: np.ndarray, kind: str, variance: float, rng: np.random.Generator) -> np.ndarray:
    if kind == "Po":
        return rng.poisson(truth).astype(float)
    return np.maximum(rng.normal(truth, np.sqrt(variance)), 0)


def _random_start(X: np.ndarray, Y: np.ndarray, seed: int) -> tuple[np.ndarray, ...]:
    """The same for all four models."""
    rng = np.random.default_rng(seed)
    shapes = (X.shape[0], RANK), (RANK, X.shape[1]), (Y.shape[1], RANK)
    return tuple(rng.uniform(size=shape) for shape in shapes)


def _fitted(X: np.ndarray, Y: np.ndarray, settings: Settings, start: tuple[np.ndarray, ...]):  # type: ignore[no-untyped-def]
    x_loss, y_loss = (LOSS[letter] for letter in str(settings["pair"]).split(","))
    targets = Supervision.of([[] for _ in range(X.shape[0])], targets=Y)
    model = MODELS["ssnmf"](
        RANK, x_loss=x_loss, y_loss=y_loss, max_iter=int(settings["updates"]), tol=0.0
    )
    return model.fit(X, targets, start=start)


def _objective(
    pair: str, X: np.ndarray, Y: np.ndarray, W: np.ndarray, H: np.ndarray, B: np.ndarray
) -> float:
    x_letter, y_letter = pair.split(",")
    return _error(x_letter, X, W @ H) + _error(y_letter, Y, W @ B.T)


def _error(letter: str, truth: np.ndarray, found: np.ndarray) -> float:
    if letter == "F":
        return float(((truth - found) ** 2).sum())
    logs = truth * np.log(np.where(truth > 0, truth, 1) / (found + DIVISOR_SHIFT))  # 0 log 0 is 0
    return float((logs - truth + found).sum())


def experiments(quick: bool) -> list[Experiment]:
    n_trials = 2 if quick else 11
    starts, updates = (1, QUICK_UPDATES) if quick else (5, SYNTHETIC_UPDATES)
    trials = newsgroup_trials(n_trials, NEWSGROUP_MODELS)
    return [
        Experiment("20 Newsgroups", newsgroups, trials, run_newsgroups, newsgroup_tables),
        Experiment(
            "Made-up data",
            made_up,
            synthetic_trials(starts, updates),
            run_synthetic,
            synthetic_tables,
        ),
    ]


PAPER = Paper(
    "ssnmf",
    "Haddock et al. (2020), Semi-supervised NMF models for topic modeling in learning tasks",
    experiments,
    not_attempted=(
        "Table 6: tol and λ are the printed ones, chosen by the authors on their validation texts.",
        "Figure 2 and tables 5, 7, 9 to 12 (B and keywords of one fit).",
    ),
)
