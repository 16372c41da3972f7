"""Tables 4, 5, 6 and 8 and figure 2 of Haddock et al.: thirteen newsgroups in five classes.

The words and their idf are those of the training texts alone. A trial draws the texts, the split
and the start anew. Topics start from the labels, or uniformly at random as in print, for all four
pairs of losses by the printed tol and λ. Score P is taken on all texts, as in print: those a model
was not fitted to get their weights from ``transform``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

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
from core.papers.ssnmf.tables import CLASSIFIERS, LABEL_START, NMF_SVM, PAIRS, RANDOM_START
from core.papers.trials import Trial
from core.text import TextSettings
from core.values import count

LOSS_OF_LETTER: Mapping[str, LossName] = {"F": "frobenius", "D": "i_divergence"}
PRINTED_OPTIONS = {
    "F,F": (1e-4, 100.0),
    "F,D": (1e-4, 10.0),
    "D,F": (1e-3, 100.0),
    "D,D": (1e-3, 1000.0),
}
CLASS_SIZE, N_TOPICS, UPDATES, NMF_UPDATES = 1796, 13, 50, 400
SEARCHED_STRENGTHS, SEARCHED_TOLS = (10.0, 100.0, 1000.0), (1e-4, 1e-3, 1e-2)  # that print searched
KEYWORDS_OF = "D,F"  # the pair of figure 2 and table 5
N_KEYWORDS = 10


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
    """Training, validation and test texts of one trial, as matrices with classes and subgroups."""

    terms: tuple[str, ...]
    matrices: tuple[sp.csr_array, sp.csr_array, sp.csr_array]
    groups: tuple[list[str], ...]  # of the same three

    @property
    def train(self) -> sp.csr_array:
        return self.matrices[0]

    @property
    def classes(self) -> list[list[str]]:
        class_of = group_of(SSNMF_CLASSES)
        return [[class_of[group] for group in part] for part in self.groups]


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
    parts = [rows[part].tolist() for part in (split.train, split.validation, split.test)]
    matrix = build_matrix(corpus.rows(parts[0]), TextSettings(preset="ssnmf_paper"))
    validation, test = (build_matrix(corpus.rows(part), like=matrix).X for part in parts[1:])
    return TextSplit(
        terms=tuple(matrix.terms),
        matrices=(matrix.X, validation, test),
        groups=tuple([groups[row] for row in part] for part in parts),
    )


def newsgroup_trials(n_trials: int) -> list[Trial]:
    topic_models = [
        Trial({"model": model, "start": start}, seed)
        for seed in range(n_trials)
        for model in (*PAIRS, NMF_SVM)
        for start in (LABEL_START, RANDOM_START)
    ]
    classifiers = [Trial({"model": name}, seed) for seed in range(n_trials) for name in CLASSIFIERS]
    return [*topic_models, *classifiers]


def run_newsgroups(data: Newsgroups, trial: Trial) -> Mapping[str, Any]:
    split = text_split(data.corpus, trial.seed)
    name = str(trial.settings["model"])
    if name not in CLASSIFIERS:
        at_random = trial.settings["start"] == RANDOM_START
        scores = _ssnmf_scores if name in PAIRS else _nmf_scores
        return scores(split, name, trial.seed, at_random)
    classifier = MultinomialNB() if name == "Multinomial NB" else LinearSVC(random_state=trial.seed)
    return {"accuracy": _test_accuracy(classifier.fit(split.train, split.classes[0]), split)}


def _test_accuracy(model: Any, split: TextSplit) -> float:
    return 100 * accuracy(split.classes[2], model.predict(split.matrices[2]))


def _ssnmf_scores(split: TextSplit, pair: str, seed: int, at_random: bool) -> dict[str, Any]:
    tol, strength = PRINTED_OPTIONS[pair]
    model = _fitted(split, pair, strength, tol, seed, at_random)
    shown = _shown(model, split.terms) if pair == KEYWORDS_OF else {}
    return {"accuracy": _test_accuracy(model, split), **_clustering(model, split)} | shown


def _fitted(
    split: TextSplit, pair: str, strength: float, tol: float, seed: int, at_random: bool
) -> Any:
    x_loss, y_loss = (LOSS_OF_LETTER[letter] for letter in pair.split(","))
    model = MODELS["ssnmf"](
        N_TOPICS,
        x_loss=x_loss,
        y_loss=y_loss,
        label_strength=strength,
        max_iter=UPDATES,
        tol=tol,
        random_state=seed,
    )
    start = random_start(split, seed) if at_random else None
    return model.fit(split.train, split.classes[0], start=start)


def random_start(split: TextSplit, seed: int) -> tuple[np.ndarray, ...]:
    """W, H and B of numbers between 0 and 1, as in print."""
    rng, n_classes = np.random.default_rng(seed), len(set(split.classes[0]))
    n_docs, n_terms = split.train.shape
    shapes = (n_docs, N_TOPICS), (N_TOPICS, n_terms), (n_classes, N_TOPICS)
    return tuple(rng.uniform(size=shape) for shape in shapes)


def _shown(model: Any, terms: Sequence[str]) -> dict[str, Any]:
    """Keywords of the topics, and B with columns that sum to one, as in figure 2."""
    order = np.argsort(-model.components_, axis=1, kind="stable")[:, :N_KEYWORDS]
    shares = model.label_topic_ / np.maximum(model.label_topic_.sum(axis=0), 1e-30)
    return {
        "keywords": [[terms[place] for place in row] for row in order],
        "classes": list(model.label_names_),
        "class_shares": np.round(shares, 4).tolist(),
    }


def _nmf_scores(split: TextSplit, name: str, seed: int, at_random: bool) -> dict[str, float]:
    model = MODELS["nmf"](
        N_TOPICS, solver="mu", init="acol", max_iter=NMF_UPDATES, tol=1e-4, random_state=seed
    )
    model.fit(split.train, start=random_start(split, seed)[:2] if at_random else None)
    classifier = LinearSVC(random_state=seed).fit(model.doc_topic_, split.classes[0])
    right = accuracy(split.classes[2], classifier.predict(model.transform(split.matrices[2])))
    return {"accuracy": 100 * right, **_clustering(model, split)}


def _clustering(model: Any, split: TextSplit) -> dict[str, float]:
    """Score P on all texts, and on those of the fit alone."""
    W = np.concatenate([model.doc_topic_, *map(model.transform, split.matrices[1:])])
    groups, n_train = [each for part in split.groups for each in part], split.train.shape[0]
    kinds: tuple[Literal["hard", "soft"], ...] = ("hard", "soft")
    return {
        kind + part: score_p(W[:n], groups[:n], kind=kind).mean
        for kind in kinds
        for part, n in (("", n_train), ("_all", len(W)))
    }


def search_trials(n_trials: int) -> list[Trial]:
    return [Trial({"pair": pair}, seed) for seed in range(n_trials) for pair in PAIRS]


def run_search(data: Newsgroups, trial: Trial) -> Mapping[str, float]:
    """Table 6: accuracy on the validation texts for every tol and λ that print searched."""
    split = text_split(data.corpus, trial.seed)
    found = {}
    for tol in SEARCHED_TOLS:
        for strength in SEARCHED_STRENGTHS:
            model = _fitted(split, str(trial.settings["pair"]), strength, tol, trial.seed, False)
            right = accuracy(split.classes[1], model.predict(split.matrices[1]))
            found[f"{tol:g}, {strength:g}"] = 100 * right
    return found
