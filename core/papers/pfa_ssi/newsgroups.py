"""Accuracy on 20 Newsgroups, tables 3 and 4, figure 2: labels and groups of labels as nodes.

Print's release is that of 18,774 texts with most of their headers; ours is by date, and tried both
with headers and without. A new text gets the label, or the super-group, nearest to it by cosine:
by the shares that our ``predict`` uses, and by the raw weights g and h that print compares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from core.corpus import Corpus
from core.engine.prediction import cosines
from core.evaluation.metrics import accuracy
from core.loading import read_newsgroups
from core.matrix import build_matrix
from core.models import MODELS
from core.papers.groups import SUPER_GROUPS, group_of
from core.papers.pfa_ssi.nodes import Parents, likeness, nodes_shown, topic_words
from core.papers.running import Experiment
from core.papers.tables import PaperRow, PaperTable
from core.papers.trials import Trial, TrialSet
from core.supervision import Supervision
from core.text import TextSettings
from core.values import count

N_TERMS = 5_638  # print's
REMOVED_PARTS = {"headers": (), "stripped": ("headers", "footers", "quotes")}
TEXT_NAMES = {"headers": "with headers", "stripped": "without headers, footers and quotes"}
PRINTED_ACCURACY = 63.7
NODE_KINDS = {"raw": "raw weights, as in print", "shares": "shares, our predict"}
QUICK_TRIALS, FULL_TRIALS = (1, 40, 40), (1, 100, 100)  # seeds, topics, sweeps


@dataclass(frozen=True)
class LabelledGroups:
    """Texts by date, with headers and without."""

    train: Mapping[str, Corpus]
    test: Mapping[str, Corpus]

    @property
    def fingerprint(self) -> str:
        return f"{self.train['headers'].fingerprint}-{self.test['headers'].fingerprint}"

    @property
    def description(self) -> str:
        train, test = self.train["headers"], self.test["headers"]
        return (
            f"20 Newsgroups by date, {count(len(train), 'text')} to learn from, "
            f"{len(test):,} to judge by."
        )


def labelled_groups() -> LabelledGroups:
    train, test = (
        {name: read_newsgroups(part, remove=removed) for name, removed in REMOVED_PARTS.items()}
        for part in ("train", "test")
    )
    return LabelledGroups(train, test)


def super_groups() -> Parents:
    return {group: (above,) for group, above in group_of(SUPER_GROUPS).items()}


def group_trials(n_seeds: int, n_topics: int, sweeps: int) -> list[Trial]:
    return [
        Trial({"texts": texts, "topics": n_topics, "sweeps": sweeps}, seed)
        for seed in range(n_seeds)
        for texts in REMOVED_PARTS
    ]


def run_groups(data: LabelledGroups, trial: Trial) -> Mapping[str, Any]:
    texts, parents = str(trial.settings["texts"]), super_groups()
    train, test = data.train[texts], data.test[texts]
    settings = TextSettings(lemmas=False, max_terms=N_TERMS, weighting="counts", l2=False)
    matrix = build_matrix(train, settings)
    model = MODELS["pfa_ssi"](
        int(trial.settings["topics"]),
        max_iter=int(trial.settings["sweeps"]),
        random_state=trial.seed,
    ).fit(matrix.X, Supervision.of(train.labels, hierarchy=[parents]))
    truth = [labels[0] for labels in test.labels]
    above = [parents[group][0] for group in truth]
    shown = nodes_shown(model, matrix.terms, parents) if trial.seed == 0 else {}
    return _accuracies(model, build_matrix(test, like=matrix).X, truth, above) | shown


def _accuracies(
    model: Any, new: sp.csr_array, groups: Sequence[str], above: Sequence[str]
) -> dict[str, Any]:
    """By the shares of nodes and by their raw weights; topics that sum to one, as in print."""
    length = model.topic_length_
    weights = model.transform(new) / np.where(length > 0, length, 1)
    values = {}
    for level, (name, truth) in enumerate((("group", groups), ("super_group", above))):
        names = np.array(model.candidates(level), dtype=object)
        for kind, nodes in (("shares", model.node_shares_), ("raw", model.node_topic_)):
            near = cosines(weights, nodes[level][: len(names)])
            values[f"{name}_{kind}"] = 100 * accuracy(truth, names[near.argmax(axis=1)])
    return values


def group_tables(results: TrialSet) -> list[PaperTable]:
    shown = results.of(texts="headers").trials[0].shown
    parts = (
        ("names", "words", "Main topics of the groups, with headers (table 3)"),
        ("above", "words_above", "Main topics of the super-groups, with headers (table 4)"),
    )
    return [
        _accuracy_table(results),
        *(
            PaperTable(title, words=topic_words(shown[names], shown[words]))
            for names, words, title in parts
        ),
        PaperTable("Groups and super-groups (figure 2)", statements=likeness(shown, "super-group")),
    ]


def _accuracy_table(results: TrialSet) -> PaperTable:
    rows = [
        PaperRow(
            f"{level} right, {NODE_KINDS[kind]}, {TEXT_NAMES[texts]}",
            PRINTED_ACCURACY if (name, kind) == ("group", "raw") else None,
            results.values(f"{name}_{kind}", texts=texts),
        )
        for name, level in (("group", "Group"), ("super_group", "Super-group"))
        for kind in NODE_KINDS
        for texts in TEXT_NAMES
    ]
    (topics,), (sweeps,) = results.choices("topics"), results.choices("sweeps")
    note = (
        f"At most {topics} topics (print: 200), {sweeps} sweeps, per cent of the test texts. Print "
        "does not say what was taken out of its texts, and gives no accuracy of super-groups."
    )
    return PaperTable("Labels of new texts (section 5.3)", rows, decimals=1, notes=[note])


def experiments(quick: bool) -> list[Experiment]:
    trials = group_trials(*(QUICK_TRIALS if quick else FULL_TRIALS))
    return [Experiment("20 Newsgroups", labelled_groups, trials, run_groups, group_tables)]
